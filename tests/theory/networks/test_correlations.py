"""Covariances of activation functions against 25 digits, and what networks do to correlations."""

import math

import pytest

from theory import signal_propagation as signals
from theory.signal_propagation import NAMES, activation, covariance
from theory.signal_propagation.covariances import InPieces, _by_quadrature, _ramp
from theory.wide_networks import tanh_covariance

# Covariances of two values are known of these; of the others a call is refused.
UNKNOWN = ("gelu_tanh", "mish", "celu", "squared_relu")
KNOWN = [name for name in NAMES if name not in UNKNOWN]


@pytest.mark.parametrize("q", [1e-4, 1.0, 90.0])
def test_the_quadrature_agrees_with_closed_forms(q):
    """Of ReLU, smoothed like the others; and of tanh, by another rule."""
    for c in (-0.9, -1e-9, 0.3, 0.9999, 1 - 1e-7):
        relu = _by_quadrature(activation("relu"), InPieces(_ramp, [(0.0, 1.0)]), c, q)
        assert relu == pytest.approx(covariance("relu", c, q), abs=1e-13 * q)
        size = activation("tanh").second_moment(q)
        assert covariance("tanh", c, q) == pytest.approx(tanh_covariance(q, q, c * q), abs=1e-13 * size)


@pytest.mark.parametrize("name", KNOWN)
def test_covariances_end_in_the_moments_of_one_value(name):
    phi = activation(name)
    for q in (1e-4, 2.0, 100.0):
        second, near = phi.second_moment(q), 1 - 1e-6
        assert covariance(name, 1.0, q) == pytest.approx(second, rel=1e-13)
        assert covariance(name, 0.0, q) == pytest.approx(phi.mean(q) ** 2, rel=1e-11, abs=1e-13 * second)
        slope = (second - covariance(name, near, q)) / (1 - near) / q
        assert slope == pytest.approx(phi.slope_second_moment(q), rel=5e-3, abs=1e-8 * second / q)


def test_limits_are_kept_and_reached():
    [point] = signals.fixed_points("erf", 2.0, 0.05)
    limit = signals.correlation_limit("erf", 2.0, 0.05, point.variance)
    kept = signals.correlation_map("erf", limit.correlation, 2.0, 0.05, point.variance)
    assert kept == pytest.approx(limit.correlation, rel=1e-12)
    layers = signals.correlate("erf", 400, 2.0, 0.05, point.variance, 0.2)
    assert layers[-1] == pytest.approx(limit.correlation, rel=1e-6)
    ratio = (layers[41] - limit.correlation) / (layers[40] - limit.correlation)
    assert ratio == pytest.approx(limit.slope, rel=2e-2)


def test_on_the_edge_of_chaos_scales_are_infinite():
    edge = signals.edge_of_chaos("tanh", 0.3)
    assert signals.depth_scales("tanh", edge.weight_variance, edge.bias_variance, 0.3).correlation > 1e6
    assert signals.depth_scales("relu", 2.0) == (math.inf, math.inf)


@pytest.mark.parametrize("name", UNKNOWN)
def test_covariances_that_are_not_known_are_refused(name):
    with pytest.raises(ValueError, match=f"covariance: phi must be one of .*, got '{name}'"):
        covariance(name, 0.5, 1.0)
