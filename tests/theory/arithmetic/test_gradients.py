"""Gradients of the layers: exact where they are rational, differentiated where they are not, and never 0/0."""

from fractions import Fraction
from math import prod

import mpmath
import numpy as np
import pytest

from theory.nac import gradients as nac_gradients
from theory.nac_mul import gradients as nac_mul_gradients
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
