"""Distribution of the rank of 0-1 GaLU features for normal inputs and filters: closed forms, else bounds.

m inputs and k filters, all N(0, I_d) and independent; any distribution that is symmetric under rotations and has no
atom at the origin gives the same gates. For given filters or for given inputs, gates of one row or column are
independent. Two inputs or two filters come by averages over the angle between two normal vectors in R^d.
"""

import math
from typing import Any

import numpy as np
from scipy import special

from theory.arguments import one_of
from theory.galu.checks import GATES, dimension, sizes
from theory.galu.plane import plane_rank_law
from theory.galu.special_sizes import law_on_a_line


def angles(d: int, power: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
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


def closed_again(d: int, k: int) -> float:
    """P(a second input opens no gate, given that the first opens none): E[(1 - t)^k], t pi the angle between them."""
    _, rest, weights = angles(d, k)
    return float(rest**k @ weights)


# The law takes a time that grows as the cube of the number of inputs: seconds here.
MOST = 1000


def rank_two_filters(only_first: int, only_second: int, both: int, d: int) -> int:
    """The rank for two filters: rows that open only the first gate, only the second, or both.

    min{n, d + n - max(counts), 2 d} with n the sum of the counts; rows that open no gate do not count.

    Parameters
    ----------
    only_first, only_second, both : int
        Numbers of rows, at least 0.
    d : int
        Number of inputs, at least 1.

    Raises
    ------
    ValueError
        When an argument is no integer, or below its range.

    Source: beyond galu, section 4.1.

    Examples
    --------
    >>> rank_two_filters(only_first=3, only_second=0, both=1, d=2)
    3
    """
    named = {"only_first": only_first, "only_second": only_second, "both": both}
    counts = [dimension(v, "rank_two_filters", name, least=0) for name, v in named.items()]
    d = dimension(d, "rank_two_filters")
    return min(sum(counts), d + sum(counts) - max(counts), 2 * d)


def binomial(n: int, heads: np.ndarray, probability: Any) -> np.ndarray:
    """Probability of a number of heads of n fair coins."""
    from scipy.stats import binom

    return binom.pmf(heads, n, probability)


def law_of_two_filters(caller: str, m: int, d: int) -> np.ndarray:
    if m > MOST:
        raise ValueError(f"{caller}: m must be at most {MOST} for two filters, got {m}; simulate")
    rows = np.arange(m + 1)
    t, _, weights = angles(d, m)
    differing = binomial(m, rows[:, None], t) @ weights
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


def rank_law(m: int, d: int, k: int) -> np.ndarray:
    """P(rank = r) for r = 0, ..., min{m, k d}, of m normal inputs in R^d and k random 0-1 gates.

    In closed form for inputs in R^1 (at most 2), for one filter (the number of open gates, at most d), for one input or
    two (those that open a gate), for two filters (with the angle t pi between them, s of m rows have gates that differ,
    s ~ Bin(m, t), and which gates are open is a matter of fair coins), and for inputs in the plane
    (:func:`theory.galu.plane.plane_rank_law`).

    Parameters
    ----------
    m, d, k : int
        At least 1, at most 10^7; m at most 1000 for two filters, d >= 3; min{k, m/2} at most 100 in the plane.

    Returns
    -------
    array of shape (min{m, k d} + 1,)

    Raises
    ------
    ValueError
        For arguments outside of their range; for three inputs and three filters or more in three dimensions or
        more: there is no closed form; see :func:`theory.galu.full_rank_at_most`, or sample with
        :func:`theory.galu.full_rank_at_least`.

    Source: beyond galu, section 4.1.

    Examples
    --------
    >>> rank_law(3, d=2, k=1)
    array([0.125, 0.375, 0.5  ])
    >>> rank_law(4, d=2, k=3).round(4)
    array([0.0031, 0.025 , 0.1406, 0.35  , 0.4812])
    """
    return _law("rank_law", *sizes("rank_law", m, d, k))


def _law(caller: str, m: int, d: int, k: int) -> np.ndarray:
    if d == 1:
        return law_on_a_line(m, k)
    if m == 1:
        return np.array([math.ldexp(1, -k), 1 - math.ldexp(1, -k)])
    if m == 2:
        again = closed_again(d, k)
        few = math.ldexp(again, -k), math.ldexp(2 * (1 - again), -k)
        return np.array([*few, 1 - sum(few)])
    if k == 1:
        least = min(m, d)
        return np.append(binomial(m, np.arange(least), 0.5), special.betainc(least, m - least + 1, 0.5))
    if k == 2:
        return law_of_two_filters(caller, m, d)
    if d == 2:
        return np.array([float(p) for p in plane_rank_law(m, k)])
    raise ValueError(
        f"{caller}: needs d <= 2, k <= 2 or m <= 2, got m = {m}, d = {d}, k = {k}; no closed form is known, see "
        "full_rank_at_most, or sample with full_rank_at_least"
    )


def full_rank_probability(m: int, d: int, k: int, gate: str = "0-1") -> float:
    """P(rank X-bar = min{m, k d}) for normal inputs and filters, where it has a closed form.

    Parameters
    ----------
    m, d, k : int
        As for :func:`rank_law`.
    gate : {"0-1", "logistic"}
        1 for the logistic gate, always.

    Raises
    ------
    ValueError
        Where none is known: 0-1 gates with d, k, m >= 3, see :func:`theory.galu.full_rank_at_most`; for arguments
        outside of their range.

    Source: galu, section 4.1, which says "with high probability".

    Examples
    --------
    >>> full_rank_probability(100, 1, 10)
    0.0
    >>> round(full_rank_probability(2, 2, 8), 12)
    0.992621527778
    >>> full_rank_probability(1024, 32, 32, gate="logistic")
    1.0
    """
    m, d, k = sizes("full_rank_probability", m, d, k)
    if one_of("full_rank_probability", "gate", gate, GATES) == "logistic":
        return 1.0
    return float(_law("full_rank_probability", m, d, k)[-1])


def expected_train_loss_random(m: int, d: int, k: int, gate: str = "0-1") -> float:
    """Mean of the least training loss of m random labels of variance 1, over inputs and filters as well.

    1 - E[rank]/m by theorem 1; with the logistic gate 1 - min{m, k d}/m.

    Parameters
    ----------
    m, d, k : int
        As for :func:`rank_law`.
    gate : {"0-1", "logistic"}

    Raises
    ------
    ValueError
        For 0-1 gates with d, k, m >= 3, where E[rank] has no closed form; for arguments outside of their range.

    Source: galu, theorem 1 and section 4.1.

    Examples
    --------
    >>> expected_train_loss_random(100, 10, 5, gate="logistic")
    0.5
    >>> expected_train_loss_random(8, 1, 6)
    0.75...
    >>> round(expected_train_loss_random(2, 3, 6), 12)
    0.015625
    """
    m, d, k = sizes("expected_train_loss_random", m, d, k)
    if one_of("expected_train_loss_random", "gate", gate, GATES) == "logistic":
        return (m - min(m, k * d)) / m
    law = _law("expected_train_loss_random", m, d, k)
    return float(law @ (m - np.arange(len(law)))) / m
