"""The law of the rank of 0-1 GaLU features for normal inputs and filters, where it has a closed form; bounds elsewhere.

m inputs and k filters, all N(0, I_d) and independent; any law that is symmetric under rotations and has no atom at the
origin gives the same gates. For given filters or for given inputs, gates of one row or column are independent.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import sympy
from scipy import special
from sympy import Rational

from theory.formula import Formula, Interval, Source
from theory.galu_rank import dimension, known_gate, rank_two_filters
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
    "two_ranks_one_input",
]

m, d, k = count("m"), count("d"), count("k")
SOURCE = Source("galu", "beyond section 4.1")
SMALL = Interval(1, 60, integer=True)
WIDE = Interval(1, 1000, integer=True)
half = Rational(1, 2)
# Arrays of this length are made.
LARGEST = 10**7
# The law for two filters takes a time that grows as the cube of the number of inputs: seconds here.
MOST_OF_TWO = 1000

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

    Parameters
    ----------
    k, d : int
        At least 1.

    Returns
    -------
    int

    Raises
    ------
    ValueError
        When k or d is no positive integer.

    Examples
    --------
    >>> cells(5, 2), cells(3, 3), cells(40, 1)
    (10, 8, 2)
    """
    k, d = dimension(k, "cells", "k"), dimension(d, "cells")
    return 2 * sum(math.comb(k - 1, i) for i in range(min(d, k)))


def rank_law(m: int, d: int, k: int) -> np.ndarray:
    """P(rank = r) for r = 0, ..., min{m, k d}, of m normal inputs in R^d and k random 0-1 gates.

    In closed form for inputs in R^1 (at most 2), for one filter (the number of open gates, at most d), for one input or
    two (those that open a gate), and for two filters: with the angle t pi between them, s of m rows have gates that
    differ, s ~ Bin(m, t), and which gates are open is a matter of fair coins.

    Parameters
    ----------
    m, d, k : int
        At least 1, at most 10^7; m at most 1000 for two filters, d >= 2.

    Returns
    -------
    array of shape (min{m, k d} + 1,)

    Raises
    ------
    ValueError
        For arguments outside of their range; for three inputs and three filters or more in two dimensions or more:
        there is no closed form; see :func:`full_rank_at_most` for what is known there.

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
    return _law("rank_law", *_sizes("rank_law", m, d, k))


def _sizes(caller: str, m: int, d: int, k: int) -> tuple[int, int, int]:
    m, d, k = (dimension(v, caller, n) for v, n in ((m, "m"), (d, "d"), (k, "k")))
    if max(m, d, k) > LARGEST:
        raise ValueError(f"{caller}: m, d, k must be at most 10^7, got m = {m}, d = {d}, k = {k}; choose smaller ones")
    return m, d, k


def _law(caller: str, m: int, d: int, k: int) -> np.ndarray:
    if d == 1:
        one_sign = math.ldexp(2, -m), math.ldexp(2, -k)
        none = math.ldexp(2, -m - k)
        law = np.zeros(min(m, k) + 1)
        law[:2] = none, sum(one_sign) - 3 * none
        law[2:3] = (1 - one_sign[0]) * (1 - one_sign[1])
        return law
    if m == 1:
        return np.array([math.ldexp(1, -k), 1 - math.ldexp(1, -k)])
    if m == 2:
        again = _closed_again(d, k)
        few = math.ldexp(again, -k), math.ldexp(2 * (1 - again), -k)
        return np.array([*few, 1 - sum(few)])
    if k == 1:
        least = min(m, d)
        return np.append(_binomial(m, np.arange(least), 0.5), special.betainc(least, m - least + 1, 0.5))
    if k == 2:
        return _two_filters(caller, m, d)
    raise ValueError(
        f"{caller}: needs k <= 2, m <= 2 or d = 1, got m = {m}, d = {d}, k = {k}; no closed form is known, see "
        "full_rank_at_most, or simulate"
    )


def _binomial(n: int, heads: np.ndarray, probability: Any) -> np.ndarray:
    from scipy.stats import binom

    return binom.pmf(heads, n, probability)


def _two_filters(caller: str, m: int, d: int) -> np.ndarray:
    if m > MOST_OF_TWO:
        raise ValueError(f"{caller}: m must be at most {MOST_OF_TWO} for two filters, got {m}; simulate")
    rows = np.arange(m + 1)
    t, _, weights = _angles(d, m)
    differing = _binomial(m, rows[:, None], t) @ weights
    coins = [np.ones(1)]
    for _ in range(m):
        coins.append(np.convolve(coins[-1], [0.5, 0.5]))
    law = np.zeros(min(m, 2 * d) + 1)
    for differ, weight in enumerate(differing):
        # Rows that open one gate alone, by the gate that has fewer of them; rows that open both.
        fewer, both = rows[: differ // 2 + 1], rows[: m - differ + 1]
        opened, largest = differ + both, np.maximum(differ - fewer[:, None], both)
        ranks = np.minimum(np.minimum(opened, d + opened - largest), 2 * d)
        of_fewer = np.bincount(np.minimum(rows[: differ + 1], rows[differ::-1]), coins[differ])
        share = np.outer(of_fewer, coins[m - differ])
        law += weight * np.bincount(ranks.ravel(), share.ravel(), len(law))
    return law


def _angles(d: int, power: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Quadrature over the angle t pi of two normal vectors: t, 1 - t, and weights of sum 1 for ~ sin(pi t)^(d-2) dt.

    For integrands like t^s (1 - t)^(power - s). The trapezoidal rule in y = log(t/(1 - t)), where they are analytic and
    fall off exponentially, so that it converges geometrically in the number of nodes.
    """
    # No peak is sharper than exp(-curvature y^2/2), nor its transform wider than about that of exp(y - exp(y)).
    curvature = (power + 2) / 4 + (d - 2) * math.pi**2 / 16
    step = 2 * math.pi / (25 + 9 * math.sqrt(curvature))
    count = math.ceil((math.log(power + d) + 3 + 40 / (d - 1)) / step)
    y = step * np.arange(-count, count + 1)
    t = special.expit(y)
    side = np.minimum(t, t[::-1])
    # From the end or from the middle, whichever is near: the power d - 2 magnifies an error.
    ends, middle = np.sin(np.pi * side), np.sin(np.pi / 2 * np.tanh(y / 2))
    log_sine = np.where(side < 0.25, np.log(ends), np.log1p(-np.minimum(middle**2, 0.5)) / 2)
    weights = side * (1 - side) * np.exp((d - 2) * log_sine)
    some = weights > 0
    return t[some], t[::-1][some], weights[some] / weights.sum()


