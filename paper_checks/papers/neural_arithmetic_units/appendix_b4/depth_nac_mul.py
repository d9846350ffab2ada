"""Several layers of NAC multiplication units: what 2.1.3 says of depth, and what holds."""

import math
from pathlib import Path

import mpmath
import sympy

from montecarlo import mean
from montecarlo.kernels.arithmetic import depth as kernels
from paper_checks import Always, Finding, Kind, alternative, claim, common, concluded, grid, wrong
from paper_checks.claims.statements import statements
from paper_checks.evidence.symbolic import vanishes
from paper_checks.papers.neural_arithmetic_units.appendix_b4.depth_nmu import all_matrices
from theory.nac_mul import depth as form


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
    # From an output back: a row vector of coefficients times one matrix after the other.
    rows = {tuple(mpmath.mpf(i == 0) for i in range(width)): 1}
    matrices = list(all_matrices((-d, d), width, width))
    for _ in range(layers):
        after: dict[tuple, int] = {}
        for row, count in rows.items():
            for matrix in matrices:
                new = tuple(mpmath.fsum(row[o] * matrix[o][h] for o in range(width)) for h in range(width))
                after[new] = after.get(new, 0) + count
        rows = after
    total = mpmath.fsum(
        count * ((two - one**2) * mpmath.fsum(c**2 for c in row) + one**2 * mpmath.fsum(row) ** 2)
        for row, count in rows.items()
    )
    return total / sum(rows.values())


beyond = common(at="additional to 2.1.3", kind=Kind.ADDITIONAL)

beyond(
    "nau/beyond.nac-mul-depth.log-square",
    says="each layer of NAC multiplication units multiplies the second moment of log|z| by H Var[W]",
    printed=form.log_second_moment,
    points=grid(max_w="9/10", a=1, b=2, width=2, layers=2)
    + grid(max_w="4/5", a=2, b=3, width=2, layers=3)
    + grid(max_w="1/2", a=1, b=2, width=3, layers=1),
    derived=NAC_LAYERS,
    integral=log_square_by_sum,
    measured=mean(kernels.nac_mul_layers),
    assumptions="eps = 0, E[W] = 0, weights independent of each other and of the inputs. The inputs may depend on each "
    "other",
    note="Var[W] = 1/H keeps it for all inputs. For the logarithms there is thus an initialisation that does not "
    "depend on the inputs",
)

beyond(
    "nau/beyond.nac-mul-depth.log-square-ten",
    says="ten layers of NAC multiplication units multiply the second moment of log|z| by (H Var[W])^10",
    printed=form.log_second_moment,
    points=grid(max_w="7/20", a=1, b=2, width=16, layers=10),
    derived=NAC_LAYERS,
    measured=mean(kernels.nac_mul_layers),
    scale=lambda var_w, log_square, width, layers: 30 * log_square * (width * var_w) ** layers,
    scale_says="30 times the value, because products of ten random matrices have heavy tails",
)

beyond(
    "nau/beyond.nac-mul-depth.typical",
    says="with normal weights each layer adds log(2 Var[W]) + psi(H/2) to the mean of log(mean_h log(z_h)^2)",
    printed=form.gaussian_log_length,
    points=grid(var_w="1/8", width=2, layers=1) + grid(var_w="1/16", width=3, layers=2),
    integral=lambda var_w, width, layers: layers * mpmath.quad(
        # log of var_w times a chi-square variable of width degrees of freedom, by its density
        lambda t: mpmath.log(var_w * t) * t ** (width / mpmath.mpf(2) - 1) * mpmath.exp(-t / 2)
        / (2 ** (width / mpmath.mpf(2)) * mpmath.gamma(width / mpmath.mpf(2))),
        [0, mpmath.mpf(1) / 1000, 1, 4, 16, 64, 200],
    ),
    measured=mean(kernels.normal_nac_mul_layers),
    note="this is less than log(H Var[W]). With Var[W] = 1/H the typical size of log z shrinks by a factor of about "
    "e^(-1/H) per layer, although its mean square is kept",
)  # fmt: skip

EXPLODES = "and has an exploding variance in depth (proof in Appendix B.3 and B.4)"
TABLE_1 = {"max_log": lambda: sympy.log(2), "input_variance": lambda: sympy.Rational(1, 12)}


