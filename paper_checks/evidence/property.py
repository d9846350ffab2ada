"""Evidence for properties: the published value has the property at every point of the claim."""

from collections.abc import Sequence
from typing import Any

import mpmath

from paper_checks.claims.claim import Claim
from paper_checks.claims.points import show_point
from paper_checks.evidence.finding import Finding, PointFinding
from paper_checks.evidence.mutation import NOT_TESTED, status_of
from paper_checks.evidence.rung import Rung, Work
from paper_checks.evidence.symbolic import truth_of
from paper_checks.rules.means import Status, combine
from paper_checks.values.exact import value_of

# Few properties hold for all of these values.
ELSEWHERE = (-1e9, -1, 1e-9, 0.5, 1, 1e9, float("inf"), float("nan"))


def find(claim: Claim, _work: Work) -> Finding:
    """Whether the property holds for the published values, and for the corrected ones where there are any."""
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
    defects = ()
    if status is Status.CONFIRMED and not _can_fail(claim, [p.printed for p in points]):
        defects = (
            f"{NOT_TESTED}: holds= is True for all tested values; state a property that a wrong value would not have",
        )
    at = f"at {len(points)} point{'s' if len(points) != 1 else ''}"
    return Finding(
        "property", combine(right) if right else status, status, f"{claim.relation.says}, {at}", points=tuple(points),
        defects=defects,
    )  # fmt: skip


def _can_fail(claim: Claim, values: Sequence[float]) -> bool:
    """Whether the property is False for some value far from the actual ones."""
    for value in dict.fromkeys(values):
        wrong = [-value, 0, value / 2, 2 * value, value + 1, value - 1, 1000 * value, value / 1000, *ELSEWHERE]
        for other in map(mpmath.mpf, wrong):
            try:
                if not claim.relation.holds(other):
                    return True
            except (ValueError, TypeError, ArithmeticError):
                return True
    return False


def _holds(claim: Claim, value: Any) -> Status:
    return status_of(truth_of(claim.relation.holds(value), f"claim {claim.id}: Always(holds=)"))


RUNG = Rung(
    name="property", letter="P", title="a property of the published value at points", section="at points", rank=40,
    applies=lambda claim: claim.relation.rung == "property", find=find,
)  # fmt: skip
