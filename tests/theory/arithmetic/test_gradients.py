"""Gradients of the layers: those of their definitions, where factors vanish too, and never 0/0."""

from math import prod

import mpmath
import numpy as np
import pytest

from theory.nac import gradients as nac
from theory.nac_mul import gradients as nac_mul
from theory.nmu import gradients as nmu

FAN_OUT, FAN_IN = 3, 4
many = np.vectorize(mpmath.mpf, otypes=[object])


def nac_mul_unit(eps):
    return lambda row, z: mpmath.exp(sum(v * mpmath.log(abs(x) + eps) for v, x in zip(row, z, strict=True)))


# A layer, one output by its definition, and what the gradients take beside delta, the weights and the inputs.
LAYERS = {
    "NAC": (nac, lambda row, z: sum(v * x for v, x in zip(row, z, strict=True)), ()),
    "NMU": (nmu, lambda row, z: prod(v * x + 1 - v for v, x in zip(row, z, strict=True)), ()),
    **{f"NAC multiplication, {eps}": (nac_mul, nac_mul_unit(eps), (eps,)) for eps in (1e-7, 0.25)},
}


def slopes(loss, at):
    """The derivatives of a function of an array, one by one, with many digits."""
    directions = np.eye(at.size, dtype=object).reshape(-1, *at.shape)
    found = [float(mpmath.diff(lambda t, e=e: loss(at + e * t), 0)) for e in directions]
    return np.reshape(found, at.shape)


@pytest.mark.parametrize(("gradients", "unit", "rest"), LAYERS.values(), ids=LAYERS)
@pytest.mark.parametrize("seed", range(3))
def test_gradients_are_derivatives(gradients, unit, rest, seed):
    rng = np.random.default_rng(seed)
    delta, w, z = rng.normal(size=FAN_OUT), rng.uniform(-1, 1, (FAN_OUT, FAN_IN)), rng.normal(size=FAN_IN)
    exact = many(w), many(z)

    def loss(w, z):
        return sum(d * unit(row, z) for d, row in zip(delta, w, strict=True))

    with mpmath.workdps(40):
        by_w, by_z = slopes(lambda w: loss(w, exact[1]), exact[0]), slopes(lambda z: loss(exact[0], z), exact[1])
    np.testing.assert_allclose(gradients.weight_gradient(delta, w, z, *rest), by_w, rtol=1e-12)
    by_input = [delta, w] if gradients is nac else [delta, w, z, *rest]
    np.testing.assert_allclose(gradients.input_gradient(*by_input), by_z, rtol=1e-12)
    if gradients is not nac:
        assert delta @ gradients.forward(w, z, *rest) == pytest.approx(float(loss(*exact)), rel=1e-12)


def test_nmu_gradients_are_exact_where_factors_vanish():
    """W z + 1 - W vanishes at W = 1, z = 0 and at W = 1/2, z = -1; all numbers are multiples of powers of two."""
    rng, vanishing = np.random.default_rng(7), 0
    for _ in range(200):
        w, z = rng.integers(0, 5, (FAN_OUT, FAN_IN)) / 4, rng.choice([-1, 0, 1, 0.5, -1.25, 3], FAN_IN)
        factors = w * z + 1 - w
        vanishing += not factors.all()
        others = np.array([np.prod(np.delete(factors, h, axis=1), axis=1) for h in range(FAN_IN)]).T
        delta = rng.integers(-8, 9, FAN_OUT) / 4
        assert np.array_equal(nmu.weight_gradient(delta, w, z), delta[:, None] * others * (z - 1))
        assert np.array_equal(nmu.input_gradient(delta, w, z), delta @ (others * w))
    assert vanishing > 50


def test_nac_multiplication_gradient_needs_no_quotient_in_the_range_of_float64():
    # z_out = 1e-400 is zero in float64; z_out / z = 1e-100 is not.
    w, z = [[1.0, 1.0]], [1e-300, 1e-100]
    assert nac_mul.input_gradient([1.0], w, z, 0.0)[0] == pytest.approx(1e-100, rel=1e-12)


@pytest.mark.parametrize("gradients", [nac, nmu])
def test_observations_are_leading_axes(gradients):
    rng = np.random.default_rng(3)
    delta, z = rng.normal(size=(5, 2, FAN_OUT)), rng.normal(size=(5, 2, FAN_IN))
    w = rng.uniform(-1, 1, (FAN_OUT, FAN_IN))
    whole = gradients.weight_gradient(delta, w, z)
    assert whole.shape == (5, 2, FAN_OUT, FAN_IN)
    assert np.array_equal(whole[4, 1], gradients.weight_gradient(delta[4, 1], w, z[4, 1]))
    # One gradient from behind for all observations.
    alone = gradients.weight_gradient(delta[0, 0], w, z[4, 1])
    assert np.array_equal(gradients.weight_gradient(delta[0, 0], w, z)[4, 1], alone)


def test_parameter_gradients_are_derivatives():
    w_hat, m_hat = np.random.default_rng(2).normal(size=(2, FAN_OUT, FAN_IN)) * 3
    by_w_hat, by_m_hat = nac.parameter_gradients(2.0, w_hat, m_hat)

    def weight(a, b):
        return 2 * mpmath.tanh(a) / (1 + mpmath.exp(-b))

    weights, a, b = np.vectorize(weight, otypes=[object]), many(w_hat), many(m_hat)
    np.testing.assert_allclose(by_w_hat, slopes(lambda at: weights(at, b).sum(), a), rtol=1e-9)
    np.testing.assert_allclose(by_m_hat, slopes(lambda at: weights(a, at).sum(), b), rtol=1e-9)
