"""Several layers of multiplication units: what 2.1.3 says of depth, and what the results for one layer say of more."""

from __future__ import annotations

import itertools

import mpmath
import sympy

from montecarlo import covariance, mean, moment, variance
from montecarlo.kernels import depth as kernels
from paper_checks.claim import grid, registry
from paper_checks.relations import Always, Bounds
from paper_checks.verdict import Status
from theory import nac_mul_depth, nmu_depth

claim = registry.claim

HALF, QUARTER = sympy.Rational(1, 2), sympy.Rational(1, 4)


def nmu_outputs(inputs, weights):
    """z_o = prod_h (W_oh z_h + 1 - W_oh)."""
    return [mpmath.fprod(w * z + 1 - w for w, z in zip(row, inputs, strict=True)) for row in weights]


def all_matrices(values, rows, columns):
    """Every matrix with entries out of some values."""
    for entries in itertools.product(values, repeat=rows * columns):
        yield [entries[r * columns : (r + 1) * columns] for r in range(rows)]


def enumerated(function, values, inputs, width, layers):
    """Mean of function(outputs) over all inputs and all weights of a real stack of NMU layers."""
    laws = {z: mpmath.mpf(1) for z in itertools.product(inputs, repeat=width)}
    matrices = list(all_matrices(values, width, width))
    for _ in range(layers):
        after: dict[tuple, mpmath.mpf] = {}
        for z, count in laws.items():
            for matrix in matrices:
                out = tuple(nmu_outputs(z, matrix))
                after[out] = after.get(out, 0) + count
        laws = after
    total = mpmath.fsum(laws.values())
    return mpmath.fsum(count * function(*z) for z, count in laws.items()) / total


def sign_moment(function, width, layers):
    """Inputs +-1 and weights 0 or 1."""
    return enumerated(function, (0, 1), (-1, 1), width, layers)


SIGNS = {"distance": lambda: HALF, "sd_z": lambda: 1}
# The enumeration has 2^(H^2) matrices.
SIGN_POINTS = [*grid(width=2, layers=4), *grid(width=3, layers=2)]

claim(
    "nau/beyond.nmu-depth.signs-mean",
    at="beyond B.4",
    says="the mean after layers of NMUs with weights 0 or 1 and inputs +-1 is 1 - (1 - 2^-H)^l",
    printed=nmu_depth.signs_mean,
    points=[*grid(width=3, layers=2), *grid(width=2, layers=10)],
    derived=SIGNS,
    integral=lambda width, layers: sign_moment(lambda z, *_: z, width, layers),
    measured=mean(kernels.nmu_layers),
    scale=lambda: 1,
    scale_says="the root mean square of an output, which is 1",
    note="a real network, whose units share their inputs; as if the inputs of each layer were independent the mean "
    "after ten layers of two units would be 0.741, it is 0.944",
    beyond=True,
)

claim(
    "nau/beyond.nmu-depth.signs-variance",
    at="beyond B.4",
    says="the variance after layers of NMUs with weights 0 or 1 and inputs +-1: kept for about 2^H layers, then lost",
    printed=nmu_depth.signs_variance,
    points=SIGN_POINTS,
    derived=SIGNS,
    integral=lambda width, layers: (
        sign_moment(lambda z, *_: z**2, width, layers) - sign_moment(lambda z, *_: z, width, layers) ** 2
    ),
    measured=variance(kernels.nmu_layers),
    scale=lambda: 1,
    scale_says="the mean square of an output, which is 1",
    note="after ten layers of two units 0.109, of eight units 0.9985: for inputs +-1 the recommended weights keep the "
    "variance at any practical depth",
    beyond=True,
)

claim(
    "nau/beyond.nmu-depth.signs-covariance",
    at="beyond B.4",
    says="the covariance of two units after layers of NMUs with weights 0 or 1 and inputs +-1",
    printed=nmu_depth.signs_covariance,
    points=grid(width=2, layers=3),
    derived=SIGNS,
    integral=lambda width, layers: (
        sign_moment(lambda y, z, *_: y * z, width, layers) - sign_moment(lambda z, *_: z, width, layers) ** 2
    ),
    measured=covariance(kernels.nmu_layers, 0, 1),
    scale=lambda: 1,
    scale_says="the mean square of an output, which is 1",
    beyond=True,
)

TWO_LAYERS = {
    "layers": lambda: 2,
    "distance": lambda var_w: sympy.sqrt(var_w),
    "sd_z": lambda input_variance: sympy.sqrt(input_variance),
}


