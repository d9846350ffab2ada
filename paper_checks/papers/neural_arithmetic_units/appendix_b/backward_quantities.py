"""What the claims on the backward pass of a NAC multiplication layer share: points, derived values, integrals."""

from functools import cache

import mpmath
import sympy
from sympy import sqrt

from montecarlo import mean, moment
from montecarlo.kernels.nac_mul import backward as kernels
from paper_checks import Approximates, grid
from paper_checks.papers.neural_arithmetic_units import quantities
from theory import Formula
from theory.nac_mul import backward, backward_exact, exact

EPS = "1e-7"


@cache
def at_point(formula: Formula, **values) -> sympy.Float:
    """A formula at a point, to more digits than a quadrature is compared with."""
    return sympy.Float(formula.mp(dps=50, **values), 50)


def output_moment(order: int):
    """E[z_out^order] of the unit by name of its parameters."""
    formula = exact.exact_moment(order)
    return lambda r_w, a, b, eps, fan_in: at_point(formula, r_w=r_w, a=a, b=b, eps=eps, fan_in=fan_in)


def mean_inverse(a, b, eps):
    """E[1/(z + eps)]."""
    return sympy.log((b + eps) / (a + eps)) / (b - a)


def mean_inverse_square(a, b, eps):
    """E[1/(z + eps)^2]."""
    return 1 / ((a + eps) * (b + eps))


def spread_if_independent(r_w, a, b, eps, fan_in, fan_out, mean_delta, sd_delta):
    """Root mean square of dL/dz where z_out, W and q are independent."""
    square = output_moment(2)(r_w, a, b, eps, fan_in) * r_w**2 / 3 * mean_inverse_square(a, b, eps)
    return sqrt(fan_out * (mean_delta**2 + sd_delta**2) * square)


# The ranges of Table 1 and of Figure 7; all away from zero, where the derivative has moments to measure.
RANGES = ((1, 2), (2, 6), (10, 20), ("1/10", "1/5"))
LAYER_PRICE_POINTS = [p for a, b in RANGES for p in grid(r_w="1/2", a=a, b=b, eps=EPS, fan_in=2)]
VARIANCE_POINTS = [
    *grid(r_w="3/5", a=1, b=2, eps=EPS, mean_w=0, mean_delta=0, sd_delta=1, fan_in=1, fan_out=2),
    *grid(r_w="2/5", a=2, b=4, eps="1/10", mean_w=0, mean_delta=0, sd_delta="3/2", fan_in=2, fan_out=1),
]
# At b + eps = 1 and at a + eps = 1 a logarithm vanishes, which the exact formulas treat apart.
EXACT_POINTS = [
    *grid(r_w="3/5", a=2, b=4, eps=EPS, fan_in=2),
    *grid(r_w="3/4", a="1/4", b="3/4", eps="1/4", fan_in=2),
    *grid(r_w="3/4", a="3/4", b=2, eps="1/4", fan_in=3),
]
# Where the approximation is to be compared with the exact value, sampled or not.
ERROR_POINTS = [
    *grid(r_w="1/2", a=1, b=2, eps=EPS, fan_in=[2, 100], sd_delta=1, fan_out=1),
    *grid(r_w="1/2", a=2, b=6, eps=EPS, fan_in=[2, 100], sd_delta=1, fan_out=1),
    *grid(r_w="1/2", a=10, b=20, eps=EPS, fan_in=2, sd_delta=1, fan_out=1),
    *grid(r_w="1/2", a="1/10", b="1/5", eps=EPS, fan_in=2, sd_delta=1, fan_out=1),
    *grid(r_w="1/2", a=0, b=1, eps=["1/100", EPS], fan_in=2, sd_delta=1, fan_out=1),
]


def shrinking(t):
    """A path on which both spreads shrink."""
    return {**quantities.shrinking(t), "fan_out": 3, "sd_delta": 2}


def inverse_square_integral(a, b, eps):
    """E[1/(z + eps)^2], by quadrature."""
    return mpmath.quad(lambda z: 1 / (z + eps) ** 2, mpmath.linspace(a, b, 5)) / (b - a)


def independent_square(r_w, a, b, eps, fan_in):
    """E[(dz_out/dz)^2] where z_out, W and z are independent."""
    return quantities.factor_moment(2, r_w, a, b, eps) ** fan_in * r_w**2 / 3 * inverse_square_integral(a, b, eps)


