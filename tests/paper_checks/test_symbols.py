"""Points are chosen so that every symbol of a printed form matters: some point's value moves when the symbol does."""

from __future__ import annotations

import mpmath
import pytest
import sympy

from paper_checks.catalogue import load
from paper_checks.claims.claim import Claim
from paper_checks.values.evaluation import Evaluator
from paper_checks.values.exact import value_of
from theory import Formula, Source

COMPARED = [
    c
    for c in load()
    if c.printed is not None
    and c.points
    and (c.measured or c.integral)
    and not c.functional
    and not c.relation.of_a_property
]
# By the very sentence: it is said of a bias of 0, where the size of the weight does not matter.
STATED = {"relu/beyond.optimum-activity": {"s"}}


def without_effect(claim: Claim) -> list[str]:
    """The symbols of the printed form that move its value at no point of the claim."""
    form = claim.printed
    points = [{n: mpmath.mpmathify(sympy.N(v, 40)) for n, v in claim.namespace(p).items()} for p in claim.points]
    given = [s for s in form.arguments if s in form.expr.free_symbols and str(s) in points[0]]
    return [str(s) for s in given if not any(_moves(form.expr, point, s) for point in points)]


def _moves(expr: sympy.Expr, point: dict, symbol: sympy.Symbol) -> bool:
    here, number = _value(expr, point), point[str(symbol)]
    steps = (1, -1) if symbol.is_integer else (number / 16 + mpmath.mpf("0.01"), -number / 16 - mpmath.mpf("0.01"))
    there = [_value(expr, {**point, str(symbol): number + step}) for step in steps]
    return any(abs(value - here) > 1e-12 * (abs(value) + abs(here)) for value in there)


def _value(expr: sympy.Expr, point: dict) -> mpmath.mpf:
    try:
        return mpmath.mpf(Evaluator(point, 30)(expr))
    except (TypeError, ValueError, ArithmeticError):
        return mpmath.nan


@pytest.mark.parametrize("claim", COMPARED, ids=lambda c: c.id)
def test_what_evaluates_mutants_evaluates_the_form_itself(claim):
    """Else every mutant would be no number, and count as rejected."""
    form = claim.truth
    for point in claim.points[:2]:
        values = claim.namespace(point)
        numbers = {str(s): mpmath.mpmathify(sympy.N(values[str(s)], 40)) for s in form.arguments}
        expected = value_of(claim, form, values)
        assert abs(Evaluator(numbers, 30)(form.expr) - expected) <= 1e-15 * abs(expected)


@pytest.mark.parametrize("claim", COMPARED, ids=lambda c: c.id)
def test_every_symbol_of_a_printed_form_moves_a_value(claim):
    assert set(without_effect(claim)) <= STATED.get(claim.id, set())


def test_a_symbol_without_effect_is_found():
    x, y, n = sympy.Symbol("x", real=True), sympy.Symbol("y", real=True), sympy.Symbol("n", integer=True, positive=True)
    form = Formula("a form", x + (y - 1) * sympy.Symbol("z", real=True) ** n, source=Source("t", ""),
                   arguments=(x, y, sympy.Symbol("z", real=True), n))  # fmt: skip
    blind = Claim("t/a", at="", says="", printed=form, integral=lambda x: x, points=[{"x": 1, "y": 1, "z": 2, "n": 3}])
    assert without_effect(blind) == ["z", "n"]