def full_rank_probability(m: int, d: int, k: int, gate: str = "0-1") -> float:
    """P(rank X-bar = min{m, k d}) for normal inputs and filters, where it has a closed form.

    Parameters
    ----------
    m, d, k : int
        As for :func:`rank_law`.
    gate : {"0-1", "logistic"}
        1 for the logistic gate, always.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        Where none is known: 0-1 gates with d >= 2, k >= 3, m >= 3, see :func:`full_rank_at_most`; for arguments outside
        of their range.

    Notes
    -----
    galu, section 4.1, says "with high probability".

    Examples
    --------
    >>> full_rank_probability(100, 1, 10)
    0.0
    >>> round(full_rank_probability(2, 2, 8), 12)
    0.992621527778
    >>> full_rank_probability(1024, 32, 32, gate="logistic")
    1.0
    """
    m, d, k = _sizes("full_rank_probability", m, d, k)
    if known_gate(gate, "full_rank_probability") == "logistic":
        return 1.0
    return float(_law("full_rank_probability", m, d, k)[-1])


def _closed_again(d: int, k: int) -> float:
    """P(a second input opens no gate, given that the first opens none): E[(1 - t)^k], t pi the angle between them."""
    _, rest, weights = _angles(d, k)
    return float(rest**k @ weights)


def full_rank_at_most(m: int, d: int, k: int) -> float:
    """A bound that P(rank X-bar = min{m, k d}) does not exceed, 0-1 gates; rigorous, not sharp.

    For m <= k d no row may be zero. With N zero rows, E N = m/2^k, P(N > 0) >= (E N)^2/E N^2 (Cauchy and Schwarz), and
    E N^2 is known. For m >= k d the first two gates must differ in at least d rows, else the columns of their
    difference have less than the rank d.

    Parameters
    ----------
    m, d, k : int
        At least 1, at most 10^7.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        For arguments outside of their range.

    Notes
    -----
    Beyond galu, section 4.1.

    Examples
    --------
    >>> round(full_rank_at_most(64, 2, 32), 4)
    0.9692
    >>> full_rank_at_most(64, 1, 16)
    0.0
    """
    m, d, k = _sizes("full_rank_at_most", m, d, k)
    if d == 1:
        return full_rank_probability(m, d, k)
    bound = 1.0
    if m <= k * d:
        # E N^2 = E N (1 + (m - 1) P(a second row is zero, given that one is)).
        bound = 1 - math.ldexp(m, -k) / (1 + (m - 1) * _closed_again(d, k))
    if m >= k * d and k >= 2:
        t, _, weights = _angles(d, m)
        bound = min(bound, float(special.betainc(d, m - d + 1, t) @ weights))
    return bound


def expected_train_loss_random(m: int, d: int, k: int, gate: str = "0-1") -> float:
    """Mean of the least training loss of m random labels of variance 1, over inputs and filters as well.

    1 - E[rank]/m by theorem 1; with the logistic gate 1 - min{m, k d}/m.

    Parameters
    ----------
    m, d, k : int
        As for :func:`rank_law`.
    gate : {"0-1", "logistic"}

    Returns
    -------
    float

    Raises
    ------
    ValueError
        For 0-1 gates with d >= 2, k >= 3 and m >= 3, where E[rank] has no closed form; for arguments outside of their
        range.

    Notes
    -----
    galu, theorem 1 and section 4.1.

    Examples
    --------
    >>> expected_train_loss_random(100, 10, 5, gate="logistic")
    0.5
    >>> expected_train_loss_random(8, 1, 6)
    0.75...
    >>> round(expected_train_loss_random(2, 3, 6), 12)
    0.015625
    """
    m, d, k = _sizes("expected_train_loss_random", m, d, k)
    if known_gate(gate, "expected_train_loss_random") == "logistic":
        return (m - min(m, k * d)) / m
    law = _law("expected_train_loss_random", m, d, k)
    return float(law @ (m - np.arange(len(law)))) / m
