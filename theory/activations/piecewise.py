"""Activation functions made of straight pieces, their derivatives, and those of SReLU by its parameters.

Where pieces meet a function has two slopes, or none where it jumps; which one the printed derivative takes there is
said with each.
"""

from __future__ import annotations

import numpy as np
import sympy
from sympy import Expr, Piecewise, Symbol

from theory.formula import Formula, Interval, Source
from theory.numerics.pairs import Pair
from theory.symbols import real

__all__ = [
    "all_relu", "all_relu_slope", "leaky_relu", "leaky_relu_slope", "relu", "relu_slope", "srelu", "srelu_by_a_l",
    "srelu_by_a_r", "srelu_by_t_l", "srelu_by_t_r", "srelu_slope",
]  # fmt: skip

x, alpha = real("x"), real("alpha")
a_l, t_l, a_r, t_r = real("a_l"), real("t_l"), real("a_r"), real("t_r")

SRELU = [x, a_l, t_l, a_r, t_r]
LEFT, MIDDLE = x <= t_l, x < t_r
# Products of two stay in the range of float64.
DOMAIN = {s: Interval(-1e100, 1e100) for s in SRELU}


def _formula(says: str, expr: Expr, arguments: list[Symbol], **options) -> Formula:
    return Formula(says, expr, arguments, source=Source("nerva", "section 5"), **options)


relu = _formula("the rectified linear unit", sympy.Max(0, x), [x])
relu_slope = _formula(
    "derivative of the rectified linear unit; at 0 its slope on the right", Piecewise((0, x < 0), (1, True)), [x]
)

leaky_relu = _formula("the leaky rectified linear unit, for any alpha", sympy.Max(alpha * x, x), [x, alpha])
leaky_relu_slope = _formula(
    "derivative of the leaky rectified linear unit; at 0 its slope on the right for alpha <= 1, on the left above",
    Piecewise((alpha, x < alpha * x), (1, True)),
    [x, alpha],
)

all_relu = _formula("All-ReLU, with slope alpha below 0", Piecewise((alpha * x, x < 0), (x, True)), [x, alpha])
all_relu_slope = _formula(
    "derivative of All-ReLU; at 0 its slope on the right", Piecewise((alpha, x < 0), (1, True)), [x, alpha]
)


def _line(x: np.ndarray, t: np.ndarray, a: np.ndarray) -> np.ndarray:
    """t + a (x - t): nothing is lost where the two cancel."""
    line = Pair.of(t) + (Pair.of(x) - t) * a
    return line.high + line.low


def _srelu(x, a_l, t_l, a_r, t_r):
    return np.where(x <= t_l, _line(x, t_l, a_l), np.where(x < t_r, x, _line(x, t_r, a_r)))


srelu = _formula(
    "SReLU: a line of slope a_l up to t_l, the identity up to t_r, a line of slope a_r; where they overlap, t_l >= "
    "t_r, the first of them that applies. It jumps by (t_l - t_r)(a_r - 1) behind t_l where they do",
    Piecewise((t_l + a_l * (x - t_l), LEFT), (x, MIDDLE), (t_r + a_r * (x - t_r), True)),
    SRELU,
    domain=DOMAIN,
    numeric=_srelu,
)
srelu_slope = _formula(
    "derivative of SReLU by x; at t_l its slope on the left, at t_r on the right",
    Piecewise((a_l, LEFT), (1, MIDDLE), (a_r, True)),
    SRELU,
    domain=DOMAIN,
)
srelu_by_a_l = _formula(
    "derivative of SReLU by a_l", Piecewise((x - t_l, LEFT), (0, True)), SRELU, domain=DOMAIN
)  # fmt: skip
srelu_by_a_r = _formula(
    "derivative of SReLU by a_r", Piecewise((0, LEFT | MIDDLE), (x - t_r, True)), SRELU, domain=DOMAIN
)
srelu_by_t_l = _formula(
    "derivative of SReLU by t_l; at t_l = x its slope for larger t_l",
    Piecewise((1 - a_l, LEFT), (0, True)),
    SRELU,
    domain=DOMAIN,
)
srelu_by_t_r = _formula(
    "derivative of SReLU by t_r; at t_r = x its slope for smaller t_r",
    Piecewise((0, LEFT | MIDDLE), (1 - a_r, True)),
    SRELU,
    domain=DOMAIN,
)
