"""Closed forms for several layers agree with layers that are played or summed over."""

import itertools

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from montecarlo.kernels.arithmetic import depth as kernels
from montecarlo.kernels.raw_draws import halves, uniforms
from montecarlo.streams.philox import stream
from theory.nac_mul import depth as nac_mul_depth
from theory.nmu import depth as nmu_depth
from theory.nmu import moments as nmu
from theory.nmu import second_layer
from theory.numerics.accuracy import relative_error


@given(st.floats(0, 0.25), st.floats(0.01, 3), st.integers(1, 5))
def test_second_layer_as_if_independent_is_the_recursion(var_w, input_variance, width):
    mean, variance = nmu.mean(0.5, 0, width), nmu.variance(0.5, var_w, 0, input_variance, width)
    assert nmu.mean(0.5, mean, width) == pytest.approx(second_layer.second_layer_mean_independent(width), rel=1e-12)
    closed = second_layer.second_layer_variance_independent(var_w, input_variance, width)
    assert nmu.variance(0.5, var_w, mean, variance, width) == pytest.approx(closed, rel=1e-11)


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
    assert second_layer.second_layer_mean(width)(s**2) == pytest.approx(first, rel=1e-9, abs=1e-12)
    assert second_layer.second_layer_variance(width)(d**2, s**2) == pytest.approx(
        second - first**2, rel=1e-6, abs=1e-12
    )


def test_weights_enter_the_second_layer_by_their_variance_only():
    generator = np.random.default_rng(3)
    z = generator.choice([-1.3, 1.3], size=(200_000, 1, 2))
    uniform = [generator.uniform(0.1, 0.9, size=(200_000, 2, 2)) for _ in range(2)]
    hidden = np.prod(uniform[0] * z + 1 - uniform[0], axis=2)[:, None, :]
    output = np.prod(uniform[1] * hidden + 1 - uniform[1], axis=2)[:, 0]
    squares = (output - output.mean()) ** 2
    error = squares.std() / np.sqrt(len(squares))
    exact = second_layer.second_layer_variance(2)(0.8**2 / 12, 1.3**2)
    assert abs(squares.mean() - exact) < 5 * error
    assert abs(squares.mean() - second_layer.second_layer_variance_independent(0.8**2 / 12, 1.3**2, 2)) > 10 * error


@pytest.mark.parametrize("width", [1, 2, 5, 12, 20])
def test_second_layer_forms_agree_with_50_digits(width):
    for input_variance in (1e-3, 0.1, 1.0, 2.5, 100.0):
        for formula, arguments in (
            (second_layer.second_layer_mean(width), [(input_variance,)]),
            (second_layer.binary_second_layer_square(width), [(input_variance,)]),
            (second_layer.second_layer_variance(width), [(v, input_variance) for v in (0.0, 1e-6, 0.1, 0.25)]),
        ):
            for point in arguments:
                assert relative_error(formula, point) <= 1e-12, (formula, point)


def test_signs_follow_the_products_of_binary_matrices():
    for width in (1, 2, 3):
        vectors = np.array(list(itertools.product((0, 1), repeat=width)))
        matrices = np.array(list(itertools.product((0, 1), repeat=width * width))).reshape(-1, width, width)
        images = np.einsum("moh,vh->mvo", matrices, vectors) % 2
        index = images @ (2 ** np.arange(width)[::-1])
        transition = np.array([np.bincount(index[:, v], minlength=2**width) for v in range(2**width)]) / len(matrices)
        law = np.full(2**width, 2.0**-width)
        signs = 1 - 2.0 * vectors
        for layers in range(1, 6):
            law = law @ transition
            assert nmu_depth.signs_mean(width, layers) == pytest.approx(law @ signs[:, 0], rel=1e-12)
            assert nmu_depth.signs_variance(width, layers) == pytest.approx(1 - (law @ signs[:, 0]) ** 2, rel=1e-12)
            if width > 1:
                product = law @ (signs[:, 0] * signs[:, 1]) - (law @ signs[:, 0]) ** 2
                assert nmu_depth.signs_covariance(width, layers) == pytest.approx(product, rel=1e-11)


def test_variance_of_signs_is_lost_after_about_two_to_the_width_layers():
    assert nmu_depth.signs_variance(20, 1000) > 0.999
    assert nmu_depth.signs_variance(5, 10 * 2**5) < 1e-3


def test_binary_second_layer_square_is_far_from_what_independence_gives():
    assert second_layer.binary_second_layer_square_independent(1.0, 10) == pytest.approx(1, rel=1e-14)
    assert second_layer.binary_second_layer_square(10)(1.0) == pytest.approx(1630280452396069.8, rel=1e-12)


def test_log_second_moment_is_a_linear_recursion_of_the_second_moments():
    """E[W A W^T] for independent entries of mean zero: Var[W] times the trace, on the diagonal."""
    generator = np.random.default_rng(1)
    logs = generator.normal(size=5) @ generator.normal(size=(5, 5))
    second = np.outer(logs, logs)  # inputs that are as dependent as can be
    for layers in range(1, 5):
        second = 0.3 * np.trace(second) * np.eye(5)
        exact = nac_mul_depth.log_second_moment(0.3, np.mean(logs**2), 5, layers)
        assert np.trace(second) / 5 == pytest.approx(exact, rel=1e-12)


def test_typical_size_is_below_the_mean_square():
    for width in (1, 2, 10, 1000):
        assert nac_mul_depth.gaussian_log_length(1 / width, width, 1) < 0
        assert nac_mul_depth.gaussian_log_length(1 / width, width, 1) == pytest.approx(-1 / width, rel=1)
        assert nac_mul_depth.log_growth(1 / width, width) == pytest.approx(1)


def test_sure_bound_holds_for_every_sample():
    generator = np.random.default_rng(2)
    logs = np.log(generator.uniform(1, 2, size=(20_000, 3)))
    for layers in range(1, 6):
        logs = np.einsum("soh,sh->so", generator.uniform(-0.3, 0.3, size=(20_000, 3, 3)), logs)
        bound = nac_mul_depth.variance_bound(0.3, np.log(2), 3, layers)
        assert np.expm1(logs).__pow__(2).max() <= bound


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
        out = kernel.rows(samples)
        kernel(key, 0, index, out)
        return out.T

    out = np.empty((samples, 2), order="F")
    kernels.nac_mul_layers(key, 0, 0.8, 1.5, 4.0, width, layers, out)
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


@pytest.mark.parametrize("width", [0, 21, 2.0, True])
def test_widths_that_have_no_formula_are_refused(width):
    with pytest.raises(ValueError, match="width must be an integer in"):
        second_layer.second_layer_variance(width)
