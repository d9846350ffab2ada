"""The rule by which a measurement judges a value: declared error rates, declared resolution, no tolerance."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from montecarlo import Estimate
from paper_checks.rules.rates import FAMILY, FAMILY_ERROR, Z

__all__ = ["FAMILY", "FAMILY_ERROR", "RESOLUTION", "Comparison", "Status", "Z", "combine", "compare", "told"]

# Half of each comparison's share is left to the deviation from the normal law that the tail guard admits.
TAIL_EXCESS = 0.69
LARGEST_SHARE = 0.01
# A mean of rounded numbers is off by some ulp; an interval that is not much wider is about rounding, not the model.
ROUNDING = 2.0**-44
RESOLUTION = {"quick": 1e-2, "full": 1e-3}


class Status(enum.StrEnum):
    """The three outcomes."""

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
        The smallest deviation, relative to the scale, that this comparison would have refuted.
    reason : str
        Why it is inconclusive, where it is.
    """

    status: Status
    z: float
    resolution: float
    reason: str = ""


def compare(estimate: Estimate, value: float, tolerance: float, scale: float = 1.0) -> Comparison:
    """Judge a value by an estimate.

    REFUTED when the interval of ``Z`` standard errors around (estimate - value) excludes 0, CONFIRMED when it
    lies within ``tolerance``; INCONCLUSIVE otherwise, and wherever the tails forbid a statement. A value that
    differs from a CONFIRMED one by more than ``tolerance`` is REFUTED by the same estimate: its distance to
    the estimate is more than ``tolerance`` - |difference|, which is at least ``Z`` standard errors.

    Examples
    --------
    >>> from montecarlo import Estimate
    >>> coin = Estimate(0.5001, 1e-4, 25_000_000, 0.0, -2.0, 1e-8)
    >>> compare(coin, 0.5, 1e-3).status
    <Status.CONFIRMED: 'CONFIRMED'>
    >>> compare(coin, 0.502, 1e-3).status
    <Status.REFUTED: 'REFUTED'>
    """
    difference = estimate.value - value
    if not estimate.is_finite:
        return Comparison(Status.INCONCLUSIVE, 0.0, 0.0, heavy_tail(estimate))
    if estimate.se == 0:
        return Comparison(Status.INCONCLUSIVE, 0.0, 0.0, "no variation among the samples")
    z = difference / estimate.se
    half = Z * estimate.se
    reached = (abs(difference) + half) / scale if scale else float("inf")
    reason = heavy_tail(estimate)
    if reason:
        return Comparison(Status.INCONCLUSIVE, z, reached, reason)
    if abs(difference) > half:
        return Comparison(Status.REFUTED, z, reached)
    if abs(difference) + half <= tolerance:
        return Comparison(Status.CONFIRMED, z, reached)
    return Comparison(Status.INCONCLUSIVE, z, reached, "not enough samples for the resolution")


def heavy_tail(estimate: Estimate) -> str:
    """Why normal theory at ``Z`` standard errors cannot be trusted here; empty when it can."""
    if not estimate.is_finite:
        return "some values of the kernel, or their squares, are not finite numbers"
    if Z * estimate.se <= ROUNDING * abs(estimate.value):
        return "the spread of the samples is lost in the rounding of float64"
    if not estimate.largest_share <= LARGEST_SHARE:
        return f"one sample makes {estimate.largest_share:.1%} of the variance"
    if not estimate.tail_excess(Z) <= TAIL_EXCESS:
        return f"skewness {estimate.skewness:.3g}, excess kurtosis {estimate.excess_kurtosis:.3g} at n = {estimate.n}"
    return ""


def samples_needed(estimate: Estimate, value: float, tolerance: float) -> int:
    """About how many samples will decide, more than there are; looks well below that are played without waiting.

    In the end the estimate is at most about one standard error off, and ``Z`` of them must fit beside that.
    """
    off = abs(estimate.value - value)
    room = max(tolerance / (Z + 1), (off if off > tolerance else tolerance - off) / Z)
    if not room > 0:
        return estimate.n + 1
    ratio = max(estimate.se / room, estimate.tail_excess(Z) / TAIL_EXCESS)
    return int(max(estimate.n * ratio * ratio, estimate.n + 1)) if ratio < 1e100 else estimate.n + 1


def told(right: bool, wrong: bool) -> Status:
    """CONFIRMED where it is told that a sentence is right, REFUTED where its opposite is; what is not told stays open.

    Examples
    --------
    >>> told(False, False)
    <Status.INCONCLUSIVE: 'INCONCLUSIVE'>
    """
    return Status.REFUTED if wrong else Status.CONFIRMED if right else Status.INCONCLUSIVE


def combine(statuses: list[Status]) -> Status:
    """One refutation refutes; a confirmation needs every check to confirm."""
    if Status.REFUTED in statuses:
        return Status.REFUTED
    if statuses and all(s is Status.CONFIRMED for s in statuses):
        return Status.CONFIRMED
    return Status.INCONCLUSIVE
