"""Scaling a ReLU network with its target: what is exact is exact, and the counterexamples are ones."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from theory.relu_unit import far_field, forward, scaled, scales
from theory.relu_unit.target_scaling import required_scalar, smallest_residual

X = np.linspace(-3, 3, 601)[:, None]


def network(seed, widths):
    rng = np.random.default_rng(seed)
    pairs = list(pairwise(widths))
    return [rng.normal(size=(b, a)) for a, b in pairs], [rng.normal(size=b) for _, b in pairs]


def test_forward_applies_relu_to_all_layers_but_the_last():
    weights, biases = network(1, [2, 3, 2, 1])
    x = np.array([0.3, -1.2])
    h = x
    for w, b in zip(weights[:-1], biases[:-1], strict=True):
        h = np.array([max(0.0, float(np.dot(row, h) + c)) for row, c in zip(w, b, strict=True)])
    expected = [float(np.dot(weights[-1][0], h) + biases[-1][0])]
    np.testing.assert_allclose(forward(weights, biases, x), expected, rtol=1e-14)
    assert forward(weights, biases, np.zeros((5, 4, 2))).shape == (5, 4, 1)
    assert forward([[[-2.0]]], [[1.0]], [3.0]).tolist() == [-5.0]


@pytest.mark.parametrize("factors", [None, [0.5, 4.0, 0.1, 0.5]])
def test_layerwise_scales_multiply_the_output_by_gamma(factors):
    weights, biases = network(2, [1, 4, 3, 4, 1])
    by = scales(0.1, 4, factors)
    plain = forward(weights, biases, X)
    np.testing.assert_allclose(forward(*scaled(weights, biases, by), X), 0.1 * plain, rtol=1e-12, atol=1e-15)
    # Biases times the factor of their own layer alone would not do.
    wrong = scaled(weights, biases, by._replace(biases=by.weights))
    assert np.abs(forward(*wrong, X) - 0.1 * plain).max() > 1e-3


@pytest.mark.parametrize("gamma", [0.1, 0.5, 2.0])
def test_smallest_residual_is_what_minimisation_finds(gamma):
    """Where the weighted hidden part has both signs, an interval decides alpha as the whole line does."""
    weights, biases = [np.array([[1.0], [-0.5]]), np.array([[0.7, -1.2]])], [np.array([0.3, 0.2]), np.array([0.4])]
    target = gamma * forward(weights, biases, X)

    def residual(alpha):
        return np.abs(forward([alpha * w for w in weights], [alpha * b for b in biases], X) - target).max()

    alpha = required_scalar(gamma, 2)
    found = minimize_scalar(residual, bounds=(alpha / 2, 2 * alpha), method="bounded", options={"xatol": 1e-12})
    assert residual(alpha) == pytest.approx(smallest_residual(gamma, 0.4), rel=1e-12)
    assert found.fun == pytest.approx(smallest_residual(gamma, 0.4), rel=1e-6)


def test_far_field_is_the_network_far_out():
    for seed in range(20):
        weights, biases = network(seed, [2, 3, 3, 1])
        u = np.array([0.6, -0.8])
        far = far_field(weights, biases, u)
        for r in (1e7, 3e7):
            line = far.slope * r + far.intercepts.sum(axis=0)
            np.testing.assert_allclose(forward(weights, biases, r * u), line, rtol=1e-12, atol=1e-6)


def test_far_field_of_units_with_slope_zero_is_decided_by_their_intercepts():
    weights = [np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([[1.0, 1.0]])]
    for sign, expected in ((1.0, 2.0), (-1.0, 0.0)):
        far = far_field(weights, [np.array([0.0, 2.0 * sign]), np.array([0.0])], [1.0, 0.0])
        assert far.slope.tolist() == [1.0]
        assert far.intercepts.sum() == expected
