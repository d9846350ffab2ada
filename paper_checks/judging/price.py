"""Effect of dropping an assumption: the model simulated without it, beside the paper's value. It judges nothing."""

from collections.abc import Sequence
from typing import Any

from paper_checks.claims.claim import Claim
from paper_checks.claims.points import complete
from paper_checks.evidence.finding import PointFinding
from paper_checks.evidence.measurement import Measurement
from paper_checks.rules.means import Status, samples_needed
from paper_checks.values.exact import value_of

# The effect is measured to two percent at each precision.
PRECISION = 0.02


def to_price(claim: Claim) -> list[Measurement]:
    """Measurements without the assumption."""
    found = []
    for index, point in enumerate(claim.price.points if claim.price else ()):
        values = complete(point, {**claim.derived, **claim.price.derived})
        printed = float(value_of(claim, claim.printed, values))
        found.append(Measurement(claim.price.measured, point, values, f"{claim.id}#price", index, _needed, printed))
    return found


def _needed(m: Measurement, found: Any) -> int:
    known = m.known(found)
    tolerance = PRECISION * abs(known.value)
    if not known.is_finite or (max(known.below, known.above) <= tolerance and not known.reason):
        return 0
    return samples_needed(known, known.value, tolerance)


def priced(measured: Sequence[tuple[Measurement, Any]]) -> tuple[PointFinding, ...]:
    """Measured values without the assumption, with their distance from the paper's value."""
    found = []
    for m, outcome in measured:
        known = m.known(outcome)
        found.append(PointFinding(
            m.says, Status.INCONCLUSIVE if known.reason else Status.CONFIRMED, m.printed, None, known.value, known.se,
            known.n, None, (known.value - m.printed) / known.se if known.se else 0.0, None, known.reason,
        ))  # fmt: skip
    return tuple(found)
