"""The single ReLU on both targets: digits far out in the tails, orthant probability, Hessian and gradient noise."""

import itertools

import mpmath
import numpy as np
import pytest
import sympy
from scipy.special import ndtr

from theory.numerics.normal_tails import Phi, phi, scaled_tail_moments
from theory.numerics.orthants import OwenT, orthant_probability
from theory.relu_unit import axis, curvature, noise, objective


def exact_gradient(w, b, target):
    """The gradient of the loss with many digits, from the formulas as they are written."""
    with mpmath.workdps(60):
        w, target = [mpmath.mpf(float(v)) for v in w], [mpmath.mpf(float(v)) for v in target]
        s = mpmath.sqrt(mpmath.fsum(v * v for v in w))
        kappa = mpmath.mpf(float(b)) / s
        p = mpmath.fsum(x * y for x, y in zip(w, target, strict=True)) / s
        F, f = mpmath.ncdf(kappa), mpmath.npdf(kappa)
        grad_w = [F * (x - y) + kappa * f * p * x / s for x, y in zip(w, target, strict=True)]
        return F, grad_w, b * F + f * (s - p)


@pytest.mark.parametrize("kappa", [1.5, -1.0, -5.0, -12.0, -30.0, -37.0])
def test_gradients_keep_twelve_digits_far_into_the_dead_cone(kappa):
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


AXIS = {
    "linear": (axis.weight_gradient, axis.bias_gradient),
    "relu": (axis.relu_target_weight_gradient, axis.relu_target_bias_gradient),
}


@pytest.mark.parametrize("target", AXIS)
@pytest.mark.parametrize("others", [[], [0.0, 0.0]], ids=["one weight", "three"])
def test_vectors_on_the_axis_agree_with_the_axis_forms(target, others):
    for w, b in itertools.product((-0.7, 0.7), (-4.0, -0.2, 0.0, 0.5)):
        grad_w, grad_b = objective.expected_gradient([*others, w], b, 0.9, target=target)
        weight, bias = (form(w, b, 0.9) for form in AXIS[target])
        assert grad_w.tolist() == [*others, pytest.approx(weight, rel=1e-13, abs=1e-16)]
        assert grad_b == pytest.approx(bias, rel=1e-13)


@pytest.mark.parametrize("target", ["linear", "relu"])
def test_shapes_follow_numpy(target):
    w, b = np.ones((4, 1, 3)), np.zeros((5,))
    grad_w, grad_b = objective.expected_gradient(w, b, 1.0, target=target)
    assert grad_w.shape == (4, 5, 3)
    assert grad_b.shape == objective.loss(w, b, 1.0, target=target).shape == (4, 5)
    assert objective.activation_probability(w, b).shape == (4, 5)
    single_w, single_b = objective.expected_gradient([1.0, 1.0, 1.0], 0, 1.0, target=target)
    assert isinstance(single_b, float)
    assert isinstance(objective.loss([1.0], 0.0, 1.0, target=target), float)
    assert np.array_equal(grad_w[2, 3], single_w)
    by_target = objective.expected_gradient([1.0, 1.0, 1.0], 0, target_weights=[0, 0, 1.0], target=target)
    assert np.array_equal(by_target[0], single_w)


def test_weights_of_any_size():
    for size in (1e-200, 1e200):
        found = objective.activation_probability([3 * size, 4 * size], 5 * size)
        assert found == objective.activation_probability([3, 4], 5)
    # kappa leaves float64: the unit is affine, or dead.
    grad_w, grad_b = objective.expected_gradient([0.0, 1e-320], 1.0, 0.5)
    assert grad_b == 1.0
    assert grad_w == pytest.approx([0, -0.5], abs=1e-300)
    assert objective.loss([0.0, 1e-320], 1.0, 0.5) == pytest.approx(0.625, rel=1e-14)
    assert not np.any(objective.expected_gradient([0.0, 1e-320], -1.0, 0.5)[0])


def test_sizes_up_to_those_that_are_refused_have_values():
    for size in (1e-70, 1e70):
        assert objective.loss([size], size, size) == pytest.approx(objective.loss([1.0], 1.0, 1.0) * size**2, rel=1e-14)
        found = noise.gradient_noise_covariance([0.0, size], -size, size)
        unit = noise.gradient_noise_covariance([0.0, 1.0], -1.0, 1.0)
        np.testing.assert_allclose(found / size / size, unit, rtol=1e-13)


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


