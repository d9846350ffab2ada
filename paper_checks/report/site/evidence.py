"""Findings and prices as tables of a page."""

from collections.abc import Mapping
from typing import NamedTuple

from paper_checks.claims.claim import Claim
from paper_checks.evidence.finding import Finding, PointFinding
from paper_checks.evidence.ladder import BY_NAME
from paper_checks.judging.verdict import Verdict
from paper_checks.report.describe import outcome
from paper_checks.report.tables import cost
from paper_checks.report.text import capital, number

COLUMNS = {
    "at": lambda p: p.point,
    "verdict": lambda p: str(p.status),
    "published": lambda p: _number(p.printed),
    "correct": lambda p: _number(p.truth if p.truth != p.printed else None),
    "integral": lambda p: _number(p.reference),
    "measured": lambda p: "" if p.measured is None or p.se is None else f"{p.measured:.8g} ± {p.se:.1g}",
    "ours": lambda p: p.counted or _number(p.measured if p.se is None else None),
    "p": lambda p: "" if p.p is None else f"{p.p:.2g}",
    "standard errors away": lambda p: _off(p),
    "samples": lambda p: f"{p.n:.1e}" if p.n else "",
    "tolerance": lambda p: "" if p.resolution is None else f"{p.resolution:.1e}",
    "reference magnitude": lambda p: "" if p.scale is None or p.scale == abs(p.truth or 0) else number(p.scale, 4),
    "why": lambda p: p.reason,
}


class Shown(NamedTuple):
    """A finding as a page has it; columns that are empty everywhere are left out."""

    title: str
    outcome: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def shown(claim: Claim, finding: Finding, words: Mapping[str, str]) -> Shown:
    """A finding with a table of its points, which ``words`` describes by their texts."""
    cells = {name: [value(p) for p in finding.points] for name, value in COLUMNS.items()}
    cells["verdict"] = [claim.relation.word(p.status) for p in finding.points]
    cells["at"] = [words.get(text, text) for text in cells["at"]]
    if finding.printed not in (None, finding.truth):
        cells = {"correct formula" if name == "verdict" else name: some for name, some in cells.items()}
    if claim.functional is not None or claim.relation.of_a_property:
        cells = {"quantity tested" if name == "published" else name: some for name, some in cells.items()}
    kept = {name: some for name, some in cells.items() if any(some)}
    columns, rows = tuple(kept), tuple(zip(*kept.values(), strict=True))
    if finding.columns:
        columns, rows = finding.columns, finding.rows
    rung = BY_NAME.get(finding.rung)
    return Shown(capital(rung.title if rung else finding.rung), capital(outcome(finding)), columns, rows)


def priced(verdict: Verdict) -> list[tuple[str, ...]]:
    """What was measured after an assumption was dropped."""
    return [(p.point, _number(p.printed), f"{p.measured:.6g} ± {p.se:.1g}", cost(p)) for p in verdict.price]


def _number(value: float | None) -> str:
    return "" if value is None else number(value, 8)


def _off(p: PointFinding) -> str:
    if p.z is None or p.z_printed is None or p.z == p.z_printed:
        return "" if p.z is None and p.z_printed is None else f"{p.z_printed if p.z is None else p.z:+.3g}"
    return f"published {p.z_printed:+.3g}, correct {p.z:+.3g}"
