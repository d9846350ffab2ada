"""The rules by which a measurement judges a value or a bound, with declared error rates and tolerances."""

import enum
import math
from dataclasses import dataclass

from montecarlo import Estimate
from paper_checks.rules.rates import Z

# Half of each comparison's error rate is left for the deviation from normality that the tail guard admits.
TAIL_EXCESS = 0.69
LARGEST_SHARE = 0.01
# A mean of rounded numbers is off by some ulp; an interval that is not much wider measures rounding only.
ROUNDING = 2.0**-44
# Relative tolerance of a mean, and of one whose formula is also derived or equal to its integral to 30 digits: samples
# then only test that it is that of the model.
RESOLUTION = {"quick": 1e-2, "full": 1e-3}
OF_A_KNOWN_MEAN = {"quick": 1e-2, "full": 3e-3}


class Status(enum.StrEnum):
    """The three outcomes of a check."""

    CONFIRMED = "CONFIRMED"
    REFUTED = "REFUTED"
    INCONCLUSIVE = "INCONCLUSIVE"


@dataclass(frozen=True)
class Comparison:
    """A value against an estimate.

    Attributes
    ----------
    status : Status
    z : float
        (estimate - value) in standard errors.
    resolution : float
        The smallest deviation, relative to the reference magnitude, that this comparison would have refuted.
    reason : str
        Why it is inconclusive, where it is.
    """

    status: Status
    z: float
    resolution: float
    reason: str = ""


@dataclass(frozen=True)
class Interval:
    """Confidence interval of a number from samples, at the error rate of one comparison.

    Attributes
    ----------
    value, se : float
        The measured value and its standard error.
    n : int
    below, above : float
        Extent of the interval below and above the value.
    reason : str
        Why the interval is not valid; empty where it is.
    excess : float
        Ratio of the weight of the tails to the largest admitted; at most 1 where they are light.
    rest : float
        The part of ``below`` and ``above`` that falls as 1/n; the other part falls as 1/sqrt(n).
    """

    value: float
    se: float
    n: int
    below: float
    above: float
    reason: str = ""
    excess: float = 0.0
    rest: float = 0.0

    @property
    def is_finite(self) -> bool:
        """Whether value and standard error are numbers."""
        return math.isfinite(self.value) and math.isfinite(self.se)


def of_mean(estimate: Estimate) -> Interval:
    """The interval of ``Z`` standard errors around a mean, with the reason where its tails are too heavy."""
    half = Z * estimate.se
    excess = estimate.tail_excess(Z) / TAIL_EXCESS
    reason = "no variation among the samples" if estimate.se == 0 and estimate.is_finite else heavy_tail(estimate)
    return Interval(estimate.value, estimate.se, estimate.n, half, half, reason, excess)


def compare(
    measured: Estimate | Interval, value: float, tolerance: float, scale: float = 1.0, slack: float = 0.0
) -> Comparison:
    """Judge a value by a measurement.

    REFUTED when the interval around (measured - value) excludes 0, for a mean that of ``Z`` standard errors; CONFIRMED
    when it lies within ``tolerance``; INCONCLUSIVE otherwise, and wherever the tails are too heavy. A value that
    differs from a CONFIRMED one by more than ``tolerance`` is REFUTED by the same interval. With ``slack`` a value
    stands for all values as near as that.

    Examples
    --------
    >>> from montecarlo import Estimate
    >>> coin = Estimate(0.5001, 1e-4, 25_000_000, 0.0, -2.0, 1e-8)
    >>> compare(coin, 0.5, 1e-3).status
    <Status.CONFIRMED: 'CONFIRMED'>
    >>> compare(coin, 0.502, 1e-3).status
    <Status.REFUTED: 'REFUTED'>
    """
    known = measured if isinstance(measured, Interval) else of_mean(measured)
    if not known.is_finite or (known.reason and not known.se):
        return Comparison(Status.INCONCLUSIVE, 0.0, 0.0, known.reason)
    difference = known.value - value
    z = difference / known.se
    farthest = max(difference + known.above, known.below - difference)
    reached = farthest / scale if scale else float("inf")
    if known.reason:
        return Comparison(Status.INCONCLUSIVE, z, reached, known.reason)
    if difference > known.below + slack or -difference > known.above + slack:
        return Comparison(Status.REFUTED, z, reached)
    if farthest <= tolerance:
        return Comparison(Status.CONFIRMED, z, reached)
    return Comparison(Status.INCONCLUSIVE, z, reached, "not enough samples for the tolerance")


def heavy_tail(estimate: Estimate) -> str:
    """Why normal theory at ``Z`` standard errors cannot be trusted here; empty when it can."""
    if not estimate.is_finite:
        return "some values of the kernel, or their squares, are not finite numbers"
    if Z * estimate.se <= ROUNDING * abs(estimate.value):
        return "the spread of the samples is lost in the rounding of float64"
    if not estimate.largest_share <= LARGEST_SHARE:
        return f"one sample makes {estimate.largest_share:.1%} of the variance{_zeros_and_ones(estimate)}"
    if not estimate.tail_excess(Z) <= TAIL_EXCESS:
        return (
            f"skewness {estimate.skewness:.3g}, excess kurtosis {estimate.excess_kurtosis:.3g} at n = {estimate.n}"
            f"{_zeros_and_ones(estimate)}"
        )
    return ""


