"""Tanh networks: the gradient through the normalisation, Adam with its schedule, what runs share."""

from itertools import pairwise

import numpy as np
import pytest
from kernels_for_tests import rows_of, slopes

from montecarlo.training.optimisers import Adam
from montecarlo.training.smooth import deep_tanh
from montecarlo.training.smooth.noisy_sine import tanh_sine
from montecarlo.training.smooth.tanh_addition import function_of, trained
from montecarlo.training.smooth.tanh_descent import loss_and_gradient
from montecarlo.training.smooth.tanh_networks import KINDS, Schedule, TanhNetwork, train
from montecarlo.training.smooth.tanh_variants import train_symmetric

# tanh is a rational function here, 1e-7 from it.
NEAR = 1e-5


def _data(inputs, n=20, seed=0):
    x = np.random.default_rng(seed).uniform(-1, 1, (n, inputs))
    return x, x.sum(axis=1) ** 2


@pytest.mark.parametrize("units", [16, 37])
@pytest.mark.parametrize("inputs", [1, 2, 3])
def test_loss_and_gradient_are_those_of_the_formula(inputs, units):
    """In float32, in which networks are trained."""
    net, (x, y) = TanhNetwork(units, inputs), _data(inputs)
    raw = net.start(np.random.default_rng(2), "independent")
    weights, gradient = net.weights(raw), np.empty(net.size, np.float32)
    loss = loss_and_gradient(weights.astype(np.float32), units, x.astype(np.float32), y.astype(np.float32), gradient)
    w, b, v, _ = net.tensors(weights)
    h = np.tanh(x @ w + b)
    error = net.outputs(raw, x) - y
    back = 2 / len(x) * error
    inner = back[:, None] * v * (1 - h**2)
    expected = np.concatenate([(x.T @ inner).ravel(), inner.sum(axis=0), back @ h, [back.sum()]])
    assert loss == pytest.approx((error**2).mean(), rel=NEAR)
    np.testing.assert_allclose(gradient, expected, atol=NEAR * np.abs(expected).max())


def test_an_initialised_network_starts_with_the_weights_that_a_scaled_one_starts_with():
    free, scaled = (TanhNetwork(24, 2, 0.5, kind) for kind in ("initialised", "scaled"))
    starts = [net.start(np.random.default_rng(4)) for net in (free, scaled)]
    np.testing.assert_array_equal(free.weights(starts[0]), scaled.weights(starts[1]))
    assert not np.allclose(*starts)


@pytest.mark.parametrize("kind", [*KINDS, "symmetric"])
def test_training_is_adam_along_the_gradient_of_the_loss(kind):
    """By differences in float64; a symmetric network is normalised, and the mean over both orders of its inputs."""
    symmetric, schedule = kind == "symmetric", Schedule(15, 1e-2, 0.9, 5)
    net, (x, y) = TanhNetwork(12, 2, 0.5, "normalised" if symmetric else kind), _data(2)
    found = net.start(np.random.default_rng(3))
    raw, adam = found.copy(), Adam(1e-2)

    def loss(at):
        orders = (x, x[:, ::-1]) if symmetric else (x,)
        return ((np.mean([net.outputs(at, places) for places in orders], axis=0) - y) ** 2).mean()

    for step in range(15):
        adam.step(raw, slopes(loss, raw), 0.9 ** (step // 5))
    if symmetric:
        train_symmetric(net, found, schedule, x, y)
    else:
        train(net, found, schedule, lambda first, last: (x[None], y[None]))
    np.testing.assert_allclose(found, raw, atol=1e-4)


def test_curvature_is_that_of_differences():
    net = TanhNetwork(20, 2, 2.0)
    raw, x, h = net.start(np.random.default_rng(4)), _data(2)[0], 1e-4
    steps = h * np.eye(2)

    def second(i, k):
        signs = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
        return sum(a * b * net.outputs(raw, x + a * steps[i] + b * steps[k]) for a, b in signs) / (4 * h * h)

    expected = np.sqrt(sum((second(i, k) ** 2).mean() for i in range(2) for k in range(2)))
    assert net.curvature(raw, x) == pytest.approx(expected, rel=1e-5)


def test_a_shared_start_gives_both_layers_the_same_numbers():
    net = TanhNetwork(6, 2)
    w, _, v, _ = net.tensors(net.start(np.random.default_rng(5)))
    assert (v == w.T.ravel()[:6]).all()
    w, _, v, _ = net.tensors(net.start(np.random.default_rng(5), "independent"))
    assert not np.isin(v, w).any()


def test_fresh_batches_are_new_at_each_step_and_of_each_run():
    settings = {"task": "addition", "number": 8, "low": 0.25, "fresh": 1, "first_seed": 1, "steps": 3}
    net = TanhNetwork(8)
    losses = [trained(net, run, **settings)[1] for run in (0, 1)]
    assert losses == [trained(net, run, **settings)[1] for run in (0, 1)]
    assert losses[0] != losses[1]


def test_a_sine_without_noise_is_learned():
    point = {"inverse_sigma": 1.0, "units": 64, "number": 60, "noise": 0.0, "first_seed": 1, "steps": 3000, "test": 100}
    found = rows_of(tanh_sine, point)[0]
    # The sine itself has a mean square of 1/2.
    assert found[0] < 0.1 < found[2]


def test_the_grid_of_a_function_has_the_first_coordinate_along_rows():
    net = TanhNetwork(8)
    raw = net.start(np.random.default_rng(6))
    points, values = function_of(net, raw, 5, 1.0)
    assert points[0, 4].tolist() == [1.0, -1.0]
    assert values[0, 4] == pytest.approx(net.outputs(raw, np.array([[1.0, -1.0]]))[0])


# --- several hidden layers -----------------------------------------------------------------------------------------


def deep(hidden, units=5, seed=0):
    rng = np.random.default_rng(seed)
    sizes = [2, *[units] * hidden, 1]
    return [(rng.normal(size=(n, m)), rng.normal(size=m)) for n, m in pairwise(sizes)]


@pytest.mark.parametrize("hidden", [1, 2, 3])
def test_gradients_of_all_layers_are_those_of_differences(hidden):
    raw, (x, y) = deep(hidden), _data(2)
    _, found = deep_tanh.gradients(raw, 0.7, x, y)
    for layer, by in zip(raw, found, strict=True):
        for tensor, gradient in zip(layer, by, strict=True):
            place = tuple(np.array(tensor.shape) - 1)
            losses = []
            for change in (1e-6, -2e-6):
                tensor[place] += change
                losses.append(deep_tanh.gradients(raw, 0.7, x, y)[0])
            tensor[place] += 1e-6
            assert (losses[0] - losses[1]) / 2e-6 == pytest.approx(gradient[place], rel=1e-4, abs=1e-8)


def test_one_hidden_layer_is_the_network_of_the_other_simulators():
    network, raw = TanhNetwork(units=6, sigma=0.4), deep(1, 6)
    vector = np.concatenate([raw[0][0].ravel(), raw[0][1], raw[1][0].ravel(), raw[1][1]])
    x, _ = _data(2)
    found = deep_tanh.activations(deep_tanh.acting(raw, 0.4), x)[-1][:, 0]
    assert found == pytest.approx(network.outputs(vector, x), abs=NEAR)


def test_curvature_is_that_of_functions_with_known_second_derivatives():
    axis = np.linspace(-1, 1, 21)
    x, y = np.meshgrid(axis, axis)
    assert deep_tanh.curvature(x**2 + 3 * y, 0.1) == pytest.approx(2)
    assert deep_tanh.curvature(x * y, 0.1) == pytest.approx(2**0.5)