def logarithms_stay_bounded() -> bool:
    """|log z| <= m for all inputs of a layer gives |log z_out| <= H w m, and then |z_out - 1| <= e^(H w m) - 1.

    The first by the triangle inequality for sum_h W_h log z_h: the logarithm of the bound multiplies by H w from one
    layer to the next. The second as e^m - 1 - (1 - e^-m) = 4 sinh(m/2)^2 >= 0. And Var[z] <= E[(z - 1)^2].
    """
    h, w, l, m = (sympy.Symbol(n, positive=True) for n in "hwlm")
    symbols = {form.width: h, form.max_w: w, form.layers: l, form.max_log: m}
    size = (h * w) ** l * m
    declared = form.variance_bound.expr.subs(symbols) - (sympy.exp(size) - 1) ** 2 == 0
    recursion = vanishes(size.subs(l, l + 1) / size - h * w) and size.subs(l, 0) == m
    side = vanishes((sympy.exp(m) - 1 - (1 - sympy.exp(-m)) - 4 * sympy.sinh(m / 2) ** 2).rewrite(sympy.exp))
    return bool(declared and recursion and side)


beyond(
    "nau/beyond.nac-mul-depth.bound",
    says="the variance of z after l layers of NAC multiplication units is at most (exp((H w)^l max|log x|) - 1)^2",
    proof=logarithms_stay_bounded,
    assumptions="eps = 0, |W| <= w",
    note="for H w < 1 the bound vanishes with depth. It bounds (z - 1)^2 for every single output, so that typical "
    "variances are far smaller",
)

alternative(
    "nau/text.nac-mul-depth.any",
    at="2.1.3",
    says="the variance of a NAC multiplication unit explodes in depth for all weights",
    printed=form.variance_bound,
    relation=Always("it is above 1/12, the variance of the inputs U[1, 2]", lambda v: v >= mpmath.mpf(1) / 12),
    points=grid(max_w=["2/5", "9/20"], width=2, layers=[2, 20]),
    derived=TABLE_1,
    assumptions="eps = 0. Inputs are U[1, 2] and m is the largest |log x| of them, w the largest |W|, L the number of "
    "layers and H the number of units in each",
    quote=EXPLODES,
    expects=wrong(correct="nau/text.nac-mul-depth.limit nau/beyond.nac-mul-depth.bound"),
    note="the sentence is about initialisation, and with Glorot's weights the variance explodes: "
    "nau/text.nac-mul-depth.limit. For H max|W| < 1 all outputs tend to 1. For |W| <= 0.45 and H = 2 (z - 1)^2 is at "
    f"most {form.variance_bound(max_w=0.45, width=2, layers=20, max_log=math.log(2)):.2g} after 20 layers; "
    f"the inputs have the variance {1 / 12:.2g}",
)

# What the appendices prove, by the list of the paper's statements.
ROWS = statements(Path(__file__).parents[1] / "statements.txt")


def on_depth(*sections: str) -> list[str]:
    """Statements of these sections on several layers."""
    words = ("in depth", "layers", "explod")
    return [s.place for s in ROWS if s.section.startswith(sections) and any(w in s.words for w in words)]


def depth_is_proved(_context) -> Finding:
    found = on_depth("B.3", "B.4")
    count = sum(s.section.startswith(("B.3", "B.4")) for s in ROWS)
    slips = {"section 2.1.3": on_depth("2.1.3") != []}
    return concluded(bool(found), f"{len(found)} of {count} statements of B.3 and B.4 are on depth", slips)


claim(
    "nau/text.nac-mul-depth.proof",
    at="2.1.3",
    says="B.3 or B.4 proves that the variance of NAC multiplication explodes in depth",
    quote=EXPLODES,
    experiment=depth_is_proved,
    expects=wrong("algebra", correct="nau/text.nac-mul-depth.limit"),
    note="B.3 has the moments of one layer of NAC multiplication, B.4 those of one layer of NMUs. The result itself is "
    "correct for Glorot's weights: nau/text.nac-mul-depth.limit",
)


def rare_events_explode() -> bool:
    """The lower bound 2 (H w t)^l log x - (H^2 (l - 1) + H) log(2/(1 - t)) grows without limit for H w t = e^c > 1.

    It is of log E[z^2]: log p M^2 from an event of probability p with z >= M = e^((H w t)^l log x), all weights above
    t w. And log z is as likely as -log z, as the last weights are: with C = cosh(log z) E[z] is E[C] and E[z^2] is
    E[2 C^2 - 1], so that Var[z] = 2 E[C^2] - 1 - E[C]^2 >= E[C^2] - 1 = (E[z^2] - 1)/2 grows as well.
    """
    c, x, k, h, l = sympy.symbols("c x k h l", positive=True)
    names = (form.width, form.layers, form.log_input)
    bound = form.rare_log_bound.expr.subs(dict(zip(names, (h, l, x), strict=True)))
    bound = bound.subs(form.max_w, sympy.exp(c) / (h * form.share))
    plain = 2 * sympy.exp(c * l) * x - (h**2 * (l - 1) + h) * k
    same = vanishes(bound.subs(sympy.log(2 / (1 - form.share)), k) - plain)
    y, mean, var = sympy.symbols("y mean var", real=True)
    double = vanishes((sympy.cosh(2 * y) - 2 * sympy.cosh(y) ** 2 + 1).rewrite(sympy.exp))
    square = mean**2 + var  # E[C^2], var >= 0
    spread = sympy.expand(2 * square - 1 - mean**2 - (square - 1)) == var
    return same and double and spread and sympy.limit(plain / sympy.exp(c * l), l, sympy.oo) == 2 * x


