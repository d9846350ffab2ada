"""Claims are checked at points where every symbol of the printed form counts."""

import mpmath
import pytest
import sympy

from paper_checks.catalogue import load
from paper_checks.claims.relations import Always, Approximates
from paper_checks.values.exact import NOT_A_NUMBER, at_point

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
    shifts = (0, *steps, *(-step for step in steps))
    here, *beside = (value(form, values | {name: values[name] + shift}) for shift in shifts)
    return any(mpmath.isfinite(v) and abs(v - here) > 1e-12 * (abs(v) + abs(here)) for v in beside)


@pytest.mark.parametrize("claim", COMPARED, ids=lambda c: c.id)
def test_every_symbol_of_the_form_moves_the_value_at_some_point(claim):
    for symbol in claim.printed.expr.free_symbols:
        if str(symbol) not in AS_A_FUNCTION.get(claim.id, ()):
            assert any(moves(claim, point, symbol) for point in claim.points), symbol


@pytest.mark.parametrize("claim", [c for c in COMPARED if not isinstance(c.relation, Approximates)], ids=lambda c: c.id)
def test_no_symbol_of_the_form_can_be_left_out(claim):
    """A symbol that is 1 at every point, as a factor or an exponent, would not be missed."""
    for symbol in map(str, claim.truth.expr.free_symbols):
        if symbol in FIXED.get(claim.id, ()):
            continue
        assert any(numbers_at(claim, point)[symbol] != 1 for point in claim.points), symbol
