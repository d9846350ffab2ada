"""Hessian, gradient noise and nullclines of the single ReLU."""

from __future__ import annotations

import numpy as np
import pytest

from theory.relu_unit import (
    axis as relu_unit_axis,
)
from theory.relu_unit import (
    curvature as relu_unit_curvature,
)
from theory.relu_unit import (
    kept_error as relu_unit_kept_error,
)
from theory.relu_unit import (
    linear_target as relu_unit,
)
from theory.relu_unit import (
    noise as relu_unit_noise,
)
from theory.relu_unit import objective

A = {"w": np.array([0.6, -0.8, 1.2]), "b": 0.7, "target_weights": np.array([0.0, 0.0, 1.0])}
B = {"w": np.array([0.3, 0.4, -0.5]), "b": -0.4, "target_weights": np.array([0.0, 0.0, 0.5])}
C = {"w": np.array([-1.1, 0.2, 0.9]), "b": 1.5, "target_weights": np.array([0.2, -0.1, 0.3])}


def gradient(theta, target):
    return np.append(*objective.expected_gradient(theta[:-1], theta[-1], target_weights=target))


@pytest.mark.parametrize("point", [A, B, C])
def test_hessian_is_the_derivative_of_the_gradient(point):
    theta, target, h = np.append(point["w"], point["b"]), point["target_weights"], 1e-3
    found = relu_unit_curvature.hessian(**point)
    for i in range(4):
        step = h * np.eye(4)[i]
        near = gradient(theta + step, target) - gradient(theta - step, target)
        far = gradient(theta + 2 * step, target) - gradient(theta - 2 * step, target)
        assert found[i] == pytest.approx((8 * near - far) / (12 * h), abs=1e-9)
    assert np.array_equal(found, found.T)


@pytest.mark.parametrize("gamma", [1e-3, 1.0, 50.0])
@pytest.mark.parametrize("fan_in", [1, 2, 5])
def test_eigenvalues_at_the_optimum_do_not_depend_on_the_target(gamma, fan_in):
    rng = np.random.default_rng(fan_in)
    target = rng.normal(size=fan_in)
    target *= gamma / np.linalg.norm(target)
    eigenvalues = np.linalg.eigvalsh(relu_unit_curvature.hessian(target, 0.0, target_weights=target))
    smallest, largest = 0.10105771959856732206, 0.89894228040143267794
    assert eigenvalues == pytest.approx([smallest, *[0.5] * (fan_in - 1), largest], rel=1e-13)
    assert relu_unit_curvature.smallest_eigenvalue(0) == pytest.approx(smallest, rel=1e-14)
    assert relu_unit_curvature.largest_eigenvalue(0) == pytest.approx(largest, rel=1e-14)
    assert largest / smallest == pytest.approx(8.8953351012897467786, rel=1e-13)


def test_a_step_off_the_axis_may_grow():
    hessian = relu_unit_curvature.hessian([0.0, 0.5], -1.0, 1.0)
    assert hessian[0, 0] == pytest.approx(-0.193213734104573, rel=1e-12)
    assert hessian[0, 0] == pytest.approx(relu_unit_curvature.across_across(-1.0, 0.5, 1.0), rel=1e-14)


def test_entries_of_the_hessian_agree_with_their_forms():
    w, b, target = A["w"], A["b"], A["target_weights"]
    s = np.linalg.norm(w)
    u = w / s
    p = u @ target
    n = target - p * u
    t = np.linalg.norm(n)
    basis = np.zeros((3, 4))
    basis[0, :3], basis[1, :3], basis[2, 3] = u, n / t, 1
    entries = basis @ relu_unit_curvature.hessian(w, b, target_weights=target) @ basis.T
    curvature = relu_unit_curvature
    expected = [
        [curvature.along_along(b, s, p), curvature.along_across(b, s, t), curvature.along_bias(b, s, p)],
        [curvature.along_across(b, s, t), curvature.across_across(b, s, p), curvature.across_bias(b, s, t)],
        [curvature.along_bias(b, s, p), curvature.across_bias(b, s, t), curvature.bias_bias(b, s, p)],
    ]
    assert entries == pytest.approx(np.array(expected), abs=1e-14)


@pytest.mark.parametrize(("point", "trace"), [(A, 5.633613282131479209), (B, 2.0053511235263445633)])
def test_trace_of_the_noise(point, trace):
    found = relu_unit_noise.gradient_noise_covariance(**point)
    assert np.trace(found) == pytest.approx(trace, rel=1e-14)
    assert np.array_equal(found, found.T)
    assert np.linalg.eigvalsh(found)[0] > 0


