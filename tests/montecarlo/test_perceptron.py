"""Layers of printed equations: dropout, and training that diverges; gradients are those of a claim."""

import numpy as np
import pytest
from kernels_for_tests import row_of

from montecarlo.training.perceptron import Perceptron, train_on_digits

SMALL = {
    "seed": 1, "kind": "srelu", "width": 6, "steps": 16, "batch": 8, "mu": 0.9, "drop_rate": 0.2, "method": "momentum",
}  # fmt: skip


def test_dropout_keeps_the_mean_and_spares_the_inputs():
    net = Perceptron.of("dropout", (300, 200, 10), np.random.default_rng(5))
    net.drop(0.25, np.random.default_rng(6))
    assert net.layers[0].r == 1.0
    assert set(np.unique(net.layers[2].r)) == {0.0, 1 / 0.75}
    assert net.layers[2].r.mean() == pytest.approx(1, abs=0.1)
    net.drop(0.25, None)
    assert net.layers[2].r == 1.0


def test_a_rate_that_is_too_large_ends_at_the_last_finite_loss_and_without_a_warning():
    pytest.importorskip("sklearn", reason="scikit-learn is not installed")
    diverges, lasts = (row_of(train_on_digits, SMALL | {"rate": rate}) for rate in (1e6, 0.02))
    assert diverges["lasted"] < SMALL["steps"] == lasts["lasted"]
    assert np.isfinite(list(diverges.values())).all()
