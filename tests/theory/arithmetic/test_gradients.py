"""Gradients of the layers: exact where they are rational, differentiated where they are not, and never 0/0."""

from fractions import Fraction
from math import prod

import mpmath
import numpy as np
import pytest

from montecarlo.kernels.nac_mul import backward as kernels
from montecarlo.kernels.raw_draws import halves, uniforms
from montecarlo.streams.philox import stream
from theory.initialisation import glorot
from theory.nac import gradients as nac_gradients
from theory.nac_mul import (
    backward as nac_mul_backward,
)
from theory.nac_mul import (
    backward_exact as nac_mul_backward_exact,
)
from theory.nac_mul import (
    gradients as nac_mul_gradients,
)
from theory.nmu import gradients as nmu_gradients

FAN_OUT, FAN_IN = 3, 4
# Among these, W z + 1 - W vanishes at W = 1, z = 0 and at W = 1/2, z = -1.
WEIGHTS = [Fraction(k, 4) for k in range(5)]
INPUTS = [Fraction(-1), Fraction(0), Fraction(1), Fraction(1, 2), Fraction(-5, 4), Fraction(3)]


def rational_layers(count):
    rng = np.random.default_rng(7)
    for _ in range(count):
        w = [[WEIGHTS[rng.integers(len(WEIGHTS))] for _ in range(FAN_IN)] for _ in range(FAN_OUT)]
        z = [INPUTS[rng.integers(len(INPUTS))] for _ in range(FAN_IN)]
        delta = [Fraction(int(rng.integers(-8, 9)), 4) for _ in range(FAN_OUT)]
        yield delta, w, z


def nmu_loss(delta, w, z):
    outputs = (prod((v * x + 1 - v for v, x in zip(row, z, strict=True)), start=Fraction(1)) for row in w)
    return sum(d * out for d, out in zip(delta, outputs, strict=True))


def replaced(values, index, value):
    return [*values[:index], value, *values[index + 1 :]]


def floats(values):
    return np.array([[float(x) for x in row] if isinstance(row, list) else float(row) for row in values])


def test_nmu_gradients_are_exact_differences_where_factors_vanish_too():
    vanishing = 0
    for delta, w, z in rational_layers(200):
        vanishing += any(w[o][h] * z[h] + 1 - w[o][h] == 0 for o in range(FAN_OUT) for h in range(FAN_IN))
        # The loss is affine in every single weight and input: a difference over a step of 1 is its derivative.
        by_input = [nmu_loss(delta, w, replaced(z, h, z[h] + 1)) - nmu_loss(delta, w, z) for h in range(FAN_IN)]
        by_weight = [
            [
                nmu_loss(delta, replaced(w, o, replaced(w[o], h, w[o][h] + 1)), z) - nmu_loss(delta, w, z)
                for h in range(FAN_IN)
            ]
            for o in range(FAN_OUT)
        ]
        arrays = floats(delta), floats(w), floats(z)
        # All numbers are multiples of powers of two, far from the end of the significand: no rounding at all.
        assert np.array_equal(nmu_gradients.input_gradient(*arrays), floats(by_input))
        assert np.array_equal(nmu_gradients.weight_gradient(*arrays), floats(by_weight))
        assert np.array_equal(arrays[0] @ nmu_gradients.forward(*arrays[1:]), float(nmu_loss(delta, w, z)))
    assert vanishing > 50


def random_layer(rng, *leading):
    return (
        rng.normal(size=(*leading, FAN_OUT)),
        rng.uniform(-1, 1, (FAN_OUT, FAN_IN)),
        rng.normal(size=(*leading, FAN_IN)),
    )


def nac_mul_loss(delta, w, z, eps):
    outputs = [mpmath.exp(sum(v * mpmath.log(abs(x) + eps) for v, x in zip(row, z, strict=True))) for row in w]
    return sum(d * out for d, out in zip(delta, outputs, strict=True))


@pytest.mark.parametrize("eps", [1e-7, 0.25])
def test_nac_multiplication_gradients_are_derivatives(eps):
    delta, w, z = random_layer(np.random.default_rng(11))
    mp = [list(map(mpmath.mpf, v)) for v in (delta, z)]
    rows = [list(map(mpmath.mpf, row)) for row in w]
    with mpmath.workdps(40):
        by_input = [
            mpmath.diff(lambda t, h=h: nac_mul_loss(mp[0], rows, replaced(mp[1], h, t), eps), mp[1][h])
            for h in range(FAN_IN)
        ]
        by_weight = [
            [
                mpmath.diff(
                    lambda t, o=o, h=h: nac_mul_loss(mp[0], replaced(rows, o, replaced(rows[o], h, t)), mp[1], eps),
                    rows[o][h],
                )
                for h in range(FAN_IN)
            ]
            for o in range(FAN_OUT)
        ]
    assert np.allclose(nac_mul_gradients.input_gradient(delta, w, z, eps), floats(by_input), rtol=1e-12, atol=0)
    assert np.allclose(nac_mul_gradients.weight_gradient(delta, w, z, eps), floats(by_weight), rtol=1e-12, atol=0)


