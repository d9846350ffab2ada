"""Comparison of published means and their errors with our runs, by Student's t and by resampling."""

import math
from collections.abc import Sequence

import numpy as np
import scipy

from paper_checks.rules.published import CUSTOMARY, Published
from paper_checks.rules.replication import POWER, Replication, described

# Fewest runs of ours for which resampling represents the distribution of the results.
RESAMPLED = 20
# Number of first draws, and of further draws where the first ones give a p-value below CLOSE.
DRAWS, MORE, CLOSE = 20_000, 400_000, 0.005
BLOCK = 4_000_000
# Without a published error, t is trusted where the skewness of a mean is at most this.
SKEWNESS = 0.2


def mean(published: Published, values: Sequence[float], level: float) -> Replication:
    """Comparison of a published mean with our runs, by Welch's and the prediction interval.

    Examples
    --------
    >>> found = mean(Published("0.3", n=10, error=0.3), np.random.default_rng(1).normal(size=200), 1e-3)
    >>> found.p > 0.1, found.low < 0.3 < found.high
    (True, True)
    """
    values = _finite(values)
    m, n = len(values), published.n
    ours, spread = float(values.mean()), float(values.std(ddof=1)) if m > 1 else 0.0
    predicted = spread * math.sqrt(1 / n + 1 / m), m - 1
    if m < 2 or (published.error is None and _skewness(values) > SKEWNESS * math.sqrt(min(n, m))):
        return Replication(ours, m, 1.0, 1.0, -np.inf, np.inf, (np.nan, np.nan))
    intervals = [predicted] if published.error is None else [predicted, _welch(published, spread, m)]
    low, high = published.between
    gap = max(low - ours, ours - high, 0.0)
    p = max(float(2 * scipy.stats.t.sf(gap / error, df)) if error else float(gap == 0) for error, df in intervals)
    reach, further = (
        max(float(scipy.stats.t.isf(tail, df)) * error for error, df in intervals) for tail in (level / 2, 1 - POWER)
    )
    noticed = (ours - reach - further, ours + reach + further)
    least, most = (-math.inf, math.inf) if published.possible is None else published.possible
    # If every possible value is compatible, none could have been rejected. And where a quantity has a zero, and no
    # difference of the size of the published number is detectable, agreement with it says nothing.
    unseen = least >= 0 and reach + further > high
    p_least = 1.0 if unseen or (ours - reach <= least and most <= ours + reach) else 0.0
    noticed = tuple(value if least <= value <= most else math.nan for value in noticed)
    return Replication(ours, m, p, p_least, max(least, ours - reach), min(ours + reach, most), noticed)


def _skewness(values: np.ndarray) -> float:
    return abs(float(scipy.stats.skew(values))) if np.ptp(values) else 0.0


def _welch(published: Published, spread: float, m: int) -> tuple[float, float]:
    """The standard error of a difference of means, and its degrees of freedom."""
    theirs, ours = published.error**2, spread**2 / m
    if not theirs + ours:
        return 0.0, 1.0
    df = (theirs + ours) ** 2 / (theirs**2 / max(published.n - 1, 1) + ours**2 / (m - 1))
    return math.sqrt(theirs + ours), df


def half_width(published: Published, values: Sequence[float], level: float, seed: int = 1) -> Replication:
    """Comparison of a published half width of a 95 % interval, or standard error, with our runs, from below.

    Examples
    --------
    >>> found = half_width(Published("0.7", n=10, what="half width"), np.random.default_rng(1).normal(size=200), 1e-3)
    >>> found.p > 0.1, found.high
    (True, inf)
    """
    values = _finite(values)
    m, n = len(values), published.n
    of_mean = published.what == "standard error"
    factor = math.sqrt(1 - 1 / n) if of_mean else float(scipy.stats.t.isf((1 - CUSTOMARY) / 2, n - 1))
    factor /= math.sqrt(n)
    ours = float(values.std(ddof=1)) * factor if m > 1 else math.nan
    if m < RESAMPLED:
        return Replication(ours, m, 1.0, 1.0, 0.0, np.inf, (np.nan, np.nan))
    drawn = _drawn(values, n, DRAWS, seed) * factor
    if _tail(drawn, published) < CLOSE:
        drawn = _drawn(values, n, MORE, seed) * factor
    low = float(np.quantile(drawn, level))
    noticed = low - float(np.quantile(drawn, POWER) - np.median(drawn))
    # Where a few values make up the spread, samples of theirs have any half width from 0 on: none is told apart.
    least = 1 / (MORE + 1) if noticed > 0 else 1.0
    return Replication(
        ours, m, _tail(drawn, published), least, low, np.inf, (noticed if noticed > 0 else np.nan, np.nan)
    )


def _drawn(values: np.ndarray, n: int, draws: int, seed: int) -> np.ndarray:
    """Standard deviations of n that are drawn of ours, ours themselves being drawn again each time."""
    rng, m = np.random.default_rng([seed, n, len(values)]), len(values)
    rows = max(1, BLOCK // (n + m))
    found = []
    for begin in range(0, draws, rows):
        size = min(rows, draws - begin)
        again = rng.integers(m, size=(size, m))
        chosen = np.take_along_axis(again, rng.integers(m, size=(size, n)), axis=1)
        found.append(values[chosen].std(1, ddof=1))
    return np.concatenate(found)


def _tail(drawn: np.ndarray, published: Published) -> float:
    high = published.between[1]
    return (int((drawn <= high * (1 + 1e-12)).sum()) + 1) / (len(drawn) + 1)


def _finite(values: Sequence[float]) -> np.ndarray:
    values = np.asarray(values, dtype=float)
    if values.ndim != 1 or not len(values) or not np.isfinite(values).all():
        raise ValueError(
            f"our runs must be finite numbers, one for each run, got {described(values)}; leave failures out"
        )
    return values
