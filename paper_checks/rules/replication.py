"""Comparison of published numbers with our runs: could our runs have given them with the published n?

Counts are compared by Fisher's exact test, and medians by the exact distribution of the rank that an order statistic of
one sample has among the values of another. A mean must lie within two intervals by Student's t: that of Welch, with the
published standard error, and the prediction interval by our runs alone. Each is too narrow for some skewed
distributions; the wider of the two was never too narrow in our tests. A half width or a standard error is compared from
below only, by resampling: a single late run makes an interval wider than any of ours. All tests suppose independent
runs of one distribution.

All comparisons of a paper share an error rate of 1 %. A claim has the part of its comparisons, and applies Holm's
step-down procedure to them. A comparison in which no published number could have been rejected is TOO FEW. So is
that of a mean that cannot be negative if a difference as large as the published mean would be detected with a
probability of less than 80 %.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import scipy

from paper_checks.rules.published import Published
from paper_checks.rules.strata import p_value

FAMILY_WISE = 0.01
"""The probability that any comparison of a paper is falsely NOT REPRODUCED."""

POWER = 0.8
"""Probability with which a difference that is reported as detectable is detected."""


@dataclass(frozen=True)
class Replication:
    """Comparison of a published number with our runs.

    Attributes
    ----------
    ours : float
        The published quantity, of our runs.
    n : int
        Number of our runs.
    p : float
        p-value of the two-sided test that both have the same distribution.
    least : float
        The least p-value that any published number could have had; 1 if the comparison has too few runs.
    low, high : float
        Range of published numbers that would not be rejected at the given level.
    noticed : tuple of float
        The nearest values below and above ours that would be detected with a probability of 80 %; nan where none would.
    """

    ours: float
    n: int
    p: float
    least: float
    low: float
    high: float
    noticed: tuple[float, float]


def count(published: Published, successes: int, n: int, level: float) -> Replication:
    """Comparison of a published count with ours, by Fisher's exact test.

    Examples
    --------
    >>> found = count(Published(13, n=100, what="count"), 92, 400, 1e-4)
    >>> round(found.p, 3), found.low, found.high
    (0.028, 7.0, 43.0)
    """
    if not (n == int(n) and n >= 1 and successes == int(successes) and 0 <= successes <= n):
        raise ValueError(f"count: successes must be whole, from 0 to n, got {successes!r} of {n!r}; count the runs")
    successes, n = int(successes), int(n)
    p = _fisher(successes, n, published.n)
    kept = np.flatnonzero(p > level)
    low, high = (float(kept[0]), float(kept[-1])) if len(kept) else (np.nan, np.nan)
    noticed = tuple(published.n * q for q in _noticed_rates(successes, n, published.n, level))
    return Replication(
        successes / n * published.n, n, float(p[int(published.number)]), float(p.min()), low, high, noticed
    )


@cache
def _fisher(successes: int, n: int, theirs: int) -> np.ndarray:
    """p-value of each possible published count."""
    return np.array([p_value(successes, n, k, theirs) for k in range(theirs + 1)])


@cache
def _noticed_rates(successes: int, n: int, theirs: int, level: float) -> tuple[float, float]:
    """Nearest rates below and above ours at which a published count would be rejected with 80 %."""
    rejected = _fisher(successes, n, theirs) <= level
    rates = np.linspace(0, 1, 1001)
    power = scipy.stats.binom.pmf(np.arange(theirs + 1)[:, None], theirs, rates)[rejected].sum(0) >= POWER
    below, above = rates[power & (rates < successes / n)], rates[power & (rates > successes / n)]
    return (below[-1] if len(below) else np.nan), (above[0] if len(above) else np.nan)


def median(published: Published, values: Sequence[float], level: float) -> Replication:
    """Comparison of a published median with our runs, by the exact distribution of its rank among them.

    Infinite values are runs that are never done.

    Examples
    --------
    >>> found = median(Published("210", n=94, what="median"), np.arange(400.0), 1e-4)
    >>> round(found.p, 2), found.low < 210 < found.high
    (0.75, True)
    """
    values = np.asarray(values, dtype=float)
    if values.ndim != 1 or not len(values) or np.isnan(values).any():
        raise ValueError(f"our runs must be numbers, one for each run, got {described(values)}; never is inf")
    values = np.sort(values)
    m, n = len(values), published.n
    lower, upper = (n + 1) // 2, n // 2 + 1
    at_most, at_least = _order_statistic(n, m, lower), _order_statistic(n, m, upper)
    low, high = published.between
    # Values that are tied with the published number may lie on either side of it.
    few, many = int((values < low).sum()), int((values <= high).sum())
    p = _two_sided(at_most, at_least, few, many)
    kept = [k for k in range(m + 1) if _two_sided(at_most, at_least, k, k) > level]
    edges = np.concatenate(([-np.inf], values, [np.inf]))
    least = min(_two_sided(at_most, at_least, k, k) for k in (0, m))
    lowest, highest = (float(edges[kept[0]]), float(edges[kept[-1] + 1])) if kept else (np.nan, np.nan)
    # Their median lies below a level of our distribution with the probability that a Beta value does.
    levels = scipy.stats.beta.isf([1 - POWER, POWER], [upper, lower], [n - upper + 1, n - lower + 1])
    noticed = _noticed_shifts(values, lowest, highest, levels)
    return Replication(float(np.median(values)), m, p, least, lowest, highest, noticed)


@cache
def _order_statistic(n: int, m: int, j: int) -> np.ndarray:
    """P(K <= k), k = 0..m, for the number K of m values below the j-th of n others with the same distribution."""
    return scipy.stats.nhypergeom.cdf(np.arange(m + 1), n + m, m, j)


def _two_sided(lower: np.ndarray, upper: np.ndarray, few: int, many: int) -> float:
    """Twice the smaller tail, where ``few`` to ``many`` of ours lie below the published median.

    The median of an even number lies between two of them: each tail is bounded by that one for which it is larger.
    """
    return float(min(1.0, 2 * min(lower[many], 1 - (upper[few - 1] if few else 0.0))))


def _noticed_shifts(values: np.ndarray, lowest: float, highest: float, levels: Sequence[float]) -> tuple[float, float]:
    """Our median, shifted so far that a median of their n runs, shifted likewise, is rejected with 80 %."""
    middle, (high, low) = np.median(values), np.quantile(values, levels, method="inverted_cdf")
    if not np.isfinite([middle, high, low]).all():
        return np.nan, np.nan
    # Tied values have no shift between them.
    least = np.diff(np.unique(values[np.isfinite(values)])).min(initial=np.inf)
    below, above = lowest - max(high - middle, least), highest + max(middle - low, least)
    impossible = not np.isfinite(below) or (below < 0 <= values[0])
    return (np.nan if impossible else below), (above if np.isfinite(above) else np.nan)


def described(values: np.ndarray) -> str:
    """Number of values, for a message."""
    return f"{values.size} numbers of shape {values.shape}" + (", nan among them" if np.isnan(values).any() else "")


def holm(p: Sequence[float], level: float) -> list[bool]:
    """Which tests Holm's step-down procedure rejects, with a family-wise error rate of ``level``.

    Examples
    --------
    >>> holm([0.001, 0.04, 0.03], 0.05)
    [True, False, False]
    """
    rejected, order = [False] * len(p), np.argsort(p, kind="stable")
    for place, index in enumerate(order):
        if p[index] > level / (len(p) - place):
            break
        rejected[index] = True
    return rejected
