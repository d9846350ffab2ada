"""A check at points: it holds where it was computed, and proves nothing elsewhere."""

from collections.abc import Callable
from dataclasses import dataclass

from paper_checks.claims.claim import Claim
from paper_checks.evidence.finding import Finding
from paper_checks.evidence.mutation import status_of
from paper_checks.evidence.rung import Rung, Work, declared
from paper_checks.evidence.symbolic import truth_of
from paper_checks.rules.means import combine


@dataclass(frozen=True)
class AtPoints:
    """Evidence of a claim: a computation at points, and whether the statement held there.

    Attributes
    ----------
    says : str
        Where, and to what precision: ``"81 points of the unit square, to 40 digits"``.
    holds : callable () -> bool
    """

    says: str
    holds: Callable[[], bool]


def find(claim: Claim, _work: Work) -> Finding:
    """Whether the statement held in all checks."""
    checks = declared(claim, AtPoints)
    status = combine([status_of(truth_of(c.holds(), f"claim {claim.id}: holds=")) for c in checks])
    return Finding("at points", status, status, "; ".join(c.says for c in checks))


RUNG = Rung(
    name="at points", letter="C", title="a check at points", section="at points", rank=30,
    record=AtPoints, applies=lambda claim: bool(declared(claim, AtPoints)), find=find,
)  # fmt: skip