def exact_orthant(kappa, rho):
    """P_2 by quadrature of positive terms: the angle form, its height taken out."""
    with mpmath.workdps(40):
        kappa, rho = mpmath.mpf(kappa), mpmath.mpf(rho)
        r = mpmath.sqrt(1 - rho * rho)
        x = abs(kappa) / r
        unit = 1 / (1 + x + x * x * abs(rho))
        ends = [0, *(unit * mpmath.mpf(10) ** k for k in range(-1, 9)), mpmath.inf]

        def integrand(y):
            return mpmath.exp(-x * x * (abs(rho) * y + y * y / 2)) / (1 + 2 * abs(rho) * y + y * y)

        tail = r / (2 * mpmath.pi) * mpmath.exp(-x * x / 2) * mpmath.quad(integrand, ends)
        against = max(mpmath.ncdf(kappa) - mpmath.mpf(1) / 2, 0) + tail
        return against if rho <= 0 else mpmath.ncdf(kappa) - against


def exact_relu_gradient(w, b, gamma):
    """By w and b, and the size of the terms: the moments of the module, in 60 digits."""
    with mpmath.workdps(60):
        w, b, gamma = [mpmath.mpf(float(v)) for v in w], mpmath.mpf(float(b)), mpmath.mpf(float(gamma))
        s = mpmath.norm(w)
        kappa, rho, r = b / s, w[-1] / s, mpmath.norm(w[:-1]) / s
        q = rho * kappa / r
        F, f = mpmath.ncdf(kappa), mpmath.npdf(kappa)
        orthant = F / 2 + OwenT._imp_(kappa, rho / r)
        along = [s * F, -gamma * rho * orthant, -gamma * f * (r * mpmath.npdf(q) - rho * kappa * mpmath.ncdf(-q))]
        at_kink = -gamma * mpmath.npdf(0) * mpmath.ncdf(kappa / r)
        bias = [s * (kappa * F + f), at_kink, -gamma * rho * f * mpmath.ncdf(-q)]
        terms = [[*(v * x / s for v in along), gamma * rho * orthant * x / s] for x in w]
        terms[-1].append(-gamma * orthant)
        return [(mpmath.fsum(row), mpmath.fsum(map(abs, row))) for row in (*terms, bias)]


def test_gradient_keeps_twelve_digits_of_its_terms_down_to_where_they_leave_float64():
    rng = np.random.default_rng(17)
    points = [([-0.78137, -0.05024], -25.773, 37.144)]
    for _ in range(150):
        w = rng.normal(size=3) * 10 ** rng.uniform(-1.5, 1.5, 3)
        points.append((w, rng.uniform(-37, 2) * np.linalg.norm(w), 10 ** rng.uniform(-2, 2)))
    for w, b, gamma in points:
        found_w, found_b = objective.expected_gradient(w, b, gamma, target="relu")
        for found, (exact, size) in zip([*found_w, found_b], exact_relu_gradient(w, b, gamma), strict=True):
            assert abs(found - exact) < 1e-12 * size


@pytest.mark.parametrize("kappa", [-37.0, -9.0, -3.0, -0.4, 0.0, 1.7, 8.0])
@pytest.mark.parametrize("rho", [-0.99, -0.7, -0.01, 0.0, 0.3, 0.95])
def test_orthant_probability_in_all_tails(kappa, rho):
    exact = exact_orthant(kappa, rho)
    found = orthant_probability(kappa, rho)
    if exact < mpmath.mpf(10) ** -300:
        assert found < 1e-290
    else:
        assert abs(found / exact - 1) < 1e-12


def test_collinear_vectors_have_the_limits():
    for kappa in (-2.0, 0.0, 1.5):
        assert orthant_probability(kappa, 1.0) == pytest.approx(min(ndtr(kappa), 0.5), abs=1e-15)
        assert orthant_probability(kappa, -1.0) == pytest.approx(max(ndtr(kappa) - 0.5, 0.0), abs=1e-15)
    assert orthant_probability(1.5, 1 - 1e-12) == pytest.approx(0.5, abs=1e-6)


def test_derivatives_of_owens_function():
    h, a = sympy.symbols("h a", real=True)
    at = {h: sympy.Rational(3, 4), a: sympy.Rational(2, 5)}
    for variable, orders in ((h, (1, 0)), (a, (0, 1))):
        exact = sympy.diff(OwenT(h, a), variable).subs(at).evalf(30)
        with mpmath.workdps(30):
            slope = mpmath.diff(OwenT._imp_, (mpmath.mpf("0.75"), mpmath.mpf("0.4")), orders)
            assert abs(slope - mpmath.mpf(str(exact))) < 1e-20


