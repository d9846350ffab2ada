"""Confidence intervals from samples, one kind for each statistic, at the declared error rate.

- a mean: ``Z`` standard errors, if its tails are light enough;
- a mean of values on an interval: the empirical Bernstein bound (Maurer and Pontil 2009), for every distribution;
- a probability: Clopper and Pearson's interval, exact for every n and every p, zero ones included. That observations
  are 0 or 1 is declared by the statistic (``probability``, ``probability_below``), not guessed from those seen;
- a quantile: order statistics, exact for every distribution, to the width of a cell of the histogram;
- a ratio of means: Fieller's interval, in which no denominator is taken for its estimate;
- a correlation: that of its linear part at a quarter of the rate, with a bound of the remainder.
"""

import math
from statistics import NormalDist
from typing import Any

import scipy  # which loads its ``stats`` when it is first asked for them: half a second

from montecarlo import Estimate, Law, Statistic
from montecarlo.engine.joint import JointMoments
from montecarlo.engine.shares import BoundedMean
from paper_checks.rules import rates
from paper_checks.rules.means import TAIL_EXCESS, Interval, heavy_tail, of_mean
from paper_checks.rules.rates import Z

# The linear part and what it is divided by, four events in all, each with its half for tails.
Z_OF_FOUR = -NormalDist().inv_cdf(rates.COMPARISON / 4 / 2 / 2)
# Largest relative half interval of the variances for which the bound of the nonlinear part is useful.
NEAR = 0.25


def interval_of(statistic: Statistic, found: Any, parameter: float = 0.0) -> Interval:
    """Confidence interval of the number that a statistic estimates.

    Parameters
    ----------
    statistic : Statistic
    found : Estimate, Law or JointMoments
        The result of the engine.
    parameter : float
        The order of a quantile.

    Examples
    --------
    >>> from montecarlo import kernel, probability, uniform2
    >>> @kernel
    ... def rare(stream, first, p, out):
    ...     for i in range(out.shape[0]):
    ...         u, _ = uniform2(stream, first + i, 0)
    ...         out[i, 0] = 1.0 if u < p else 0.0
    >>> none_of_a_million = Estimate(0.0, 0.0, 1_000_000, 0.0, 0.0, 1.0)
    >>> print(f"{interval_of(probability(rare), none_of_a_million).above:.1e}")
    2.6e-05
    """
    if statistic.kind == "quantile":
        return quantile(found, parameter)
    if isinstance(statistic, BoundedMean):
        return of_bounded_mean(found, statistic.width)
    return _RULES.get(statistic.kind, of_mean)(found)


def share(estimate: Estimate) -> Interval:
    """Clopper and Pearson's interval of a probability."""
    if not estimate.is_finite:
        return of_mean(estimate)
    n, p, rate = estimate.n, estimate.value, rates.COMPARISON
    ones = round(n * p)
    low = float(scipy.stats.beta.ppf(rate / 2, ones, n - ones + 1)) if ones else 0.0
    high = float(scipy.stats.beta.isf(rate / 2, ones + 1, n - ones)) if ones < n else 1.0
    below, above = max(p - low, 0.0), max(high - p, 0.0)
    # Where no standard error can be estimated, it is derived from the interval.
    return Interval(p, max(estimate.se, max(below, above) / Z if not estimate.se else 0.0), n, below, above)


def of_bounded_mean(estimate: Estimate, width: float) -> Interval:
    """Empirical Bernstein interval of a mean of values on an interval of a width (Maurer and Pontil 2009, theorem 4).

    Examples
    --------
    A jump of 1e6 with a probability of 1e-7 adds 0.1 to a mean. A million samples without a jump do not exclude it:

    >>> interval = of_bounded_mean(Estimate(0.0, 1e-3, 1_000_000, 0.0, 0.0, 1e-6), 1e6)
    >>> bool(interval.above > 0.1)
    True
    """
    if not estimate.is_finite:
        return of_mean(estimate)
    log_rate, n = math.log(4 / rates.COMPARISON), estimate.n
    rest = 7 * log_rate * width / (3 * (n - 1))
    half = math.sqrt(2 * log_rate) * estimate.se + rest
    return Interval(estimate.value, max(estimate.se, rest / Z), n, half, half, rest=rest)


def quantile(law: Law, p: float) -> Interval:
    """Order statistics on both sides of a quantile, which miss the true one at the declared rate."""
    value, n = law.quantile(p), law.n
    if not law.is_finite:
        return Interval(value, math.nan, n, math.inf, math.inf, "some values of the kernel are not numbers")
    low = int(scipy.stats.binom.ppf(rates.COMPARISON / 2, n, p))
    high = int(scipy.stats.binom.isf(rates.COMPARISON / 2, n, p)) + 1
    if low < 1 or high > n:
        return Interval(value, math.inf, n, math.inf, math.inf, "not enough samples for a quantile so far out")
    counts = law.share * n
    first, last = (int(i) for i in counts.searchsorted([low - 0.5, high - 0.5]))
    # A cell is (edge below, edge], and the order statistic lies in it; the edge below is slightly less.
    edge = law.edges[first]
    below, above = value - float(edge - abs(edge) * 2.0**-12), float(law.edges[last]) - value
    return Interval(value, max(below, above) / Z, n, below, above)


def ratio(found: JointMoments) -> Interval:
    """Fieller's interval of a ratio: the v at which the mean of x - v y is 0 within ``Z`` standard errors."""
    (x, y), n = found.means, found.n
    if not y:
        return Interval(math.nan, math.nan, n, math.inf, math.inf, "the mean of the denominator is 0")
    value = x / y
    at = found.combined([1.0, -value])
    excess = at.tail_excess(Z) / TAIL_EXCESS
    reason = heavy_tail(at) if at.se else "no variation among the samples"
    denominator = found.combined([0.0, 1.0])
    a = y * y - (Z * denominator.se) ** 2
    if not a > 0:
        return Interval(value, at.se / abs(y), n, math.inf, math.inf, "the denominator may be 0", excess)
    share_of = n * (n - 1)
    cross = Z * Z * found.sums[1, 1] / share_of
    b, c = x * y - cross, x * x - Z * Z * found.sums[2, 0] / share_of
    root = math.sqrt(max(b * b - a * c, 0.0))
    return Interval(value, at.se / abs(y), n, value - (b - root) / a, (b + root) / a - value, reason, excess)


def correlation(found: JointMoments) -> Interval:
    """Interval of a correlation: its linear part in three means, and a bound of the rest."""
    c, a, b = (float(m) for m in found.means)
    n = found.n
    if not (a > 0 and b > 0):
        return Interval(math.nan, math.nan, n, math.inf, math.inf, "one of the observables does not vary")
    root = math.sqrt(a * b)
    value = c / root
    linear = found.combined([1 / root, -value / 2 / a, -value / 2 / b])
    parts = [found.combined(w) for w in ([1 / root, 0, 0], [0, 1 / a, 0], [0, 0, 1 / b])]
    beyond = sum(Z_OF_FOUR * p.se for p in parts)
    excess = max(p.tail_excess(Z_OF_FOUR) / TAIL_EXCESS for p in (linear, *parts))
    reason = next((r for r in map(heavy_tail, parts) if r), "")
    if not beyond < NEAR:
        reason, excess = reason or "not enough samples for a correlation", max(excess, beyond / NEAR)
    half = Z_OF_FOUR * linear.se + 2 * beyond**2
    return Interval(value, max(linear.se, half / Z), n, half, half, reason, excess)


_RULES = {"below": share, "probability": share, "ratio": ratio, "correlation": correlation}
