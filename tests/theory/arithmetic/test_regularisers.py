"""Regularisers, their slopes and the sparsity error, against plain readings of them."""

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from theory.arithmetic import regularisers
from theory.arithmetic.regularisers import layer_regulariser, sparsity_error

PENALTIES = [
    (regularisers.nau_bias, regularisers.nau_bias_slope),
    (regularisers.nau_oob, regularisers.nau_oob_slope),
    (regularisers.nmu_bias, regularisers.nmu_bias_slope),
    (regularisers.nmu_oob, regularisers.nmu_oob_slope),
]
WEIGHTS = [-3.0, -1.25, -0.75, -0.3, 0.1, 0.5, 0.9, 1.5, 2.0]


@pytest.mark.parametrize(("penalty", "slope"), PENALTIES, ids=["nau-bias", "nau-oob", "nmu-bias", "nmu-oob"])
def test_slopes_are_derivatives(penalty, slope):
    for w in WEIGHTS:
        derivative = mpmath.diff(lambda v: penalty.mp(v), w)
        assert float(derivative) == pytest.approx(slope(w), rel=1e-9, abs=1e-12)


def test_clamps():
    w = np.array([-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0])
    assert np.array_equal(regularisers.nau_clamp(w), np.clip(w, -1, 1))
    assert np.array_equal(regularisers.nmu_clamp(w), np.clip(w, 0, 1))


@pytest.mark.parametrize("unit", ["nau", "nmu"])
@pytest.mark.parametrize("kind", ["bias", "oob"])
@pytest.mark.parametrize("shape", [(2, 100), (1, 2), (3, 3)])
def test_normalisations_differ_by_entries_over_fans(unit, kind, shape):
    w = np.random.default_rng(3).uniform(-2, 2, shape)
    average = layer_regulariser(unit, kind, w)
    printed = layer_regulariser(unit, kind, w, normalisation="fans")
    assert average == pytest.approx(np.mean(regularisers.PENALTIES[unit, kind](w)), rel=1e-14)
    assert printed / average == pytest.approx(regularisers.entries_over_fans(shape[1], shape[0]), rel=1e-14)


@given(st.lists(st.floats(-3, 3), min_size=1, max_size=8))
def test_sparsity_error_exceeds_half_exactly_beyond_three_halves(weights):
    error = sparsity_error(weights)
    assert error == max(min(abs(w), abs(abs(w) - 1)) for w in weights)
    assert (error > 0.5) == (max(map(abs, weights)) > 1.5)


def test_sparsity_error_is_over_all_matrices():
    assert sparsity_error([[1.0, 0.0]], [[0.9]]) == pytest.approx(0.1)
