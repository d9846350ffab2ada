"""Claims on Neural Arithmetic Units are checked at points where every symbol of the printed form counts."""

import pathlib

import mpmath
import pytest
import sympy

from paper_checks.catalogue import load
from paper_checks.claims.relations import Always, Approximates
from paper_checks.values.evaluation import Evaluator

CLAIMS = load(["nau"]).select(["nau"])
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
}


def value(expr, numbers):
    try:
        return Evaluator(numbers, 30)(expr)
    except (ValueError, ZeroDivisionError, mpmath.libmp.ComplexResult):
        return mpmath.nan


def numbers_at(claim, point):
    return {name: mpmath.mpmathify(sympy.N(v, 40)) for name, v in claim.namespace(point).items()}


def differs(one, other):
    return bool(mpmath.isnan(one) != mpmath.isnan(other) or abs(one - other) > 1e-12 * (abs(one) + abs(other)))


@pytest.mark.parametrize("claim", COMPARED, ids=lambda c: c.id)
def test_every_symbol_of_the_form_moves_the_value_at_some_point(claim):
    expr = claim.printed.expr
    for symbol in map(str, expr.free_symbols):
        moved = False
        for point in claim.points:
            numbers = numbers_at(claim, point)
            other = dict(numbers)
            other[symbol] = numbers[symbol] * mpmath.mpf("1.1") + mpmath.mpf("0.01")
            moved |= differs(value(expr, numbers), value(expr, other))
        assert moved, symbol


@pytest.mark.parametrize("claim", [c for c in COMPARED if not isinstance(c.relation, Approximates)], ids=lambda c: c.id)
def test_no_symbol_of_the_form_can_be_left_out(claim):
    """A symbol that is 1 at every point, as a factor or an exponent, would not be missed."""
    for symbol in map(str, claim.truth.expr.free_symbols):
        if symbol in FIXED.get(claim.id, ()):
            continue
        assert any(numbers_at(claim, point)[symbol] != 1 for point in claim.points), symbol


def test_every_id_stands_in_the_source():
    folder = pathlib.Path(__file__).parents[2] / "paper_checks/papers/neural_arithmetic_units"
    source = "".join(path.read_text(encoding="utf-8") for path in folder.glob("*.py"))
    assert not [c.id for c in CLAIMS if f'"{c.id}"' not in source]


def test_what_is_wrong_in_print_has_a_quotation_or_a_formula():
    red = [c for c in CLAIMS if c.expected_status.value == "REFUTED" and c.kind.value in ("print", "runs")]
    assert len(red) > 20
    assert not [c.id for c in red if not c.quote and c.printed is None]
    assert not [c.id for c in red if c.kind.value == "runs" and not c.quote]
