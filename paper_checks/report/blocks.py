"""A claim with its formulas and numbers, where a line of a table is not enough: what is wrong, what is approximate."""

import re

from paper_checks.claims.claim import Claim
from paper_checks.claims.expectation import Form
from paper_checks.claims.registry import Registry
from paper_checks.judging.verdict import Verdict
from paper_checks.report.evidence import found, resolution
from paper_checks.report.formulas import labels, latex
from paper_checks.report.text import capital, escape, number, percent, sentence, stopped, tabular, target
from theory import Formula

# Longer formulas are left to 'show': code hosts refuse them, and nobody reads them there.
LONGEST = 250
# Texts of a section by the first claim that has them.
Said = dict[str, str]
INLINE = re.compile(r"\$+([^$]+)\$+")


def _heading(mark: str, claim: Claim) -> list[str]:
    lines = [f"### {target(claim.id)}{mark} {escape(claim.at)} · `{claim.id}`", "", escape(sentence(claim.says)), ""]
    if claim.quote:
        # Formulas are code: code hosts show a limited number of formulas in a file.
        said = INLINE.sub(r"`\1`", claim.quote)
        lines += [f"> “{escape(said)}”", ""]
    return lines


def _form(label: str, form: Formula | None, sign: str, as_code: bool) -> list[str]:
    """An equation on lines of its own, if there is one that can be read, or as SymPy writes it beside its label."""
    text = "" if form is None else str(form.expr) if as_code else latex(form, sign)
    shown = [f"{label}: `{text}`", ""] if as_code else [f"{label}:", "", "$$", text, "$$", ""]
    return shown if 0 < len(text) < LONGEST else []


def red(registry: Registry, claim: Claim, verdict: Verdict, said: Said) -> list[str]:
    """A refuted claim with its correction, in numbers."""
    lines, names = _heading("✗", claim), labels(claim, verdict)
    if claim.of_print and claim.relation.automatic:
        as_code = claim.copy or claim.expects.fault == "misprint"
        for name, sign in {"printed": claim.relation.sign, "corrected": "="}.items():
            lines += _form(names[name], getattr(claim, name), sign, as_code)
    if verdict.counterexample:
        lines += ["> [!WARNING]", f"> {stopped(escape(verdict.counterexample))}", ""]
    if claim.copy:
        lines += ["The error may come from the conversion of our copy.", ""]
    lines += [x for text in found(verdict) if text != stopped(verdict.counterexample) for x in (escape(text), "")]
    return lines + correct(registry, claim) + details(claim, said)


def correct(registry: Registry, claim: Claim) -> list[str]:
    """The claims that state what is correct instead, or that nothing is known."""
    lines = [f"- Correct (`{c.id}`): {escape(sentence(c.says))}" for c in registry.correct(claim)]
    if claim.expects.unknown:
        lines.append(f"No correct version is known: {escape(sentence(claim.expects.unknown))}")
    return [*lines, ""] if lines else []


def approximate(_registry: Registry, claim: Claim, verdict: Verdict, said: Said) -> list[str]:
    """An approximation with its errors."""
    lines = _heading("≈", claim)
    by_rung = {f.rung: f for f in verdict.findings}
    if "order" in by_rung:
        order, form = by_rung["order"], "published" if claim.form is Form.PUBLISHED else "approximation"
        rows = [
            (escape(p.point), number(p.printed, 6), number(p.truth, 6), percent(p.printed - p.truth, p.truth))
            for p in order.points
        ]
        lines += [f"Derivation: {order.says}.", "", *tabular(("at", form, "exact", "error"), rows)]
    if "monte carlo" in by_rung:
        points = by_rung["monte carlo"].points
        worst = max((abs(p.z) for p in points), default=0.0)
        lines += [
            f"The exact value is measured at {len(points)} points: largest deviation {worst:.1f} standard errors, "
            f"tolerance {resolution(claim, verdict)}.", "",
        ]  # fmt: skip
    return lines + details(claim, said)


def details(claim: Claim, said: Said) -> list[str]:
    """Assumptions and note; a text that the section has already is referred to by the claim that has it."""
    lines = []
    for prefix, text in (("Assumes: ", claim.assumptions), ("", claim.note)):
        first = said.setdefault(text, claim.id)
        if text:
            shown = f"{prefix}{escape(sentence(text))}" if first == claim.id else capital(f"{prefix}see `{first}`.")
            lines += [shown, ""]
    return lines
