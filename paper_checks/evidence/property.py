"""The property rung: what the relation says holds of the printed value at every point of the claim."""

from __future__ import annotations

from typing import Any

from paper_checks.claims.claim import Claim
from paper_checks.claims.points import show_point
from paper_checks.evidence.finding import Finding, PointFinding
from paper_checks.evidence.mutation import status_of
from paper_checks.evidence.rung import Rung, Work
from paper_checks.evidence.symbolic import truth_of
from paper_checks.rules.means import Status, combine
from paper_checks.values.exact import value_of

__all__ = ["RUNG"]


def find(claim: Claim, _work: Work) -> Finding:
    """Whether it holds of the printed values, and of the corrected ones where there are any."""
    points, right = [], []
    for point in claim.points:
        values = claim.namespace(point)
        value = value_of(claim, claim.printed, values)
        truth = value_of(claim, claim.corrected, values) if claim.corrected else None
        if truth is not None:
            right.append(_holds(claim, truth))
        points.append(PointFinding(
            show_point(point), _holds(claim, value), float(value),
            None if truth is None else float(truth), reason=claim.relation.says,
        ))  # fmt: skip
    status: Status = combine([p.status for p in points])
    at = f"at {len(points)} point{'s' if len(points) != 1 else ''}"
    return Finding(
        "property", combine(right) if right else status, status, f"{claim.relation.says}, {at}", points=tuple(points)
    )


def _holds(claim: Claim, value: Any) -> Status:
    return status_of(truth_of(claim.relation.holds(value), f"claim {claim.id}: Always(holds=)"))


RUNG = Rung(
    name="property", letter="P", title="a property of the printed value at points", section="at points", rank=40,
    applies=lambda claim: claim.relation.rung == "property", find=find,
)  # fmt: skip