def test_nac_multiplication_gradient_needs_no_quotient_in_the_range_of_float64():
    # z_out = 1e-400 is zero in float64; z_out / z = 1e-100 is not.
    w, z = [[1.0, 1.0]], [1e-300, 1e-100]
    assert nac_mul_gradients.input_gradient([1.0], w, z, 0.0)[0] == pytest.approx(1e-100, rel=1e-12)


@pytest.mark.parametrize("gradients", [nac_gradients, nmu_gradients])
def test_observations_are_leading_axes(gradients):
    rng = np.random.default_rng(3)
    delta, w, z = random_layer(rng, 5, 2)
    whole = gradients.weight_gradient(delta, w, z)
    assert whole.shape == (5, 2, FAN_OUT, FAN_IN)
    assert np.array_equal(whole[4, 1], gradients.weight_gradient(delta[4, 1], w, z[4, 1]))
    # One gradient from behind for all observations.
    assert np.array_equal(
        gradients.weight_gradient(delta[0, 0], w, z)[4, 1], gradients.weight_gradient(delta[0, 0], w, z[4, 1])
    )


def test_addition_layer_gradients_are_differences_of_its_loss():
    rng = np.random.default_rng(5)
    delta, w, z = random_layer(rng)
    for h in range(FAN_IN):
        step = np.eye(FAN_IN)[h]
        assert nac_gradients.input_gradient(delta, w)[h] == pytest.approx(delta @ (w @ (z + step)) - delta @ (w @ z))
        for o in range(FAN_OUT):
            moved = w + np.outer(np.eye(FAN_OUT)[o], step)
            expected = delta @ (moved @ z) - delta @ (w @ z)
            assert nac_gradients.weight_gradient(delta, w, z)[o, h] == pytest.approx(expected)


def test_parameter_gradients_are_derivatives():
    w_hat, m_hat = np.random.default_rng(2).normal(size=(2, FAN_OUT, FAN_IN)) * 3
    by_w_hat, by_m_hat = nac_gradients.parameter_gradients(2.0, w_hat, m_hat)

    def weight(a, b):
        return 2 * mpmath.tanh(a) / (1 + mpmath.exp(-b))

    for index in np.ndindex(FAN_OUT, FAN_IN):
        point = mpmath.mpf(w_hat[index]), mpmath.mpf(m_hat[index])
        assert by_w_hat[index] == pytest.approx(float(mpmath.diff(weight, point, (1, 0))), rel=1e-9)
        assert by_m_hat[index] == pytest.approx(float(mpmath.diff(weight, point, (0, 1))), rel=1e-9)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: nmu_gradients.forward([1.0, 2.0], [1.0]), r"forward: w must have at least 2 axes, got shape \(2,\)"),
        (lambda: nmu_gradients.weight_gradient([1.0], [[1.0, 1.0]], [1.0]), "z must have fan_in = 2 values .* got 1"),
        (
            lambda: nmu_gradients.input_gradient([1.0, 1.0], [[1.0]], [1.0]),
            "delta must have fan_out = 1 values .* got 2",
        ),
        (lambda: nmu_gradients.input_gradient(np.ones((2, 1)), [[1.0]], np.ones((3, 1))), "leading axes of z"),
        (lambda: nac_gradients.weight_gradient([np.nan], [[1.0]], [1.0]), "delta must be finite, got nan"),
        (lambda: nac_gradients.input_gradient([1.0], np.ones((1, 1, 1))), r"w must have shape \(fan_out, fan_in\)"),
        (lambda: nac_mul_gradients.forward([[1.0]], [0.0], 0.0), "forward: eps must be positive where an input is 0"),
        (lambda: nac_mul_gradients.input_gradient([1.0], [[1.0]], [1.0], -1.0), "eps must be a number of at least 0"),
        (lambda: nac_mul_gradients.weight_gradient([1.0], [[1.0]], [1.0], [0.1]), "eps must be a number of at least 0"),
        (
            lambda: nac_gradients.parameter_gradients(1.0, 400.0, 0.0),
            r"w_hat must be a number in \[-350, 350\], got 400",
        ),
    ],
)
def test_wrong_arguments_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_kernel_carries_the_derivative_of_its_output():
    """The derivative in column 2 is the difference quotient of the output in column 1, replayed in NumPy."""
    key, samples, step = stream(5, "tangent", 0), 1000, 1e-6
    r_w, a, b, eps, fan_in = 0.8, 0.5, 2.0, 0.01, 3
    out = np.empty((samples, 3), order="F")
    kernels.layer(key, 0, r_w, a, b, eps, 1.0, 0.0, fan_in, 1, out)

    def drawn(kernel, draw):
        rows = kernel.rows(samples)
        kernel(key, 0, draw, rows)
        return rows.T

    z = a + (b - a) * np.concatenate([drawn(uniforms, 0), drawn(uniforms, 2)])[:fan_in]
    w = r_w * (2 * (drawn(halves, fan_in + 1)[:fan_in] + 0.5) / 2**32 - 1)

    def output(shift):
        moved = z + np.array([shift, 0, 0])[:, None]
        return np.exp(np.sum(w * np.log(moved + eps), axis=0))

    assert np.allclose(out[:, 1], output(0.0), rtol=1e-13, atol=0)
    quotient = (output(step) - output(-step)) / (2 * step)
    assert np.allclose(out[:, 2], quotient, rtol=1e-6, atol=1e-8)
    by_theory = [nac_mul_gradients.input_gradient([1.0], w[:, [i]].T, z[:, i], eps)[0] for i in range(samples)]
    assert np.allclose(out[:, 2], by_theory, rtol=1e-12, atol=0)