def two_layers(function, var_w, input_variance, width):
    d, s = mpmath.sqrt(var_w), mpmath.sqrt(input_variance)
    half = mpmath.mpf(1) / 2
    return enumerated(function, (half - d, half + d), (-s, s), width, 2)


def two_layer_variance(var_w, input_variance, width):
    return (
        two_layers(lambda z, *_: z**2, var_w, input_variance, width)
        - two_layers(lambda z, *_: z, var_w, input_variance, width) ** 2
    )


claim(
    "nau/eq53.second-layer",
    at="eq. (52), assumption, in depth",
    says="the mean of the second of two layers follows from (52), as if its inputs were independent",
    printed=nmu_depth.second_layer_mean_independent,
    corrected=nmu_depth.second_layer_mean(2),
    points=grid(var_w="1/12", input_variance=2, width=2),
    derived=TWO_LAYERS,
    integral=lambda var_w, input_variance, width: two_layers(lambda z, *_: z, var_w, input_variance, width),
    measured=mean(kernels.nmu_layers),
    note="E[W] = 1/2 and inputs +-sd; the units of the first layer share them, so that the mean of the second depends "
    "on their variance. Any law of the weights with mean 1/2 gives the same",
)

claim(
    "nau/eq55.second-layer",
    at="eq. (55), assumption, in depth",
    says="the variance of the second of two layers follows from (54), as if its inputs were independent",
    printed=nmu_depth.second_layer_variance_independent,
    corrected=nmu_depth.second_layer_variance(2),
    points=grid(var_w="1/5", input_variance=2, width=2),
    derived=TWO_LAYERS,
    integral=two_layer_variance,
    measured=variance(kernels.nmu_layers),
    note="E[W] = 1/2 and inputs +-sd; the law of the weights enters by its variance only. With the "
    "variance of (66) for ten inputs of variance 2, 0.107, the second layer has variance 8.6e9, as if independent 2",
)


def uniform_second_layer(input_variance, width):
    """Given the inputs, a unit of the second layer sees independent ones: E[((1 + prod (1 + x^2)/2)/2)^H]."""
    half_z = mpmath.sqrt(3 * input_variance)

    def power_mean(order):
        return mpmath.quad(lambda x: ((1 + x**2) / 2) ** order, [0, half_z]) / half_z

    return mpmath.fsum(mpmath.binomial(width, a) * power_mean(a) ** width for a in range(width + 1)) / 2**width


for _width, _id, _measured in (
    (2, "nau/text.nmu-quarter.second-layer", moment(kernels.binary_layers, 2)),
    (4, "nau/text.nmu-quarter.second-layer-wide", None),
):
    claim(
        _id,
        at="2.1.3 and B.4.3, in depth",
        says="with Var[W] = 1/4 and unit variance the second of two layers keeps the second moment as the first does",
        printed=nmu_depth.binary_second_layer_square_independent,
        corrected=nmu_depth.binary_second_layer_square(_width),
        points=grid(input_variance=[1, "1/2"], width=_width),
        derived={"half_z": lambda input_variance: sympy.sqrt(3 * input_variance), "layers": lambda: 2},
        integral=uniform_second_layer,
        measured=_measured,
        note="inputs uniform; their fourth moment is 9/5 where that of +-1 is 1, and higher powers meet in the second "
        "layer: 1.11 for two units, 5.47 for four, 1.6e15 for ten",
    )

claim(
    "nau/beyond.nmu-depth.elasticity",
    at="beyond B.4.3",
    says="a small relative change of the input variance changes the second moment of the outputs H V/(1 + V) times",
    printed=nmu_depth.second_moment_elasticity,
    derivation=lambda: (
        nmu_depth.input_variance
        * sympy.diff(
            sympy.log(((nmu_depth.var_w + QUARTER) * (1 + nmu_depth.input_variance)) ** nmu_depth.width),
            nmu_depth.input_variance,
        )
    ),
    points=grid(width=[1, 3, 100], input_variance=["1/2", 1, 2]),
    integral=lambda width, input_variance: mpmath.diff(
        lambda t: width * mpmath.log((1 + input_variance * mpmath.exp(t)) / 2), 0
    ),
    note="above 1 for H > (1 + V)/V: what the recommended weights keep is then unstable. At H = 100 an input variance "
    "of 1.01 in place of 1 gives 1.65",
    beyond=True,
)

# NAC multiplication


