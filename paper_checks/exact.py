"""The rungs without sampling: symbolic difference, quadrature, properties, orders, definitions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

import mpmath
import numpy as np
import sympy
from sympy import Expr

from montecarlo.kernels.draws import uniforms
from montecarlo.philox import stream
from paper_checks.claim import Claim, pick
from paper_checks.evaluation import Evaluator
from paper_checks.findings import Finding, PointFinding
from paper_checks.mutants import automatic
from paper_checks.relations import Always, Approximates, Defines
from paper_checks.verdict import RESOLUTION, Status, combine
from theory import Formula
from theory.formula import mpmath_function

__all__ = ["exact_findings", "mutants_of", "show_point", "slips_of", "value_of"]

DIGITS = 30
# Two evaluations by unrelated methods at 30 digits agree to this or are different numbers.
AGREEMENT = mpmath.mpf(10) ** -25
# Values by expression and point: several claims of a paper state the same result.
KNOWN: dict[tuple, mpmath.mpf] = {}
REFERENCES: dict[tuple, mpmath.mpf] = {}
# What evaluating a mutant outside its own domain may raise.
NOT_A_NUMBER = (TypeError, ZeroDivisionError, ValueError, OverflowError, mpmath.libmp.NoConvergence)
# Mutants of one form: long expressions repeat themselves.
MOST = {"quick": 12, "full": 40}
# A mutant that is compared through an integral of itself costs a hundred times as much.
MOST_BY_INTEGRAL = {"quick": 2, "full": 4}
# Points of one quadrature.
POINTS = {"quick": 2, "full": None}
DEFINITION_DRAWS = 4096
DEFINITION_AGREEMENT = 1e-12


def exact_findings(claim: Claim, tier: str = "full") -> list[Finding]:
    """All rungs of a claim that need no samples; the quick tier tries fewer mutants."""
    found = []
    if claim.derivation or claim.proof:
        found.append(_symbolic(claim, tier))
    if claim.integral:
        found.append(_quadrature(claim, tier))
    if isinstance(claim.relation, Always) and claim.printed is not None:
        found.append(_property(claim))
    if isinstance(claim.relation, Approximates):
        found.append(_order(claim, tier))
    if isinstance(claim.relation, Defines):
        found.append(_definition(claim))
    return found


def show_point(point: Mapping[str, Any]) -> str:
    """A point as text, in the notation of the claim."""
    return ", ".join(f"{k} = {v}" for k, v in point.items())


def value_of(claim: Claim, form: Formula | Expr, values: Mapping[str, Any], arguments=None) -> mpmath.mpf:
    """What a formula (or a mutant of it, with the same arguments) says at a point.

    A mutant may leave the reals or not exist there; that is nan, and no estimate agrees with nan.
    """
    expr = form.expr if isinstance(form, Formula) else form
    key = (expr, claim.functional, tuple(values.items()))
    if key not in KNOWN:
        KNOWN[key] = _value_of(claim, form, values, arguments)
    return KNOWN[key]


def _value_of(claim: Claim, form: Formula | Expr, values: Mapping[str, Any], arguments) -> mpmath.mpf:
    is_formula = isinstance(form, Formula)
    if is_formula and not claim.functional:
        return form.mp(dps=DIGITS, **{n: values[n] for n in form.names})
    arguments = form.arguments if is_formula else arguments
    with mpmath.workdps(DIGITS + 15):
        point = tuple((str(s), values[str(s)]) for s in arguments)
        try:
            if not claim.functional:
                return mpmath.mpf(_at(point)(form))
            compiled = mpmath_function(arguments, form.expr if is_formula else form)
            numbers = {name: mpmath.mpmathify(sympy.N(value, DIGITS + 15)) for name, value in point}
            return mpmath.mpf(claim.functional(lambda **given: compiled(*{**numbers, **given}.values()), values))
        except NOT_A_NUMBER:
            if is_formula:
                raise
            return mpmath.nan


@cache
def _at(point: tuple[tuple[str, Any], ...], digits: int = DIGITS + 15) -> Evaluator:
    """What evaluates variants of a formula at a point."""
    with mpmath.workdps(digits):
        return Evaluator({name: mpmath.mpmathify(sympy.N(value, digits)) for name, value in point}, digits)


def mutants_of(claim: Claim, form: Formula, tier: str) -> dict[str, Expr]:
    """Automatic mutants and slips of a form."""
    most = MOST_BY_INTEGRAL[tier] if claim.functional else MOST[tier]
    mutants = dict(automatic(form.expr, RESOLUTION[tier], most))
    mutants.update(slips_of(claim, form))
    return mutants


def slips_of(claim: Claim, form: Formula) -> dict[str, Expr]:
    """The author's slips, which must be forms in the same arguments: any other has no value and tests nothing."""
    slips = {f"slip: {k}": v.expr if isinstance(v, Formula) else sympy.sympify(v) for k, v in claim.slips.items()}
    for what, expr in slips.items():
        foreign = expr.free_symbols - set(form.arguments)
        if foreign:
            raise ValueError(
                f"claim {claim.id}: {what} must use the arguments {list(form.names)} only, "
                f"got {sorted(map(str, foreign))}; substitute the values of the points"
            )
    return slips


