"""All that is wrong in print on a page: what is printed, what is right, what it comes to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from markupsafe import Markup

from paper_checks.claims.claim import Claim
from paper_checks.judging.verdict import Verdict
from paper_checks.report.formulas import latex
from paper_checks.report.severity import SEVERITIES, by_severity
from paper_checks.report.site.maths import display, with_formulas
from paper_checks.report.text import sentence
from theory import Formula

__all__ = ["Row", "errata_of"]

# In characters of LaTeX; longer formulas are on the page of the claim.
LONGEST = 160


@dataclass(frozen=True)
class Row:
    """One error."""

    id: str
    at: str
    printed: Markup
    right: Markup
    note: str
    counterexample: str


def errata_of(claims: Iterable[Claim], verdicts: Mapping[str, Verdict]) -> dict[str, list[Row]]:
    """The errors of a paper by how grave they are; readings of ours are none."""
    pairs = [(claim, verdicts[claim.id]) for claim in claims if claim.id in verdicts]
    found = {n: some for n, some in by_severity(pairs).items() if n != "reading"}
    return {SEVERITIES[name]: [_row(*pair) for pair in some] for name, some in found.items()}


def _row(claim: Claim, verdict: Verdict) -> Row:
    about_forms = claim.relation.automatic
    said = with_formulas(f"“{claim.quote}”") if claim.quote else with_formulas(sentence(claim.says))
    printed = (_formula(claim.printed) if about_forms else Markup()) or said
    right = _formula(claim.corrected) if about_forms else Markup()
    return Row(claim.id, claim.at, printed, right, sentence(claim.note), sentence(verdict.counterexample))


def _formula(form: Formula | None) -> Markup:
    text = latex(form) if form is not None and form.expr.free_symbols else ""
    return Markup('<div class="formula">{}</div>').format(display(text)) if 0 < len(text) <= LONGEST else Markup()
