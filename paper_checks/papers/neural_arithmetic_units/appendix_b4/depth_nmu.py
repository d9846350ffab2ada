"""Several layers of NMUs: what the results for one layer say of more."""

import itertools
from functools import cache

import mpmath
import sympy

from montecarlo import covariance, mean, moment, variance
from montecarlo.kernels.arithmetic import depth as kernels
from paper_checks import Kind, additional, common, grid
from theory.nmu import depth as nmu_depth

HALF, QUARTER = sympy.Rational(1, 2), sympy.Rational(1, 4)


def all_matrices(values, rows, columns):
    """Every matrix with entries out of some values."""
    for entries in itertools.product(values, repeat=rows * columns):
        yield [entries[r * columns : (r + 1) * columns] for r in range(rows)]


@cache
def outputs(values, inputs, width, layers, digits):
    """All outputs of a real stack of NMU layers over all inputs and all weights, with their counts."""
    laws = {z: mpmath.mpf(1) for z in itertools.product(inputs, repeat=width)}
    matrices = list(all_matrices(values, width, width))
    with mpmath.workdps(digits):
        for _ in range(layers):
            after: dict[tuple, mpmath.mpf] = {}
            for z, count in laws.items():
                for matrix in matrices:
                    # z_o = prod_h (W_oh z_h + 1 - W_oh)
                    out = tuple(mpmath.fprod(w * x + 1 - w for w, x in zip(row, z, strict=True)) for row in matrix)
                    after[out] = after.get(out, 0) + count
            laws = after
    return laws


def enumerated(function, values, inputs, width, layers):
    """Mean of function(outputs) over all inputs and all weights of a real stack of NMU layers."""
    laws = outputs(values, inputs, width, layers, mpmath.mp.dps)
    total = mpmath.fsum(laws.values())
    return mpmath.fsum(count * function(*z) for z, count in laws.items()) / total


def sign_moment(function, width, layers):
    """Inputs +-1 and weights 0 or 1."""
    return enumerated(function, (0, 1), (-1, 1), width, layers)


signs = common(
    at="additional to B.4",
    derived={"distance": lambda: HALF, "sd_z": lambda: 1},
    scale=(lambda: 1, "the mean square of an output, which is 1"),
    kind=Kind.ADDITIONAL,
)
# The enumeration has 2^(H^2) matrices.
SIGN_POINTS = [*grid(width=2, layers=4), *grid(width=3, layers=2)]

signs(
    "nau/beyond.nmu-depth.signs-mean",
    says="after l layers of NMUs with weights 0 or 1 and inputs +-1 the mean of the outputs is 1 - (1 - 2^-H)^l",
    printed=nmu_depth.signs_mean,
    points=grid(width=3, layers=2) + grid(width=2, layers=10),
    integral=lambda width, layers: sign_moment(lambda z, *_: z, width, layers),
    measured=mean(kernels.nmu_layers),
    scale=(lambda: 1, "the root mean square of an output, which is 1"),
    note="the units of a real network share their inputs. If the inputs of each layer were independent, the mean after "
    "ten layers of two units would be 0.741; it is 0.944",
)

signs(
    "nau/beyond.nmu-depth.signs-variance",
    says="after l layers of NMUs with weights 0 or 1 and inputs +-1 the variance of the outputs is 1 - (1 - (1 - "
    "2^-H)^l)^2",
    printed=nmu_depth.signs_variance,
    points=SIGN_POINTS,
    integral=lambda width, layers: (
        sign_moment(lambda z, *_: z**2, width, layers) - sign_moment(lambda z, *_: z, width, layers) ** 2
    ),
    measured=variance(kernels.nmu_layers),
    note="it stays near 1 for up to about 2^H layers and vanishes after more. After ten layers of two units it is "
    "0.109, of eight units 0.9985. For inputs +-1 the recommended weights thus keep the variance of wide "
    "layers at any practical depth",
)

