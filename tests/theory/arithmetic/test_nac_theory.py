"""The NAC weight: its moments, density and range, against their definitions."""

from __future__ import annotations

from functools import cache

import mpmath
import numpy as np
import pytest
import sympy
from mpmath import mpf

from theory.nac import factors, ranges, weight_density
from theory.nac import moments as nac
from theory.nac.density import w
from theory.nac.factors import r

DPS = 30
AGREEMENT = mpf(10) ** -25
RANGES = ["0.01", "0.5", "1", "2.5", "10"]


def sigmoid(x):
    return 1 / (1 + mpmath.exp(-x))


def average(function, size):
    """Mean of function(X), X ~ U[-size, size], with breaks where a wide range needs them."""
    breaks = [size * mpf(k) / 8 for k in range(-8, 9)]
    return mpmath.quad(function, breaks, method="gauss-legendre") / (2 * size)


def close(value, reference):
    return abs(value - reference) <= AGREEMENT * abs(reference)


@pytest.mark.parametrize("text", RANGES)
@pytest.mark.parametrize("order", range(1, 9))
def test_moments_are_those_of_the_definition(order, text):
    with mpmath.workdps(DPS):
        size = mpf(float(text))
        tanh = average(lambda x: mpmath.tanh(x) ** order, size) if order % 2 == 0 else mpf(0)
        of_sigmoid = average(lambda x: sigmoid(x) ** order, size)
        assert close(factors.tanh_moment(order).mp(float(text), dps=DPS), tanh)
        assert close(factors.sigmoid_moment(order).mp(float(text), dps=DPS), of_sigmoid)
        assert close(nac.weight_moment(order).mp(float(text), dps=DPS), tanh * of_sigmoid)


@pytest.mark.parametrize("order", range(2, 9, 2))
def test_tanh_moments_follow_from_their_integral(order):
    # d/dr of r T_k(r) is the integrand, and r T_k(r) starts at zero.
    grown = (r * factors.tanh_moment(order).expr).expand()
    assert sympy.expand(grown.diff(r) - sympy.tanh(r) ** order) == 0
    assert grown.subs(r, 0) == 0


@pytest.mark.parametrize("order", range(1, 9))
def test_sigmoid_moments_follow_from_their_integral(order):
    grown = (2 * r * factors.sigmoid_moment(order).expr).expand()
    t = sympy.tanh(r / 2)
    ends = ((1 + t) / 2) ** order + ((1 - t) / 2) ** order
    assert sympy.expand(grown.diff(r) - ends) == 0
    assert grown.subs(r, 0) == 0


def test_sigmoid_moments_obey_their_recursion():
    x = 1.7
    for order in range(2, 9):
        last, this = (factors.sigmoid_moment(k).mp(x) for k in (order - 1, order))
        step = (sigmoid(mpf(x)) ** (order - 1) - sigmoid(-mpf(x)) ** (order - 1)) / (2 * mpf(x) * (order - 1))
        assert abs(this - (last - step)) < 1e-14


def test_variance_is_the_product_of_the_second_moments():
    assert sympy.expand(nac.weight_variance.expr - factors.tanh_moment(2).expr * factors.sigmoid_moment(2).expr) == 0
    assert sympy.expand(factors.tanh_second_moment.expr - factors.tanh_moment(2).expr) == 0
    assert sympy.expand(factors.sigmoid_second_moment.expr - factors.sigmoid_moment(2).expr) == 0
    assert nac.weight_moment(2) is nac.weight_variance


def test_odd_moments_vanish():
    assert nac.weight_mean(3.0) == 0.0
    assert all(nac.weight_moment(k)([0.1, 5.0]).tolist() == [0.0, 0.0] for k in (1, 3, 5, 15))


@pytest.mark.parametrize("order", [2, 4, 8, 16])
def test_moments_keep_their_digits_at_every_range(order):
    points = np.concatenate([np.geomspace(1e-15, 1e8, 14), [0.3, 0.999999, 1.0, 1.4, 2.3]])
    for formula in (factors.tanh_moment(order), factors.sigmoid_moment(order), nac.weight_moment(order)):
        values = formula(points)
        for point, value in zip(points, values, strict=True):
            exact = formula.mp(float(point), dps=30)
            assert abs(mpf(float(value)) - exact) <= 1e-12 * exact, (formula.label, point)


def test_variance_at_tiny_ranges_is_its_leading_term():
    # The printed form has no digit left here in float64.
    for x in (1e-8, 1e-20, 1e-150):
        assert nac.weight_variance(x) == pytest.approx(x**2 / 12, rel=1e-14)