def log_square_of_inputs(a, b):
    """E[log(x)^2] for x ~ U[a, b]."""
    antiderivative = [x * (sympy.log(x) ** 2 - 2 * sympy.log(x) + 2) for x in (a, b)]
    return (antiderivative[1] - antiderivative[0]) / (b - a)


NAC_LAYERS = {"var_w": lambda max_w: max_w**2 / 3, "log_square": log_square_of_inputs}


def log_square_by_sum(max_w, a, b, width, layers):
    """Mean square of log z over all weights +-d of the same variance; inputs by quadrature.

    log z is linear in the logarithms of the inputs, with coefficients that depend on the weights.
    """
    d = mpmath.sqrt(mpmath.mpf(max_w) ** 2 / 3)
    one = mpmath.quad(mpmath.log, [a, b]) / (b - a)
    two = mpmath.quad(lambda x: mpmath.log(x) ** 2, [a, b]) / (b - a)
    rows = {tuple(mpmath.mpf(i == h) for i in range(width)): 1 for h in range(width)}
    # From the outputs back: a row vector of coefficients times one matrix after the other.
    rows = {next(iter(rows)): 1}
    matrices = list(all_matrices((-d, d), width, width))
    for _ in range(layers):
        after: dict[tuple, int] = {}
        for row, count in rows.items():
            for matrix in matrices:
                new = tuple(mpmath.fsum(row[o] * matrix[o][h] for o in range(width)) for h in range(width))
                after[new] = after.get(new, 0) + count
        rows = after
    total = mpmath.fsum(
        count
        * (mpmath.fsum(c**2 for c in row) * two + (mpmath.fsum(row) ** 2 - mpmath.fsum(c**2 for c in row)) * one**2)
        for row, count in rows.items()
    )
    return total / sum(rows.values())


claim(
    "nau/beyond.nac-mul-depth.log-square",
    at="beyond 2.1.3",
    says="each layer of NAC multiplication units multiplies the second moment of log|z| by H Var[W]",
    printed=nac_mul_depth.log_second_moment,
    points=grid(max_w="9/10", a=1, b=2, width=2, layers=2),
    derived=NAC_LAYERS,
    integral=log_square_by_sum,
    measured=mean(kernels.nac_mul_layers),
    assumptions="eps = 0, E[W] = 0, weights independent of each other and of the inputs; those may be dependent",
    note="Var[W] = 1/H keeps it, whatever the inputs: in logarithms there is an initialisation that does not depend on "
    "the input",
    beyond=True,
)

claim(
    "nau/beyond.nac-mul-depth.log-square-ten",
    at="beyond 2.1.3",
    says="the same after ten layers",
    printed=nac_mul_depth.log_second_moment,
    points=grid(max_w="1/2", a=1, b=2, width=8, layers=10),
    derived=NAC_LAYERS,
    measured=mean(kernels.nac_mul_layers),
    scale=lambda var_w, log_square, width, layers: 30 * log_square * (width * var_w) ** layers,
    scale_says="30 times the value: products of ten random matrices have heavy tails",
    beyond=True,
)

claim(
    "nau/beyond.nac-mul-depth.typical",
    at="beyond 2.1.3",
    says="with normal weights the mean of log of the mean square of log z gains log(2 Var[W]) + psi(H/2) in each layer",
    printed=nac_mul_depth.gaussian_log_length,
    points=[*grid(var_w="1/8", width=2, layers=1), *grid(var_w="1/16", width=3, layers=2)],
    integral=lambda var_w, width, layers: layers * mpmath.quad(
        # log of var_w times a chi-square variable of width degrees of freedom, by its density
        lambda t: mpmath.log(var_w * t) * t ** (width / mpmath.mpf(2) - 1) * mpmath.exp(-t / 2)
        / (2 ** (width / mpmath.mpf(2)) * mpmath.gamma(width / mpmath.mpf(2))),
        [0, mpmath.mpf(1) / 1000, 1, 4, 16, 64, 200],
    ),
    measured=mean(kernels.normal_nac_mul_layers),
    note="below log(H Var[W]): the typical size shrinks with Var[W] = 1/H, by about e^(-1/H) per layer, while the mean "
    "square is kept",
    beyond=True,
)  # fmt: skip

TABLE_1 = {"max_log": lambda: sympy.log(2), "input_variance": lambda: sympy.Rational(1, 12)}

