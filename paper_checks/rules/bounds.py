"""The rule for bounds: an interval wholly on the claimed side confirms, one wholly on the other side refutes."""

import math

from montecarlo import Estimate
from paper_checks.rules.means import Comparison, Interval, Status, of_mean


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
