"""A limit on a whole box is proved, refuted by a point, or left open: never confirmed by points."""

import numpy as np
import pytest
import sympy
from mpmath import iv, mp
from sympy import Rational, exp, log, sqrt, tanh

from paper_checks import Everywhere, Status
from paper_checks.values.intervals import Unbounded, enclosure, workdps
from theory import Formula
from theory.numerics.normal_tails import Phi, phi

x, y = sympy.symbols("x y", real=True)


@pytest.fixture
def judge(judged):
    def run(expr, limits, arguments=(x,), **fields):
        return judged(printed=Formula("a form", expr, arguments), relation=Everywhere(**limits), **fields)

    return run


@pytest.mark.parametrize(("expr", "limits", "status"), [
    (x * (1 - x), {"box": {"x": ("1/100", "99/100")}, "above": 0}, Status.CONFIRMED),
    (x * (1 - x), {"box": {"x": (0, 1)}, "below": "251/1000"}, Status.CONFIRMED),
    (x * (1 - x), {"box": {"x": (0, 1)}, "below": "249/1000"}, Status.REFUTED),
    (x * (1 - x), {"box": {"x": (0, 1)}, "below": "1/4"}, Status.REFUTED),
    (x - tanh(x), {"box": {"x": ("1/10", 10)}, "above": 0}, Status.CONFIRMED),
    (x - tanh(x), {"box": {"x": ("-1/10", 10)}, "above": 0}, Status.REFUTED),
    (sympy.gamma(1 + x), {"box": {"x": (1, 2)}, "above": 0}, Status.INCONCLUSIVE),
    (1 / x, {"box": {"x": (-1, 1)}, "above": -10}, Status.REFUTED),
    (exp(-x) * log(1 + x) - sqrt(x), {"box": {"x": ("1/10", 5)}, "below": 0}, Status.CONFIRMED),
], ids=str)  # fmt: skip
def test_a_limit_on_a_box_is_decided_or_left_open(judge, expr, limits, status):
    verdict = judge(expr, limits)
    assert verdict.status is status
    assert not verdict.error
    assert verdict.as_expected is (status is Status.CONFIRMED)


def test_a_violation_between_all_points_of_a_grid_is_found(judge):
    """Zero but for a spike of width 1/1000 that no grid of a hundred points sees."""
    spike = 1 - 2 * exp(-(((x - Rational(12345, 100_000)) * 2000) ** 2))
    assert min(float(spike.subs(x, Rational(k, 100))) for k in range(101)) > 0
    assert judge(spike, {"box": {"x": (0, 1)}, "above": 0}).status is Status.REFUTED


def test_a_slip_must_break_the_limit_somewhere(judge):
    box = {"box": {"x": (0, 1), "y": (0, 1)}, "above": 0}
    assert judge(1 + x * y, box, (x, y), slips={"minus": 1 - 2 * x * y}).as_expected
    assert not judge(1 + x * y, box, (x, y), slips={"true as well": 2 + x * y}).as_expected


def test_a_limit_on_whole_numbers_is_not_refuted_between_them(judge):
    k, whole = sympy.Symbol("k", integer=True, positive=True), {"above": "1/5"}
    assert judge((k - Rational(3, 2)) ** 2, {"box": {"k": (1, 9)}, **whole}, (k,)).status is Status.CONFIRMED
    assert judge((x - Rational(3, 2)) ** 2, {"box": {"x": (1, 9)}, **whole}).status is Status.REFUTED
    assert judge((k - 2) ** 2, {"box": {"k": (1, 9)}, **whole}, (k,)).status is Status.REFUTED


def test_a_form_that_boxes_do_not_decide_is_written_otherwise(judge, monkeypatch):
    monkeypatch.setattr("paper_checks.evidence.everywhere.MOST_BOXES", {"quick": 200})
    written_out = (x + 1) ** 3 - x**3 - 3 * x**2 - 3 * x
    assert judge(written_out, {"box": {"x": (0, 100)}, "above": "9/10"}).status is Status.CONFIRMED


def test_the_box_names_every_argument(judge):
    assert "the box must name every argument" in judge(x + y, {"box": {"x": (0, 1)}, "above": -1}, (x, y)).error


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
