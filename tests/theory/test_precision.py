"""Arithmetic that keeps its digits: pairs of float64, powers of large exponent, quadrature, Ein."""

from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from theory.formula import Formula
from theory.numerics.exponential_integrals import ein
from theory.numerics.pairs import Pair, difference_of_powers, log_of_gap, log_of_sum, power
from theory.numerics.quadrature import panel_sums, rounded_rule
from theory.symbols import real

moderate = st.floats(-1e60, 1e60).filter(lambda x: x == 0 or abs(x) > 1e-60)


def exact(pair):
    return Fraction(float(pair.high)) + Fraction(float(pair.low))


@given(moderate, moderate, moderate, moderate)
def test_pairs_carry_32_digits(x, y, u, v):
    first, second = Pair(x) + y, Pair(u) * v
    assert exact(first) == Fraction(x) + Fraction(y)
    assert exact(second) == Fraction(u) * Fraction(v)
    for result, truth in (
        (first + second, exact(first) + exact(second)),
        (first - second, exact(first) - exact(second)),
        (first * second, exact(first) * exact(second)),
    ):
        assert abs(exact(result) - truth) <= Fraction(2) ** -98 * abs(truth)


def test_pairs_mix_with_numbers_and_arrays():
    x = np.array([1.0, 3.0])
    assert (1 - Pair(x) * 0.5).high.tolist() == [0.5, -0.5]
    assert (2 - (-Pair(x)) + 1).high.tolist() == [4.0, 6.0]
    assert (Pair(x) ** 3).high.tolist() == [1.0, 27.0]
    assert (Pair(x) ** 0).high.tolist() == [1.0, 1.0]


@pytest.mark.parametrize(("x", "y"), [
    (1.0, 1e-20), (1.0, 0.0), (1 - 1e-3, 1e-3 + 1e-15), (0.4999, 0.5), (1e-300, 0), (3e5, 1e-8), (1 - 2**-53, 2**-54),
])  # fmt: skip
def test_log_of_sum_has_full_relative_accuracy(x, y):
    with mpmath.workdps(60):
        truth = mpmath.log(mpmath.mpf(x) + mpmath.mpf(y))
        assert abs(mpmath.mpf(float(log_of_sum(x, y))) - truth) <= 4e-16 * abs(truth)


def test_log_of_nothing_is_minus_infinity():
    assert log_of_sum(0.0, 0.0) == -np.inf


@pytest.mark.parametrize("exponent", [1, 2, 3, 1001, 10**6])
@pytest.mark.parametrize("base", [(-1.0, 1e-5), (1.0, -1e-20), (0.3, 0.0), (-1.0005, 0.0), (0.0, 0.0), (5.0, 1e-17)])
def test_powers(base, exponent):
    value = float(power(Pair(np.array(base[0])) + base[1], np.array(float(exponent))))
    with mpmath.workdps(60):
        truth = (mpmath.mpf(base[0]) + mpmath.mpf(base[1])) ** exponent
        if abs(truth) > 1.7e308:
            assert value == float("inf") * mpmath.sign(truth)
        else:
            assert abs(value - truth) <= max(5e-13 * abs(truth), mpmath.mpf("1e-307"))


@pytest.mark.parametrize(
    ("small", "gap"), [(1.0, 1e-30), (2.0, -0.5), (0.0, 0.25), (0.3, -0.3), (1.0, 0.0), (4.0, 1e-200)]
)
def test_differences_of_powers(small, gap):
    first, second = Pair(np.array(small)) + gap, Pair(np.array(small))
    for exponent in (1.0, 50.0, 600.0):
        value = float(difference_of_powers(first, second, Pair(np.array(gap)), np.array(exponent)))
        with mpmath.workdps(700):
            truth = (mpmath.mpf(small) + mpmath.mpf(gap)) ** int(exponent) - mpmath.mpf(small) ** int(exponent)
            if abs(truth) > 1.7e308:
                assert abs(value) == np.inf
            else:
                assert abs(value - truth) <= max(1e-12 * abs(truth), mpmath.mpf("1e-300"))


def test_log_of_gap_at_its_ends():
    assert log_of_gap(np.array([0.0, np.inf])).tolist() == [-np.inf, 0.0]
    assert float(log_of_gap(np.array(1e-40))) == pytest.approx(np.log(1e-40), rel=1e-15)


def test_many_digits_stand_in_for_the_chosen_points_only():
    x, y = real("x"), real("y")
    total = Formula("sum", x + y, [x, y], numeric=lambda x, _y: (np.zeros_like(x), x == 1))
    assert total([0.0, 1.0, 2.0], 0.5).tolist() == [0.0, 1.5, 0.0]


def test_rule_is_exact_for_polynomials():
    x, weight = rounded_rule()
    with mpmath.workdps(40):
        for degree in (0, 2, 16, 30, 31):
            total = mpmath.fsum(mpmath.mpf(w) * mpmath.mpf(v) ** degree for v, w in zip(x, weight, strict=True))
            truth = mpmath.mpf(2) / (degree + 1) if degree % 2 == 0 else 0
            assert abs(total - truth) < 3e-16
    # Not so with 16 nodes, which shows that the test can fail.
    assert abs(np.sum(weight * x**32) - 2 / 33) > 1e-10


@pytest.mark.parametrize("rate", [0.0, 1e-3, 3.0, 16.0, 100.0, -700.0])
def test_panels_integrate_exponentials(rate):
    rates = np.array([rate, 1.0])
    value = panel_sums(np.abs(rates), lambda t, _, k: np.exp(k * t), rates)
    truth = np.expm1(rates) / np.where(rates == 0, 1, rates) + (rates == 0)
    assert value == pytest.approx(truth, rel=3e-14)


@pytest.mark.parametrize(
    "y", ["0.5", "-0.25", "1.5", "-1.5", "30", "-30", "300", "-300", "1000", "-1000", "5000", "-5000"]
)
@pytest.mark.parametrize("digits", [15, 50, 400])
def test_ein_is_its_integral(y, digits):
    with mpmath.workdps(digits):
        value = ein(mpmath.mpf(y))
    with mpmath.workdps(digits + 200):
        with mpmath.workdps(digits):
            rounded = mpmath.mpf(y)
        truth = mpmath.euler + mpmath.log(abs(rounded)) - mpmath.ei(-rounded)
        assert abs(value - truth) <= abs(truth) * mpmath.mpf(10) ** (1 - digits)


def test_ein_near_zero_is_its_series():
    with mpmath.workdps(50):
        for y in ("1e-30", "-1e-3"):
            x = mpmath.mpf(y)
            series = x - x**2 / 4 + x**3 / 18 - x**4 / 96 + x**5 / 600
            assert abs(ein(x) - series) <= abs(x) ** 6 / 4000 + abs(x) * mpmath.mpf(10) ** -48
        assert ein(mpmath.mpf(0)) == 0