def _zeros_and_ones(estimate: Estimate) -> str:
    """Advice where the moments are those of zeros and ones."""
    p = estimate.value
    if not 0 < p < 1 or abs(estimate.excess_kurtosis * p * (1 - p) - 1 + 6 * p * (1 - p)) > 1e-6:
        return ""
    return "; if every value is 0 or 1, measured=probability(kernel) has an exact interval"


def samples_needed(measured: Estimate | Interval, value: float, tolerance: float) -> int:
    """Estimated number of samples that will settle a value, more than there are.

    In the end the estimate is at most about one standard error off, and ``Z`` of them must fit besides.
    """
    known = measured if isinstance(measured, Interval) else of_mean(measured)
    off = abs(known.value - value)
    room = max(tolerance / (Z + 1), (off if off > tolerance else tolerance - off) / Z)
    if not room > 0:
        return known.n + 1
    if known.rest:
        # Half of the room for either part; the standard error may be that of samples without the large values.
        by_rest = grown(known.n, math.sqrt(2 * known.rest / (Z * room)))
        return max(by_rest, grown(known.n, 2 * (known.above - known.rest) / (Z * room)))
    return grown(known.n, max(known.se / room, known.excess))


def grown(n: int, ratio: float) -> int:
    """Number of samples, more than n, with which errors are smaller by this ratio."""
    return int(max(n * ratio * ratio, n + 1)) if ratio < 1e100 else n + 1


def told(right: bool, wrong: bool) -> Status:
    """CONFIRMED if a statement is shown to be correct, REFUTED if its opposite is, else INCONCLUSIVE.

    Examples
    --------
    >>> told(False, False)
    <Status.INCONCLUSIVE: 'INCONCLUSIVE'>
    """
    return Status.REFUTED if wrong else Status.CONFIRMED if right else Status.INCONCLUSIVE


def combine(statuses: list[Status]) -> Status:
    """The combined status: one refutation refutes; a confirmation needs every check to confirm."""
    if Status.REFUTED in statuses:
        return Status.REFUTED
    if statuses and all(s is Status.CONFIRMED for s in statuses):
        return Status.CONFIRMED
    return Status.INCONCLUSIVE


def beyond(
    measured: Estimate | Interval, bound: float, side: str, *, strict: bool = True, tolerance: float = 0.0
) -> Comparison:
    """Judge a bound of a measured value, which must lie opposite to ``side`` of the bound.

    A bound that may be reached, ``strict=False``, is also CONFIRMED where the measured value exceeds it by no more than
    ``tolerance``: no number of samples distinguishes equality from a smaller difference.

    Examples
    --------
    >>> from montecarlo import Estimate
    >>> coin = Estimate(0.5001, 1e-4, 25_000_000, 0.0, -2.0, 1e-8)
    >>> beyond(coin, 0.4, "below").status, beyond(coin, 0.4, "above").status, beyond(coin, 0.5, "below").status
    (<Status.CONFIRMED: 'CONFIRMED'>, <Status.REFUTED: 'REFUTED'>, <Status.INCONCLUSIVE: 'INCONCLUSIVE'>)
    >>> beyond(coin, 0.5, "below", strict=False, tolerance=1e-3).status
    <Status.CONFIRMED: 'CONFIRMED'>
    """
    known = measured if isinstance(measured, Interval) else of_mean(measured)
    if not known.is_finite or not math.isfinite(bound):
        return Comparison(Status.INCONCLUSIVE, 0.0, 0.0, known.reason or "the bound is not a finite number")
    z = (known.value - bound) / known.se if known.se else 0.0
    sign = 1 if side == "below" else -1
    inward, outward = (known.below, known.above) if side == "below" else (known.above, known.below)
    resolution = max(inward, outward) / abs(bound) if bound else 0.0
    if known.reason:
        return Comparison(Status.INCONCLUSIVE, z, resolution, known.reason)
    room = sign * (known.value - bound)
    if room + outward < 0:
        return Comparison(Status.REFUTED, z, resolution, tightness(known.value, bound))
    if room - inward > (0 if strict else -tolerance):
        return Comparison(Status.CONFIRMED, z, resolution, tightness(known.value, bound))
    return Comparison(Status.INCONCLUSIVE, z, resolution, "the interval contains the bound")


def tightness(value: float, bound: float) -> str:
    """Text about how near a bound is to the measured value.

    >>> tightness(0.5, 1000), tightness(-1, 0)
    ('the bound is 2e+03 times the measured value', 'the bound is off by 1')
    """
    if value * bound > 0:
        return f"the bound is {bound / value:.3g} times the measured value"
    return f"the bound is off by {abs(bound - value):.3g}"