signs(
    "nau/beyond.nmu-depth.signs-covariance",
    says="the covariance of two outputs after layers of NMUs with weights 0 or 1 and inputs +-1",
    printed=nmu_depth.signs_covariance,
    points=SIGN_POINTS,
    integral=lambda width, layers: (
        sign_moment(lambda y, z, *_: y * z, width, layers) - sign_moment(lambda z, *_: z, width, layers) ** 2
    ),
    measured=covariance(kernels.nmu_layers, 0, 1),
)

second = common(
    kind=Kind.ALTERNATIVE,
    derived={
        "layers": lambda: 2,
        "distance": lambda var_w: sympy.sqrt(var_w),
        "sd_z": lambda input_variance: sympy.sqrt(input_variance),
    },
)


def two_layers(function, var_w, input_variance, width):
    d, s = mpmath.sqrt(var_w), mpmath.sqrt(input_variance)
    half = mpmath.mpf(1) / 2
    return enumerated(function, (half - d, half + d), (-s, s), width, 2)


second(
    "nau/eq53.second-layer",
    at="eq. (52), assumption, in two layers",
    says="the mean of the second of two layers of two units follows from (52), as if its inputs were independent",
    printed=nmu_depth.second_layer_mean_independent,
    corrected=nmu_depth.second_layer_mean(2),
    points=grid(var_w="1/12", input_variance=2, width=2),
    integral=lambda var_w, input_variance, width: two_layers(lambda z, *_: z, var_w, input_variance, width),
    measured=mean(kernels.nmu_layers),
    note="E[W] = 1/2 and inputs +-sd. The units of the first layer share their inputs, so that the mean of the second "
    "layer depends on the variance of the inputs. The result is the same for every distribution of the weights with "
    "mean 1/2",
)

second(
    "nau/eq55.second-layer",
    at="eq. (55), assumption, in two layers",
    says="the variance of the second of two layers of two units follows from (54), as if its inputs were independent",
    printed=nmu_depth.second_layer_variance_independent,
    corrected=nmu_depth.second_layer_variance(2),
    points=grid(var_w="1/5", input_variance=2, width=2),
    integral=lambda var_w, input_variance, width: (
        two_layers(lambda z, *_: z**2, var_w, input_variance, width)
        - two_layers(lambda z, *_: z, var_w, input_variance, width) ** 2
    ),
    measured=variance(kernels.nmu_layers),
    note="E[W] = 1/2 and inputs +-sd. Only the variance of the weights matters. For ten inputs of variance 2, (66) "
    "gives the weight variance 0.107. The second layer then has the variance 8.6e9; it would be 2 if its inputs were "
    "independent",
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
    second(
        _id,
        at="2.1.3 and B.4.3, in two layers",
        says=f"with Var[W] = 1/4 and unit variance the second of two layers of {_width} units keeps the second moment, "
        "as the first does",
        printed=nmu_depth.binary_second_layer_square_independent,
        corrected=nmu_depth.binary_second_layer_square(_width),
        points=grid(input_variance=[1, "1/2"], width=_width),
        derived={"half_z": lambda input_variance: sympy.sqrt(3 * input_variance), "layers": lambda: 2},
        integral=uniform_second_layer,
        measured=_measured,
        note="the inputs are uniform. Their fourth moment is 9/5, that of inputs +-1 is 1, and the second layer "
        "contains higher moments. The second moment of the second layer is 1.11 for two units, 5.47 for four and "
        "1.6e15 for ten",
    )

additional(
    "nau/beyond.nmu-depth.elasticity",
    at="additional to B.4.3",
    says="if the variance of the inputs changes by a small relative amount, the second moment of the outputs changes "
    "by H Var[z]/(1 + Var[z]) times this amount",
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
    note="the factor is above 1 for H > (1 + Var[z])/Var[z]. The variance that the recommended weights keep is then "
    "unstable. At H = 100 an input variance of 1.01 in place of 1 gives a second moment of 1.65",
)
