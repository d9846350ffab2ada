"""A check at points: an argument by computation that holds where it was tried, and proves nothing elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from paper_checks.claims.claim import Claim
from paper_checks.evidence.finding import Finding
from paper_checks.evidence.mutation import status_of
from paper_checks.evidence.rung import Rung, Work
from paper_checks.evidence.symbolic import truth_of
from paper_checks.rules.means import combine

__all__ = ["RUNG", "AtPoints"]


@dataclass(frozen=True)
class AtPoints:
    """Evidence of a claim: what was tried where, and whether it held.

    Attributes
    ----------
    says : str
        Where, and to what precision: ``"81 points of the unit square, to 40 digits"``.
    holds : callable () -> bool
    """

    says: str
    holds: Callable[[], bool]


def _declared(claim: Claim) -> list[AtPoints]:
    return [e for e in claim.evidence if isinstance(e, AtPoints)]


def find(claim: Claim, _work: Work) -> Finding:
    """Whether everything that was tried held."""
    checks = _declared(claim)
    status = combine([status_of(truth_of(c.holds(), f"claim {claim.id}: holds=")) for c in checks])
    return Finding("at points", status, status, "; ".join(c.says for c in checks))


RUNG = Rung(
    name="at points", letter="C", title="a check at points", section="at points", rank=30,
    applies=lambda claim: bool(_declared(claim)), find=find,
)  # fmt: skip
