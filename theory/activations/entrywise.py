"""Activation functions of each entry, their derivatives, and those of SReLU with respect to its parameters.

Where linear parts meet, a function has two slopes, or none where it jumps. The text of each formula says which of the
two the published derivative takes there.
"""

from functools import partial

import numpy as np
import sympy
from scipy.special import expit
from sympy import Piecewise, exp

from theory.formula import Formula, Interval, Source
from theory.numerics.pairs import Pair
from theory.symbols import real

x, alpha, a_l, t_l, a_r, t_r = real("x alpha a_l t_l a_r t_r")

SRELU = [x, a_l, t_l, a_r, t_r]
LEFT, MIDDLE = x <= t_l, x < t_r
# Products of two stay in the range of float64.
DOMAIN = {s: Interval(-1e100, 1e100) for s in SRELU}

_formula = partial(Formula, source=Source("nerva", "section 5"))
_srelu = partial(_formula, arguments=SRELU, domain=DOMAIN)
_by_parameter = partial(_srelu, symbols={"x": "entry Z_ij of Z"})
_of_alpha = partial(_formula, arguments=[x, alpha])

relu = _formula("the rectified linear unit", sympy.Max(0, x), [x], lhs=r"\mathrm{relu}(x)")
relu_slope = _formula(
    "derivative of the rectified linear unit; at 0 the slope on the right",
    Piecewise((0, x < 0), (1, True)),
    lhs=r"\mathrm{relu}'(x)",
)

leaky_relu = _of_alpha(
    "the leaky rectified linear unit, for any alpha", sympy.Max(alpha * x, x), lhs=r"\text{leaky-relu}(x)"
)
leaky_relu_slope = _of_alpha(
    "derivative of the leaky rectified linear unit; at 0 the slope on the right for alpha <= 1, on the left for "
    "alpha > 1",
    Piecewise((alpha, x < alpha * x), (1, True)),
    lhs=r"\text{leaky-relu}'(x)",
)

all_relu = _of_alpha(
    "All-ReLU, with slope alpha below 0", Piecewise((alpha * x, x < 0), (x, True)), lhs=r"\text{all-relu}(x)"
)
all_relu_slope = _of_alpha(
    "derivative of All-ReLU; at 0 the slope on the right",
    Piecewise((alpha, x < 0), (1, True)),
    lhs=r"\text{all-relu}'(x)",
)


def _line(x: np.ndarray, t: np.ndarray, a: np.ndarray) -> np.ndarray:
    """t + a (x - t): nothing is lost where the two cancel."""
    line = Pair.of(t) + (Pair.of(x) - t) * a
    return line.high + line.low


def _numeric(x, a_l, t_l, a_r, t_r):
    return np.where(x <= t_l, _line(x, t_l, a_l), np.where(x < t_r, x, _line(x, t_r, a_r)))


srelu = _srelu(
    "SReLU: a line of slope a_l up to t_l, the identity up to t_r, a line of slope a_r. Where the cases overlap, "
    "t_l >= t_r, the first case that applies is taken; the function then jumps by (t_l - t_r)(a_r - 1) to the right of "
    "t_l",
    Piecewise((t_l + a_l * (x - t_l), LEFT), (x, MIDDLE), (t_r + a_r * (x - t_r), True)),
    numeric=_numeric,
    lhs=r"\mathrm{srelu}(x)",
)
srelu_slope = _srelu(
    "derivative of SReLU by x; at t_l the slope on the left, at t_r the slope on the right",
    Piecewise((a_l, LEFT), (1, MIDDLE), (a_r, True)),
    lhs=r"\mathrm{srelu}'(x)",
)

srelu_by_a_l = _by_parameter("derivative of SReLU by a_l", Piecewise((x - t_l, LEFT), (0, True)), lhs="A^l_{ij}")
srelu_by_a_r = _by_parameter(
    "derivative of SReLU by a_r", Piecewise((0, LEFT | MIDDLE), (x - t_r, True)), lhs="A^r_{ij}"
)
srelu_by_t_l = _by_parameter(
    "derivative of SReLU by t_l; at t_l = x the slope for larger t_l",
    Piecewise((1 - a_l, LEFT), (0, True)),
    lhs="T^l_{ij}",
)
srelu_by_t_r = _by_parameter(
    "derivative of SReLU by t_r; at t_r = x the slope for smaller t_r",
    Piecewise((0, LEFT | MIDDLE), (1 - a_r, True)),
    lhs="T^r_{ij}",
)


def _both_tails(t, scale=1.0):
    """scale e^-|t| / (1 + e^-|t|)^2, which no sign of t overflows."""
    small = np.exp(-np.abs(t))
    return scale * small / (1 + small) ** 2


sigmoid = _formula("the logistic function", 1 / (1 + exp(-x)), numeric=expit, lhs=r"\sigma(x)")

sigmoid_slope = _formula(
    "derivative of the logistic function, sigma (1 - sigma), in a form that keeps both tails",
    exp(-x) / (1 + exp(-x)) ** 2,
    numeric=_both_tails,
    lhs=r"\sigma'(x)",
)

tanh = _formula("the hyperbolic tangent", (exp(x) - exp(-x)) / (exp(x) + exp(-x)), numeric=np.tanh, lhs=r"\tanh(x)")

tanh_slope = _formula(
    "derivative of the hyperbolic tangent, 1 - tanh^2, in a form that keeps both tails",
    4 / (exp(x) + exp(-x)) ** 2,
    numeric=lambda x: _both_tails(2 * x, 4.0),
    lhs=r"\tanh'(x)",
)
