"""The price of an assumption: the model played without it, against the paper's value. It judges nothing."""

from __future__ import annotations

from collections.abc import Sequence

from montecarlo import Estimate
from paper_checks.claims.claim import Claim
from paper_checks.claims.points import complete
from paper_checks.evidence.measurement import Measurement
from paper_checks.findings import PointFinding
from paper_checks.rules.means import Status, heavy_tail, samples_needed
from paper_checks.rules.rates import Z
from paper_checks.values.exact import value_of

__all__ = ["priced", "to_price"]

# What an assumption costs is told to two percent, in every tier.
PRECISION = 0.02


def to_price(claim: Claim) -> list[Measurement]:
    """What is sampled without the assumption."""
    found = []
    for index, point in enumerate(claim.price.points if claim.price else ()):
        values = complete(point, {**claim.derived, **claim.price.derived})
        printed = float(value_of(claim, claim.printed, values))
        found.append(Measurement(claim.price.measured, point, values, f"{claim.id}#price", index, _needed, printed))
    return found


def _needed(_m: Measurement, estimate: Estimate) -> int:
    tolerance = PRECISION * abs(estimate.value)
    if not estimate.is_finite or (Z * estimate.se <= tolerance and not heavy_tail(estimate)):
        return 0
    return samples_needed(estimate, estimate.value, tolerance)


def priced(measured: Sequence[tuple[Measurement, Estimate]]) -> tuple[PointFinding, ...]:
    """What was measured without the assumption, with its distance from the paper's value."""
    found = []
    for m, estimate in measured:
        reason = heavy_tail(estimate)
        found.append(PointFinding(
            m.says, Status.INCONCLUSIVE if reason else Status.CONFIRMED, m.printed, None, estimate.value, estimate.se,
            estimate.n, None, (estimate.value - m.printed) / estimate.se if estimate.se else 0.0, None, reason,
        ))  # fmt: skip
    return tuple(found)
