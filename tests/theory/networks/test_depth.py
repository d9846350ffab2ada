"""Closed forms for several layers agree with layers that are played or summed over."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from kernels_for_tests import rows_of

from montecarlo.kernels.nac_mul import backward
from montecarlo.streams.philox import stream
from theory.nmu import depth as nmu_depth


def second_layer_by_sum(d, s, width):
    """Mean and second moment of an output of the second layer over all inputs +-s and weights 1/2 +- d."""
    first, second = [], []
    weights = 0.5 + d * np.array(list(itertools.product((-1, 1), repeat=width)))
    for z in itertools.product((-s, s), repeat=width):
        units = np.prod(weights * np.array(z) + 1 - weights, axis=1)  # one unit under all its weights
        for hidden in itertools.product(units, repeat=width):
            outputs = np.prod(weights * np.array(hidden) + 1 - weights, axis=1)
            first.append(outputs.mean())
            second.append((outputs**2).mean())
    return np.mean(first), np.mean(second)


@settings(max_examples=10)
@given(st.floats(0.05, 0.5), st.floats(0.1, 1.5), st.sampled_from([1, 2, 3]))
def test_second_layer_of_a_real_network_is_the_sum_over_its_weights(d, s, width):
    first, second = second_layer_by_sum(d, s, width)
    assert nmu_depth.second_layer_mean(width)(s**2) == pytest.approx(first, rel=1e-9, abs=1e-12)
    assert nmu_depth.second_layer_variance(width)(d**2, s**2) == pytest.approx(second - first**2, rel=1e-6, abs=1e-12)


def test_each_output_of_a_backward_nac_layer_has_weights_of_its_own():
    """What one more output adds to the gradient is delta times its derivative: 2 or 1, or its error."""
    units, key = (0.8, 1.5, 4.0, 0.1), stream(5, "backward", 0, 1)
    for kernel, settings_, delta in (
        (backward.layer, (1.5, 0.5), lambda added, _, slope: 1.5 + 0.5 * np.sign(added / slope - 1.5)),
        (backward.squared_loss, (2.0,), lambda _, output, __: output - 2.0),
    ):
        rows = np.array([rows_of(kernel, (*units, *settings_, 5, outputs), 50, key=key) for outputs in (1, 2, 3)])
        gradient, output, slope = np.moveaxis(rows, 2, 0)
        added = np.diff(gradient, axis=0, prepend=0)
        np.testing.assert_allclose(added, delta(added, output, slope) * slope, rtol=1e-11)
        assert len(np.unique(output)) == output.size
