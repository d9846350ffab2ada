"""Layers of printed equations: shapes, gradients, dropout, and training that can be repeated."""

from importlib.util import find_spec

import numpy as np
import pytest
from kernels_for_tests import rows_of

from montecarlo.training import matrix_layers as layers
from montecarlo.training.perceptron import KINDS, METHODS, Perceptron, difference_errors, train_on_digits

pytestmark = pytest.mark.skipif(not find_spec("sklearn"), reason="scikit-learn is not installed")
SMALL = {
    "seed": 1, "width": 6, "steps": 16, "batch": 8, "rate": 0.02, "mu": 0.9, "drop_rate": 0.2, "method": "momentum",
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_gradients_have_the_shapes_of_their_parameters_and_are_right(kind):
    rng = np.random.default_rng(2)
    net = Perceptron.of(kind, (5, 7, 3), rng)
    x, t = rng.standard_normal((9, 5)), np.eye(3)[rng.integers(0, 3, 9)]
    assert max(difference_errors(net, x, t, rng)) < 1e-12
    for layer in net.layers:
        assert {k: v.shape for k, v in layer.parameters.items()} == {k: v.shape for k, v in layer.gradients.items()}


def test_a_central_difference_is_near_the_complex_step():
    rng = np.random.default_rng(3)
    net = Perceptron.of("batchnorm", (5, 7, 3), rng)
    x, t = rng.standard_normal((9, 5)), np.eye(3)[rng.integers(0, 3, 9)]
    assert 1e-13 < max(difference_errors(net, x, t, rng, 1e-5)) < 1e-6


def test_batch_normalisation_gives_columns_of_mean_0_and_variance_1():
    y = layers.BatchNormalization(4).forward(np.random.default_rng(4).uniform(2, 9, (50, 4)))
    assert np.allclose(y.mean(axis=0), 0, atol=1e-12)
    assert np.allclose(y.var(axis=0), 1)


def test_dropout_keeps_the_mean_and_spares_the_inputs():
    net = Perceptron.of("dropout", (300, 200, 10), np.random.default_rng(5))
    net.drop(0.25, np.random.default_rng(6))
    assert net.layers[0].r == 1.0
    assert set(np.unique(net.layers[2].r)) == {0.0, 1 / 0.75}
    assert net.layers[2].r.mean() == pytest.approx(1, abs=0.1)
    net.drop(0.25, None)
    assert net.layers[2].r == 1.0


def test_an_unknown_kind_is_refused():
    with pytest.raises(ValueError, match=r"Perceptron\.of: kind must be one of"):
        Perceptron.of("tanh", (2, 2), np.random.default_rng(0))


def played(first, runs, **values):
    rows = rows_of(train_on_digits, {**SMALL, **values}, runs, first=first)
    return dict(zip(train_on_digits.observables, rows.T, strict=True))


@pytest.mark.parametrize("method", METHODS)
def test_runs_are_known_by_their_number_and_the_methods_differ(method):
    two, second = played(0, 2, kind="relu", method=method), played(1, 1, kind="relu", method=method)
    assert all(two[name][1] == second[name][0] for name in two)
    other = played(1, 1, kind="relu", method=METHODS[METHODS.index(method) - 1])
    assert other["loss_0"] == second["loss_0"]
    assert other["loss_8"] != second["loss_8"]


def test_a_rate_that_is_too_large_ends_at_the_last_finite_loss_and_without_a_warning():
    out = played(0, 1, kind="srelu", rate=1e6)
    assert out["lasted"][0] < SMALL["steps"]
    assert np.isfinite(list(out.values())).all()
    assert played(0, 1, kind="srelu")["lasted"][0] == SMALL["steps"]
