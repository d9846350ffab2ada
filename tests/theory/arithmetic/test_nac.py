"""The NAC weight and the NAC multiplication unit: moments, where they exist, ranges of weights, the error of Taylor."""

import mpmath
import numpy as np
import pytest
import sympy
from mpmath import mpf

from theory.nac import moments as nac, ranges
from theory.nac.moments import r
from theory.nac_mul import error as error_forms, exact as exact_forms


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


def test_moments_exist_up_to_their_order():
    # Just below 1/k the moment grows like -log(1 - k r_w)/2: each factor 1000 adds log(1000)/2.
    near, nearer = (exact_forms.factor_moment(2)((1 - d) / 2, 0, 1, 0) for d in (1e-6, 1e-9))
    assert nearer - near == pytest.approx(np.log(1000) / 2, rel=1e-5)
    assert np.isfinite(exact_forms.exact_variance(np.nextafter(0.5, 0), 0, 3, 0, 1))
    for order, r_w in ((1, 1.0), (2, 0.5), (3, 0.34), (4, 0.25)):
        condition = "r_w < 1" if order == 1 else f"{order}\\*r_w < 1"
        with pytest.raises(ValueError, match=rf"{condition}.*, got r_w = {r_w}, a = 0.0, eps = 0.0"):
            exact_forms.factor_moment(order)(r_w, 0, 1, 0)
        assert np.isfinite(exact_forms.factor_moment(order)(r_w, 0, 1, 1e-300))
        assert np.isfinite(exact_forms.factor_moment(order)(r_w, 1e-300, 1, 0))
    with pytest.raises(ValueError, match=r"r_w < 1"):
        exact_forms.exact_mean(1.5, 0, 1, 0, 3)
    with pytest.raises(ValueError, match=r"2\*r_w < 1.*got r_w = 0.6"):
        exact_forms.exact_variance(0.6, 0, 1, 0, 3)
    assert exact_forms.exact_mean(0.6, 0, 1, 0, 3) > 1


def test_log_square_mean():
    for low, high, e in ((0, 3, 0), (0, 2, 1e-8), (1, 1.5, 0.25), (0.9, 1.1, 0)):
        with mpmath.workdps(30):
            x, y, shift = (mpf(float(v)) for v in (low, high, e))
            breaks = sorted({x, y, *(v for v in (mpf(1) - shift, shift) if x < v < y)})
            truth = mpmath.quad(lambda z, s=shift: mpmath.log(z + s) ** 2, breaks) / (y - x)
            value = exact_forms.log_square_mean.mp(low, float(high), float(e), dps=30)
            assert abs(value / truth - 1) <= (1e-15 if e == 1e-8 else 1e-25)


@pytest.mark.parametrize(("r_w", "changes"), [
    (0.001, [11.89383]), (0.2, [12.54663]), (0.35, [14.69050]), (0.43, [19.41645, 32.29942]), (0.45, []), (0.5, []),
])  # fmt: skip
def test_signs_of_the_error(r_w, changes):
    found = error_forms.taylor_sign_changes(r_w, 1e-8)
    assert found == pytest.approx(changes, rel=1e-6)
    edges = np.array([0.05, *found, 50.0])
    middle = np.sqrt(edges[:-1] * edges[1:])
    signs = np.sign(error_forms.taylor_relative_error(r_w, 0, middle, 1e-8, 1))
    assert signs.tolist() == [-1, 1, -1][: len(middle)]
    for x in found:
        left, right = error_forms.taylor_relative_error(r_w, 0, [x * (1 - 1e-11), x * (1 + 1e-11)], 1e-8, 1)
        assert left * right < 0


def test_the_positive_lens_closes():
    # Two changes closer to each other than any grid, just before they vanish.
    assert len(error_forms.taylor_sign_changes(0.4411473, 1e-8)) == 2
    assert len(error_forms.taylor_sign_changes(0.44115, 1e-8)) == 0
    assert error_forms.taylor_sign_changes(0.44114, 1e-8) == pytest.approx([24.14, 24.14], rel=0.02)
    assert (error_forms.taylor_relative_error(0.45, 0, np.geomspace(0.05, 50, 300), 1e-8, 1) < 0).all()
    assert len(error_forms.taylor_sign_changes(0.3, 1e-8, high=1e3)) == 2
    assert error_forms.taylor_sign_change(0.3, 1e-8) == error_forms.taylor_sign_changes(0.3, 1e-8)[0]


@pytest.mark.parametrize("fan_in", [1, 10])
def test_largest_weight_range_is_where_the_bound_is_reached(fan_in):
    r_z = np.array([0.1, 1.0, 5.0, 11.8, 13.0, 40.0])
    for tolerance in (0.01, 0.001):
        largest = error_forms.largest_weight_range(r_z, 1e-8, tolerance, fan_in)
        reached = error_forms.taylor_relative_error(largest, 0, r_z, 1e-8, fan_in)
        assert np.abs(reached) == pytest.approx(tolerance, rel=1e-9)
        for share in (0.1, 0.5, 0.9, 0.999):
            assert (np.abs(error_forms.taylor_relative_error(share * largest, 0, r_z, 1e-8, fan_in)) <= tolerance).all()
        assert (np.abs(error_forms.taylor_relative_error(1.001 * largest, 0, r_z, 1e-8, fan_in)) > tolerance).all()
    assert type(error_forms.largest_weight_range(2.0, 1e-8, 0.01)) is float
    assert error_forms.largest_weight_range(2.0, 1e-8, 5.0) == 1.0
    assert 0 < error_forms.largest_weight_range(2.0, 0, 0.01) < 1
