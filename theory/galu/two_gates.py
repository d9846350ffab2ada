"""Rank for two filters: from three counts of rows, and its distribution from the angle between the filters."""

from typing import Any

import numpy as np

from theory.galu.angles import angles
from theory.galu.checks import dimension

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

    Notes
    -----
    Beyond galu, section 4.1.

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
