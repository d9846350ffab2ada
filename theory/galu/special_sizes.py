"""The rank of 0-1 GaLU features in sizes with one formula: one filter, inputs in R^1, two inputs, two filters.

m inputs and k filters, all N(0, I_d) and independent; any distribution that is symmetric under rotations and has no
atom at the origin gives the same gates.
"""

import math
from functools import partial

import numpy as np
import sympy
from sympy import Rational

from theory.formula import Formula, Interval, Source
from theory.symbols import count

m, d, k = count("m d k")
WIDE = Interval(1, 1000, integer=True)
half = Rational(1, 2)
PANELS, LEGENDRE = 8, np.polynomial.legendre.leggauss(60)

formula_of_sizes = partial(
    Formula, source=Source("galu", "additional to section 4.1"), domain={m: WIDE, d: WIDE, k: WIDE}
)

full_rank_one_filter = formula_of_sizes(
    "probability that the features of one 0-1 filter have the rank min{m, d}: at least that many gates are open",
    sympy.betainc(sympy.Min(m, d), m - sympy.Min(m, d) + 1, 0, half)
    / sympy.beta(sympy.Min(m, d), m - sympy.Min(m, d) + 1),
    [m, d],
    numeric=lambda m, d: np.vectorize(_one_filter, otypes=[float])(m, d),
    lhs=r"P\left(\operatorname{rank}(\bar X) = \min\{m, d\}\right)",
)

two_ranks_one_input = formula_of_sizes(
    "probability that inputs in R^1 and 0-1 gates give the rank 2: both signs occur among inputs and among filters",
    (1 - 2 ** (1 - m)) * (1 - 2 ** (1 - k)),
    [m, k],
    lhs=r"P\left(\operatorname{rank}(\bar X) = 2\right)",
)

expected_rank_one_input = formula_of_sizes(
    "mean rank for inputs in R^1 and 0-1 gates: never above 2",
    2 * (1 - 2 ** (-m)) * (1 - 2 ** (-k)),
    [m, k],
    lhs=r"E\left[\operatorname{rank}(\bar X)\right]",
)

full_rank_two_inputs = formula_of_sizes(
    "probability that two inputs in the plane open a 0-1 gate each, k >= 2: then the rank is 2 = min{m, kd}",
    1 - 2 ** (1 - k) + 2 ** (-k) / (k + 1),
    lhs=r"P\left(\operatorname{rank}(\bar X) = 2\right)",
)

no_zero_row_plane = formula_of_sizes(
    "probability that each of m inputs in the plane opens one of k 0-1 gates; that of full rank for m <= 2",
    1 - k * 2 ** (1 - k) + k * 2 ** (1 - k - m) * sympy.hyper([-m, k - 1], [k], -1),
    [m, k],
    domain={m: Interval(1, 10_000, integer=True), k: Interval(2, 1000, integer=True)},
    numeric=lambda m, k: np.vectorize(_no_zero_row_plane, otypes=[float])(m, k),
    lhs=r"P\left(\bar X \text{ has no row of zeros}\right)",
)

full_rank_two_filters_plane = formula_of_sizes(
    "probability that m >= 4 inputs in the plane and two 0-1 filters give the rank 4 = kd; near 1 - 2/(m + 1)",
    1 - 2 * (2**m + m**2 + m - 4) / (2**m * (m + 1)),
    domain={m: Interval(4, 500, integer=True)},
    lhs=r"P\left(\operatorname{rank}(\bar X) = 4\right)",
)


def _one_filter(m: float, d: float) -> float:
    return sum(math.comb(int(m), i) for i in range(int(min(m, d)), int(m) + 1)) / 2 ** int(m)


def _no_zero_row_plane(m: float, k: float) -> float:
    """1 - c + c (k - 1) E[1/(k - 1 + B)], c = k 2^(1 - k), B the number of heads of m fair coins: no term is negative.

    Angles of k filters in a half plane, which has probability c, leave (pi - spread)/(2 pi) of inputs closed. The mean
    is the integral of (1 - x)^(k - 2) (1 - x/2)^m over [0, 1], of which 100/(k - 2 + m/2) leaves nothing out.
    """
    nodes, weights = LEGENDRE
    width = min(1.0, 100 / (k - 2 + m / 2)) / PANELS
    x = width * ((nodes + 1) / 2 + np.arange(PANELS)[:, None])
    mean = width / 2 * float(np.sum(weights * (1 - x) ** (k - 2) * np.exp(m * np.log1p(-x / 2))))
    half_plane = k * 2.0 ** (1 - k)
    return 1 - half_plane + half_plane * (k - 1) * mean


def law_on_a_line(m: int, k: int) -> np.ndarray:
    """P(rank = r) for inputs in R^1, where the rank is the number of signs of inputs with an open gate."""
    one_sign = math.ldexp(2, -m), math.ldexp(2, -k)
    none = math.ldexp(2, -m - k)
    law = np.zeros(min(m, k) + 1)
    law[:2] = none, sum(one_sign) - 3 * none
    law[2:3] = (1 - one_sign[0]) * (1 - one_sign[1])
    return law
