"""The rule for a power law: the exponent between two points, from the intervals of both values.

No distribution of the logarithm is needed: if the value at each point lies in its interval, all exponents between
points lie in theirs. With k points the probability of an error is at most k times the rate of one comparison, which is
the part of k points in the error budget.
"""

import math

from paper_checks.rules.means import Interval, grown

# Part of the tolerance of an exponent for the interval of each of its two values: a third is left for the error of the
# estimate, 4.9 of its standard errors.
SHARE = 1 / 3


def exponent(first: Interval, second: Interval, log_factor: float) -> Interval:
    """The exponent p with ``second = first * factor**p``.

    Parameters
    ----------
    first, second : Interval
        Intervals of the values at both points, each with the error rate of one comparison.
    log_factor : float
        Logarithm of the ratio of the parameter at the second point to that at the first; positive.

    Examples
    --------
    >>> one, four = Interval(1.0, 0.001, 10**6, 0.007, 0.007), Interval(4.0, 0.004, 10**6, 0.028, 0.028)
    >>> found = exponent(one, four, math.log(2))
    >>> round(found.value, 12), round(found.above, 4)
    (2.0, 0.0202)
    >>> exponent(one, Interval(0.0, 0.01, 10**6, 0.07, 0.07), math.log(2)).reason
    'the value at the second point is not distinguished from 0'
    """
    n, excess = first.n + second.n, max(first.excess, second.excess)
    for place, known in (("first", first), ("second", second)):
        reason = known.reason or _vanishing(known)
        if reason:
            said = f"the value at the {place} point {reason}" if not known.reason else reason
            return Interval(math.nan, math.inf, n, math.inf, math.inf, said, excess)
    if first.value * second.value < 0:
        says = "the values have different signs, which no power law has"
        return Interval(math.nan, math.inf, n, math.inf, math.inf, says, excess)
    value = math.log(second.value / first.value) / log_factor
    (low1, high1), (low2, high2) = _logarithms(first), _logarithms(second)
    below, above = value - (low2 - high1) / log_factor, (high2 - low1) / log_factor - value
    se = math.hypot(first.se / first.value, second.se / second.value) / log_factor
    return Interval(value, se, n, below, above, "", excess)


def samples_for(known: Interval, half: float) -> int:
    """Estimated number of samples for a relative half width; 0 when it is reached."""
    if not known.is_finite or not known.se:
        return 0
    reached = max(known.below, known.above)
    if not known.reason and reached <= half * abs(known.value):
        return 0
    room = half * abs(known.value)
    return grown(known.n, max(reached / room, known.excess) if room else math.inf)


def _vanishing(known: Interval) -> str:
    if not known.is_finite:
        return "is not a finite number"
    return "is not distinguished from 0" if known.value - known.below <= 0 <= known.value + known.above else ""


def _logarithms(known: Interval) -> tuple[float, float]:
    """Logarithms of the ends of an interval without 0, by magnitude."""
    ends = sorted(abs(v) for v in (known.value - known.below, known.value + known.above))
    return math.log(ends[0]), math.log(ends[1])
