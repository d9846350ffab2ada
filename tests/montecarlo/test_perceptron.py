"""Layers of printed equations: shapes, gradients, dropout, and training that can be repeated."""

from importlib.util import find_spec

import numpy as np
import pytest
from kernels_for_tests import rows_of

from montecarlo.training.perceptron import Perceptron, train_on_digits

pytestmark = pytest.mark.skipif(not find_spec("sklearn"), reason="scikit-learn is not installed")
SMALL = {
    "seed": 1, "width": 6, "steps": 16, "batch": 8, "rate": 0.02, "mu": 0.9, "drop_rate": 0.2, "method": "momentum",
}  # fmt: skip


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


def test_a_rate_that_is_too_large_ends_at_the_last_finite_loss_and_without_a_warning():
    out = played(0, 1, kind="srelu", rate=1e6)
    assert out["lasted"][0] < SMALL["steps"]
    assert np.isfinite(list(out.values())).all()
    assert played(0, 1, kind="srelu")["lasted"][0] == SMALL["steps"]
