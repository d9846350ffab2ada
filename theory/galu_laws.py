"""The law of the rank of 0-1 GaLU features for normal inputs and filters, where it has a closed form; bounds elsewhere.

m inputs and k filters, all N(0, I_d) and independent; any law that is symmetric under rotations and has no atom at the
origin gives the same gates. For given filters or for given inputs, gates of one row or column are independent.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import sympy
from sympy import Rational

from theory.formula import Formula, Interval, Source
from theory.galu_rank import dimension
from theory.symbols import count

__all__ = [
    "cells",
    "expected_rank_one_input",
    "expected_train_loss_random",
    "full_rank_at_most",
    "full_rank_one_filter",
    "full_rank_probability",
    "full_rank_two_filters_plane",
    "full_rank_two_inputs",
    "no_zero_row_at_least",
    "no_zero_row_plane",
    "rank_law",
    "rank_two_filters",
    "smallest_k",
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

no_zero_row_at_least = Formula(
    "no more than the probability that each of m inputs opens one of k 0-1 gates; that of full rank for m <= d",
    (1 - 2 ** (-k)) ** m,
    [m, k],
    source=SOURCE,
    domain={m: WIDE, k: WIDE},
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


def cells(k: int, d: int) -> int:
    """How many gate patterns k filters in general position can show in R^d.

    2 sum_{i < d} C(k - 1, i), the cells of an arrangement of k planes through the origin (Schläfli).

    Examples
    --------
    >>> cells(5, 2), cells(3, 3), cells(40, 1)
    (10, 8, 2)
    """
    k, d = dimension(k, "cells", "k"), dimension(d, "cells")
    return 2 * sum(math.comb(k - 1, i) for i in range(d))


def rank_two_filters(only_first: int, only_second: int, both: int, d: int) -> int:
    """The rank for two filters: rows that open only the first gate, only the second, or both.

    min{n, d + n - max(counts), 2 d} with n the sum of the counts; rows that open no gate do not count.

    Examples
    --------
    >>> rank_two_filters(only_first=3, only_second=0, both=1, d=2)
    3
    """
    n = only_first + only_second + both
    return min(n, d + n - max(only_first, only_second, both), 2 * d)


def rank_law(m: int, d: int, k: int) -> np.ndarray:
    """P(rank = r) for r = 0, ..., min{m, k d}, of m normal inputs in R^d and k random 0-1 gates.

    In closed form for one filter (the number of open gates, at most d), for inputs in R^1 (at most 2), and for two
    filters: with the angle t pi between them, s of m rows have gates that differ, s ~ Bin(m, t), and which gates are
    open is a matter of fair coins.

    Parameters
    ----------
    m, d, k : int

    Returns
    -------
    array of shape (min{m, k d} + 1,)

    Raises
    ------
    ValueError
        For three filters or more in two dimensions or more: there is no closed form; see :func:`full_rank_probability`
        for what is known there.

    Notes
    -----
    Beyond galu, section 4.1.

    Examples
    --------
    >>> rank_law(3, d=2, k=1)
    array([0.125, 0.375, 0.5  ])
    >>> round(float(rank_law(4, d=2, k=2)[-1]), 12)
    0.2
    """
    m, d, k = (dimension(v, "rank_law", n) for v, n in ((m, "m"), (d, "d"), (k, "k")))
    law = np.zeros(min(m, k * d) + 1)
    if k == 1:
        for n in range(m + 1):
            law[min(n, d)] += math.comb(m, n) / 2**m
    elif d == 1:
        both = float(two_ranks_one_input.mp(m, k, dps=20))
        law[0] = 2.0 ** (1 - m - k)
        if len(law) > 2:
            law[2] = both
        law[1] = 1 - law[0] - both
    elif k == 2:
        for differ, weight in enumerate(_differing_gates(m, d)):
            for first in range(differ + 1):
                for both in range(m - differ + 1):
                    share = math.comb(differ, first) * math.comb(m - differ, both) / 2**m
                    law[rank_two_filters(first, differ - first, both, d)] += weight * share
    else:
        raise ValueError(f"rank_law: needs k <= 2 or d = 1, got k = {k}, d = {d}; no closed form is known, simulate")
    return law


def _differing_gates(m: int, d: int) -> np.ndarray:
    """P(s of m rows have two gates that differ): E[Bin(m, t)(s)], t in (0, 1) of density ~ sin(pi t)^(d-2)."""
    if d == 2:
        return np.full(m + 1, 1 / (m + 1))
    nodes, weights = np.polynomial.legendre.leggauss(m // 2 + 40 + d)
    t = (1 + nodes) / 2
    weights = weights * np.sin(np.pi * t) ** (d - 2)
    weights /= weights.sum()
    return np.array([math.comb(m, i) * np.sum(weights * t**i * (1 - t) ** (m - i)) for i in range(m + 1)])


def full_rank_probability(m: int, d: int, k: int, gate: str = "0-1") -> float:
    """P(rank X-bar = min{m, k d}) for normal inputs and filters, where it has a closed form.

    Parameters
    ----------
    m, d, k : int
    gate : {"0-1", "logistic"}
        1 for the logistic gate, always.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        Where none is known: 0-1 gates with d >= 2, k >= 3, m >= 3. See :func:`full_rank_at_most`.

    Notes
    -----
    galu, section 4.1, says "with high probability".

    Examples
    --------
    >>> full_rank_probability(100, 1, 10)
    0.0
    >>> full_rank_probability(2, 2, 8)
    0.9926215277777778
    >>> full_rank_probability(1024, 32, 32, gate="logistic")
    1.0
    """
    m, d, k = (dimension(v, "full_rank_probability", n) for v, n in ((m, "m"), (d, "d"), (k, "k")))
    if _gate(gate, "full_rank_probability") == "logistic":
        return 1.0
    if d == 1 and min(m, k) > 2:
        return 0.0
    if k <= 2 or d == 1:
        return float(rank_law(m, d, k)[-1])
    if m == 1:
        return 1 - 2.0**-k
    if m == 2:
        return 1 - 2.0 ** (1 - k) + _both_closed(d, k)
    raise ValueError(
        f"full_rank_probability: needs k <= 2, m <= 2 or d = 1, got m = {m}, d = {d}, k = {k}; "
        "no closed form is known, see full_rank_at_most"
    )


def _both_closed(d: int, k: int) -> float:
    """P(two inputs open no gate): E[((1 - t)/2)^k] over the angle t pi between them."""
    return float(np.sum(_differing_gates(k, d)[0]) / 2.0**k)


def full_rank_at_most(m: int, d: int, k: int) -> float:
    """A bound that P(rank X-bar = min{m, k d}) does not exceed, 0-1 gates; rigorous, not sharp.

    For m <= k d no row may be zero. With N zero rows, E N = m/2^k, P(N > 0) >= (E N)^2/E N^2 (Cauchy and Schwarz), and
    E N^2 is known. For m >= k d the first two gates must differ in at least d rows, else the columns of their
    difference have less than the rank d.

    Examples
    --------
    >>> round(full_rank_at_most(64, 2, 32), 4)
    0.9692
    >>> full_rank_at_most(64, 1, 16)
    0.0
    """
    m, d, k = (dimension(v, "full_rank_at_most", n) for v, n in ((m, "m"), (d, "d"), (k, "k")))
    if d == 1:
        return full_rank_probability(m, d, k)
    bound = 1.0
    if m <= k * d:
        mean = m / 2.0**k
        bound = 1 - mean**2 / (mean + m * (m - 1) * _both_closed(d, k))
    if m >= k * d and k >= 2:
        bound = min(bound, 1 - float(np.sum(_differing_gates(m, d)[:d])))
    return bound


def smallest_k(m: int, d: int, probability: float, gate: str = "0-1") -> int:
    """The least number of neurons whose features have the rank m, so that m samples are memorised, with a probability.

    Logistic gate: ceil(m/d), with probability one. 0-1 gate: exact for m <= 2. Otherwise a k that is certainly not too
    large for m <= d, where full rank means that every input opens a gate, of probability at least (1 - 2^-k)^m.

    Parameters
    ----------
    m, d : int
    probability : float
        In (0, 1).
    gate : {"0-1", "logistic"}

    Returns
    -------
    int

    Raises
    ------
    ValueError
        For 0-1 gates with m > d: for d = 1 and m > 2 there is no such k, otherwise none is known in closed form.

    Examples
    --------
    >>> smallest_k(1024, 32, 0.99, gate="logistic")
    32
    >>> smallest_k(10, 32, 0.99)
    10
    """
    m, d = dimension(m, "smallest_k", "m"), dimension(d, "smallest_k")
    if not 0 < probability < 1:
        raise ValueError(f"smallest_k: probability must be in (0, 1), got {probability}; choose one inside")
    if _gate(gate, "smallest_k") == "logistic":
        return -(-m // d)
    if d == 1 and (m > 2 or (m == 2 and probability >= half)):
        raise ValueError(
            f"smallest_k: 0-1 gates on R^1 never give a rank above 2, got m = {m} at probability {probability}; "
            "append a constant input, which makes it R^2"
        )
    if m > max(d, 2):
        raise ValueError(
            f"smallest_k: m must be at most d for 0-1 gates, got m = {m}, d = {d}; measure it for larger m "
            "(figure galu_rank), or use logistic gates"
        )
    found = -(-m // d)
    while (full_rank_probability(m, d, found) if m <= 2 else (1 - 2.0**-found) ** m) < probability:
        found += 1
    return found


def expected_train_loss_random(m: int, d: int, k: int, gate: str = "0-1") -> float:
    """Mean of the least training loss of m random labels of variance 1, over inputs and filters as well.

    1 - E[rank]/m by theorem 1; with the logistic gate 1 - min{m, k d}/m.

    Raises
    ------
    ValueError
        For 0-1 gates with d >= 2 and k >= 3, where E[rank] has no closed form.

    Examples
    --------
    >>> expected_train_loss_random(100, 10, 5, gate="logistic")
    0.5
    >>> expected_train_loss_random(8, 1, 6)
    0.75...
    """
    m, d, k = (dimension(v, "expected_train_loss_random", n) for v, n in ((m, "m"), (d, "d"), (k, "k")))
    if _gate(gate, "expected_train_loss_random") == "logistic":
        return (m - min(m, k * d)) / m
    law = rank_law(m, d, k)
    return float(np.sum(law * (m - np.arange(len(law)))) / m)


def _gate(gate: str, caller: str) -> str:
    if gate not in ("0-1", "logistic"):
        raise ValueError(f"{caller}: gate must be '0-1' or 'logistic', got {gate!r}; choose one")
    return gate
