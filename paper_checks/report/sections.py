"""Where a claim is reported: the three kinds of red apart, what is proved apart from what is tried at points."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from paper_checks.claims.claim import Claim
from paper_checks.evidence.ladder import BY_NAME
from paper_checks.judging.verdict import Verdict
from paper_checks.rules.means import Status

__all__ = ["RED", "SECTIONS", "Section", "by_section", "section"]


@dataclass(frozen=True)
class Section:
    """A section of a paper's report.

    Attributes
    ----------
    title, preface : str
    red : bool
        Whether its claims are refuted.
    """

    title: str
    preface: str = ""
    red: bool = False


SECTIONS = {
    "print": Section("Wrong in print", "Sentences and formulas that the paper prints.", True),
    "runs": Section(
        "Contradicted by runs",
        "Statements on runs and pictures, not on formulas. Our settings are named with each; where the paper's differ "
        "or are lost, it may be right in its own.",
        True,
    ),
    "reading": Section(
        "Another reading, refuted",
        "Ours: what a reader might take the paper to say. It does not say so, and is not wrong here.",
        True,
    ),
    "undecided": Section("Undecided"),
    "approximate": Section("Approximate", "How far off each approximation is, and where."),
    "proved": Section("Proved", "For symbols, or for everything on a box; of the sentence as it stands here."),
    "computed": Section("Agrees with its integral", "At points, to 30 digits where nothing else is said."),
    "at points": Section("Checked at points", "By computation without chance, at points and not between them."),
    "measured": Section("Measured", "By samples or runs, at the stated resolution."),
    "definition": Section("Definitions", "The model that is played follows them draw by draw."),
    "unchecked": Section("Unchecked"),
}  # fmt: skip
RED = tuple(name for name, s in SECTIONS.items() if s.red)


def section(claim: Claim, verdict: Verdict) -> str:
    """The section in which a claim is reported."""
    if claim.unchecked and not verdict.findings:
        return "unchecked"
    if verdict.status is Status.INCONCLUSIVE:
        return "undecided"
    if verdict.status is Status.REFUTED:
        return "print" if claim.of_print else "runs" if claim.of_runs else "reading"
    named = BY_NAME[claim.relation.rung].section if claim.relation.rung else ""
    if claim.relation.rung in verdict.rungs and not (claim.relation.of_a_property and claim.proof):
        return named
    return next((BY_NAME[r].section for r in verdict.rungs if r in BY_NAME), "measured")


def by_section(pairs: Iterable[tuple[Claim, Verdict]]) -> dict[str, list[tuple[Claim, Verdict]]]:
    """Claims with their verdicts by section, in the order of the report; a section may be empty."""
    found: dict[str, list[tuple[Claim, Verdict]]] = {name: [] for name in SECTIONS}
    for claim, verdict in pairs:
        found[section(claim, verdict)].append((claim, verdict))
    return found
