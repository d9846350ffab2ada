"""A check that cannot fail is not green: constant arguments, retyped forms, no wrong variants, blind points."""

import pytest
from kernels_for_tests import area
from sympy import Abs, Integer, Piecewise, Rational, Symbol, exp, integrate, sqrt

from montecarlo import mean
from paper_checks import WRONG, Always, AtPoints, Bounds, Claim, Everywhere, Reproduces, Status, concluded, grid, verify
from paper_checks.claims.catalogue import load
from paper_checks.commands.telling import line
from paper_checks.judging.power import without_power
from theory import Formula
from theory.symbols import positive

a, b, p, side = positive("a"), positive("b"), positive("p"), positive("side")
x = Symbol("x", real=True)
LIMIT = 3


def form(expr):
    return Formula("it", expr, sorted(expr.free_symbols, key=str))


def judged(**fields):
    """The verdict, and the line that says it."""
    claim = Claim("test/it", at="", says="", **fields)
    (verdict,) = verify([claim])
    return verdict, line(claim, verdict)


@pytest.mark.parametrize("fields", [
    {"proof": lambda: True},
    {"proof": lambda: 1 < 2},
    {"printed": form(p), "relation": Always("fine", lambda value: True), "points": grid(p=1)},
    {"printed": form(p), "relation": Always("fine", lambda value: value == value or value != value),
     "points": grid(p=1)},
    {"evidence": [AtPoints("everywhere", lambda: True)]},
    {"printed": form(Integer(-100) + 0 * side), "relation": Bounds("below"), "measured": mean(area),
     "points": grid(side=2)},
    {"relation": Reproduces(), "experiment": lambda context: concluded(Status.CONFIRMED, "48 of 48")},
    {"printed": form(p**2 / 4), "derivation": lambda: p**2 / 4},
    {"printed": form(sqrt(p) * exp(-a)), "derivation": lambda: sqrt(p) * exp(-a)},
], ids=["proof", "constant comparison", "always", "tautology", "at points", "bound", "experiment", "retyped",
        "retyped functions"])  # fmt: skip
def test_what_cannot_fail_is_not_green(fields):
    verdict, says = judged(**fields)
    assert verdict.status is Status.CONFIRMED
    assert not verdict.as_expected
    assert says.startswith("!")
    assert "not tested for power" in says


def test_a_refutation_that_cannot_fail_counts_as_little():
    assert not judged(proof=lambda: False, expects=WRONG)[0].as_expected


@pytest.mark.parametrize("fields", [
    {"proof": lambda: LIMIT > 2},
    {"proof": lambda: integrate(p, (p, 0, 1)) == Rational(1, 2)},
    {"printed": form(p), "relation": Always("above 0", lambda value: value > 0), "points": grid(p=1)},
    {"evidence": [AtPoints("at 2", lambda: LIMIT - 1 == 2)]},
    {"printed": form(Integer(-100) + 0 * side), "relation": Bounds("below"), "measured": mean(area),
     "points": grid(side=2), "slips": {"another side": Integer(5)}},
    {"relation": Reproduces(), "experiment": lambda context: concluded(Status.CONFIRMED, "48", {"swapped": True})},
    {"printed": form(p), "relation": Everywhere({"p": (0, 1)}, below=100)},
    {"printed": form(p**2 / 4), "derivation": lambda: integrate(p / 2, p)},
    # A derivation that supposes less than the formula.
    {"printed": form(p**2 / 2), "derivation": lambda: integrate(Symbol("p"), Symbol("p"))},
    # What is proved needs no point that distinguishes.
    {"printed": form(p**2), "derivation": lambda: integrate(2 * p, p), "integral": lambda p: p * p,
     "points": grid(p=1)},
])  # fmt: skip
def test_what_can_fail_is_green(fields):
    verdict, says = judged(**fields)
    assert verdict.as_expected, says


@pytest.mark.parametrize(("expr", "integral", "blind", "seeing"), [
    (a * b + (a - b) ** 2, lambda a, b: a * a + b * b - a * b, grid(a=2, b=2), grid(a=2, b=5)),
    (p**2, lambda p: p * p, grid(p=1), grid(p=[1, 2])),
    (Piecewise((p, p < 2), (p**2 / 2, True)), lambda p: p if p < 2 else p**2 / 2, grid(p=1.5), grid(p=[1.5, 3])),
    (p + a * b, lambda p, a, b: p + a * b, grid(p=2, a=3, b=0), grid(p=2, a=3, b=5)),
], ids=["equal arguments", "one", "branch", "zero"])  # fmt: skip
def test_a_part_that_no_point_shows_is_named_and_no_green(expr, integral, blind, seeing):
    fields = {"printed": form(expr.subs(b, Symbol("b", nonnegative=True))), "integral": integral}
    verdict, says = judged(**fields, points=blind)
    assert verdict.status is Status.CONFIRMED
    assert verdict.unseen
    assert not verdict.as_expected
    assert "that no point distinguishes" in says
    assert "add points where they differ" in says
    verdict, says = judged(**fields, points=seeing)
    assert verdict.as_expected, says
    assert not verdict.unseen


@pytest.mark.parametrize(("printed", "derivation", "more"), [
    (x, lambda: sqrt(positive("x") ** 2), "positive"),
    (Abs(x), lambda: positive("x") + 0, "positive"),
    (p, lambda: Symbol("p", integer=True, positive=True) * 1, "integer"),
])  # fmt: skip
def test_a_derivation_that_supposes_more_than_the_formula_proves_nothing(printed, derivation, more):
    verdict, _ = judged(printed=form(printed), derivation=derivation)
    assert verdict.status is Status.INCONCLUSIVE
    assert f"must assume about {printed.free_symbols.pop()} only what the formula does" in verdict.error
    assert more in verdict.error


def test_none_of_our_claims_has_an_argument_that_is_constant_or_a_form_retyped():
    assert [c.id for c in load() if not c.unchecked and list(without_power(c, ()))] == []
