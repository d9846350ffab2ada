"""The smallest counterexample to a published formula, as code that anybody with SymPy can paste."""

from collections.abc import Iterator

import sympy

from paper_checks.claims.claim import Claim
from paper_checks.claims.points import show_point
from paper_checks.evidence.finding import PointFinding
from paper_checks.judging.verdict import Verdict
from paper_checks.rules.means import Status
from theory import Formula

CLOSE = 1e-6


def code(claim: Claim, verdict: Verdict) -> str:
    """Python that prints the published and the correct value; empty where a claim is not about values of a formula."""
    if claim.printed is None or claim.functional is not None:
        return ""
    known = {show_point(point): point for point in claim.points}
    able = [p for f in verdict.findings for p in f.points if p.point in known and _differs(claim, p)]
    if not able:
        return ""
    smallest = min(able, key=lambda p: (len(p.point), p.point))
    forms = {"published": claim.printed} | ({} if claim.truth is claim.printed else {"correct": claim.truth})
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
