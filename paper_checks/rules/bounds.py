"""The rule for bounds: the whole interval on its side confirms, on the other refutes."""

from __future__ import annotations

import math

from montecarlo import Estimate
from paper_checks.rules.means import Comparison, Interval, Status, of_mean

__all__ = ["beyond", "tightness"]


def beyond(
    measured: Estimate | Interval, bound: float, side: str, *, strict: bool = True, tolerance: float = 0.0
) -> Comparison:
    """Judge a bound of what is measured, which must lie on the other side of it than ``side`` says.

    A bound that may be reached, ``strict=False``, is CONFIRMED as well where the measured is beyond it by no more than
    ``tolerance``: no number of samples tells equality from a smaller difference.

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
    """How near a bound is to what it bounds.

    >>> tightness(0.5, 1000), tightness(0.5, 0.49), tightness(-1, 0)
    ('the bound is 2e+03 times the measured', 'the bound is 0.98 times the measured', 'the bound is off by 1')
    """
    if value * bound > 0:
        return f"the bound is {bound / value:.3g} times the measured"
    return f"the bound is off by {abs(bound - value):.3g}"
