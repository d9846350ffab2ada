"""The single ReLU: closed forms far out in the tails, vector functions, kernels."""

import itertools

import mpmath
import numpy as np
import pytest
import sympy

from theory.numerics.normal_tails import Phi, phi, scaled_tail_moments
from theory.relu_unit import axis as relu_unit_axis
from theory.relu_unit import noise as relu_unit_noise
from theory.relu_unit import objective


def exact_gradient(w, b, target, dps=60):
    """The gradient of the loss with many digits, from the formulas as they are written."""
    with mpmath.workdps(dps):
        w, target = [mpmath.mpf(float(v)) for v in w], [mpmath.mpf(float(v)) for v in target]
        s = mpmath.sqrt(mpmath.fsum(v * v for v in w))
        kappa = mpmath.mpf(float(b)) / s
        p = mpmath.fsum(x * y for x, y in zip(w, target, strict=True)) / s
        F, f = mpmath.ncdf(kappa), mpmath.npdf(kappa)
        grad_w = [F * (x - y) + kappa * f * p * x / s for x, y in zip(w, target, strict=True)]
        return F, grad_w, b * F + f * (s - p)


@pytest.mark.parametrize("kappa", [1.5, -1.0, -5.0, -12.0, -30.0, -37.0])
def test_gradients_keep_twelve_digits_far_into_the_dead_cone(kappa):
    rng = np.random.default_rng(5)
    for _ in range(10):
        w, target = rng.normal(size=4), rng.normal(size=4)
        b = kappa * np.linalg.norm(w)
        F, exact_w, exact_b = exact_gradient(w, b, target)
        grad_w, grad_b = objective.expected_gradient(w, b, target_weights=target)
        size = float(mpmath.norm(exact_w))
        assert abs(objective.activation_probability(w, b) / F - 1) < 1e-12
        assert max(abs(g - e) for g, e in zip(grad_w, exact_w, strict=True)) <= 1e-12 * size
        # Where w.Lambda is close to what makes it vanish, the error is relative to the terms that cancel.
        assert abs(grad_b - exact_b) <= 1e-12 * max(abs(exact_b), size / abs(kappa))


AXIS = {
    "linear": (relu_unit_axis.weight_gradient, relu_unit_axis.bias_gradient),
    "relu": (relu_unit_axis.relu_target_weight_gradient, relu_unit_axis.relu_target_bias_gradient),
}


@pytest.mark.parametrize("target", AXIS)
@pytest.mark.parametrize("others", [[], [0.0, 0.0]], ids=["one weight", "three"])
def test_vectors_on_the_axis_agree_with_the_axis_forms(target, others):
    for w, b in itertools.product((-0.7, 0.7), (-4.0, -0.2, 0.0, 0.5)):
        grad_w, grad_b = objective.expected_gradient([*others, w], b, 0.9, target=target)
        weight, bias = (form(w, b, 0.9) for form in AXIS[target])
        assert grad_w.tolist() == [*others, pytest.approx(weight, rel=1e-13, abs=1e-16)]
        assert grad_b == pytest.approx(bias, rel=1e-13)


@pytest.mark.parametrize("target", ["linear", "relu"])
def test_shapes_follow_numpy(target):
    w, b = np.ones((4, 1, 3)), np.zeros((5,))
    grad_w, grad_b = objective.expected_gradient(w, b, 1.0, target=target)
    assert grad_w.shape == (4, 5, 3)
    assert grad_b.shape == objective.loss(w, b, 1.0, target=target).shape == (4, 5)
    assert objective.activation_probability(w, b).shape == (4, 5)
    single_w, single_b = objective.expected_gradient([1.0, 1.0, 1.0], 0, 1.0, target=target)
    assert isinstance(single_b, float)
    assert isinstance(objective.loss([1.0], 0.0, 1.0, target=target), float)
    assert np.array_equal(grad_w[2, 3], single_w)
    by_target = objective.expected_gradient([1.0, 1.0, 1.0], 0, target_weights=[0, 0, 1.0], target=target)
    assert np.array_equal(by_target[0], single_w)


def test_weights_of_any_size():
    for size in (1e-200, 1e200):
        assert objective.activation_probability([3 * size, 4 * size], 5 * size) == objective.activation_probability(
            [3, 4], 5
        )
    # kappa leaves float64: the unit is affine, or dead.
    grad_w, grad_b = objective.expected_gradient([0.0, 1e-320], 1.0, 0.5)
    assert grad_b == 1.0
    assert grad_w == pytest.approx([0, -0.5], abs=1e-300)
    assert objective.loss([0.0, 1e-320], 1.0, 0.5) == pytest.approx(0.625, rel=1e-14)
    assert not np.any(objective.expected_gradient([0.0, 1e-320], -1.0, 0.5)[0])


def test_sizes_up_to_those_that_are_refused_have_values():
    for size in (1e-70, 1e70):
        assert objective.loss([size], size, size) == pytest.approx(objective.loss([1.0], 1.0, 1.0) * size**2, rel=1e-14)
        noise = relu_unit_noise.gradient_noise_covariance([0.0, size], -size, size)
        unit = relu_unit_noise.gradient_noise_covariance([0.0, 1.0], -1.0, 1.0)
        np.testing.assert_allclose(noise / size / size, unit, rtol=1e-13)


def test_probability_keeps_its_digits_down_to_37_and_leaves_float64_beyond():
    with mpmath.workdps(30):
        assert abs(objective.activation_probability([1.0], -37.0) / mpmath.ncdf(-37) - 1) < 1e-12
    assert objective.activation_probability([1.0], -39.0) == 0


def test_tail_moments_over_the_whole_range():
    for k in [*np.linspace(0, 6, 61), *np.geomspace(1e-9, 900, 40)]:
        with mpmath.workdps(200):
            x = mpmath.mpf(float(k))
            mills = mpmath.ncdf(-x) / mpmath.npdf(x)
            exact = [mills, 1 - x * mills, (mills - x * (1 - x * mills)) / 2]
        for value, wanted in zip(scaled_tail_moments(float(k)), exact, strict=True):
            assert abs(value / wanted - 1) < 2e-14, k


def test_symbolic_distribution_and_density():
    x = sympy.Symbol("x", real=True)
    assert sympy.diff(Phi(x), x, 2) == -x * phi(x)
    assert sympy.simplify((Phi(x) + Phi(-x) - 1).rewrite(sympy.exp)) == 0
    assert str(Phi(sympy.Integer(-3)).evalf(30)) == "0.00134989803163009452665181476759"
    assert Phi(sympy.zoo) is sympy.nan
