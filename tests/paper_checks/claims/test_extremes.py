"""Largest and least values are enclosed: agreement is a proof, a wrong digit is refuted, the unknown stays open."""

import pytest
import sympy
from sympy import Rational, cos, exp, gamma, pi, sqrt, tanh

from paper_checks import WRONG, Claim, Maximum, Minimum, Status, grid
from paper_checks.evidence import extreme
from paper_checks.report.describe import describe
from theory import Formula

x, y, a = sympy.symbols("x y a", real=True)
UNIT = {"x": (0, 1)}


@pytest.fixture(autouse=True)
def few_boxes(monkeypatch):
    monkeypatch.setitem(extreme.MOST_BOXES, "quick", 2000)


@pytest.fixture
def judge(judged):
    return lambda printed, relation, **fields: judged(printed=Formula("it", printed), relation=relation, **fields)


def of(expr, *arguments):
    return Formula("it", expr, arguments or (x,))


SPIKE = exp(-(((x - Rational(12345, 100_000)) * 2000) ** 2))


@pytest.mark.parametrize(("printed", "relation", "status"), [
    (Rational(1, 4), Maximum(of(x * (1 - x)), UNIT), Status.CONFIRMED),
    (Rational(1, 4) + Rational(1, 10**9), Maximum(of(x * (1 - x)), UNIT), Status.REFUTED),
    (exp(1), Maximum(of(exp(x)), UNIT), Status.CONFIRMED),
    (1, Minimum(of(exp(x)), UNIT), Status.CONFIRMED),
    (-(2 ** Rational(-2, 3)) / 2, Minimum(of(x**4 - x), UNIT), Status.REFUTED),
    (-Rational(3, 4) * 2 ** Rational(-2, 3), Minimum(of(x**4 - x), UNIT), Status.CONFIRMED),
    (Rational("0.4725"), Maximum(of(x - x**4), UNIT, digits=4), Status.CONFIRMED),
    (Rational("0.4724"), Maximum(of(x - x**4), UNIT, digits=4), Status.REFUTED),
    (1, Maximum(of(SPIKE), UNIT), Status.CONFIRMED),
    (Rational(8, 27), Maximum(of(x * y * (2 - x - y), x, y), {"x": (0, 1), "y": (0, 1)}), Status.CONFIRMED),
    (1, Maximum(of(gamma(1 + x)), UNIT), Status.INCONCLUSIVE),
    (1, Maximum(of(1 / x), {"x": (-1, 1)}), Status.REFUTED),
    (1, Maximum(of(x**x), UNIT), Status.INCONCLUSIVE),
], ids=str)  # fmt: skip
def test_an_extreme_value_is_proved_refuted_or_left_open(judge, printed, relation, status):
    verdict = judge(printed, relation)
    assert not verdict.error
    assert verdict.status is status
    if status is Status.CONFIRMED:
        assert verdict.killed == verdict.mutants > 0


@pytest.mark.parametrize(("printed", "status"), [
    (Rational(1, 4), Status.CONFIRMED), (1, Status.CONFIRMED), (Rational(24, 100), Status.REFUTED),
])  # fmt: skip
def test_a_bound_may_be_reached_and_not_exceeded(judge, printed, status):
    relation = Maximum(of(x * (1 - x)), UNIT, bound=True)
    verdict = judge(printed, relation, slips={"a fifth": Rational(1, 5)})
    assert verdict.status is status
    assert verdict.killed == 1
    assert not judge(1, relation, slips={"true as well": sympy.Integer(2)}).as_expected
    below = Minimum(of(x * (1 - x)), UNIT, bound=True)
    assert judge(-printed, below, slips={"above": Rational(1, 5)}).status is Status.CONFIRMED


def test_other_arguments_come_from_points_and_are_named(judge):
    relation = Maximum(of(a * tanh(10 * x), x, a), {"x": (-5, 5)})
    assert judge(abs(a), relation, points=grid(a=[2, -3])).as_expected
    lacking = judge(1, Maximum(of(a * x, x, a), UNIT))
    assert "claim test/it: box and points must name every argument, got none for ['a']" in lacking.error


def test_a_refutation_says_where_the_value_is_reached(judge):
    verdict = judge(1, Maximum(of(2 * cos(x)), {"x": (-1, 1)}), expects=WRONG)
    assert verdict.as_expected
    assert "the maximum is 2.0, near x = 0.0" in verdict.counterexample
    claim = Claim("test/it", at="", says="", printed=of(x), relation=Maximum(of(x), UNIT))
    assert "relation:  maximum, of x on x in [0, 1]" in describe(claim, None)


@pytest.mark.parametrize(("relation", "fields", "why"), [
    (Maximum(of(x), {"y": (0, 1)}), {}, r"arguments of \['x'\], got \['y'\]"),
    (Maximum(of(x), {"x": (0, sympy.oo)}), {}, "two finite ends in order"),
    (Maximum(of(x), {"x": (1, 0)}), {}, "two finite ends in order"),
    (Maximum(of(x), UNIT, bound=True), {}, "a bound has no automatic altered formulas"),
    (Minimum(of(x), UNIT), {"derivation": lambda: x}, "minimum is proved from of="),
])  # fmt: skip
def test_misuse_is_refused(judge, relation, fields, why):
    with pytest.raises(ValueError, match=f"claim test/it: .*{why}"):
        judge(sqrt(pi), relation, **fields)