def _symbolic(claim: Claim, tier: str) -> Finding:
    if claim.proof:
        if claim.proof():
            return Finding("symbolic", Status.CONFIRMED, None if claim.corrected else Status.CONFIRMED, "proved")
        return Finding("symbolic", Status.REFUTED, Status.REFUTED, "the argument fails")
    derived = sympy.sympify(claim.derivation())
    approximate = isinstance(claim.relation, Approximates)
    form = claim.printed if approximate else claim.truth
    truth = _is_zero(form.expr - derived)
    printed = truth if claim.printed is form else _is_zero(claim.printed.expr - derived)
    mutants = mutants_of(claim, form, tier)
    kept = [k for k, m in mutants.items() if not _differ(m, derived) and _is_zero(m - derived) is not Status.REFUTED]
    total = len(mutants)
    return Finding("symbolic", truth, printed, "follows from the definitions", total - len(kept), total, tuple(kept))


def _probes(symbols: set[sympy.Symbol]) -> Iterator[dict[sympy.Symbol, Expr]]:
    """Two points; at the second what may be negative is: a formula and its mutant can agree on one side."""
    for shift, sign in ((3, 1), (7, -1)):
        yield {
            s: sympy.Integer(shift + i) if s.is_integer
            else sympy.Rational(shift + 2 * i, 11) * (1 if s.is_nonnegative else sign)
            for i, s in enumerate(sorted(symbols, key=str))
        }  # fmt: skip


def _differ(one: Expr, other: Expr) -> bool:
    """Whether two forms differ at a probe, where they have values at all; with many more digits than are compared."""
    for probe in _probes(one.free_symbols | other.free_symbols):
        at = _at(tuple((str(s), v) for s, v in probe.items()), 2 * DIGITS)
        try:
            if abs(at(one) - at(other)) > AGREEMENT:
                return True
        except NOT_A_NUMBER:
            continue
    return False


def _is_zero(expr: Expr) -> Status:
    """Whether an expression vanishes identically: a non-zero number at one point says no, SymPy may say yes."""
    for probe in _probes(expr.free_symbols):
        number = sympy.N(expr.subs(probe), DIGITS, maxn=400)
        if number.is_number and sympy.Abs(number).is_comparable and abs(number) > AGREEMENT:
            return Status.REFUTED
    for simplify in (sympy.expand, sympy.simplify, lambda e: sympy.simplify(e.rewrite(sympy.exp))):
        if simplify(expr) == 0:
            return Status.CONFIRMED
    return Status.INCONCLUSIVE


def _quadrature(claim: Claim, tier: str) -> Finding:
    points, references = [], []
    # A wrong print may be right at some points: there all of them count.
    most = None if claim.corrected else POINTS[tier]
    for point, values in list(zip(claim.points, claim.namespaces(), strict=True))[:most]:
        reference = _reference(claim, values)
        references.append((values, reference))
        truth = value_of(claim, claim.truth, values)
        printed = value_of(claim, claim.printed, values)
        status = _agree(claim, truth, reference, values)
        reason = "" if status is Status.CONFIRMED else f"quadrature gives {mpmath.nstr(reference, 17)}"
        points.append(PointFinding(show_point(point), status, float(printed), float(truth), reason=reason))
    approximate = isinstance(claim.relation, Approximates)
    judged = [_agree(claim, value_of(claim, claim.printed, v), r, v) for v, r in references]
    kept = []
    arguments = claim.truth.arguments
    mutants = mutants_of(claim, claim.truth, tier)
    for what, mutant in mutants.items():
        if all(_agree(claim, value_of(claim, mutant, v, arguments), r, v) is Status.CONFIRMED for v, r in references):
            kept.append(what)
    return Finding(
        "quadrature",
        combine([p.status for p in points]),
        None if approximate else combine(judged),
        f"{DIGITS} digits at {len(points)} points",
        len(mutants) - len(kept),
        len(mutants),
        tuple(kept),
        tuple(points),
    )


def _reference(claim: Claim, values: Mapping[str, Any]) -> mpmath.mpf:
    key = (claim.integral, tuple(values.items()))
    if key not in REFERENCES:
        with mpmath.workdps(DIGITS + 15):
            given = {k: _mp(v) for k, v in pick(claim.integral, values).items()}
            REFERENCES[key] = mpmath.mpf(claim.integral(**given))
    return REFERENCES[key]


