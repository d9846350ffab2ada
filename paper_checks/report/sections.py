"""The section of the report that a claim belongs to, and how it is wrong: the gravest first."""

from collections.abc import Iterable
from dataclasses import dataclass

from paper_checks.claims.claim import Claim
from paper_checks.evidence.ladder import BY_NAME
from paper_checks.judging.verdict import Verdict
from paper_checks.rules.means import Status


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
    "print": Section("Wrong", "Sentences and formulas of the paper that are not correct as published.", True),
    "runs": Section(
        "Not reproduced",
        "Statements about training runs and figures that our runs or the published numbers contradict. Where our runs "
        "do, the statement may hold for settings that the paper does not state.",
        True,
    ),
    "reading": Section(
        "False alternative interpretations",
        "Stronger statements that a reader might take from the paper. The paper does not state them, so that they are "
        "no errors of the paper.",
        True,
    ),
    "undecided": Section("Open"),
    "approximate": Section("Approximate", "How far off each approximation is, and where."),
    "proved": Section("Proved", "For all values of the symbols, or for all values in a stated box."),
    "computed": Section("Equal to its integral", "At several points, to 30 digits unless stated otherwise."),
    "at points": Section("Checked at points", "By exact computation at the listed points."),
    "reproduced": Section(
        "Reproduced",
        "Our runs contradict none of the published numbers, and could have contradicted at least one of each claim. "
        "The other numbers are TOO FEW or NOT COMPARED; the tables below have each of them.",
    ),
    "measured": Section("Measured", "By simulation or training runs, to the stated tolerance."),
    "definition": Section("Definitions", "Our simulation follows each definition sample by sample."),
    "unchecked": Section("Unchecked"),
}  # fmt: skip
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


def severity(claim: Claim) -> str:
    """The key in :data:`SEVERITIES` of a claim that is refuted."""
    if claim.of_runs:
        return "runs"
    if not claim.of_print:
        return "reading"
    return "copy" if claim.copy else claim.expects.fault or "print"


def by_section(pairs: Iterable[tuple[Claim, Verdict]]) -> dict[str, list[tuple[Claim, Verdict]]]:
    """Claims with their verdicts by section, in the order of the report; errors the gravest first."""
    found: dict[str, list[tuple[Claim, Verdict]]] = {name: [] for name in SECTIONS}
    for claim, verdict in pairs:
        found[section(claim, verdict)].append((claim, verdict))
    found["print"].sort(key=lambda pair: list(SEVERITIES).index(severity(pair[0])))
    return found


def by_severity(pairs: Iterable[tuple[Claim, Verdict]]) -> dict[str, list[tuple[Claim, Verdict]]]:
    """Refuted claims with their verdicts, the gravest first; kinds without any are left out."""
    found: dict[str, list[tuple[Claim, Verdict]]] = {name: [] for name in SEVERITIES}
    for claim, verdict in pairs:
        if verdict.status is Status.REFUTED:
            found[severity(claim)].append((claim, verdict))
    return {name: some for name, some in found.items() if some}
