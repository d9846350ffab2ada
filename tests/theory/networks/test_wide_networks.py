"""Random tanh networks: expectations against many digits, limits and identities; what is refused."""

import mpmath
import numpy as np
import pytest

from theory import wide_networks as of

MOMENTS = {
    of.tanh_second_moment: lambda u: mpmath.tanh(u) ** 2,
    of.tanh_slope_moment: lambda u: mpmath.sech(u) ** 4,
    of.tanh_curvature_moment: lambda u: 4 * mpmath.tanh(u) ** 2 * mpmath.sech(u) ** 4,
}


def expected(function, variance):
    """By mpmath's rule on pieces of the width of the slope and of the law, whichever is there."""
    s = mpmath.sqrt(variance)
    ends = {mpmath.mpf(v) for v in (0, 0.5, 1, 2, 4, 8, 16, 32) if v < 14 * s} | {s * v for v in (1, 2, 4, 8, 14)}
    return 2 * mpmath.quad(lambda u: function(u) * mpmath.npdf(u, 0, s), sorted(ends))


@pytest.mark.parametrize("moment", MOMENTS, ids=lambda m: m.__name__)
@pytest.mark.parametrize("variance", [1e-12, 1e-3, 0.3, 1.0, 7.0, 100.0, 1e4, 1e6])
def test_expectations_of_tanh_keep_14_digits(moment, variance):
    with mpmath.workdps(30):
        right = expected(MOMENTS[moment], mpmath.mpf(variance))
        assert abs(moment(variance) / right - 1) < 1e-14


def test_a_rule_that_is_too_coarse_for_the_poles_would_be_seen(monkeypatch):
    monkeypatch.setattr("theory.wide_networks.tanh_units.EXPONENT", 12.0)
    with mpmath.workdps(30):
        right = expected(MOMENTS[of.tanh_slope_moment], mpmath.mpf(7))
        assert abs(of.tanh_slope_moment(7.0) / right - 1) > 1e-9


@pytest.mark.parametrize(("one", "other"), [(0.04, 0.09), (1.0, 1.0), (0.5, 60.0), (100.0, 100.0)])
def test_covariance_of_tanh_is_that_of_one_unit_at_its_ends_and_odd(one, other):
    most = np.sqrt(one * other)
    shares = np.array([0.0, 0.3, 0.99])
    found, mirrored = (of.tanh_covariance(one, other, sign * shares * most) for sign in (1, -1))
    np.testing.assert_allclose(found, -mirrored, atol=1e-15)
    assert abs(found[0]) < 1e-15
    assert (np.diff(found) > 0).all()
    if one == other:
        assert of.tanh_covariance(one, one, one) == pytest.approx(of.tanh_second_moment(one), rel=1e-14)


def test_small_weights_make_a_linear_network_and_large_ones_one_of_steps():
    assert of.tanh_zeros_length(1e-4, 1e-4) == pytest.approx(1, rel=1e-7)
    assert of.tanh_extrema_length(1e-4, 1e-4) == pytest.approx(0.5e8, rel=1e-6)
    assert of.tanh_extrema_length(900.0, 900.0) * 900 == pytest.approx(np.sqrt(1.25), rel=1e-5)
    assert of.tanh_covariance(1e-8, 1e-8, 5e-9) == pytest.approx(5e-9, rel=1e-7)
    assert of.tanh_gradient_norm(3, 0.25, 1e-9, 0.0) == pytest.approx(0.75, rel=1e-8)


def test_zeros_beside_the_origin_are_those_of_the_covariance():
    """Rice's density from second differences of the logarithm of the covariance."""
    h = 1e-3

    def log_covariance(t, other):
        return np.log(of.tanh_covariance(4 * t * t + 1, 4 * other * other + 1, 4 * t * other + 1))

    cross = log_covariance(1 + h, 1 + h) - 2 * log_covariance(1 + h, 1 - h) + log_covariance(1 - h, 1 - h)
    assert of.tanh_zeros_at(2.0, 1.0, 1.0) == pytest.approx(np.sqrt(cross) / (2 * h * np.pi), rel=1e-5)
    assert of.tanh_zeros_at(2.0, 1.0, 0.0) == pytest.approx(1 / np.pi / of.tanh_zeros_length(2.0, 1.0), rel=1e-13)
