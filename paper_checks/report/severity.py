"""How a claim is wrong, by what it declares: the gravest first."""

from collections.abc import Iterable

from paper_checks.claims.claim import Claim
from paper_checks.judging.verdict import Verdict
from paper_checks.rules.means import Status

SEVERITIES = {
    "algebra": "The result does not follow",
    "assumption": "An assumption is missing",
    "general": "Too general",
    "print": "Wrong as published",
    "runs": "Not reproduced",
    "points": "Wrong at single points only",
    "misprint": "Misprint of the paper",
    "copy": "Misprint, perhaps of our copy",
    "reading": "False alternative interpretations",
}


def severity(claim: Claim) -> str:
    """The key in :data:`SEVERITIES` of a claim that is refuted."""
    if claim.of_runs:
        return "runs"
    if not claim.of_print:
        return "reading"
    return "copy" if claim.copy else claim.fault or "print"


def by_severity(pairs: Iterable[tuple[Claim, Verdict]]) -> dict[str, list[tuple[Claim, Verdict]]]:
    """Refuted claims with their verdicts, the gravest first; kinds without any are left out."""
    found: dict[str, list[tuple[Claim, Verdict]]] = {name: [] for name in SEVERITIES}
    for claim, verdict in pairs:
        if verdict.status is Status.REFUTED:
            found[severity(claim)].append((claim, verdict))
    return {name: some for name, some in found.items() if some}
