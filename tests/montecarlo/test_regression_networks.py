"""Regression networks: gradients, optimisers, scalings, independence of runs, and the runs that are stored."""

import sys

import numpy as np
import pytest
from kernels_for_tests import rows_of, slopes

from montecarlo.training.networks import Network
from montecarlo.training.regression import batches
from montecarlo.training.scaled_targets import DATA, deep_network, one_hidden_layer, regression_data, untrained_network
from paper_checks.experiments.stored import stored_rows
from paper_checks.papers.dying_relu.stored_runs import Trained
from paper_checks.papers.dying_relu.sweeps import FIGURE_6, STARTS
from theory.relu_unit import forward


def data(n=64, inputs=3, seed=3):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, inputs))
    return x, np.sin(x[:, 0]) + np.maximum(x[:, 1], 0)


def start(network, runs=2, seed=1):
    rng = np.random.default_rng(seed)
    return network.start([rng] * runs) + 0.1 * rng.normal(size=(runs, network.size))


@pytest.mark.parametrize("residual", [False, True])
@pytest.mark.parametrize("leak", [0.0, 0.1])
@pytest.mark.parametrize("depth", [1, 3])
def test_gradients_are_finite_differences(residual, leak, depth):
    network = Network(3, 4, depth, residual, leak)
    rows, rng = start(network), np.random.default_rng(2)
    x, y = rng.normal(size=(2, 7, 3)), rng.normal(size=(2, 7, 1))
    outputs, tape = network.forward(rows, x)
    found = np.empty_like(rows)
    network.gradients(rows, tape, (outputs - y) / 7, found)

    def loss(shift):
        return 0.5 * ((network.forward(rows + shift, x)[0] - y) ** 2).mean(axis=(1, 2))

    expected = slopes(loss, np.zeros(network.size)).T
    np.testing.assert_allclose(found, expected, atol=1e-8, rtol=0)
    # The check would notice a gradient that is 0 everywhere or in one tensor.
    assert all(np.abs(t).max() > 1e-4 for t in network.tensors(expected))


def test_the_plain_network_is_the_recursion_of_the_paper():
    network = Network(3, 4, 2)
    rows, (x, _) = start(network), data()
    outputs, _ = network.forward(rows, x[None])
    for run in range(2):
        tensors = network.tensors(rows[run : run + 1])
        weights, biases = [w[0].T for w in tensors[::2]], [b[0, 0] for b in tensors[1::2]]
        np.testing.assert_allclose(outputs[run], forward(weights, biases, x), rtol=1e-12, atol=1e-14)


def test_normalised_units_have_mean_zero_and_are_alive_at_the_start():
    network = Network(3, 5, 4, residual=True)
    rows, (x, _) = network.start([np.random.default_rng(1)]), data()
    for normal, *_ in network.forward(rows, x[None])[1][1:-1]:
        assert np.abs(normal.mean(axis=1)).max() < 1e-14
        np.testing.assert_allclose((normal**2).mean(axis=1), 1, atol=0.01)
    assert network.dead(rows, x[None]).sum(axis=2).tolist() == [[0, 0, 0, 0]]
    # A shift that no normalised value reaches kills its unit.
    network.tensors(rows)[3][0, 0, 2] = -np.sqrt(len(x))
    assert network.dead(rows, x[None]).sum(axis=2).tolist() == [[1, 0, 0, 0]]


def test_dead_units_are_counted_by_layer():
    network = Network(1, 2, 2)
    rows, x = np.zeros((1, network.size)), np.linspace(-1, 1, 9)[:, None]
    w, b, w_2, b_2, *_ = network.tensors(rows)
    w[0, 0], b[0, 0] = [1.0, 1.0], [0.5, -1.0]
    w_2[0], b_2[0, 0] = [[1.0, 1.0], [0.0, 0.0]], [-1.5, -1.4]
    # The second unit reaches 0 and not more; the first of the next layer likewise.
    assert network.dead(rows, x[None]).sum(axis=2).tolist() == [[1, 1]]


def test_a_pass_takes_every_example_once():
    order = batches(np.random.default_rng(1), 10, 3, 7)
    assert order.shape == (7, 3)
    assert all(len(set(order[i : i + 3].ravel())) == 9 for i in (0, 3))
    assert order[:3].tolist() != order[3:6].tolist()


# Later columns may differ where sums are taken in another order, on another machine.
EARLY = ("dead_0", "dead_10", "died_10")


@pytest.mark.parametrize(("index", "first"), [(14, 1), (55, 45)])
def test_stored_runs_are_found_again(index, first):
    """Of the other sweeps they are simulated again by the tests of experiments."""
    columns = [i for i, name in enumerate(FIGURE_6.columns) if name in EARLY]
    again, kept = rows_of(FIGURE_6.play, FIGURE_6.values(index, 0), first=first)[0], stored_rows(FIGURE_6)[index][first]
    np.testing.assert_array_equal(again[columns], kept[columns])
    assert again[columns].any() or FIGURE_6.points[index].get("residual")


SMALL = {"seed": 7, "data": "relu", "gamma": 4.0**-2, "width": 4, "law": "uniform", "batch": 32, "momentum": 0.9}


def test_the_start_of_a_network_is_that_of_its_training():
    values = {**SMALL, "gamma": 1.0, "depth": 6, "residual": False, "optimiser": "sgd", "step_size": 0.1}
    before, trained = (rows_of(play, values, 3) for play in (untrained_network, deep_network))
    assert before[:, 1].tolist() == trained[:, 1].tolist() != [0.0, 0.0, 0.0]
    assert (trained[:, 0] < before[:, 0]).all()


def test_scaled_runs_do_not_depend_on_gamma_and_others_do():
    values = {**SMALL, "optimiser": "adam", "step_size": 1e-3, "leak": 0.0}
    one = rows_of(one_hidden_layer, {**values, "gamma": 1.0, "scaled": False}, 3)
    scaled, plain = (rows_of(one_hidden_layer, {**values, "scaled": s}, 3) for s in (True, False))
    np.testing.assert_array_equal(scaled[:, 1:], one[:, 1:])
    np.testing.assert_array_equal(scaled[:, 0] / SMALL["gamma"] ** 2, one[:, 0])
    assert (plain[:, 0] / SMALL["gamma"] ** 2 != one[:, 0]).all()


def test_generated_data_are_normalised_and_reproducible():
    for name in DATA[:3]:
        x, y = regression_data(name, 5)
        assert abs(y.mean()) < 1e-12
        assert y.std() == pytest.approx(1, rel=1e-12)
        np.testing.assert_array_equal(regression_data(name, 5)[0], x)
        assert not np.array_equal(regression_data(name, 6)[0], x)
    assert regression_data("friedman1-positive", 5)[0].min() > 0


def test_a_missing_scikit_learn_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn.datasets", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'paper-checks\[data\]'"):
        regression_data("diabetes", 1)


def test_missing_runs_are_named():
    with pytest.raises(LookupError, match=r"relu/figure-6-start: there must be runs with .*'depth': 5"):
        Trained(STARTS, [np.zeros((1, 2))] * len(STARTS.points))(residual=True, law="he", depth=5)