claim(
    "nau/beyond.nac-mul-depth.bound",
    at="beyond 2.1.3",
    says="the variance of z after layers of NAC multiplication units is at most (exp((H w)^l max|log x|) - 1)^2",
    printed=nac_mul_depth.variance_bound,
    relation=Bounds("above"),
    points=grid(max_w=["2/5", "9/20"], a=1, b=2, width=2, layers=[2, 5]),
    derived=TABLE_1,
    measured=variance(kernels.nac_mul_layers, column=1),
    slips={"a thousandth of it": nac_mul_depth.variance_bound.expr / 1000},
    assumptions="eps = 0, |W| <= w",
    note="it vanishes with depth for H w < 1",
    beyond=True,
)

claim(
    "nau/text.nac-mul-depth.any",
    at="2.1.3",
    says="the variance of a NAC multiplication unit explodes in depth, whatever the weights",
    printed=nac_mul_depth.variance_bound,
    relation=Always(
        "even a bound of it is above the variance of the inputs U[1, 2]", lambda v: v >= mpmath.mpf(1) / 12
    ),
    points=grid(max_w=["2/5", "9/20"], width=2, layers=[2, 20]),
    derived=TABLE_1,
    expected=Status.REFUTED,
    note="for H max|W| < 1 all outputs tend to 1, surely; B.3 and B.4, which the sentence names as its proof, treat "
    "one layer",
)


def rare_events_explode() -> bool:
    """The lower bound 2 (H w t)^l log x - (H^2 (l - 1) + H) log(2/(1 - t)) grows without limit for H w t = e^c > 1."""
    c, x, k, h, l = sympy.symbols("c x k h l", positive=True)
    names = (nac_mul_depth.width, nac_mul_depth.layers, nac_mul_depth.log_input)
    bound = nac_mul_depth.rare_log_bound.expr.subs(dict(zip(names, (h, l, x), strict=True)))
    bound = bound.subs(nac_mul_depth.max_w, sympy.exp(c) / (h * nac_mul_depth.share))
    plain = 2 * sympy.exp(c * l) * x - (h**2 * (l - 1) + h) * k
    same = sympy.simplify(bound.subs(sympy.log(2 / (1 - nac_mul_depth.share)), k) - plain) == 0
    return same and sympy.limit(plain / sympy.exp(c * l), l, sympy.oo) == 2 * x


claim(
    "nau/text.nac-mul-depth.limit",
    at="2.1.3",
    says="the variance of a NAC multiplication unit grows without limit in depth, if H max|W| > 1",
    proof=rare_events_explode,
    assumptions="W uniform on [-w, w], eps = 0, all inputs above 1 by a margin",
    note="so it does with Glorot's variance 1/H, which has H w = sqrt(3 H): for inputs of 3/2 or more and ten units "
    "E[z^2] is above e^1580 after five layers. But it takes all weights of all layers to be large together, and log z "
    "vanishes meanwhile if H Var[W] < 1",
)

claim(
    "nau/text.nac-mul-depth.glorot",
    at="2.1.3",
    says="with Var[W] = 2/(fan_in + fan_out) the second moment of log z explodes in depth",
    printed=nac_mul_depth.log_growth,
    relation=Always("the factor of one layer is above 1", lambda factor: factor > 1),
    points=grid(width=[5, 100]),
    derived={"var_w": lambda width: sympy.Rational(2) / (2 * width)},
    expected=Status.REFUTED,
    note="at equal widths the factor is exactly 1: neither grows nor shrinks. It explodes if and only if H Var[W] > 1",
)

claim(
    "nau/text.nac-mul-depth.taylor",
    at="2.1.3, with eq. (41)",
    says="by the paper's own form of the mean, applied to one layer after the other, log E[z] grows in depth",
    printed=nac_mul_depth.taylor_log_growth,
    relation=Always("the factor of one layer is above 1", lambda factor: factor > 1),
    points=[
        *grid(mean_z="3/2", width=[2, 100]),  # U[1, 2] of Table 1
        *grid(mean_z=4, width=[2, 100]),  # U[2, 6]
        *grid(mean_z=20, width=100),
    ],
    derived={
        "var_w": lambda width: sympy.Rational(2) / (2 * width),
        "log_mean": lambda mean_z: sympy.log(mean_z),
    },
    expected=Status.REFUTED,
    note="log E[z] goes to H log(1 + Var[W] log(E[z])^2/2), which is smaller for both ranges of Table 1: from there "
    "(41) and (45), iterated, tend to E[z] = 1 and Var[z] = 0. At H = 100 they explode from E[z] = 7.5 on, at H = 2 "
    "never",
)
