"""The rule for strict bounds: the whole interval on its side confirms, on the other refutes."""

from __future__ import annotations

import math

from montecarlo import Estimate
from paper_checks.rules.means import Comparison, Status, heavy_tail
from paper_checks.rules.rates import Z

__all__ = ["beyond"]


def beyond(estimate: Estimate, bound: float, side: str) -> Comparison:
    """Judge a strict bound of what is estimated, which must lie on the other side of it than ``side`` says.

    Examples
    --------
    >>> from montecarlo import Estimate
    >>> coin = Estimate(0.5001, 1e-4, 25_000_000, 0.0, -2.0, 1e-8)
    >>> beyond(coin, 0.4, "below").status, beyond(coin, 0.4, "above").status, beyond(coin, 0.5, "below").status
    (<Status.CONFIRMED: 'CONFIRMED'>, <Status.REFUTED: 'REFUTED'>, <Status.INCONCLUSIVE: 'INCONCLUSIVE'>)
    """
    if not estimate.is_finite or not math.isfinite(bound):
        reason = heavy_tail(estimate) or "the bound is not a finite number"
        return Comparison(Status.INCONCLUSIVE, 0.0, 0.0, reason)
    signed = (estimate.value - bound) * (1 if side == "below" else -1)
    z = (estimate.value - bound) / estimate.se if estimate.se else 0.0
    resolution = Z * estimate.se / abs(bound) if bound else 0.0
    reason = heavy_tail(estimate)
    if reason or not abs(signed) > Z * estimate.se:
        return Comparison(Status.INCONCLUSIVE, z, resolution, reason or "the interval contains the bound")
    return Comparison(Status.CONFIRMED if signed > 0 else Status.REFUTED, z, resolution)
