"""Claims are checked at points where every symbol of the printed form counts."""

import mpmath
import pytest
import sympy

from paper_checks.claims.catalogue import load, papers
from paper_checks.claims.claim import Claim
from paper_checks.claims.relations import Always, Approximates
from paper_checks.values.evaluation import Evaluator
from paper_checks.values.exact import NOT_A_NUMBER, at_point, value_of
from theory import Formula

CLAIMS = load().select()
COMPARED = [
    c
    for c in CLAIMS
    if c.printed is not None and c.points and (c.measured or c.integral) and not isinstance(c.relation, Always)
]
# Their symbols have one value by their very statement.
FIXED = {
    "nau/beyond.init-nmu-published": {"input_variance", "var_w"},  # unit variance, 1/48
    "nau/text.nmu-quarter.forward": {"var_w", "var_z"},  # 1/4 and 1
    "nau/beyond.nmu-default.forward": {"var_w"},
    "nau/beyond.nmu-default.backward": {"var_w"},
    "nau/text.nmu-quarter.backward": {"input_variance"},
    "relu/beyond.same-sign-measured": {"gamma"},
    # Of unit weights, and of entries +-1: what is sampled.
    "galu/text.rademacher-l2": {"B_2"},
    "galu/text.rademacher-l1": {"B_1", "norm_inf"},
}
# Compared as functions of y, whose values at the mean alone do not depend on these.
AS_A_FUNCTION = {"relu/eq1.mean": {"sigma", "gamma"}, "relu/eq1.scale": {"sigma", "gamma"}}


def numbers_at(claim, point):
    return {name: mpmath.mpmathify(sympy.N(v, 40)) for name, v in claim.namespace(point).items()}


def value(form, values):
    """Of the form itself; nan outside of its domain."""
    try:
        return mpmath.mpf(at_point(tuple((name, values[name]) for name in form.names))(form.expr))
    except NOT_A_NUMBER:
        return mpmath.nan


def moves(claim, point, symbol):
    """Whether the value at a point changes with a symbol, to either side."""
    form, values, name = claim.printed, claim.namespace(point), str(symbol)
    steps = [1] if symbol.is_integer else [abs(values[name]) / n + sympy.Rational(1, 10 * n) for n in (10, 1000)]
    here = value(form, values)
    beside = (value(form, values | {name: values[name] + shift}) for step in steps for shift in (step, -step))
    return any(mpmath.isfinite(v) and abs(v - here) > 1e-12 * (abs(v) + abs(here)) for v in beside)


def without_effect(claim):
    """The symbols of the printed form that move its value at no point."""
    symbols = claim.printed.expr.free_symbols
    return {str(s) for s in symbols if not any(moves(claim, point, s) for point in claim.points)}


def left_out(claim):
    """The symbols that are 1 at every point: as a factor or an exponent, one would not be missed."""
    numbers = [numbers_at(claim, point) for point in claim.points]
    return {s for s in map(str, claim.truth.expr.free_symbols) if all(values[s] == 1 for values in numbers)}


def evaluated_alike(claim):
    """Whether what evaluates mutants evaluates the form itself: else each mutant would be no number, and rejected."""
    form = claim.truth
    for point in claim.points[:2]:
        values = claim.namespace(point)
        numbers = {str(s): mpmath.mpmathify(sympy.N(values[str(s)], 40)) for s in form.arguments}
        expected = value_of(claim, form, values)
        if not abs(Evaluator(numbers, 30)(form.expr) - expected) <= 1e-15 * abs(expected):
            return False
    return True


@pytest.mark.parametrize("paper", papers())
def test_every_symbol_of_a_form_moves_the_value_at_some_point_and_none_can_be_left_out(paper):
    claims = [c for c in COMPARED if c.paper == paper]
    still = {c.id: without_effect(c) - AS_A_FUNCTION.get(c.id, set()) for c in claims}
    assert {id_: symbols for id_, symbols in still.items() if symbols} == {}
    one = {c.id: left_out(c) - FIXED.get(c.id, set()) for c in claims if not isinstance(c.relation, Approximates)}
    assert {id_: symbols for id_, symbols in one.items() if symbols} == {}


@pytest.mark.slow
@pytest.mark.parametrize("paper", papers())
def test_what_evaluates_mutants_evaluates_the_form_itself(paper):
    compared = [c for c in COMPARED if c.paper == paper and not c.functional and not c.relation.of_a_property]
    assert [c.id for c in compared if not evaluated_alike(c)] == []


def test_a_symbol_without_effect_is_found():
    x, y, n = sympy.Symbol("x", real=True), sympy.Symbol("y", real=True), sympy.Symbol("n", integer=True, positive=True)
    form = Formula("a form", x + (y - 1) * sympy.Symbol("z", real=True) ** n,
                   arguments=(x, y, sympy.Symbol("z", real=True), n))  # fmt: skip
    blind = Claim("t/a", at="", says="", printed=form, integral=lambda x: x, points=[{"x": 1, "y": 1, "z": 2, "n": 3}])
    assert without_effect(blind) == {"z", "n"}
    assert left_out(blind) == {"x", "y"}
