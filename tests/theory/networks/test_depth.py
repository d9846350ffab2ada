"""Closed forms for several layers agree with layers that are played or summed over."""

import itertools

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kernels_for_tests import rows_of

from montecarlo.kernels.arithmetic import depth as kernels
from montecarlo.kernels.nac_mul import backward
from montecarlo.kernels.raw_draws import halves, uniforms
from montecarlo.streams.philox import stream
from theory.nac_mul import depth as nac_mul_depth
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


def test_rare_events_are_a_lower_bound():
    """One layer of two inputs e: E[z^2] = (sinh(2 w)/(2 w))^2."""
    for max_w in (0.5, 2.0, 5.0):
        exact = 2 * mpmath.log(mpmath.sinh(2 * max_w) / (2 * max_w))
        for share in (0.1, 0.5, 0.9):
            assert nac_mul_depth.rare_log_bound(max_w, share, 1.0, 2, 1) < exact


def test_nac_layers_are_played_as_they_are_defined():
    width, layers, samples = 5, 2, 50
    key = stream(5, "layers", 0, 1)

    def draw(kernel, index):
        return rows_of(kernel, (index,), samples, key=key).T

    out = rows_of(kernels.nac_mul_layers, (0.8, 1.5, 4.0, width, layers), samples, key=key)
    z = np.array([1.5 + 2.5 * draw(uniforms, h)[0] for h in range(width)])
    index = width
    for _ in range(layers):
        rows = []
        for _ in range(width):
            bits = np.array([draw(halves, index + h // 4)[h % 4] for h in range(width)])
            weights = 0.8 * (2 * (bits + 0.5) / 2**32 - 1)
            index += (width + 3) // 4
            rows.append(np.exp((weights * np.log(z)).sum(axis=0)))
        z = np.array(rows)
    assert out[:, 1] == pytest.approx(z[0], rel=1e-12)
    assert out[:, 0] == pytest.approx((np.log(z) ** 2).mean(axis=0), rel=1e-12)


def test_each_output_of_a_backward_nac_layer_has_weights_of_its_own():
    fan_in, fan_out, samples, r_w, a, b, eps, target = 5, 3, 50, 0.8, 1.5, 4.0, 0.1, 2.0
    key = stream(5, "backward", 0, 1)

    def draw(kernel, index):
        return rows_of(kernel, (index,), samples, key=key).T

    pairs = [draw(uniforms, h) for h in range(0, fan_in, 2)]
    z = a + (b - a) * np.concatenate(pairs)[:fan_in] + eps
    outputs, slopes = [], []
    for o in range(fan_out):
        bits = np.concatenate([draw(halves, (o + 1) * (fan_in + 1) + h) for h in range(0, fan_in, 4)])[:fan_in]
        weights = r_w * (2 * (bits + 0.5) / 2**32 - 1)
        outputs.append(np.exp((weights * np.log(z)).sum(axis=0)))
        slopes.append(outputs[-1] * weights[0] / z[0])
    deltas = [1.5 + 0.5 * np.where(draw(halves, fan_in)[1] // 2**o % 2, -1, 1) for o in range(fan_out)]
    errors = [output - target for output in outputs]
    for kernel, wanted, settings_ in (
        (backward.layer, deltas, (1.5, 0.5)), (backward.squared_loss, errors, (target,)),
    ):  # fmt: skip
        out = rows_of(kernel, (r_w, a, b, eps, *settings_, fan_in, fan_out), samples, key=key)
        total = sum(delta * slope for delta, slope in zip(wanted, slopes, strict=True))
        assert out[:, 0] == pytest.approx(total, rel=1e-11)
        assert out[:, 1] == pytest.approx(outputs[-1], rel=1e-11)
        assert out[:, 2] == pytest.approx(slopes[-1], rel=1e-11)
