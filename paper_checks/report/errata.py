"""Errors in rows: where, as printed, what is right, what it comes to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from paper_checks.claims.claim import Claim
from paper_checks.findings import Verdict
from paper_checks.report.formulas import latex, plain
from paper_checks.report.text import escape, quoted, sentence, shortened
from theory import Formula

__all__ = ["Erratum", "errata", "table"]

# Longer formulas do not fit into a cell.
INLINE = 120
Pair = tuple[Claim, Verdict]


@dataclass(frozen=True)
class Erratum:
    """One error; claims with the same note are one error in several places.

    Attributes
    ----------
    ids : tuple of str
        Of the claims that are refuted.
    where, printed, right, consequence : str
        Markdown; ``right`` is empty where ``consequence`` says it.
    """

    ids: tuple[str, ...]
    where: str
    printed: str
    right: str
    consequence: str


def errata(pairs: Iterable[Pair], room: int) -> list[Erratum]:
    """Errors with texts of about ``room`` characters at most."""
    groups: dict[str, list[Pair]] = {}
    for claim, verdict in pairs:
        groups.setdefault(claim.note or claim.id, []).append((claim, verdict))
    return [_erratum(some, room) for some in groups.values()]


def _erratum(pairs: Sequence[Pair], room: int) -> Erratum:
    claim, verdict = pairs[0]
    others = f" and {len(pairs) - 1} more" if len(pairs) > 1 else ""
    note, numbers = shortened(claim.note, room), shortened(_numbers(verdict), room)
    formula = _formula(claim.corrected) if claim.relation.automatic else ""
    return Erratum(
        tuple(c.id for c, _ in pairs),
        escape(shortened(claim.at, 50)),
        _printed(claim, room) + others,
        formula or escape(sentence(note)),
        escape(sentence(f"{note} ({numbers})" if formula and note else numbers or note)),
    )


def _numbers(verdict: Verdict) -> str:
    """The counterexample without the point at which it is one."""
    at, found, numbers = verdict.counterexample.partition(": printed ")
    if not found or not at.startswith("at "):
        return verdict.counterexample
    return f"printed {numbers}".replace("printed value ", "printed ").split(", measured ")[0]


def _printed(claim: Claim, room: int) -> str:
    form = claim.printed
    formula = _formula(form) if claim.relation.automatic and form is not None and form.expr.free_symbols else ""
    if formula and not claim.quote:
        return formula
    if claim.quote and len(claim.quote) <= room and "$$" not in claim.quote and "\\" not in claim.quote.split("$")[0]:
        return f"“{plain(quoted(claim.quote))}”"
    return formula or escape(sentence(shortened(claim.says, room)))


def _formula(form: Formula | None) -> str:
    text = latex(form) if form is not None else ""
    return f"${text}$".replace("|", r"\vert ") if text and len(text) <= INLINE else ""


def table(by_severity: Mapping[str, Sequence[Erratum]], link: str) -> list[str]:
    """Markdown; ``link`` is the file with the claims of the paper, in which each has an anchor."""
    lines = ["| where | printed | right | what it comes to | claim |", "|---|---|---|---|---|"]
    for title, some in by_severity.items():
        lines += [f"| **{title}** ({sum(len(e.ids) for e in some)}) | | | | |", *(_row(e, link) for e in some)]
    return [*lines, ""]


def _row(e: Erratum, link: str) -> str:
    name = e.ids[0].split("/", 1)[1]
    return f"| {e.where} | {e.printed} | {e.right} | {e.consequence} | [{escape(name)}]({link}#{name}) |"