INDEPENDENT_MEAN = {
    "printed": backward.jacobian_mean_centred,
    "points": [
        *grid(r_w="1/2", a=1, b=2, eps=EPS, mean_w=0, mean_delta=1, sd_delta="1/2", fan_in=2, fan_out=1),
        *grid(r_w="3/4", a=2, b=6, eps=EPS, mean_w=0, mean_delta=-2, sd_delta=1, fan_in=1, fan_out=2),
    ],
    "derived": {"mean_out": output_moment(1), "mean_q": mean_inverse},
    "measured": mean(kernels.independent, 0),
    "scale": spread_if_independent,
    "scale_says": "the root mean square of the gradient, as its mean is zero",
    "slips": {"E[W] = 1/10": backward.mean_out * backward.mean_q / 10},
    "assumptions": "z_out, W and z independent of each other and of dL/dz_out, E[W] = 0",
}

BACKWARD_TAYLOR = {
    "printed": backward.input_gradient_variance_taylor,
    "exact": backward.input_gradient_variance_independent,
    "relation": Approximates(order=2, along=shrinking, at=ERROR_POINTS),
    "points": VARIANCE_POINTS,
    "derived": {**quantities.NAC_MUL, "var_delta": lambda sd_delta: sd_delta**2},
    "integral": lambda r_w, a, b, eps, fan_in, fan_out, sd_delta: (
        independent_square(r_w, a, b, eps, fan_in) * fan_out * sd_delta**2
    ),
    "measured": moment(kernels.independent, 2, 0),
    "assumptions": "z_out, W and z independent of each other and of dL/dz_out, E[W] = 0, E[dL/dz_out] = 0; W uniform "
    "on [-r_w, r_w], z uniform on [a, b] with a >= 0",
    "note": "at E[z] = 0: nau/eq50.zero-mean",
}


def derivative_mean(order, r_w, a, b, eps):
    """E[d/dz of (z + eps)^(order W)]: the difference over z for each weight, then by quadrature over the weight."""

    def over_inputs(w):
        return ((b + eps) ** (order * w) - (a + eps) ** (order * w)) / (b - a)

    return mpmath.quad(over_inputs, [-r_w, 0, r_w]) / (2 * r_w)


def unit_derivative_mean(r_w, a, b, eps, fan_in, order=1):
    """E[d/dz of z_out^order] of the real unit."""
    return derivative_mean(order, r_w, a, b, eps) * quantities.factor_moment(order, r_w, a, b, eps) ** (fan_in - 1)


def unit_derivative_square(r_w, a, b, eps, fan_in):
    """E[(dz_out/dz)^2] of the real unit: of its factor the mean over z for each weight, then over the weight."""
    places = [-r_w, 0, *([mpmath.mpf(1) / 2] if r_w > 1 / 2 else []), r_w]
    square = mpmath.quad(lambda w: quantities.derivative_square(w, a, b, eps), places) / (2 * r_w)
    return square * quantities.factor_moment(2, r_w, a, b, eps) ** (fan_in - 1)


def spread(r_w, a, b, eps, fan_in, fan_out=1, mean_delta=1, sd_delta=0):
    """Root mean square of dL/dz of the layer itself, up to covariances of its outputs."""
    law = {"r_w": r_w, "a": a, "b": b, "eps": eps, "fan_in": fan_in}
    square = at_point(backward_exact.input_gradient_variance, var_delta=1, fan_out=1, **law)
    return sqrt(fan_out * (mean_delta**2 + sd_delta**2) * square)


LAYER = {
    "exact": backward_exact.input_gradient_variance,
    "derived": BACKWARD_TAYLOR["derived"],
    "measured": moment(kernels.layer, 2, 0),
    "integral": lambda r_w, a, b, eps, fan_in, fan_out, sd_delta: (
        unit_derivative_square(r_w, a, b, eps, fan_in) * fan_out * sd_delta**2
    ),
}

UNIT_DERIVATIVE = {
    "derived": {"mean_delta": lambda: 1, "sd_delta": lambda: 0, "fan_out": lambda: 1},
    "integral": unit_derivative_mean,
    "measured": mean(kernels.layer, 2),
    "scale": spread,
    "scale_says": "the root mean square of the derivative",
    "assumptions": "weights uniform on [-r_w, r_w], inputs on [a, b], all independent",
}
