"""The single ReLU on the linear target: closed forms far out in the tails, vector functions, kernels."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
import sympy

from montecarlo.kernels import relu_unit as kernels
from montecarlo.kernels.raw_draws import halves, uniforms
from montecarlo.streams.philox import stream
from theory.numerics.normal_tails import Phi, phi, scaled_tail_moments, truncated
from theory.relu_unit import (
    axis as relu_unit_axis,
)
from theory.relu_unit import (
    curvature as relu_unit_curvature,
)
from theory.relu_unit import (
    initial as relu_unit_initial,
)
from theory.relu_unit import (
    noise as relu_unit_noise,
)
from theory.relu_unit import objective

# Loss, gradient and probability by two-dimensional quadrature with mpmath, 20 digits.
REFERENCE = {
    "A": {
        "w": (0.6, -0.8, 1.2), "b": 0.7, "target": (0.0, 0.0, 1.0), "probability": 0.67296997889408159915,
        "loss": 0.87560910709453330226,
        "grad_w": (0.45149627285615912091, -0.60199503047487882788, 0.23002256681823664267),
        "grad_b": 0.75751617226640288208,
    },
    "B": {
        "w": (0.3, 0.4, -0.5), "b": -0.4, "target": (0.0, 0.0, 0.5), "probability": 0.28580382247666577245,
        "loss": 0.24268915209450075863,
        "grad_w": (0.11458738570817896537, 0.15278318094423862049, -0.33388088741863116184),
        "grad_b": 0.24625645807407411146,
    },
    "C": {
        "w": (-1.1, 0.2, 0.9), "b": 1.5, "target": (0.2, -0.1, 0.3), "probability": 0.85201151238272179915,
        "loss": 2.1292552570333779177,
        "grad_w": (-1.1114834344622584375, 0.25630681159931110312, 0.51437201790985861468),
        "grad_b": 1.6048286020606788229,
    },
}  # fmt: skip


@pytest.fixture(params=list(REFERENCE))
def point(request):
    return REFERENCE[request.param]


def test_values_of_the_quadrature(point):
    w, b, target = point["w"], point["b"], point["target"]
    grad_w, grad_b = objective.expected_gradient(w, b, target_weights=target)
    assert objective.activation_probability(w, b) == pytest.approx(point["probability"], rel=1e-14)
    assert objective.loss(w, b, target_weights=target) == pytest.approx(point["loss"], rel=1e-14)
    assert grad_w == pytest.approx(point["grad_w"], rel=1e-13)
    assert grad_b == pytest.approx(point["grad_b"], rel=1e-13)


def exact_gradient(w, b, target, dps=60):
    """The gradient of the loss with many digits, from the formulas as they are written."""
    with mpmath.workdps(dps):
        w, target = [mpmath.mpf(float(v)) for v in w], [mpmath.mpf(float(v)) for v in target]
        s = mpmath.sqrt(mpmath.fsum(v * v for v in w))
        kappa = mpmath.mpf(float(b)) / s
        p = mpmath.fsum(x * y for x, y in zip(w, target, strict=True)) / s
        F, f = mpmath.ncdf(kappa), mpmath.npdf(kappa)
        grad_w = [F * (x - y) + kappa * f * p * x / s for x, y in zip(w, target, strict=True)]
        return F, grad_w, b * F + f * (s - p)


@pytest.mark.parametrize("kappa", [-1.0, -5.0, -12.0, -30.0, -37.0])
def test_dead_cone_keeps_twelve_digits(kappa):
    rng = np.random.default_rng(5)
    for _ in range(10):
        w, target = rng.normal(size=4), rng.normal(size=4)
        b = kappa * np.linalg.norm(w)
        F, exact_w, exact_b = exact_gradient(w, b, target)
        grad_w, grad_b = objective.expected_gradient(w, b, target_weights=target)
        size = float(mpmath.norm(exact_w))
        assert abs(objective.activation_probability(w, b) / F - 1) < 1e-12
        assert max(abs(g - e) for g, e in zip(grad_w, exact_w, strict=True)) <= 1e-12 * size
        # Where w.Lambda is close to what makes it vanish, the error is relative to the terms that cancel.
        assert abs(grad_b - exact_b) <= 1e-12 * max(abs(exact_b), size / abs(kappa))


def test_plain_evaluation_would_not_keep_them():
    """The control: the same test rejects kappa Phi + phi as it stands."""
    from scipy.special import ndtr

    kappa = -37.0
    plain = kappa * ndtr(kappa) + np.exp(-(kappa**2) / 2) / np.sqrt(2 * np.pi)
    t = truncated(kappa)
    with mpmath.workdps(60):
        exact = kappa * mpmath.ncdf(kappa) + mpmath.npdf(kappa)
    assert abs(plain / exact - 1) > 1e-12
    assert abs(t.scale * t.ramp / exact - 1) < 1e-12


def test_gradient_is_the_derivative_of_the_loss(point):
    w, b, target = np.array(point["w"]), point["b"], point["target"]
    grad = np.append(*objective.expected_gradient(w, b, target_weights=target))
    theta, h = np.append(w, b), 1e-3
    for i, exact in enumerate(grad):
        at = np.zeros(4)
        at[i] = h
        values = {
            k: objective.loss((theta + k * at)[:3], (theta + k * at)[3], target_weights=target) for k in (-2, -1, 1, 2)
        }
        slope = (8 * (values[1] - values[-1]) - (values[2] - values[-2])) / (12 * h)
        assert slope == pytest.approx(exact, abs=1e-10)


def test_rotated_parameters_have_the_rotated_gradient():
    rng = np.random.default_rng(3)
    w, target = rng.normal(size=5), rng.normal(size=5)
    rotation, _ = np.linalg.qr(rng.normal(size=(5, 5)))
    grad_w, grad_b = objective.expected_gradient(w, 0.4, target_weights=target)
    turned_w, turned_b = objective.expected_gradient(rotation @ w, 0.4, target_weights=rotation @ target)
    assert turned_w == pytest.approx(rotation @ grad_w, abs=1e-14)
    assert turned_b == pytest.approx(grad_b, abs=1e-14)


def test_scaling_everything_by_two_scales_exactly(point):
    w, b, target = np.array(point["w"]), point["b"], np.array(point["target"])
    grad_w, grad_b = objective.expected_gradient(w, b, target_weights=target)
    twice_w, twice_b = objective.expected_gradient(2 * w, 2 * b, target_weights=2 * target)
    assert np.array_equal(twice_w, 2 * grad_w)
    assert twice_b == 2 * grad_b
    assert objective.loss(2 * w, 2 * b, target_weights=2 * target) == 4 * objective.loss(w, b, target_weights=target)


def test_one_weight_agrees_with_the_axis_forms():
    for w in (-0.7, 0.7):
        for b in (-3.0, -0.2, 0.4):
            (grad_w,), grad_b = objective.expected_gradient([w], b, 0.9)
            assert grad_w == pytest.approx(relu_unit_axis.weight_gradient(w, b, 0.9), rel=1e-13)
            assert grad_b == pytest.approx(relu_unit_axis.bias_gradient(w, b, 0.9), rel=1e-13)


def test_the_field_without_its_sign_is_right_on_one_side_only():
    right, wrong = relu_unit_axis.bias_gradient, relu_unit_axis.bias_gradient_without_sign
    assert right(0.5, 0.5, 1) == pytest.approx(0.29968701077469979939, rel=1e-14)
    assert wrong(0.5, 0.5, 1) == pytest.approx(right(0.5, 0.5, 1), rel=1e-14)
    assert right(-1, -0.5, 1) == pytest.approx(0.54986188416560550737, rel=1e-14)
    assert wrong(-1, -0.5, 1) == pytest.approx(-0.85839942289159240373, rel=1e-14)


def test_shapes_follow_numpy():
    w, b = np.ones((4, 1, 3)), np.zeros((5,))
    grad_w, grad_b = objective.expected_gradient(w, b, 1.0)
    assert grad_w.shape == (4, 5, 3)
    assert grad_b.shape == objective.loss(w, b, 1.0).shape == objective.activation_probability(w, b).shape == (4, 5)
    single_w, single_b = objective.expected_gradient([1.0, 1.0, 1.0], 0, 1.0)
    assert isinstance(single_b, float)
    assert np.array_equal(grad_w[2, 3], single_w)
    by_target = objective.expected_gradient([1.0, 1.0, 1.0], 0, target_weights=[0, 0, 1.0])
    assert np.array_equal(by_target[0], single_w)


def test_weights_of_any_size():
    for size in (1e-200, 1e200):
        assert objective.activation_probability([3 * size, 4 * size], 5 * size) == objective.activation_probability(
            [3, 4], 5
        )
    # kappa leaves float64: the unit is affine, or dead.
    grad_w, grad_b = objective.expected_gradient([0.0, 1e-320], 1.0, 0.5)
    assert grad_b == 1.0
    assert grad_w == pytest.approx([0, -0.5], abs=1e-300)
    assert objective.loss([0.0, 1e-320], 1.0, 0.5) == pytest.approx(0.625, rel=1e-14)
    assert not np.any(objective.expected_gradient([0.0, 1e-320], -1.0, 0.5)[0])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"w": [0.0, 0.0], "b": 1.0, "gamma": 1.0}, "w must not be the zero vector"),
        ({"w": [1.0, np.nan], "b": 1.0, "gamma": 1.0}, "w must be finite"),
        ({"w": [1.0], "b": np.inf, "gamma": 1.0}, "b must be finite"),
        ({"w": [1.0], "b": 0.0, "gamma": 0.0}, "gamma must be a positive number"),
        ({"w": 1.0, "b": 0.0, "gamma": 1.0}, "w must have the inputs as its last axis"),
        ({"w": [1.0], "b": 0.0}, "give either gamma or target_weights="),
        ({"w": [1.0], "b": 0.0, "gamma": 1.0, "target_weights": [1.0]}, "give either gamma or target_weights="),
        ({"w": [1.0, 2.0], "b": 0.0, "target_weights": [1.0]}, "as many inputs as w"),
        ({"w": [1.0], "b": 0.0, "target_weights": [0.0]}, "target_weights must not be the zero vector"),
        ({"w": [1.0], "b": 0.0, "gamma": 1.0, "target": [1.0]}, "target must be 'linear' or 'relu', got"),
        ({"w": [1.0], "b": 0.0, "gamma": 1.0, "target": "cubic"}, "target must be 'linear' or 'relu', got 'cubic'"),
        ({"w": [1.0], "b": 0.0, "target_weights": "x"}, "target_weights must be a number or an array"),
        ({"w": [[1.0], [2.0]], "b": [0.0] * 3, "gamma": 1.0}, "b and the target must fit the leading axes of w"),
    ],
)
@pytest.mark.parametrize("function", [objective.loss, objective.expected_gradient])
def test_arguments_outside_the_domain_are_named(function, arguments, message):
    with pytest.raises(ValueError, match=f"{function.__name__}: .*{message}"):
        function(**arguments)


def test_sizes_whose_squares_leave_float64_are_refused():
    for function, arguments, message in (
        (objective.loss, ([1e200, 2.0], 1.0, 1.0), r"\|\|w\|\| must be at most 1e\+70, got 1e\+200"),
        (relu_unit_curvature.hessian, ([1e-200], 1e-200, 1.0), r"\|\|w\|\| must be at least 1e-70"),
        (objective.loss, ([1.0], 1.0, 1e-200), "gamma must be a positive number, in"),
        (relu_unit_noise.gradient_noise_covariance, ([1.0], 1e300, 1.0), "b must be finite and at most"),
        (objective.loss, ([], 1.0, 1.0), r"w must have the inputs as its last axis, got shape \(0,\)"),
    ):
        with pytest.raises(ValueError, match=f"{function.__name__}: {message}"):
            function(*arguments)
    for size in (1e-70, 1e70):
        assert objective.loss([size], size, size) == pytest.approx(objective.loss([1.0], 1.0, 1.0) * size**2, rel=1e-14)
        noise = relu_unit_noise.gradient_noise_covariance([0.0, size], -size, size)
        unit = relu_unit_noise.gradient_noise_covariance([0.0, 1.0], -1.0, 1.0)
        np.testing.assert_allclose(noise / size / size, unit, rtol=1e-13)


def test_probability_keeps_its_digits_down_to_37_and_leaves_float64_beyond():
    with mpmath.workdps(30):
        assert abs(objective.activation_probability([1.0], -37.0) / mpmath.ncdf(-37) - 1) < 1e-12
    assert objective.activation_probability([1.0], -39.0) == 0


def test_tail_moments_over_the_whole_range():
    for k in [*np.linspace(0, 6, 61), *np.geomspace(1e-9, 900, 40)]:
        with mpmath.workdps(200):
            x = mpmath.mpf(float(k))
            mills = mpmath.ncdf(-x) / mpmath.npdf(x)
            exact = [mills, 1 - x * mills, (mills - x * (1 - x * mills)) / 2]
        for value, wanted in zip(scaled_tail_moments(float(k)), exact, strict=True):
            assert abs(value / wanted - 1) < 2e-14, k


def test_symbolic_distribution_and_density():
    x = sympy.Symbol("x", real=True)
    assert sympy.diff(Phi(x), x, 2) == -x * phi(x)
    assert sympy.simplify((Phi(x) + Phi(-x) - 1).rewrite(sympy.exp)) == 0
    assert str(Phi(sympy.Integer(-3)).evalf(30)) == "0.00134989803163009452665181476759"
    assert Phi(sympy.zoo) is sympy.nan


def test_students_tail():
    form = relu_unit_initial.initially_dead_probability
    assert form(1, 1, 2) == pytest.approx((1 - np.sqrt(0.5)) / 2, rel=1e-14)
    assert form(1.5, 1, 5) == pytest.approx(0.010118939436582703, rel=1e-12)


def box_muller(drawn):
    """Rows of normal values from rows of uniform ones."""
    radius, angle = np.sqrt(-2 * np.log(drawn[::2])), 2 * np.pi * drawn[1::2]
    return [row for r, a in zip(radius, angle, strict=True) for row in (r * np.cos(a), r * np.sin(a))]


def drawn(kernel, key, draw, n):
    """The columns of raw draws, as rows."""
    out = np.empty((n, kernel.columns), order="F")
    kernel(key, 0, draw, out)
    return out.T


def numpy_inputs(key, fan_in, n):
    """The inputs of the kernels, last axis first: two, then four of 32 bits each, two where no more are left."""
    rows = box_muller(drawn(uniforms, key, 0, n))
    while (left := fan_in - len(rows)) > 0:
        fours = (drawn(halves, key, len(rows), n) + 0.5) / 2**32
        rows += box_muller(fours if left > 2 else drawn(uniforms, key, len(rows), n))
    return np.array(rows[:fan_in])


@pytest.mark.parametrize("fan_in", [1, 2, 3, 10])
@pytest.mark.parametrize("kernel", [kernels.linear_target, kernels.relu_target], ids=["linear", "relu"])
def test_kernels_play_the_model(kernel, fan_in):
    point = {"w_rest": -0.3, "w_last": 0.4, "b": 0.2, "gamma": 0.9, "fan_in": fan_in}
    key, n = stream(7, "relu", fan_in), 2000
    out = np.empty((n, kernel.columns), order="F")
    kernel(key, 0, *kernel.arguments(point), out)
    x = numpy_inputs(key, fan_in, n)
    w = np.array([0.4] + [-0.3] * (fan_in - 1))
    z, y = w @ x + 0.2, 0.9 * x[0]
    linear = y
    y = np.maximum(0, y) if kernel is kernels.relu_target else y
    active = z > 0
    sample = active * (z - y) * x  # (inputs, samples)
    direction = w / np.linalg.norm(w)
    across = np.eye(fan_in)[0] - direction[0] * direction
    across /= max(np.linalg.norm(across), 1e-9)
    expected = {
        kernels.ACTIVE: active,
        kernels.LOSS: (np.maximum(z, 0) - y) ** 2 / 2,
        kernels.BIAS: active * (z - y),
        kernels.LAST: sample[0],
        kernels.FIRST: sample[1] if fan_in > 1 else np.zeros(n),
        kernels.ALONG: direction @ sample,
        kernels.ACROSS: across @ sample if fan_in > 1 else np.zeros(n),
        kernels.OUTPUT: np.maximum(z, 0),
        kernels.GAP: active * (linear - y),
    }
    for column, values in expected.items():
        assert np.max(np.abs(out[:, column] - values)) < 1e-11, column
