"""Claims in tables with short cells, and below them what is assumed, noted and found."""

from collections.abc import Iterable

from paper_checks.claims.claim import Claim
from paper_checks.evidence.finding import PointFinding
from paper_checks.judging.verdict import Verdict
from paper_checks.report.evidence import found, letters, mutants, resolution
from paper_checks.report.text import escape, number, percent, sentence, tabular, target

Pairs = Iterable[tuple[Claim, Verdict]]


def table(pairs: Pairs) -> list[str]:
    """One line per claim, and a list of what does not fit into one."""
    pairs = list(pairs)
    head = ("claim", "place", "statement", "evidence", "tolerance", "altered formulas rejected")
    rows = []
    for c, v in pairs:
        evidence = letters(v), escape(resolution(c, v)), mutants(v) or "–"
        rows.append((f"{target(c.id)}`{c.id}`", escape(c.at), escape(c.says), *evidence))
    notes = []
    for claim, verdict in pairs:
        parts = [f"Assumes: {sentence(claim.assumptions)}"] if claim.assumptions else []
        parts += [sentence(claim.note)] if claim.note else []
        parts += [f"Found: {text}" for text in found(verdict)]
        parts += [f"Error: {verdict.error}"] if verdict.error else []
        parts += [sentence(verdict.odd)] if verdict.odd else []
        if parts:
            notes.append(f"- `{claim.id}`: {escape(' '.join(parts))}")
    return [*tabular(head, rows), *notes, *[""][: len(notes)]]


def unchecked(pairs: Pairs) -> list[str]:
    """What is not checked, and why."""
    lines = [
        f"- {target(c.id)}`{c.id}`, {escape(f'{c.at}: {sentence(c.says)} Not checked: {sentence(c.unchecked)}')}"
        for c, _ in pairs
    ]
    return [*lines, ""]


def prices(pairs: Pairs) -> list[str]:
    """What dropping an assumption changes."""
    rows = [
        (f"`{claim.id}`", escape(claim.price.says), escape(p.point), number(p.printed), number(p.measured), cost(p))
        for claim, verdict in pairs
        if claim.price
        for p in verdict.price
    ]
    if not rows:
        return []
    return [
        "## Effect of dropping an assumption", "",
        "The model is simulated without one assumption and compared with the value of the formula, which is ours in "
        "additional results and where the paper's formulas are reconstructed.", "",
        *tabular(("claim", "simulated instead", "at", "formula", "measured", "difference"), rows),
    ]  # fmt: skip


def cost(p: PointFinding) -> str:
    """The effect of dropping an assumption at a point: measured minus published."""
    change = p.measured - p.printed
    if p.printed:
        text = f"{percent(change, p.printed)} ± {percent(p.se, p.printed).lstrip('+')}"
    else:
        text = f"{change:+.3g} ± {p.se:.1g}"
    return f"{text} (unreliable: {escape(p.reason)})" if p.reason else text


def kills(pairs: Pairs) -> list[str]:
    """Altered formulas that a check does not reject."""
    rows = [
        (f"`{claim.id}`", f.rung, f"{f.killed}/{f.total}", str(f.within or "–"), escape("; ".join(f.survivors)))
        for claim, verdict in pairs
        for f in verdict.findings
        if f.survivors
    ]
    if not rows:
        return []
    return [
        "## Altered formulas that are not rejected", "",
        "Equivalent formulas differ by less than the tolerance at every point, so that no check with this tolerance "
        "rejects them. A check of the order of an error accepts every change that keeps the order.", "",
        *tabular(("claim", "check", "rejected", "equivalent", "not rejected"), rows),
    ]  # fmt: skip