def test_noise_of_samples():
    """All entries against 200,000 samples; a covariance with one wrong sign is 100 standard errors off."""
    rng = np.random.default_rng(1)
    x = rng.normal(size=(200_000, 3))
    z = x @ A["w"] + A["b"]
    g = np.where(z > 0, z - x @ A["target_weights"], 0)[:, None] * np.column_stack([x, np.ones(len(x))])
    g -= g.mean(axis=0)
    products = g[:, :, None] * g[:, None, :]
    se = products.std(axis=0) / np.sqrt(len(x))
    found = relu_unit_noise.gradient_noise_covariance(**A)
    deviation = np.abs(products.mean(axis=0) - found) / se
    assert np.max(deviation) < 7
    wrong = np.abs(products.mean(axis=0) + found) / se
    assert np.max(wrong) > 50


def test_noise_vanishes_at_the_optimum_and_follows_the_probability_in_the_dead_cone():
    assert not relu_unit_noise.gradient_noise_covariance([0.0, 2.0], 0.0, 2.0).any()
    w = np.array([0.3, 0.4])
    noise = [relu_unit_noise.gradient_noise_covariance(w, kappa * 0.5, 1.0) for kappa in (-10.0, -20.0)]
    share = [objective.activation_probability(w, kappa * 0.5) for kappa in (-10.0, -20.0)]
    per_sample = [n[2, 2] / p for n, p in zip(noise, share, strict=True)]
    assert per_sample[1] / per_sample[0] == pytest.approx(4, rel=0.05)  # the error of an active sample grows with kappa


def test_shapes_follow_numpy():
    w, b = np.ones((4, 1, 3)), np.zeros(5)
    assert relu_unit_curvature.hessian(w, b, 1.0).shape == (4, 5, 4, 4)
    assert relu_unit_noise.gradient_noise_covariance(w, b, 1.0).shape == (4, 5, 4, 4)
    with pytest.raises(ValueError, match="hessian: w must not be the zero vector"):
        relu_unit_curvature.hessian([0.0], 1.0, 1.0)
    with pytest.raises(ValueError, match="gradient_noise_covariance: gamma must be a positive number"):
        relu_unit_noise.gradient_noise_covariance([1.0], 1.0, -1.0)


def test_nullclines_and_the_line_between_them():
    kappa = np.array([-1.0, -3.0, -5.0])
    weight, bias = relu_unit_axis.weight_nullcline(kappa, 1.0), relu_unit_axis.bias_nullcline(kappa, 1.0)
    assert weight == pytest.approx([2.5251352761609812091, 10.849295964791309521, 26.932519835629210578], rel=1e-14)
    assert bias == pytest.approx([2.9042712333296918229, 11.59701255287548155, 27.809081206440442649], rel=1e-14)
    assert relu_unit_axis.weight_gradient(weight, kappa * weight, 1.0) == pytest.approx(np.zeros(3), abs=1e-14)
    assert relu_unit_axis.bias_gradient(bias, kappa * bias, 1.0) == pytest.approx(np.zeros(3), abs=1e-14)
    edge = relu_unit.dead_cone_edge(1e-3)
    assert relu_unit_axis.weight_nullcline(edge, 1.0) == pytest.approx(11.405090533920216172, rel=1e-14)


def test_lower_left_moves_into_the_dead_cone():
    w, b = np.meshgrid(-np.geomspace(0.01, 10, 13), -np.geomspace(0.01, 10, 13))
    for gamma in (0.01, 1.0):
        assert (relu_unit_axis.psi_velocity(w, b, gamma) <= 0).all()
        near = relu_unit_axis.psi_velocity(w, np.maximum(b, 5 * w), gamma)
        assert (near < 0).all()  # elsewhere it is as small as the density
    # Above kappa_0 = 0.622 and close to w = 0 it rises: that part crosses to the other side.
    assert relu_unit_axis.psi_velocity(-0.01, 0.0065, 1.0) > 0
    assert relu_unit_axis.psi_velocity(-0.01, 0.0060, 1.0) < 0


def test_saddle_of_dead_units():
    assert relu_unit_axis.saddle_excess(0.2, -0.5, 1) == pytest.approx(-0.0012179466175961143023, rel=1e-13)
    assert relu_unit_axis.saddle_excess(-0.2, -0.5, 1) == pytest.approx(0.0012659195127143397645, rel=1e-13)


def test_the_other_reading_of_the_objective_has_other_derivatives():
    s = np.linalg.norm(A["w"])
    p = A["w"] @ A["target_weights"] / s
    assert relu_unit_kept_error.bias_derivative(0.7, s, p, 1.0) == pytest.approx(0.818540297514744137, rel=1e-14)
    assert relu_unit.bias_gradient_form(0.7, s, p) == pytest.approx(0.757516172266402882, rel=1e-14)
    assert relu_unit_kept_error.loss(-40.0, 1.0, 0.5, 1.0) < 1e-300
    assert relu_unit.loss_form(-40.0, 1.0, 0.5, 1.0) == 0.5
