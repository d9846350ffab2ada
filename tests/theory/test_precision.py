"""Arithmetic that keeps its digits: pairs of float64, powers of large exponent, quadrature, Ein."""

from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from theory.formula import Formula
from theory.numerics.exponential_integrals import ein
from theory.numerics.pairs import Pair
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


def test_many_digits_stand_in_for_the_chosen_points_only():
    x, y = real("x"), real("y")
    total = Formula("sum", x + y, [x, y], numeric=lambda x, _y: (np.zeros_like(x), x == 1))
    assert total([0.0, 1.0, 2.0], 0.5).tolist() == [0.0, 1.5, 0.0]


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
