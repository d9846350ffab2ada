"""Hessian and gradient noise of the single ReLU."""

import numpy as np
import pytest

from theory.relu_unit import curvature, noise, objective

A = {"w": np.array([0.6, -0.8, 1.2]), "b": 0.7, "target_weights": np.array([0.0, 0.0, 1.0])}
B = {"w": np.array([0.3, 0.4, -0.5]), "b": -0.4, "target_weights": np.array([0.0, 0.0, 0.5])}
C = {"w": np.array([-1.1, 0.2, 0.9]), "b": 1.5, "target_weights": np.array([0.2, -0.1, 0.3])}


def gradient(theta, target):
    return np.append(*objective.expected_gradient(theta[:-1], theta[-1], target_weights=target))


@pytest.mark.parametrize("point", [A, B, C])
def test_hessian_is_the_derivative_of_the_gradient(point):
    theta, target, h = np.append(point["w"], point["b"]), point["target_weights"], 1e-3
    found = curvature.hessian(**point)
    for i in range(4):
        step = h * np.eye(4)[i]
        near = gradient(theta + step, target) - gradient(theta - step, target)
        far = gradient(theta + 2 * step, target) - gradient(theta - 2 * step, target)
        assert found[i] == pytest.approx((8 * near - far) / (12 * h), abs=1e-9)
    assert np.array_equal(found, found.T)


def test_noise_of_samples():
    """All entries against 200,000 samples; a covariance with one wrong sign is 100 standard errors off."""
    rng = np.random.default_rng(1)
    x = rng.normal(size=(200_000, 3))
    z = x @ A["w"] + A["b"]
    g = np.where(z > 0, z - x @ A["target_weights"], 0)[:, None] * np.column_stack([x, np.ones(len(x))])
    g -= g.mean(axis=0)
    products = g[:, :, None] * g[:, None, :]
    se = products.std(axis=0) / np.sqrt(len(x))
    found = noise.gradient_noise_covariance(**A)
    deviation = np.abs(products.mean(axis=0) - found) / se
    assert np.max(deviation) < 7
    wrong = np.abs(products.mean(axis=0) + found) / se
    assert np.max(wrong) > 50


def test_noise_vanishes_at_the_optimum_and_follows_the_probability_in_the_dead_cone():
    assert not noise.gradient_noise_covariance([0.0, 2.0], 0.0, 2.0).any()
    w = np.array([0.3, 0.4])
    found = [noise.gradient_noise_covariance(w, kappa * 0.5, 1.0) for kappa in (-10.0, -20.0)]
    share = [objective.activation_probability(w, kappa * 0.5) for kappa in (-10.0, -20.0)]
    per_sample = [n[2, 2] / p for n, p in zip(found, share, strict=True)]
    assert per_sample[1] / per_sample[0] == pytest.approx(4, rel=0.05)  # the error of an active sample grows with kappa


def test_the_noise_of_the_gradient_is_never_negative():
    rng = np.random.default_rng(5)
    for _ in range(300):
        target = rng.normal(size=3)
        w = target * (1 + rng.choice([0, 1]) * 10.0 ** -rng.uniform(1, 16)) + 10.0 ** -rng.uniform(1, 18) * target[::-1]
        b = float(rng.choice([-1, 1]) * 10.0 ** rng.uniform(-20, 3))
        variances = np.diagonal(noise.gradient_noise_covariance(w, b, target_weights=target))
        assert (variances >= 0).all(), (w, b, target)
    assert np.abs(noise.gradient_noise_covariance([0.3, 0.4], 0.0, target_weights=[0.3, 0.4])).max() == 0


@pytest.mark.parametrize("of", [curvature.hessian, noise.gradient_noise_covariance])
def test_arguments_broadcast(of):
    assert of(np.ones((4, 1, 3)), np.zeros(5), 1.0).shape == (4, 5, 4, 4)