def _agree(claim: Claim, value: mpmath.mpf, reference: mpmath.mpf, values: Mapping[str, Any]) -> Status:
    """Equal to 25 digits, relative to the value or to the scale that the claim names."""
    with mpmath.workdps(DIGITS + 15):
        if mpmath.isnan(value):
            return Status.REFUTED
        scale = max(abs(value), abs(reference))
        if claim.scale:
            scale = max(scale, abs(_mp(sympy.sympify(claim.scale(**pick(claim.scale, values))))))
        return Status.CONFIRMED if abs(value - reference) <= AGREEMENT * scale else Status.REFUTED


def _mp(value: Any) -> Any:
    if isinstance(value, sympy.Integer):
        return int(value)
    return mpmath.mpmathify(sympy.N(value, mpmath.mp.dps)) if isinstance(value, sympy.Expr) else value


def _property(claim: Claim) -> Finding:
    """Whether what the relation says holds of the printed values, and of the corrected ones where there are any."""
    points, right = [], []
    for point, values in zip(claim.points, claim.namespaces(), strict=True):
        value = value_of(claim, claim.printed, values)
        status = Status.CONFIRMED if claim.relation.holds(value) else Status.REFUTED
        truth = None
        if claim.corrected:
            truth = value_of(claim, claim.corrected, values)
            right.append(Status.CONFIRMED if claim.relation.holds(truth) else Status.REFUTED)
        points.append(PointFinding(
            show_point(point), status, float(value), truth and float(truth), reason=claim.relation.says
        ))  # fmt: skip
    status = combine([p.status for p in points])
    truth = combine(right) if right else Status.CONFIRMED if status is claim.expected_status else status
    return Finding("property", truth, status, claim.relation.says, points=tuple(points))


def _order(claim: Claim, tier: str) -> Finding:
    """The exponent with which the relative error vanishes along the declared path, and errors at the points."""
    relation = claim.relation
    printed = claim.printed

    def exponent(form: Formula | Expr, arguments=None) -> float:
        errors = []
        for t in (sympy.Rational(1, 2**16), sympy.Rational(1, 2**20)):
            values = claim.namespace(relation.along(t))
            exact = value_of(claim, claim.exact, values)
            with mpmath.workdps(DIGITS + 15):
                errors.append(abs(value_of(claim, form, values, arguments) / exact - 1))
        if mpmath.isnan(errors[0]) or mpmath.isnan(errors[1]):
            return float("-inf")
        if errors[1] == 0:
            return float("inf")
        return float(mpmath.log(errors[0] / errors[1], 16)) if errors[0] else float("-inf")

    needed = relation.order + 0.5
    reached = exponent(printed)
    status = Status.CONFIRMED if reached >= needed else Status.REFUTED
    mutants = automatic(printed.expr, RESOLUTION[tier], MOST[tier])
    kept = [what for what, m in mutants.items() if exponent(m, printed.arguments) >= needed]
    points = []
    for point in [*claim.points, *relation.at]:
        values = claim.namespace(point)
        points.append(PointFinding(
            show_point(point), status,
            float(value_of(claim, printed, values)), float(value_of(claim, claim.exact, values)),
        ))  # fmt: skip
    says = f"relative error of order t^{reached:.2f}, more than t^{relation.order} is needed"
    return Finding(
        "order", Status.CONFIRMED, status, says, len(mutants) - len(kept), len(mutants), tuple(kept), tuple(points)
    )


def _definition(claim: Claim) -> Finding:
    points = []
    slips = dict.fromkeys(claim.slips, True)
    kernel = claim.measured.kernel
    key = stream(0, claim.id, 0)
    for point, values in zip(claim.points, claim.namespaces(), strict=True):
        numbers = {k: float(v) for k, v in values.items()}
        out = kernel.rows(DEFINITION_DRAWS)
        kernel(key, 0, *kernel.arguments(numbers), out)
        played = out[:, claim.measured.columns[0]]
        distance = _distance(played, claim.relation.reference(_draws(key), **numbers))
        status = Status.CONFIRMED if distance <= DEFINITION_AGREEMENT else Status.REFUTED
        points.append(PointFinding(show_point(point), status, reason=f"largest relative difference {distance:.1e}"))
        for what, wrong in claim.slips.items():
            slips[what] &= _distance(played, wrong(_draws(key), **numbers)) <= DEFINITION_AGREEMENT
    kept = tuple(what for what, survives in slips.items() if survives)
    status = combine([p.status for p in points])
    says = f"the kernel agrees with a plain reading on {DEFINITION_DRAWS} draws"
    return Finding("definition", status, status, says, len(slips) - len(kept), len(slips), kept, tuple(points))


def _distance(played: np.ndarray, reference: np.ndarray) -> float:
    scale = np.maximum(np.abs(reference), 1e-300)
    return float(np.max(np.abs(played - reference) / scale))


def _draws(key) -> Callable[[int], tuple[np.ndarray, np.ndarray]]:
    def draws(index: int) -> tuple[np.ndarray, np.ndarray]:
        out = np.empty((DEFINITION_DRAWS, 2), order="F")
        uniforms(key, 0, index, out)
        return out[:, 0], out[:, 1]

    return draws
