"""Moments and covariances of activation functions against many digits, and maps of variances and correlations."""

import itertools
import math
from functools import cache

import mpmath
import numpy as np
import pytest

from theory import initialisation, signal_propagation as signals
from theory.numerics.normal_means import Growth, normal_mean
from theory.signal_propagation import NAMES, activation, covariance, edge_of_chaos, fixed_points, gain, propagate
from theory.signal_propagation.activations import named
from theory.signal_propagation.covariances import InPieces, _by_quadrature, _ramp
from theory.wide_networks import tanh_covariance

K, A = mpmath.sqrt(2 / mpmath.pi), mpmath.mpf("0.044715")


def sigmoid(u):
    return 1 / (1 + mpmath.exp(-u))


def selu(u):
    alpha, scale = mpmath.mpf("1.6732632423543772848170429916717"), mpmath.mpf("1.0507009873554804934193349852946")
    return scale * (u if u > 0 else alpha * mpmath.expm1(u))


BY_DEFINITION = {
    "linear": lambda u: u,
    "relu": lambda u: max(u, 0),
    "leaky_relu": lambda u: u if u > 0 else u / 100,
    "tanh": mpmath.tanh,
    "erf": mpmath.erf,
    "sigmoid": sigmoid,
    "elu": lambda u: u if u > 0 else mpmath.expm1(u),
    "selu": selu,
    "gelu": lambda u: u * mpmath.ncdf(u),
    "gelu_tanh": lambda u: u * (1 + mpmath.tanh(K * (u + A * u**3))) / 2,
    "gelu_sigmoid": lambda u: u * sigmoid(mpmath.mpf("1.702") * u),
    "silu": lambda u: u * sigmoid(u),
    "mish": lambda u: u * mpmath.tanh(mpmath.log1p(mpmath.exp(u))),
    "celu": lambda u: u if u > 0 else mpmath.expm1(u),
    "squared_relu": lambda u: max(u, 0) ** 2,
    "softplus": lambda u: mpmath.log1p(mpmath.exp(u)),
    "hardtanh": lambda u: max(-1, min(u, 1)),
    "relu6": lambda u: max(0, min(u, 6)),
    "hardsigmoid": lambda u: max(0, min(1, u / 6 + mpmath.mpf(1) / 2)),
    "hardswish": lambda u: u * max(0, min(1, u / 6 + mpmath.mpf(1) / 2)),
}
KINKS = (-6, -3, -1, 0, 1, 3, 6)

SPREADS = (0, 1, 2, 3, 4.5, 6, 9, 13)


@cache
def nodes(variance):
    """Nodes and normal weights to 30 digits, panel by panel between kinks and standard deviations."""
    with mpmath.workdps(30):
        rule = mpmath.calculus.quadrature.GaussLegendre(mpmath.mp).calc_nodes(4, 110)
        s = mpmath.sqrt(variance)
        ends = {sign * k * s for k in SPREADS for sign in (-1, 1)} | {mpmath.mpf(k) for k in KINKS if abs(k) < 13 * s}
        found = []
        for low, high in itertools.pairwise(sorted(ends)):
            middle, half = (low + high) / 2, (high - low) / 2
            found += [(middle + half * t, half * w * mpmath.npdf(middle + half * t, 0, s)) for t, w in rule]
    return found


