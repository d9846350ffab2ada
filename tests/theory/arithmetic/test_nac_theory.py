"""The NAC weight: moments of any order, where its density ends, and the range for a variance."""

import mpmath
import numpy as np
import pytest
import sympy
from mpmath import mpf

from theory.nac import moments as nac
from theory.nac import ranges, weight_density
from theory.nac.moments import r


@pytest.mark.parametrize("order", range(2, 9, 2))
def test_tanh_moments_follow_from_their_integral(order):
    # d/dr of r T_k(r) is the integrand, and r T_k(r) starts at zero.
    grown = (r * nac.tanh_moment(order).expr).expand()
    assert sympy.expand(grown.diff(r) - sympy.tanh(r) ** order) == 0
    assert grown.subs(r, 0) == 0


@pytest.mark.parametrize("order", range(1, 9))
def test_sigmoid_moments_follow_from_their_integral(order):
    grown = (2 * r * nac.sigmoid_moment(order).expr).expand()
    t = sympy.tanh(r / 2)
    ends = ((1 + t) / 2) ** order + ((1 - t) / 2) ** order
    assert sympy.expand(grown.diff(r) - ends) == 0
    assert grown.subs(r, 0) == 0


def test_density_is_even_and_vanishes_outside_of_its_support():
    sizes = np.array([0.001, 0.1, 1.0, 5.0, 20.0])
    end = np.tanh(sizes) / (1 + np.exp(-sizes))
    assert np.allclose(weight_density(0.0, sizes), (sizes + np.sinh(sizes)) / (2 * sizes**2), rtol=1e-14)
    for v in (end / 1e9, end / 2):
        assert np.array_equal(weight_density(v, sizes), weight_density(-v, sizes))
    assert np.array_equal(weight_density(end * (1 + 1e-9), sizes), np.zeros(5))
    assert np.array_equal(weight_density([-2.0, 1.0, 1e300], 3.0), np.zeros(3))


VARIANCES = [1e-300, 1e-31, 1e-29, 1e-8, 0.01, 0.2, 0.45, 0.4500001, 0.483, 0.484, 0.4999]
FANS = [(i, o) for i in (1, 3, 4, 10, 1000, 10**6) for o in (4, 100, 10**6)]


@pytest.mark.parametrize(("found", "variance"), [
    *((lambda v=v: ranges.weight_range_for_variance(v), v) for v in VARIANCES),
    *((lambda f=f: ranges.weight_range(*f), 2 / sum(f)) for f in FANS),
])  # fmt: skip
def test_range_gives_the_wanted_variance(found, variance):
    """The relative error of r from that of the variance, by its slope in r, both with many digits."""
    found = found()
    assert type(found) is float
    with mpmath.workdps(40):
        reached = nac.weight_variance.mp(found, dps=30)
        up = nac.weight_variance.mp(found * (1 + 1e-6), dps=30)
        slope = (up / reached - 1) / mpf(1e-6)
        assert abs((reached / mpf(variance) - 1) / slope) < 1e-12


def test_ranges_come_in_arrays():
    fans = np.array([[3], [50]])
    found = ranges.weight_range(fans, [2, 10, 100])
    assert found.shape == (2, 3)
    assert found[1, 2] == pytest.approx(ranges.weight_range(50, 100), rel=1e-15)
    assert (np.diff(found, axis=1) < 0).all()
    assert ranges.weight_range(1, 4) == pytest.approx(9.471406, rel=1e-6)


def test_asymptotic_ranges():
    ratio = ranges.weight_range_for_variance(1e-6) / ranges.weight_range_small(1e-6)
    # Var = r^2/12 - 19 r^4/720: the next term of the range is + (19/10) Var relative.
    assert (ratio - 1) / 1e-6 == pytest.approx(1.9, rel=1e-4)
    assert ranges.weight_range_for_variance(0.49) == pytest.approx(ranges.weight_range_large(0.49), rel=1e-12)
    assert ranges.weight_range_for_variance(0.3) != pytest.approx(ranges.weight_range_large(0.3), rel=1e-2)
