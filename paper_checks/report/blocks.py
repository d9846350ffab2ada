"""A claim with its formulas and numbers, where a line of a table is not enough: what is wrong, what is approximate."""

from __future__ import annotations

from collections.abc import Iterable

from paper_checks.claims.claim import Claim
from paper_checks.claims.expectation import Kind
from paper_checks.claims.registry import Paper
from paper_checks.evidence.finding import Finding
from paper_checks.judging.verdict import Verdict
from paper_checks.report.evidence import found, resolution
from paper_checks.report.formulas import latex, plain
from paper_checks.report.text import display, escape, number, percent, quoted, sentence, stopped, target
from theory import Formula

__all__ = ["approximate", "details", "red"]

# Longer formulas are left to 'show': code hosts refuse them, and nobody reads them there.
LONGEST = 250


def _heading(mark: str, claim: Claim) -> list[str]:
    lines = [f"### {target(claim.id)}{mark} {escape(claim.at)} · `{claim.id}`", "", escape(sentence(claim.says)), ""]
    if claim.quote:
        lines += [f"> “{plain(quoted(claim.quote))}”", ""]
    return lines


def _label(paper: Paper, claim: Claim) -> str:
    """What a form is: the paper's, or ours of what it says."""
    if claim.relation.of_a_property:
        return "Form judged:"
    if paper.lost:
        return "Reconstructed form:"
    if claim.kind is not Kind.PUBLISHED:
        return "Read as:"
    return "As printed in our copy:" if claim.copy else "As printed:"


def _form(label: str, form: Formula | None) -> list[str]:
    """A formula on lines of its own, if there is one that can be read."""
    text = latex(form) if form is not None else ""
    return [label, "", *display(text)] if 0 < len(text) < LONGEST else []


def red(paper: Paper, claim: Claim, verdict: Verdict) -> list[str]:
    """What is refuted, with what is right instead, in numbers."""
    lines = _heading("✗", claim)
    if claim.of_print and claim.relation.automatic:
        lines += _form(_label(paper, claim), claim.printed) + _form("Right:", claim.corrected)
    if verdict.counterexample:
        lines += ["> [!WARNING]", f"> {stopped(escape(verdict.counterexample))}", ""]
    if claim.copy:
        lines += ["Only the conversion of our copy may be at fault.", ""]
    lines += [x for text in found(verdict) if text != stopped(verdict.counterexample) for x in (escape(text), "")]
    return lines + details(claim)


def approximate(_paper: Paper, claim: Claim, verdict: Verdict) -> list[str]:
    """An approximation with its errors."""
    lines = _heading("≈", claim)
    by_rung = {f.rung: f for f in verdict.findings}
    if "order" in by_rung:
        lines += _errors(by_rung["order"])
    if "monte carlo" in by_rung:
        points = by_rung["monte carlo"].points
        worst = max((abs(p.z) for p in points), default=0.0)
        lines += [
            f"The exact value is measured at {len(points)} points: largest deviation {worst:.1f} standard errors, "
            f"resolution {resolution(claim, verdict)}.", "",
        ]  # fmt: skip
    return lines + details(claim)


def _errors(order: Finding) -> Iterable[str]:
    lines = [f"Derivation: {order.says}.", "", "| at | printed | exact | error |", "|---|---|---|---|"]
    for p in order.points:
        error = percent(p.printed - p.truth, p.truth)
        lines.append(f"| {escape(p.point)} | {number(p.printed, 6)} | {number(p.truth, 6)} | {error} |")
    return [*lines, ""]


def details(claim: Claim) -> list[str]:
    """What a claim supposes, and what a reader should know."""
    lines = []
    if claim.assumptions:
        lines += [f"Assumes: {escape(sentence(claim.assumptions))}", ""]
    if claim.note:
        lines += [escape(sentence(claim.note)), ""]
    return lines
