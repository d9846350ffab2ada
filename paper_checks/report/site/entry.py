"""What pages say of a claim in a line: its verdict in words and colour."""

from dataclasses import dataclass

from paper_checks.claims.claim import Claim
from paper_checks.claims.expectation import Kind
from paper_checks.judging.verdict import Verdict
from paper_checks.report.sections import SECTIONS, section
from paper_checks.report.severity import SEVERITIES, severity
from paper_checks.report.text import sentence
from paper_checks.rules.means import Status

COLOURS = {
    "CONFIRMED": "right", "REFUTED": "wrong", "INCONCLUSIVE": "open", "REPRODUCED": "right", "NOT REPRODUCED": "wrong",
    "TOO FEW": "open", "not run": "open",
}  # fmt: skip
KINDS = {Kind.ALTERNATIVE: "alternative interpretation (ours)", Kind.ADDITIONAL: "additional result (not in the paper)"}


@dataclass(frozen=True)
class Line:
    """A claim in a list."""

    id: str
    paper: str
    at: str
    says: str
    status: str
    colour: str
    severity: str
    section: str
    kind: str


def line_of(claim: Claim, verdict: Verdict | None) -> Line:
    """A claim with its verdict, or without one."""
    status = claim.relation.word(verdict.status) if verdict else "not run"
    wrong = SEVERITIES[severity(claim)] if verdict and verdict.status is Status.REFUTED else ""
    place = SECTIONS[section(claim, verdict)].title if verdict else ""
    return Line(
        claim.id, claim.paper, claim.at, sentence(claim.says), status, COLOURS[status], wrong,
        "" if wrong else place, KINDS.get(claim.kind, ""),
    )  # fmt: skip