@pytest.mark.parametrize(
    ("a", "b", "sign"), [(0.1, 0.2, -1), (1.0, 2.0, 1), (0.5, 2.0, 0), (0.5, 1.9, -1), (0.5, 2.1, 1)]
)
def test_mean_derivative_has_the_sign_of_the_log_of_the_product_of_the_ends(a, b, sign):
    # For 0.5 and 2 eps moves the product of the ends above 1, by no more than 2.5e-20.
    value = nac_mul_backward_exact.jacobian_mean(0.5, a, b, 1e-20, 3)
    assert np.sign(value) == sign or (sign == 0 and 0 < value < 1e-19)


@pytest.mark.parametrize("r_w", [0.25, 1.0])
def test_second_moment_approaches_its_stated_growth(r_w):
    """Q eps^(1 + 2 r_w) log(1/eps) tends to r_w/(4 b (1 + 2 r_w)), with an error of order 1/log(1/eps)."""
    b, limit = 3.0, r_w / (4 * 3.0 * (1 + 2 * r_w))
    ratios = []
    for eps in (1e-5, 1e-10, 1e-20):
        second = nac_mul_backward_exact.input_gradient_variance(1, 1, r_w, 0.0, b, eps, 1)
        ratios.append(second * eps ** (1 + 2 * r_w) * np.log(1 / eps) / limit - 1)
    assert np.all(np.diff(np.abs(ratios)) < 0)
    assert abs(ratios[-1]) < 5 / np.log(1e20)


def test_positive_weights_do_not_bound_the_derivative():
    """The second moment times 4 b eps log(1/eps)^3 tends to 1."""
    eps = np.array([1e-5, 1e-10, 1e-20])
    ratios = nac_mul_backward_exact.positive_weight_second_moment(0.0, 1.0, eps) * 4 * eps * np.log(1 / eps) ** 3
    assert np.all(np.diff(np.abs(ratios - 1)) < 0)
    assert abs(ratios[-1] - 1) < 5 / np.log(1e20)


def test_approximation_at_mean_zero_is_off_without_bound():
    eps = np.array([1e-2, 1e-4, 1e-6])
    printed = nac_mul_backward.inverse_square_taylor(0.0, 1 / 3, eps)
    exact = nac_mul_backward.inverse_square_from_zero(1.0, eps)
    assert np.allclose(np.diff(np.log10(printed / exact)), 6, atol=0.05)  # eps^-4 against eps^-1


def test_glorot_keeps_both_variances_for_square_layers_alone():
    assert glorot.forward_variance(7, 7, 2.0) == glorot.backward_variance(7, 7, 2.0) == 2.0
    assert glorot.forward_variance(3, 5, 1.0) == 0.75
    assert glorot.backward_variance(3, 5, 1.0) == 1.25
