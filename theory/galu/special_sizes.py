"""The rank of 0-1 GaLU features in sizes with one formula: one filter, inputs in R^1, two inputs, two filters.

m inputs and k filters, all N(0, I_d) and independent; any law that is symmetric under rotations and has no atom at the
origin gives the same gates.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import sympy
from sympy import Rational

from theory.formula import Formula, Interval, Source
from theory.symbols import count

__all__ = [
    "expected_rank_one_input",
    "full_rank_one_filter",
    "full_rank_two_filters_plane",
    "full_rank_two_inputs",
    "law_on_a_line",
    "no_zero_row_plane",
    "two_ranks_one_input",
]

m, d, k = count("m"), count("d"), count("k")
SOURCE = Source("galu", "beyond section 4.1")
SMALL = Interval(1, 60, integer=True)
WIDE = Interval(1, 1000, integer=True)
half = Rational(1, 2)

full_rank_one_filter = Formula(
    "probability that the features of one 0-1 filter have the rank min{m, d}: at least that many gates are open",
    sympy.betainc(sympy.Min(m, d), m - sympy.Min(m, d) + 1, 0, half)
    / sympy.beta(sympy.Min(m, d), m - sympy.Min(m, d) + 1),
    [m, d],
    source=SOURCE,
    domain={m: SMALL, d: SMALL},
    numeric=lambda m, d: np.vectorize(_one_filter, otypes=[float])(m, d),
)

two_ranks_one_input = Formula(
    "probability that inputs in R^1 and 0-1 gates give the rank 2: both signs occur among inputs and among filters",
    (1 - 2 ** (1 - m)) * (1 - 2 ** (1 - k)),
    [m, k],
    source=SOURCE,
    domain={m: WIDE, k: WIDE},
)

expected_rank_one_input = Formula(
    "mean rank for inputs in R^1 and 0-1 gates: never above 2",
    2 * (1 - 2 ** (-m)) * (1 - 2 ** (-k)),
    [m, k],
    source=SOURCE,
    domain={m: WIDE, k: WIDE},
)

full_rank_two_inputs = Formula(
    "probability that two inputs in the plane open a 0-1 gate each, k >= 2: then the rank is 2 = min{m, kd}",
    1 - 2 ** (1 - k) + 2 ** (-k) / (k + 1),
    [k],
    source=SOURCE,
    domain={k: WIDE},
)

no_zero_row_plane = Formula(
    "probability that each of m inputs in the plane opens one of k 0-1 gates; that of full rank for m <= 2",
    1 - k * 2 ** (1 - k) + k * 2 ** (1 - k - m) * sympy.hyper([-m, k - 1], [k], -1),
    [m, k],
    source=SOURCE,
    domain={m: SMALL, k: Interval(2, 60, integer=True)},
    numeric=lambda m, k: np.vectorize(lambda m, k: float(_no_zero_row_plane(int(m), int(k))), otypes=[float])(m, k),
)

full_rank_two_filters_plane = Formula(
    "probability that m >= 4 inputs in the plane and two 0-1 filters give the rank 4 = kd; near 1 - 2/(m + 1)",
    1 - 2 * (2**m + m**2 + m - 4) / (2**m * (m + 1)),
    [m],
    source=SOURCE,
    domain={m: Interval(4, 500, integer=True)},
)


def _one_filter(m: float, d: float) -> float:
    least = int(min(m, d))
    return sum(math.comb(int(m), i) for i in range(least, int(m) + 1)) / 2 ** int(m)


def _no_zero_row_plane(m: int, k: int) -> Fraction:
    # Angles of k filters in a half plane, which has probability k/2^(k-1), leave (pi - spread)/(2 pi) of inputs closed.
    inner = sum(Fraction(math.comb(m, i), k - 1 + i) for i in range(m + 1))
    return 1 - Fraction(k, 2 ** (k - 1)) + Fraction(k * (k - 1), 2 ** (k + m - 1)) * inner


def law_on_a_line(m: int, k: int) -> np.ndarray:
    """P(rank = r) for inputs in R^1, where the rank is the number of signs that inputs with an open gate have."""
    one_sign = math.ldexp(2, -m), math.ldexp(2, -k)
    none = math.ldexp(2, -m - k)
    law = np.zeros(min(m, k) + 1)
    law[:2] = none, sum(one_sign) - 3 * none
    law[2:3] = (1 - one_sign[0]) * (1 - one_sign[1])
    return law
