"""Bounds of the rank of 0-1 GaLU features in any sizes, from rows of zeros and from few columns."""

import math

import numpy as np
import sympy
from scipy import special

from theory.galu.checks import sizes
from theory.galu.distribution import angles, closed_again
from theory.galu.special_sizes import d, formula_of_sizes, k, law_on_a_line, m

no_zero_row_at_least = formula_of_sizes(
    "no more than the probability that each of m inputs opens one of k 0-1 gates; that of full rank for m <= d",
    (1 - 2 ** (-k)) ** m,
    [m, k],
    lhs=r"P\left(\bar X \text{ has no row of zeros}\right)",
)

expected_train_loss_at_least = formula_of_sizes(
    "no more than the mean of the least training loss on m random labels of variance 1, 0-1 gates: an input that opens "
    "no gate is lost, and there are k d weights",
    sympy.Max(2 ** (-k), 1 - k * d / m),
    [m, d, k],
    # 1 - k d/m loses the digits that k d and m share.
    numeric=lambda m, d, k: np.maximum(2.0**-k, (m - k * d) / m),
    lhs=r"E\left[\min_w L_S(w)\right]",
)


def full_rank_at_most(m: int, d: int, k: int) -> float:
    """A bound that P(rank X-bar = min{m, k d}) does not exceed, 0-1 gates; rigorous, not sharp.

    For m <= k d no row may be zero. With N zero rows, E N = m/2^k, P(N > 0) >= (E N)^2/E N^2 (Cauchy and Schwarz), and
    E N^2 is known. For m >= k d the first two gates must differ in at least d rows, else the columns of their
    difference have less than the rank d.

    Parameters
    ----------
    m, d, k : int
        At least 1, at most 10^7.

    Raises
    ------
    ValueError
        For arguments outside of their range.

    Source: beyond galu, section 4.1.

    Examples
    --------
    >>> round(full_rank_at_most(64, 2, 32), 4)
    0.9692
    >>> full_rank_at_most(64, 1, 16)
    0.0
    """
    m, d, k = sizes("full_rank_at_most", m, d, k)
    if d == 1:
        return float(law_on_a_line(m, k)[-1])
    bound = 1.0
    if m <= k * d:
        # E N^2 = E N (1 + (m - 1) P(a second row is zero, given that one is)).
        bound = 1 - math.ldexp(m, -k) / (1 + (m - 1) * closed_again(d, k))
    if m >= k * d and k >= 2:
        t, _, weights = angles(d, m)
        bound = min(bound, float(special.betainc(d, m - d + 1, t) @ weights))
    return bound