def test_owens_function_of_large_and_small_arguments():
    with mpmath.workdps(40):
        for h, a in ((0.3, 0.2), (3, 1), (5, 3), (0.1, 50), (37, 0.9), (1000, 0.01), (1000, 0.5), (2, -0.7)):
            exact = sympy.N(OwenT(sympy.Rational(str(h)), sympy.Rational(str(a))), 30)
            ends = [k / mpmath.mpf(h) for k in range(16) if k / h < abs(a)] + [abs(mpmath.mpf(str(a)))]
            x = mpmath.mpf(str(h)) ** 2 / 2
            integral = mpmath.quad(lambda t, x=x: mpmath.exp(-x * t * t) / (1 + t * t), ends)
            wanted = mpmath.sign(a) * mpmath.exp(-x) / (2 * mpmath.pi) * integral
            assert abs(mpmath.mpf(str(exact)) / wanted - 1) < 1e-25


def test_nearly_collinear_vectors_come_close_to_the_axis():
    for slope in (1e-3, 1e-6, 1e-9, 1e-12):
        grad_w, grad_b = objective.expected_gradient([slope, 0.7], 0.3, 0.9, target="relu")
        expected = [form(0.7, 0.3, 0.9) for form in AXIS["relu"]]
        assert [grad_w[1], grad_b] == pytest.approx(expected, abs=2 * slope + 1e-15)


A = {"w": np.array([0.6, -0.8, 1.2]), "b": 0.7, "target_weights": np.array([0.0, 0.0, 1.0])}
B = {"w": np.array([0.3, 0.4, -0.5]), "b": -0.4, "target_weights": np.array([0.0, 0.0, 0.5])}
C = {"w": np.array([-1.1, 0.2, 0.9]), "b": 1.5, "target_weights": np.array([0.2, -0.1, 0.3])}


def gradient(theta, target):
    return np.append(*objective.expected_gradient(theta[:-1], theta[-1], target_weights=target))


@pytest.mark.parametrize("point", [A, B, C])
def test_hessian_is_the_derivative_of_the_gradient(point):
    theta, target, h = np.append(point["w"], point["b"]), point["target_weights"], 1e-3
    found = curvature.hessian(**point)
    for i in range(4):
        step = h * np.eye(4)[i]
        near = gradient(theta + step, target) - gradient(theta - step, target)
        far = gradient(theta + 2 * step, target) - gradient(theta - 2 * step, target)
        assert found[i] == pytest.approx((8 * near - far) / (12 * h), abs=1e-9)
    assert np.array_equal(found, found.T)


def test_noise_of_samples():
    """All entries against 200,000 samples; a covariance with one wrong sign is 100 standard errors off."""
    rng = np.random.default_rng(1)
    x = rng.normal(size=(200_000, 3))
    z = x @ A["w"] + A["b"]
    g = np.where(z > 0, z - x @ A["target_weights"], 0)[:, None] * np.column_stack([x, np.ones(len(x))])
    g -= g.mean(axis=0)
    products = g[:, :, None] * g[:, None, :]
    se = products.std(axis=0) / np.sqrt(len(x))
    found = noise.gradient_noise_covariance(**A)
    assert np.max(np.abs(products.mean(axis=0) - found) / se) < 7
    assert np.max(np.abs(products.mean(axis=0) + found) / se) > 50


def test_noise_vanishes_at_the_optimum():
    assert not noise.gradient_noise_covariance([0.0, 2.0], 0.0, 2.0).any()


def test_the_noise_of_the_gradient_is_never_negative():
    rng = np.random.default_rng(5)
    for _ in range(300):
        target = rng.normal(size=3)
        w = target * (1 + rng.choice([0, 1]) * 10.0 ** -rng.uniform(1, 16)) + 10.0 ** -rng.uniform(1, 18) * target[::-1]
        b = float(rng.choice([-1, 1]) * 10.0 ** rng.uniform(-20, 3))
        variances = np.diagonal(noise.gradient_noise_covariance(w, b, target_weights=target))
        assert (variances >= 0).all(), (w, b, target)
    assert np.abs(noise.gradient_noise_covariance([0.3, 0.4], 0.0, target_weights=[0.3, 0.4])).max() == 0


@pytest.mark.parametrize("of", [curvature.hessian, noise.gradient_noise_covariance])
def test_arguments_broadcast(of):
    assert of(np.ones((4, 1, 3)), np.zeros(5), 1.0).shape == (4, 5, 4, 4)