def test_variance_increases_strictly_to_one_half():
    # r T_2' = tanh^2 - T_2, and that times r cosh^2 r is (sinh 2r - 2r)/2 > 0: both factors increase.
    mean = factors.tanh_second_moment.expr
    assert sympy.simplify(r * mean.diff(r) - (sympy.tanh(r) ** 2 - mean)) == 0
    excess = (sympy.tanh(r) ** 2 - mean) * r * sympy.cosh(r) ** 2 - (sympy.sinh(2 * r) - 2 * r) / 2
    assert sympy.simplify(excess.rewrite(sympy.exp)) == 0
    half = mean.subs(r, r / 2)
    assert sympy.expand(nac.weight_variance.expr - mean * (1 + half) / 4) == 0
    grid = nac.weight_variance(np.geomspace(1e-6, 1e6, 500))
    assert (np.diff(grid) > 0).all()
    assert grid[-1] < 0.5
    assert nac.weight_variance(1e9) == pytest.approx(0.5, rel=1e-8)


@pytest.mark.parametrize("text", ["0.01", "0.5", "2", "8"])
def test_density_is_the_law_of_the_weight(text):
    size = float(text)
    with mpmath.workdps(DPS):
        x = mpf(size)
        kink, end = mpmath.tanh(x) * sigmoid(-x), mpmath.tanh(x) * sigmoid(x)

        @cache  # Rules share their nodes.
        def density(v):
            return weight_density._mpmath(v, x)

        breaks = [0, kink / 4, kink, *(kink + (end - kink) * mpf(k) / 6 for k in (1, 3, 5, 6))]
        assert close(2 * mpmath.quad(density, breaks), 1)
        second = 2 * mpmath.quad(lambda v: v**2 * density(v), breaks)
        assert close(second, nac.weight_variance.mp(size, dps=DPS))

        # P(0 < W <= v): for each M_hat, the share of W_hat in (0, artanh(v/sigmoid(M_hat))), at most (0, r).
        for v in (kink / 2, (kink + end) / 2):
            split = mpmath.log(v / mpmath.tanh(x) / (1 - v / mpmath.tanh(x)))
            inside = sorted({-x, *([split] if abs(split) < x else []), x})
            share = mpmath.quad(
                lambda m, v=v: min(mpmath.atanh(min(v / sigmoid(m), mpmath.tanh(x))), x) / (2 * x), inside
            ) / (2 * x)
            parts = [b for b in breaks if b < v]
            assert close(mpmath.quad(density, [*parts, v]), share)


def test_density_follows_from_its_integrand():
    u, s = sympy.symbols("u s", positive=True)
    from theory.nac.density import _antiderivative

    assert sympy.simplify(_antiderivative(s, u).diff(s) - 1 / ((s**2 - u**2) * (1 - s))) == 0


def test_density_is_even_bounded_and_continuous():
    sizes = np.array([0.001, 0.1, 1.0, 5.0, 20.0])
    kink = np.tanh(sizes) / (1 + np.exp(sizes))
    end = np.tanh(sizes) / (1 + np.exp(-sizes))
    assert np.allclose(weight_density(0.0, sizes), (sizes + np.sinh(sizes)) / (2 * sizes**2), rtol=1e-14)
    for v in (kink / 3, kink, (kink + end) / 2):
        assert np.array_equal(weight_density(v, sizes), weight_density(-v, sizes))
    # Continuous at the kink and at the end of the support, where its slope is finite.
    # (For r = 20 the bend at the kink takes place within 1e-17 of it.)
    below, above = (weight_density(kink * (1 + s), sizes)[:4] for s in (-1e-9, 1e-9))
    assert np.allclose(below, above, rtol=1e-5)
    near, nearer = (weight_density(end * (1 - s), sizes)[:4] for s in (1e-9, 1e-10))
    assert np.allclose(near / nearer, 10, rtol=1e-3)
    assert np.array_equal(weight_density(end * (1 + 1e-9), sizes), np.zeros(5))
    assert np.array_equal(weight_density([-2.0, 1.0, 1e300], 3.0), np.zeros(3))


