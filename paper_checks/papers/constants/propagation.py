"""Depth: finite width, the edge of chaos, and what frameworks' defaults leave after fifty layers."""

import sympy
from sympy import Integer, Rational

from montecarlo import mean
from montecarlo.kernels.signal_propagation import networks
from paper_checks import Kind, Rounds, common, grid
from paper_checks.evidence.symbolic import vanishes
from paper_checks.papers.constants import wide
from paper_checks.papers.constants.formulas import OF_GRADIENT, constant, on
from paper_checks.values.integrals import normal_mean
from theory.signal_propagation import closed
from theory.symbols import count

AT = "additional to the documentation: deep networks"
formula = on("deep networks")
width, depth = count("width"), count("depth")


remark = common(at=AT, kind=Kind.ADDITIONAL)
of_width = common(
    at=AT, points=[{"width": 8, "depth": 1}, {"width": 20, "depth": 2}], measured=mean(networks.squares),
    scale_says="20 times the value without the first factor: products of random matrices have heavy tails",
    kind=Kind.ADDITIONAL,
)  # fmt: skip

of_width(
    "constants/width.relu",
    says="with He's weights the mean square q of a ReLU layer keeps its mean at every width n. Each layer multiplies "
    "E[q^2] by 1 + 5/n",
    printed=formula("E[q^2], q the mean square of h after layers of ReLU with He's weights", r"E[q_{\mathrm{depth}}^2]",
        (1 + Integer(2) / width) * (1 + Integer(5) / width) ** depth, width, depth),
    # (2/n)^2 E[(sum_j max(g_j, 0)^2)^2] for standard normal g: n terms of 3/2 and n (n - 1) of 1/4.
    derivation=lambda: (1 + Integer(2) / width) * sympy.factor(
        4 / width**2 * (width * Rational(3, 2) + width * (width - 1) / 4)
    ) ** depth,
    derived={"rectified": lambda: 1},
    scale=lambda width, depth: 20 * (1 + Integer(5) / width) ** depth,
    slips={"as of a linear network": (1 + Integer(2) / width) ** (depth + 1)},
    note="the spread of q depends on depth over width. Over fifty layers of 64 units its standard deviation is 6.6 "
    "times its mean, for 1024 units 0.53 times. The first factor of the formula belongs to h_0",
)  # fmt: skip

of_width(
    "constants/width.linear",
    says="in a linear network with LeCun's weights each layer multiplies E[q^2] by 1 + 2/n",
    printed=formula(
        "E[q^2] after linear layers", r"E[q_{\mathrm{depth}}^2]", (1 + Integer(2) / width) ** (depth + 1), width, depth
    ),
    derived={"rectified": lambda: 0},
    scale=lambda width, depth: 20 * (1 + Integer(2) / width) ** depth,
    slips={"as of ReLU": (1 + Integer(2) / width) * (1 + Integer(5) / width) ** depth},
)

remark(
    "constants/he.backward",
    says="with He's weights of variance 2/fan_in a gradient keeps its mean square in ReLU layers of one width",
    printed=formula("gain of a gradient", OF_GRADIENT, 1, depth),
    points=grid(depth=[1, 3], width=[6]),
    derived=constant(weight_variance=2, bias_variance=0, variance=1, kind=1),
    measured=mean(networks.gains, 1),
    scale=(lambda: 10, "10 times the value: products of random matrices have heavy tails"),
    slips={"Glorot's": Rational(1, 2) ** depth},
    assumptions="the gradient at the outputs does not depend on the network",
)


def edge_of_relu(slope: int = 0) -> bool:
    """chi = sigma_w^2 E[phi'^2] = 1 and q = sigma_w^2 E[phi^2] + sigma_b^2 ask for sigma_w^2 = 2, sigma_b^2 = 0."""
    q = closed.variance
    second = closed.leaky_relu_second_moment.expr.subs(closed.slope, slope)
    weight = 1 / closed.leaky_relu_slope_second_moment.expr.subs(closed.slope, slope)
    return weight == 2 and vanishes(q - weight * second)


remark(
    "constants/edge.relu",
    says="ReLU networks are at the edge of chaos only for He's weights without biases, at every variance",
    proof=edge_of_relu,
)


def tanh_edge_at_zero(function: type[sympy.Function] = sympy.tanh) -> bool:
    """chi = 1 and a kept variance, as q goes to 0: tanh(u)^2 is u^2 - 2 u^4/3 + ..., and E[u^4] is 3 q^2."""
    u, q = sympy.symbols("u q", positive=True)
    second, steepness = (
        _mean_of_series(sympy.series(square, u, 0, 6).removeO(), u, q)
        for square in (function(u) ** 2, sympy.diff(function(u), u) ** 2)
    )
    bias = sympy.series(q - second / steepness, q, 0, 3).removeO()
    return sympy.limit(1 / steepness, q, 0) == 1 and bias == 0


def _mean_of_series(series: sympy.Expr, u: sympy.Symbol, q: sympy.Symbol) -> sympy.Expr:
    """E[u^2k] is (2 k - 1)!! q^k."""
    terms = sympy.Poly(series, u).terms()
    return sum(factor * sympy.factorial2(power - 1) * q ** (power // 2) for (power,), factor in terms)


remark(
    "constants/edge.tanh",
    says="the edge of chaos of tanh networks ends at sigma_w = 1, sigma_b = 0, where the variance is 0. These are "
    "LeCun's weights without biases, not the gain 5/3",
    proof=tanh_edge_at_zero,
    assumptions="wide layers",
    note="the series are asymptotic. On the edge sigma_w^2 is about 1 + 2 q, and sigma_b^2 falls faster than q^2",
)


def gelu_is_unstable(second_moment: sympy.Expr = closed.gelu_second_moment.expr) -> bool:
    """E[GELU(u)^2]/q grows with q, so that the slope of the variance map is above 1 wherever it meets the diagonal.

    There the map g q r(q) has g r = 1 and the slope g (r + q r') = 1 + g q r', with r' > 0.
    """
    q = closed.variance
    ratio = second_moment / q
    growth = (3 + 5 * q) / (2 * sympy.pi * (1 + q) ** 2 * (1 + 2 * q) ** Rational(3, 2))
    ends = [sympy.limit(ratio, q, end) for end in (0, sympy.oo)]
    grows = growth.is_positive is True and vanishes(sympy.diff(ratio, q) / growth - 1)
    return grows and ends == [Rational(1, 4), Rational(1, 2)]


remark(
    "constants/gelu.unstable",
    says="no gain gives GELU networks a stable variance, because E[GELU(u)^2]/Var[u] grows with the variance, from "
    "1/4 to 1/2",
    proof=gelu_is_unstable,
    assumptions="wide layers without normalisation and biases",
    note="numerical results for SiLU and hard swish are the same. Such networks need normalisation layers",
)

remark(
    "constants/gelu.slope",
    says="the gain 1.5335 keeps a variance of 1 in GELU networks. Each layer multiplies the distance from it by 1.144",
    relation=Rounds(4),
    printed=formula("slope of the variance map at 1", r"\frac{d q_{\ell+1}}{d q_\ell}(1)", "1.144"),
    points=[{}],
    integral=lambda: wide.variance_slope(wide.gelu, 1 / normal_mean(lambda u: wide.gelu(u) ** 2, 1), 1),
    slips={"chi": Rational("1.072"), "homogeneous": Integer(1)},
    assumptions="wide layers",
)
