"""Regularisers, their slopes and the sparsity error, against plain readings of them."""

from __future__ import annotations

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


def test_bias_vanishes_and_peaks_where_it_should():
    values = np.array([-1.0, 0.0, 1.0])
    assert np.all(regularisers.nau_bias(values) == 0)
    assert np.all(regularisers.nmu_bias(values[1:]) == 0)
    assert regularisers.nmu_bias(-1.0) > 0
    w = np.linspace(-1, 1, 2001)
    assert regularisers.nau_bias(w).max() == 1 / 16
    assert set(np.abs(w[regularisers.nau_bias(w) == 1 / 16])) == {0.5}
    steepest = np.sqrt(3) / 9
    assert np.abs(regularisers.nau_bias_slope(w)).max() <= steepest
    assert regularisers.nau_bias_slope((1 - 1 / np.sqrt(3)) / 2) == pytest.approx(steepest, rel=1e-14)


def test_out_of_bounds_is_zero_inside_and_leads_back_outside():
    inside = np.linspace(0, 1, 101)
    assert np.all(regularisers.nmu_oob(inside) == 0)
    assert np.all(regularisers.nau_oob(inside * 2 - 1) == 0)
    # Next to the edge, where |w - 1/2| - 1/2 rounds to 0.
    assert regularisers.nmu_oob(-1e-100) == 1e-200
    outside = np.array([1.001, 1.5, 30.0])
    for penalty, slope in PENALTIES[1::2]:
        assert np.all(penalty(outside) > 0)
        assert np.all(slope(outside) > 0)
        assert np.all(slope(-outside) < 0)


def test_a_nau_starts_where_all_weights_are_drawn_to_zero():
    w = np.linspace(-0.499, 0.499, 500)
    assert np.all(np.sign(regularisers.nau_bias_slope(w)) == np.sign(w))
    start = np.linspace(0.25, 0.75, 500)
    drawn_up = regularisers.nmu_bias_slope(start) < 0
    assert drawn_up.sum() == 250


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


def test_normalisation_weighs_the_default_layers_as_the_notes_state():
    first, second = regularisers.entries_over_fans(100, 2), regularisers.entries_over_fans(2, 1)
    assert (round(first, 2), round(second, 2), round(first / second, 2)) == (1.96, 0.67, 2.94)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"unit": "nac"}, "unit must be"),
        ({"kind": "l1"}, "kind must be"),
        ({"normalisation": "sum"}, "normalisation must be"),
        ({"w": [1.0]}, "at least 2 axes"),
        ({"w": [[[1.0]]]}, "fan_out, fan_in"),
        ({"w": np.empty((0, 2))}, "fan_out, fan_in"),
        ({"w": [[np.nan]]}, "finite"),
    ],
)
def test_layer_regulariser_refuses_what_makes_no_sense(change, message):
    call = {"unit": "nau", "kind": "bias", "w": [[1.0]], **change}
    with pytest.raises(ValueError, match=message):
        layer_regulariser(**call)


@given(st.lists(st.floats(-3, 3), min_size=1, max_size=8))
def test_sparsity_error_exceeds_half_exactly_beyond_three_halves(weights):
    error = sparsity_error(weights)
    assert error == max(min(abs(w), abs(abs(w) - 1)) for w in weights)
    assert (error > 0.5) == (max(map(abs, weights)) > 1.5)


def test_sparsity_error_is_over_all_matrices():
    assert sparsity_error([[1.0, 0.0]], [[0.9]]) == pytest.approx(0.1)
    with pytest.raises(ValueError, match="at least one weight"):
        sparsity_error()
    with pytest.raises(ValueError, match="finite"):
        sparsity_error([np.inf])


@pytest.mark.parametrize("entries", [1, 2, 200, 10**6])
def test_start_of_sparsity_error_is_continuous_where_its_form_changes(entries):
    below, above = regularisers.nau_sparsity_mean(0.5, entries), regularisers.nau_sparsity_mean(0.5 + 1e-12, entries)
    assert below == pytest.approx(above, rel=1e-10)
    # On [0, 1] and on [-1, 1] the distances have the same law.
    assert regularisers.nau_sparsity_mean(1.0, entries) == pytest.approx(
        regularisers.nmu_sparsity_mean(0.5, entries), rel=1e-14
    )


def test_ramp_is_gradual():
    assert regularisers.ramp(0.1, 1) == pytest.approx(1e-6, rel=1e-5)
    assert regularisers.ramp(1.0, 1e5) == pytest.approx(1 - np.exp(-1))
    assert regularisers.ramp(1.0, 2e5) == pytest.approx(0.8647, abs=1e-4)
    assert regularisers.ramp(0.1, 0) == 0