@pytest.mark.parametrize(("size", "modes"), [(1.0, 1), (2.4, 1), (2.48, 2), (5.0, 2), (12.0, 2)])
def test_density_has_its_modes_beside_zero_and_for_wide_ranges_near_one(size, modes):
    kink, end = np.tanh(size) / (1 + np.exp(size)), np.tanh(size) / (1 + np.exp(-size))
    v = np.unique(
        [*np.linspace(0, kink, 200), *np.linspace(kink, end, 4000), *(end - end * np.geomspace(1e-9, 0.1, 400))]
    )
    value = weight_density(v, size)
    peaks = [i for i in range(1, len(v) - 1) if value[i - 1] < value[i] > value[i + 1]]
    assert len(peaks) == modes
    assert v[peaks[0]] == kink
    assert value[peaks[0]] > 1.4 * value[0]
    assert modes == 1 or v[peaks[1]] > 0.7 * end


def test_density_keeps_its_digits():
    for size in (1e-6, 0.02, 0.7, 3.0, 12.0, 60.0):
        kink, end = np.tanh(size) / (1 + np.exp(size)), np.tanh(size) / (1 + np.exp(-size))
        near = [kink * (1 + s) for s in (-1e-3, -1e-9, -1e-15, 0, 1e-15, 1e-9)] + [end * (1 - s) for s in (1e-3, 1e-9)]
        for v in [1e-300, 1e-12 * kink, kink / 2, (kink + end) / 2, *near]:
            exact = weight_density.mp(float(v), size, dps=30)
            assert abs(mpf(weight_density(v, size)) - exact) <= 1e-12 * exact, (v, size)


def test_density_rejects_ranges_outside():
    assert weight_density.arguments == (w, r)
    with pytest.raises(ValueError, match=r"r must be a number in \(0, 100\], got 101"):
        weight_density(0.1, 101)


@pytest.mark.parametrize("fan_in", [1, 3, 4, 10, 1000, 10**6])
@pytest.mark.parametrize("fan_out", [4, 100, 10**6])
def test_range_gives_the_wanted_variance(fan_in, fan_out):
    found = ranges.weight_range(fan_in, fan_out)
    assert type(found) is float
    check_range(found, 2 / (fan_in + fan_out))


def check_range(found, variance):
    """The relative error of r from that of the variance, by its slope in r, both with many digits."""
    with mpmath.workdps(40):
        reached = nac.weight_variance.mp(found, dps=30)
        up = nac.weight_variance.mp(found * (1 + 1e-6), dps=30)
        slope = (up / reached - 1) / mpf(1e-6)
        assert abs((reached / mpf(variance) - 1) / slope) < 1e-12


@pytest.mark.parametrize("variance", [1e-300, 1e-31, 1e-29, 1e-8, 0.01, 0.2, 0.45, 0.4500001, 0.483, 0.484, 0.4999])
def test_range_for_variance(variance):
    check_range(ranges.weight_range_for_variance(variance), variance)


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
    series = sympy.series(nac.weight_variance.expr, r, 0, 6).removeO()
    assert sympy.expand(series - (r**2 / 12 - sympy.Rational(19, 720) * r**4)) == 0
    assert ranges.weight_range_for_variance(0.49) == pytest.approx(ranges.weight_range_large(0.49), rel=1e-12)
    assert ranges.weight_range_for_variance(0.3) != pytest.approx(ranges.weight_range_large(0.3), rel=1e-2)


def test_unattainable_ranges_say_what_is():
    with pytest.raises(ValueError, match=r"fan_in \+ fan_out must be at least 5, got 3 \+ 1; .* = 0\.5 is not attain"):
        ranges.weight_range(3, 1)
    with pytest.raises(ValueError, match=r"got 1 \+ 1; .* = 1 is not attainable"):
        ranges.weight_range([100, 1], 1)
    for bad in (0.5, 0.0, -1.0, 0.7, np.nan, np.inf):
        with pytest.raises(ValueError, match=r"variance must be in \(0, 1/2\), got "):
            ranges.weight_range_for_variance(bad)


@pytest.mark.parametrize("bad", [0, -3, 2.5, 3.0, True, "7", None, np.nan])
def test_fans_are_positive_integers(bad):
    with pytest.raises(ValueError, match="weight_range: fan_in must be a positive integer, got "):
        ranges.weight_range(bad, 10)
    with pytest.raises(ValueError, match="weight_range: fan_out must be a positive integer, got "):
        ranges.weight_range(10, bad)


@pytest.mark.parametrize("bad", [0, -1, 17, 2.0, True, "2"])
@pytest.mark.parametrize("function", [factors.tanh_moment, factors.sigmoid_moment, nac.weight_moment])
def test_orders_are_checked(function, bad):
    with pytest.raises(ValueError, match=f"{function.__name__}: order must be an integer in .1, 16., got "):
        function(bad)


def test_moments_are_made_once():
    assert nac.weight_moment(4) is nac.weight_moment(np.int64(4))