def test_every_activation_has_a_definition_here():
    assert set(BY_DEFINITION) == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_moments_agree_with_their_integrals(name):
    phi, by_definition = activation(name), BY_DEFINITION[name]
    for variance in (0.01, 1.0, 9.0):
        with mpmath.workdps(30):
            weighted = [(by_definition(u), w) for u, w in nodes(variance)]
            mean, second = (float(mpmath.fsum(w * value**k for value, w in weighted)) for k in (1, 2))
        assert phi.second_moment(variance) == pytest.approx(second, rel=1e-12)
        assert phi.mean(variance) == pytest.approx(mean, rel=1e-12, abs=1e-14)
        u, w = np.array(nodes(variance), dtype=float).T
        assert phi.slope_second_moment(variance) == pytest.approx(phi.slope(u) ** 2 @ w, rel=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_slopes_are_those_of_the_function(name):
    phi, step = activation(name), 1e-5
    u = np.linspace(-7, 7, 701) + 1e-3 * math.pi
    by_difference = (phi.value(u + step) - phi.value(u - step)) / (2 * step)
    np.testing.assert_allclose(phi.slope(u), by_difference, atol=1e-8)
    assert [float(BY_DEFINITION[name](mpmath.mpf(v))) for v in u[::100]] == pytest.approx(list(phi.value(u[::100])))


@pytest.mark.parametrize("name", NAMES)
def test_moments_have_values_at_both_ends_of_the_domain(name):
    phi = activation(name)
    for variance in (1e-12, phi.largest_variance):
        values = [phi.mean(variance), phi.second_moment(variance), phi.slope_second_moment(variance)]
        assert np.isfinite(values).all()
        assert values[1] > values[0] ** 2 or name == "linear"
    with pytest.raises(ValueError, match=f"{name}: variance must be in"):
        phi.mean(2 * phi.largest_variance)


def test_the_bound_of_the_quadrature_holds_and_says_where_it_does_not():
    gaussian = [Growth(3.0, [(math.exp(9.0), 0)])]
    value, bound = normal_mean(lambda u: np.exp(-u * u), gaussian, 1.0)
    assert abs(value - 1 / math.sqrt(3)) <= bound + 2e-16
    with pytest.raises(ArithmeticError, match="the bound must be below"):
        normal_mean(lambda u: 1e-30 + 0 * u, [Growth(1.0, [(1.0, 0)])], 1.0)
    with pytest.raises(ArithmeticError, match="a strip of 1e-07 must be resolved"):
        normal_mean(np.cos, [Growth(1e-7, [(2.0, 0)])], 1.0)


ORDERS = 34


def hermite_coefficients(function):
    """E[f He_n]^2/n!: E[f(u) f(v)] of variance 1 and covariance c is the sum of c^n times them, Mehler's formula."""
    with mpmath.workdps(30):
        x = np.array([t for t, _ in nodes(1)], object)
        weighted = np.array([w * function(t) for t, w in nodes(1)], object)
        before, here = x * 0, x * 0 + 1
        for n in range(ORDERS):
            yield (weighted @ here) ** 2 / mpmath.factorial(n)
            before, here = here, x * here - n * before


# Kinked at 0, at 3 and -3, smooth with poles and without.
@pytest.mark.parametrize("name", ["selu", "hardswish", "silu", "gelu", "softplus", "leaky_relu"])
def test_covariances_agree_with_a_series_of_many_digits(name):
    coefficients = list(hermite_coefficients(BY_DEFINITION[name]))
    for c in (-0.25, 0.25):
        expected = float(mpmath.polyval(coefficients[::-1], c))
        assert covariance(name, c) == pytest.approx(expected, abs=1e-12 * activation(name).second_moment(1.0))


def test_gradients_are_products_of_chi():
    trace = propagate("tanh", 3, 2.0, 0.1, 0.7)
    phi = activation("tanh")
    chis = [2.0 * phi.slope_second_moment(q) for q in trace.variance[:-1]]
    np.testing.assert_allclose(trace.gradient, [math.prod(chis[layer:]) for layer in range(4)], rtol=1e-13)


def test_fixed_points_are_kept_and_their_slope_is_that_of_the_map():
    [point] = fixed_points("erf", 2.0, 0.05)
    phi = activation("erf")
    step = 1e-5
    up, down = (2.0 * phi.second_moment(point.variance * (1 + s)) for s in (step, -step))
    assert 2.0 * phi.second_moment(point.variance) + 0.05 == pytest.approx(point.variance, rel=1e-13)
    assert point.slope == pytest.approx((up - down) / (2 * step * point.variance), rel=1e-8)


def test_on_the_edge_of_chaos_a_variance_and_gradients_are_kept():
    edge = edge_of_chaos("tanh", 0.3)
    [point] = [p for p in fixed_points("tanh", edge.weight_variance, edge.bias_variance) if p.slope < 1]
    assert point.variance == pytest.approx(0.3, rel=1e-9)
    assert point.chi == pytest.approx(1, rel=1e-9)
    assert signals.depth_scales("tanh", edge.weight_variance, edge.bias_variance, 0.3).correlation > 1e6
    assert signals.depth_scales("relu", 2.0) == (math.inf, math.inf)


@pytest.mark.parametrize("name", sorted(set(NAMES) - {"linear", "gelu_tanh"}))
def test_a_function_of_ones_own_has_the_moments_of_its_namesake(name):
    known = activation(name)

    def own(u):
        return known.value(u)

    # Kinks off the panels' ends cost digits.
    precision = 1e-4 if name in ("hardtanh", "relu6", "hardsigmoid", "hardswish") else 1e-8
    assert gain(own) == pytest.approx(gain(name), rel=precision)
    for variance in (0.3, 2.0):
        expected = known.slope_second_moment(variance)
        rel = max(precision, 1e-2 * (precision > 1e-6))
        assert named(own).slope_second_moment(variance) == pytest.approx(expected, rel=rel)


def test_what_is_no_elementwise_function_is_refused():
    with pytest.raises(ValueError, match="must map an array of floats to one of the same shape"):
        gain(lambda u: u.sum())
    with pytest.raises(ValueError, match="smooth enough for quadrature"):
        gain(lambda u: np.where(u > 5, np.nan, u))


# E[phi(u)^2] and E[phi'(u)^2] for u ~ N(0, 1) of functions that grow fast.
GROWING = {
    "exp": (np.exp, math.exp(2), math.exp(2)),
    "exp(u^2/5)": (lambda u: np.exp(u * u / 5), 5**0.5, 4 / 25 * 5**1.5),
    "u^8": (lambda u: u**8, 2027025.0, 64 * 135135.0),
    "exp(3 u)": (lambda u: np.exp(3 * u), math.exp(18), 9 * math.exp(18)),
}


@pytest.mark.parametrize(("phi", "second", "steepness"), GROWING.values(), ids=GROWING)
def test_moments_of_functions_that_grow_fast_are_found_where_they_are_finite(phi, second, steepness):
    assert named(phi).second_moment(1.0) == pytest.approx(second, rel=1e-6)
    assert named(phi).slope_second_moment(1.0) == pytest.approx(steepness, rel=1e-4)


@pytest.mark.parametrize("phi", [
    lambda u: np.exp(u**2), lambda u: np.exp(u * u / 3), lambda u: np.exp(u * u / 4), lambda u: 1e-30 * np.exp(u * u),
    lambda u: np.exp(u**4 / 1000), lambda u: np.sin(u) * np.exp(u * u / 3), lambda u: np.exp(np.maximum(u, 0) ** 2),
    lambda u: np.exp(u**4), lambda u: 1 / u, lambda u: 1e-10 / u, lambda u: np.exp(8 * u),
])  # fmt: skip
def test_moments_that_are_infinite_or_from_beyond_the_range_are_refused(phi):
    with pytest.raises(ValueError, match="its moments must be finite"):
        gain(phi)


@pytest.mark.parametrize("phi", [np.sign, np.floor])
def test_steps_have_a_gain_forwards_and_none_backwards(phi):
    second = named(phi).second_moment(1.0)
    assert gain(phi) == pytest.approx(second**-0.5)
    made = initialisation.dense(phi, 5, 5)
    assert made.variance == pytest.approx(1 / (5 * second))
    assert (made.forward_gain, made.backward_gain) == (pytest.approx(1), 0)


@pytest.mark.parametrize(("name", "gate"), [("swiglu", "silu"), ("geglu", "gelu")])
@pytest.mark.parametrize("variance", [0.25, 1.0, 4.0])
def test_gated_pairs_have_the_moments_of_products(name, gate, variance):
    phi, (nodes, weights) = BY_DEFINITION[gate], np.polynomial.hermite_e.hermegauss(120)
    weights = weights / weights.sum()
    a = math.sqrt(variance) * nodes
    value = np.array([float(phi(mpmath.mpf(v))) for v in a])
    pair = named(name)
    assert pair.mean(variance) == 0
    assert pair.second_moment(variance) == pytest.approx(variance * np.sum(weights * value**2), rel=1e-9)
    slope = activation(gate).slope(a)
    expected = np.sum(weights * (variance * slope**2 + value**2))
    assert pair.slope_second_moment(variance) == pytest.approx(expected, rel=1e-7)
    # In a deep network of such blocks the signal is kept, and the gradient follows from the slopes.
    kept = propagate(name, 3, gain(name, variance) ** 2, variance=variance)
    assert kept.variance == pytest.approx([variance] * 4)
    assert kept.gradient[0] == pytest.approx((gain(name, variance) ** 2 * expected) ** 3, rel=1e-6)


# Covariances of two values are known of these; of the others a call is refused.
UNKNOWN = ("gelu_tanh", "mish", "celu", "squared_relu")


@pytest.mark.parametrize("name", UNKNOWN)
def test_what_has_no_covariance_is_refused_as_the_docstring_says(name):
    assert f"``{name}``" in covariance.__doc__
    with pytest.raises(ValueError, match=f"covariance: phi must be one of .*got '{name}'"):
        covariance(name, 0.5)


@pytest.mark.parametrize("q", [1e-4, 1.0, 90.0])
def test_the_quadrature_agrees_with_closed_forms(q):
    """Of ReLU, smoothed like the others; and of tanh, by another rule."""
    for c in (-0.9, -1e-9, 0.3, 0.9999, 1 - 1e-7):
        relu = _by_quadrature(activation("relu"), InPieces(_ramp, [(0.0, 1.0)]), c, q)
        assert relu == pytest.approx(covariance("relu", c, q), abs=1e-13 * q)
        size = activation("tanh").second_moment(q)
        assert covariance("tanh", c, q) == pytest.approx(tanh_covariance(q, q, c * q), abs=1e-13 * size)


@pytest.mark.parametrize("name", [name for name in NAMES if name not in UNKNOWN])
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