claim(
    "nau/text.nac-mul-depth.limit",
    at="2.1.3",
    says="for uniform weights and inputs above 1 the variance of a NAC multiplication unit grows without limit in "
    "depth if H max|W| > 1",
    proof=rare_events_explode,
    assumptions="layers of H units each, all W independent and uniform on [-w, w], eps = 0, all inputs at least some x "
    "> 1. The paper names no weights and no inputs",
    note="Glorot's variance 1/H has H w = sqrt(3 H), so that the variance explodes. For inputs of at least 3/2 and ten "
    "units E[z^2] is above e^1727 after five layers. This comes from a rare event: all weights of all layers are large "
    "together. If H Var[W] < 1, log z tends to zero at the same time",
)

alternative(
    "nau/text.nac-mul-depth.glorot",
    at="2.1.3",
    says="with Var[W] = 2/(H_{l-1} + H_l) the second moment of log z explodes in depth",
    printed=form.log_growth,
    relation=Always("the factor of one layer is above 1", lambda factor: factor > 1),
    points=grid(width=[5, 100]),
    derived={"var_w": lambda width: sympy.Rational(2) / (2 * width)},
    expects=wrong(correct="nau/beyond.nac-mul-depth.log-square"),
    note="for layers of equal width the factor per layer is exactly 1, so that it neither grows nor shrinks. It "
    "explodes exactly if H Var[W] > 1",
)

TABLE_1_MEANS = grid(mean_z=["3/2", 4], width=[2, 100])  # of U[1, 2] and of U[2, 6]
taylor = common(
    printed=form.taylor_log_growth,
    derived={"var_w": lambda width: sympy.Rational(2) / (2 * width), "log_mean": lambda mean_z: sympy.log(mean_z)},
)


def taylor_form_shrinks() -> bool:
    """At Var[W] = 1/H the factor is H log(1 + u)/L with u = L^2/(2H), below H u/L = L/2, hence below 1 for L <= 2.

    u - log(1 + u) is 0 at u = 0 and has the slope u/(1 + u) > 0.
    """
    level, width, u = sympy.symbols("L H u", positive=True)
    symbols = {form.log_mean: level, form.width: width, form.var_w: 1 / width}
    same = vanishes(form.taylor_log_growth.expr.subs(symbols) - width * sympy.log(1 + level**2 / (2 * width)) / level)
    gap = u - sympy.log(1 + u)
    below = gap.subs(u, 0) == 0 and bool(sympy.factor(sympy.diff(gap, u)).is_positive)
    return same and below and vanishes(width * (level**2 / (2 * width)) / level - level / 2)


taylor.additional(
    "nau/beyond.nac-mul-depth.taylor",
    at="additional to 2.1.3",
    says="if (41) with Var[W] = 1/H is applied to one layer after the other, log E[z] shrinks wherever E[z] is between "
    "1 and e^2",
    relation=Always("the factor of one layer is below 1", lambda factor: factor < 1),
    points=TABLE_1_MEANS,
    proof=taylor_form_shrinks,
)

taylor.alternative(
    "nau/text.nac-mul-depth.taylor",
    at="2.1.3, with eq. (41)",
    says="if the paper's formula (41) is applied to one layer after the other, log E[z] grows in depth",
    relation=Always("the factor of one layer is above 1", lambda factor: factor > 1),
    points=[*TABLE_1_MEANS, *grid(mean_z=20, width=100)],
    expects=wrong(correct="nau/beyond.nac-mul-depth.taylor"),
    note="each layer replaces log E[z] by H log(1 + Var[W] log(E[z])^2/2), which is smaller for both ranges of Table "
    "1. From there (41) and (45) tend to E[z] = 1 and Var[z] = 0. For H = 100 the mean explodes from E[z] = 7.5 on, "
    "for H = 2 never",
)
