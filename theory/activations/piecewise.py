"""Piecewise linear activation functions, their derivatives, and those of SReLU with respect to its parameters.

Where linear parts meet, a function has two slopes, or none where it jumps. The text of each formula says which of the
two the published derivative takes there.
"""

import numpy as np
import sympy
from sympy import Expr, Piecewise, Symbol

from theory.formula import Formula, Interval, Source
from theory.numerics.pairs import Pair
from theory.symbols import real

x, alpha = real("x"), real("alpha")
a_l, t_l, a_r, t_r = real("a_l"), real("t_l"), real("a_r"), real("t_r")

SRELU = [x, a_l, t_l, a_r, t_r]
LEFT, MIDDLE = x <= t_l, x < t_r
# Products of two stay in the range of float64.
DOMAIN = {s: Interval(-1e100, 1e100) for s in SRELU}


def _formula(says: str, expr: Expr, arguments: list[Symbol], **options) -> Formula:
    return Formula(says, expr, arguments, source=Source("nerva", "section 5"), **options)


relu = _formula("the rectified linear unit", sympy.Max(0, x), [x], lhs=r"\mathrm{relu}(x)")
relu_slope = _formula(
    "derivative of the rectified linear unit; at 0 the slope on the right",
    Piecewise((0, x < 0), (1, True)),
    [x],
    lhs=r"\mathrm{relu}'(x)",
)

leaky_relu = _formula(
    "the leaky rectified linear unit, for any alpha",
    sympy.Max(alpha * x, x),
    [x, alpha],
    lhs=r"\text{leaky-relu}(x)",
)
leaky_relu_slope = _formula(
    "derivative of the leaky rectified linear unit; at 0 the slope on the right for alpha <= 1, on the left for "
    "alpha > 1",
    Piecewise((alpha, x < alpha * x), (1, True)),
    [x, alpha],
    lhs=r"\text{leaky-relu}'(x)",
)

all_relu = _formula(
    "All-ReLU, with slope alpha below 0",
    Piecewise((alpha * x, x < 0), (x, True)),
    [x, alpha],
    lhs=r"\text{all-relu}(x)",
)
all_relu_slope = _formula(
    "derivative of All-ReLU; at 0 the slope on the right",
    Piecewise((alpha, x < 0), (1, True)),
    [x, alpha],
    lhs=r"\text{all-relu}'(x)",
)


def _line(x: np.ndarray, t: np.ndarray, a: np.ndarray) -> np.ndarray:
    """t + a (x - t): nothing is lost where the two cancel."""
    line = Pair.of(t) + (Pair.of(x) - t) * a
    return line.high + line.low


def _srelu(x, a_l, t_l, a_r, t_r):
    return np.where(x <= t_l, _line(x, t_l, a_l), np.where(x < t_r, x, _line(x, t_r, a_r)))


srelu = _formula(
    "SReLU: a line of slope a_l up to t_l, the identity up to t_r, a line of slope a_r. Where the cases overlap, "
    "t_l >= t_r, the first case that applies is taken; the function then jumps by (t_l - t_r)(a_r - 1) to the right of "
    "t_l",
    Piecewise((t_l + a_l * (x - t_l), LEFT), (x, MIDDLE), (t_r + a_r * (x - t_r), True)),
    SRELU,
    domain=DOMAIN,
    numeric=_srelu,
    lhs=r"\mathrm{srelu}(x)",
)
srelu_slope = _formula(
    "derivative of SReLU by x; at t_l the slope on the left, at t_r the slope on the right",
    Piecewise((a_l, LEFT), (1, MIDDLE), (a_r, True)),
    SRELU,
    domain=DOMAIN,
    lhs=r"\mathrm{srelu}'(x)",
)


def _by_parameter(says: str, expr: Expr, lhs: str) -> Formula:
    return _formula(says, expr, SRELU, domain=DOMAIN, lhs=lhs, symbols={"x": "entry Z_ij of Z"})


srelu_by_a_l = _by_parameter("derivative of SReLU by a_l", Piecewise((x - t_l, LEFT), (0, True)), "A^l_{ij}")
srelu_by_a_r = _by_parameter("derivative of SReLU by a_r", Piecewise((0, LEFT | MIDDLE), (x - t_r, True)), "A^r_{ij}")
srelu_by_t_l = _by_parameter(
    "derivative of SReLU by t_l; at t_l = x the slope for larger t_l", Piecewise((1 - a_l, LEFT), (0, True)), "T^l_{ij}"
)
srelu_by_t_r = _by_parameter(
    "derivative of SReLU by t_r; at t_r = x the slope for smaller t_r",
    Piecewise((0, LEFT | MIDDLE), (1 - a_r, True)),
    "T^r_{ij}",
)
