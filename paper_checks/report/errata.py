"""Errors in rows: where, as printed, what is right, what it comes to."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from paper_checks.claims.claim import Claim
from paper_checks.claims.expectation import Form
from paper_checks.claims.registry import Registry
from paper_checks.judging.conclusion import STATED
from paper_checks.judging.verdict import Verdict
from paper_checks.report.formulas import latex, plain
from paper_checks.report.text import escape, quoted, sentence, whole
from paper_checks.rules.means import Status
from theory import Formula

# Longer formulas do not fit into a cell.
INLINE = 120
# Nor do longer quotations that have formulas, of which code hosts show so many and no more.
QUOTED = 90
# Nor do points with many parameters.
POINT = 60
NUMBERS = re.compile(rf"^at (.*?): ((?:{'|'.join(STATED.values())}) .*)")
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


def errata(registry: Registry, pairs: Iterable[Pair], room: int, beside: int) -> list[Erratum]:
    """Errors; what a paper says stands whole, or not at all beyond ``room`` characters; notes beyond ``beside``."""
    groups: dict[str, list[Pair]] = {}
    for claim, verdict in pairs:
        groups.setdefault(claim.note or claim.id, []).append((claim, verdict))
    return [_erratum(registry, some, room, beside) for some in groups.values()]


def _erratum(registry: Registry, pairs: Sequence[Pair], room: int, beside: int) -> Erratum:
    claim, verdict = pairs[0]
    others = f" and {len(pairs) - 1} more" if len(pairs) > 1 else ""
    note, numbers = whole(claim.note, beside), whole(_numbers(verdict), beside)
    correct = _formula(claim.corrected) if claim.relation.automatic else ""
    if correct and verdict.truth is Status.REFUTED:
        correct += " (refuted as well)"
    if not correct:
        stated = {c.id: c.says for c, _ in pairs for c in registry.correct(c)}
        first = [f"{sentence(says)[:-1]} (`{id}`)." for id, says in stated.items()][:1]
        more = [f"And {len(stated) - 1} more."] if len(stated) > 1 else []
        correct = escape(" ".join([*first, *more]))
    if not correct and claim.expects.unknown:
        correct = escape(f"Not known: {sentence(claim.expects.unknown)}")
    texts = [note, numbers] if correct else [numbers]
    ids, consequence = tuple(c.id for c, _ in pairs), escape(" ".join(sentence(text) for text in texts if text))
    right = correct or escape(sentence(note))
    return Erratum(ids, escape(claim.at), _printed(claim, room) + others, right, consequence)


def _numbers(verdict: Verdict) -> str:
    """The counterexample without the simulated value, and without a long point."""
    numbers = NUMBERS.search(verdict.counterexample)
    if not numbers:
        return verdict.counterexample
    point, values = numbers[1], numbers[2].split(", measured ")[0]
    return f"at {point}: {values}" if 0 < len(point) <= POINT else values


def _printed(claim: Claim, room: int) -> str:
    form, longest = claim.printed, min(room, QUOTED) if "$" in claim.quote else room
    formula = _formula(form) if claim.relation.automatic and form is not None and form.expr.free_symbols else ""
    if formula and claim.form is Form.OURS:  # the paper has none
        formula, longest = "", room
    if formula and not claim.quote:
        return formula
    if claim.quote and len(claim.quote) <= longest and _inline(claim.quote):
        return f"“{plain(quoted(claim.quote))}”"
    return formula or escape(sentence(whole(claim.says, room)))


def _inline(quote: str) -> bool:
    """Whether a quotation fits into a cell: its formulas are within the line, without bars, and LaTeX nowhere else."""
    return "$$" not in quote and "|" not in quote and "\\" not in quote.split("$")[0]


def _formula(form: Formula | None) -> str:
    text = latex(form) if form is not None else ""
    return f"${text}$".replace("|", r"\vert ") if text and len(text) <= INLINE else ""


def table(by_severity: Mapping[str, Sequence[Erratum]], link: str) -> list[str]:
    """Markdown; ``link`` is the file with the claims of the paper, in which each has an anchor."""
    lines = ["| place | published | correct | effect |", "|---|---|---|---|"]
    for title, some in by_severity.items():
        lines += [f"| **{title}** ({sum(len(e.ids) for e in some)}) | | | |", *(f"| {row(e, link)}" for e in some)]
    return [*lines, ""]


def row(e: Erratum, link: str) -> str:
    """The cells of an error but for the first bar."""
    name = e.ids[0].split("/", 1)[1]
    return f"[{e.where}]({link}#{name}) | {e.printed} | {e.right} | {e.consequence} |"
