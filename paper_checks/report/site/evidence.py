"""Findings and prices as tables of a page, and the smallest counterexample as code to paste."""

from collections.abc import Iterator, Mapping

import sympy

from paper_checks.claims.claim import Claim
from paper_checks.claims.points import show_point
from paper_checks.evidence.finding import Finding, PointFinding
from paper_checks.judging.verdict import Verdict
from paper_checks.report.formulas import judged
from paper_checks.report.tables import cost
from paper_checks.report.text import number
from paper_checks.rules.means import Status
from theory import Formula

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


def shown(claim: Claim, finding: Finding, words: Mapping[str, str]) -> tuple[tuple[str, ...], tuple]:
    """Columns and rows of a finding; without any, those of its points, which ``words`` describes by their texts.

    Columns that are empty everywhere are left out.
    """
    if finding.columns:
        return finding.columns, finding.rows
    cells = {name: [value(p) for p in finding.points] for name, value in COLUMNS.items()}
    cells["verdict"] = [claim.relation.word(p.status) for p in finding.points]
    cells["at"] = [words.get(text, text) for text in cells["at"]]
    if finding.printed not in (None, finding.truth):
        cells = {"correct formula" if name == "verdict" else name: some for name, some in cells.items()}
    cells = {judged(claim) if name == "published" else name: some for name, some in cells.items()}
    kept = {name: some for name, some in cells.items() if any(some)}
    return tuple(kept), tuple(zip(*kept.values(), strict=True))


def priced(verdict: Verdict) -> list[tuple[str, ...]]:
    """What was measured after an assumption was dropped."""
    return [(p.point, _number(p.printed), f"{p.measured:.6g} ± {p.se:.1g}", cost(p)) for p in verdict.price]


def _number(value: float | None) -> str:
    return "" if value is None else number(value, 8)


def _off(p: PointFinding) -> str:
    if p.z is None or p.z_printed is None or p.z == p.z_printed:
        return "" if p.z is None and p.z_printed is None else f"{p.z_printed if p.z is None else p.z:+.3g}"
    return f"published {p.z_printed:+.3g}, correct {p.z:+.3g}"


CLOSE = 1e-6


def code(claim: Claim, verdict: Verdict) -> str:
    """Python that prints the stated and the correct value; empty where a claim is not about values of a formula."""
    if claim.printed is None or claim.functional is not None:
        return ""
    known = {show_point(point): point for point in claim.points}
    able = [p for f in verdict.findings for p in f.points if p.point in known and _differs(claim, p)]
    if not able:
        return ""
    smallest = min(able, key=lambda p: (len(p.point), p.point))
    forms = {judged(claim).replace(" ", "_"): claim.printed} | (
        {} if claim.truth is claim.printed else {"correct": claim.truth}
    )
    functions = {f for form in forms.values() for f in form.expr.atoms(sympy.Function)}
    if any(not type(f).__module__.startswith("sympy.") for f in functions):  # SymPy alone does not know them.
        return ""
    return "\n".join(_lines(forms, claim.namespace(known[smallest.point]), smallest.reason))


def _differs(claim: Claim, p: PointFinding) -> bool:
    if claim.relation.of_a_property:
        return p.status is Status.REFUTED
    return None not in (p.printed, p.truth) and abs(p.printed - p.truth) > CLOSE * abs(p.truth)


def _lines(forms: dict[str, Formula], values: dict[str, sympy.Expr], expected: str) -> Iterator[str]:
    used = sorted({str(s) for form in forms.values() for s in form.expr.free_symbols})
    yield "from sympy import Symbol, sympify"
    yield ""
    yield f"symbols = {{name: Symbol(name) for name in {used}}}"
    for name, form in forms.items():
        yield f'{name} = sympify("{form.expr}", symbols)'
    at = ", ".join(f'"{name}": sympify("{values[name]}")' for name in used)
    yield f"at = {{{at}}}"
    calls = ", ".join(f"{name}.subs(at).evalf()" for name in forms)
    yield f"print({calls})" + ("" if "correct" in forms else f"  # {expected}")
