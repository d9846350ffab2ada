"""What is said of a whole box is enclosed: a proof confirms, a point or a digit refutes, the unknown stays open."""

import numpy as np
import pytest
import sympy
from mpmath import iv, mp
from sympy import Rational, cos, exp, gamma, log, pi, sqrt, tanh

from paper_checks import WRONG, Claim, Everywhere, Maximum, Minimum, Status, grid
from paper_checks.evidence import everywhere, extreme
from paper_checks.report.describe import describe
from paper_checks.values.intervals import Unbounded, enclosure, workdps
from theory import Formula
from theory.numerics.normal_tails import Phi, phi

x, y, a = sympy.symbols("x y a", real=True)
k = sympy.Symbol("k", integer=True, positive=True)
UNIT, SQUARE, NINE = {"x": (0, 1)}, {"x": (0, 1), "y": (0, 1)}, {"k": (1, 9)}


@pytest.fixture(autouse=True)
def few_boxes(monkeypatch):
    monkeypatch.setitem(extreme.MOST_BOXES, "quick", 2000)
    monkeypatch.setitem(everywhere.MOST_BOXES, "quick", 200)


@pytest.fixture
def judge(judged):
    def run(printed, relation, **fields):
        arguments = sorted(sympy.sympify(printed).free_symbols, key=str)
        return judged(printed=Formula("it", printed, arguments), relation=relation, **fields)

    return run


def of(expr, *arguments):
    return Formula("it", expr, arguments or (x,))


# Zero but for a width of 1/1000 that no grid of a hundred points sees.
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
    (Rational(8, 27), Maximum(of(x * y * (2 - x - y), x, y), SQUARE), Status.CONFIRMED),
    (1, Maximum(of(gamma(1 + x)), UNIT), Status.INCONCLUSIVE),
    (1, Maximum(of(1 / x), {"x": (-1, 1)}), Status.REFUTED),
    (1, Maximum(of(x**x), UNIT), Status.INCONCLUSIVE),
    (x * (1 - x), Everywhere({"x": ("1/100", "99/100")}, above=0), Status.CONFIRMED),
    (x * (1 - x), Everywhere(UNIT, below="251/1000"), Status.CONFIRMED),
    (x * (1 - x), Everywhere(UNIT, below="249/1000"), Status.REFUTED),
    (x * (1 - x), Everywhere(UNIT, below="1/4"), Status.REFUTED),
    (x - tanh(x), Everywhere({"x": ("1/10", 10)}, above=0), Status.CONFIRMED),
    (x - tanh(x), Everywhere({"x": ("-1/10", 10)}, above=0), Status.REFUTED),
    (gamma(1 + x), Everywhere({"x": (1, 2)}, above=0), Status.INCONCLUSIVE),
    (1 / x, Everywhere({"x": (-1, 1)}, above=-10), Status.REFUTED),
    (exp(-x) * log(1 + x) - sqrt(x), Everywhere({"x": ("1/10", 5)}, below=0), Status.CONFIRMED),
    (1 - 2 * SPIKE, Everywhere(UNIT, above=0), Status.REFUTED),
    # Boxes do not decide what is 1, written out, and a form that is written otherwise is decided.
    ((x + 1) ** 3 - x**3 - 3 * x**2 - 3 * x, Everywhere({"x": (0, 100)}, above="9/10"), Status.CONFIRMED),
    # Whole numbers are not refuted between them.
    ((k - Rational(3, 2)) ** 2, Everywhere(NINE, above="1/5"), Status.CONFIRMED),
    ((k - 2) ** 2, Everywhere(NINE, above="1/5"), Status.REFUTED),
    ((x - Rational(3, 2)) ** 2, Everywhere({"x": (1, 9)}, above="1/5"), Status.REFUTED),
], ids=str)  # fmt: skip
def test_an_extreme_value_or_a_limit_is_proved_refuted_or_left_open(judge, printed, relation, status):
    verdict = judge(printed, relation)
    assert not verdict.error
    assert verdict.status is status
    assert verdict.as_expected is (status is Status.CONFIRMED)
    if verdict.as_expected:
        assert verdict.killed == verdict.mutants >= isinstance(relation, Maximum | Minimum)


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


def test_a_slip_must_break_the_limit_somewhere(judge):
    positive = Everywhere(SQUARE, above=0)
    assert judge(1 + x * y, positive, slips={"minus": 1 - 2 * x * y}).as_expected
    assert not judge(1 + x * y, positive, slips={"true as well": 2 + x * y}).as_expected


def test_other_arguments_come_from_points_and_are_named(judge):
    relation = Maximum(of(a * tanh(10 * x), x, a), {"x": (-5, 5)})
    assert judge(abs(a), relation, points=grid(a=[2, -3])).as_expected
    lacking = judge(1, Maximum(of(a * x, x, a), UNIT))
    assert "claim test/it: box and points must name every argument, got none for ['a']" in lacking.error
    assert "the box must name every argument" in judge(x + y, Everywhere(UNIT, above=-1)).error


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


@pytest.mark.parametrize("expr", [
    x**3 - x, tanh(x) / (2 + x), sqrt(1 + x**2), exp(-(x**2)), abs(x - 1), x**-2, phi(x) * x - Phi(x),
], ids=str)  # fmt: skip
@pytest.mark.parametrize(("low", "high"), [(0.25, 0.5), (-1.5, -1.0), (3, 7), (-1, 1)])
def test_an_enclosure_contains_every_value(expr, low, high):
    with workdps(20):
        try:
            found = enclosure(expr, {x: iv.mpf([low, high])})
        except Unbounded:
            assert low <= 0 <= high
            return
        for value in np.linspace(low, high, 101):
            exact = mp.mpf(sympy.N(expr.subs(x, sympy.Rational(float(value))), 25))
            assert found.a <= exact <= found.b
