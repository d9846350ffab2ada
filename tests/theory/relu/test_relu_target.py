"""The single ReLU on the target max(0, Lambda.x), and the orthant probability behind it."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
import sympy
from scipy.special import ndtr

from theory.numerics.orthants import OwenT, orthant_probability, orthant_probability_form
from theory.relu_unit import axis as relu_unit_axis
from theory.relu_unit import objective
from theory.relu_unit import relu_target as relu_unit_relu_target

# By two-dimensional quadrature with mpmath, 20 digits.
REFERENCE = [
    (
        (0.6, -0.8, 1.2), 0.7, (0.0, 0.0, 1.0), 0.54720644576894417859,
        (0.38724321958815244937, -0.51632429278420326583, 0.3163977597510350845), 0.65042407122125602307,
    ),
    (
        (0.3, 0.4, -0.5), -0.4, (0.0, 0.0, 0.5), 0.10695973759043697683,
        (0.076649980802568615072, 0.1021999744034248201, -0.14817092423984939597), 0.11815628014073479549,
    ),
    (
        (-1.1, 0.2, 0.9), 1.5, (0.2, -0.1, 0.3), 1.8666836321398157434,
        (-0.99893977569551167848, 0.20906255301912787842, 0.61741520449387905398), 1.4801195244208638297,
    ),
]  # fmt: skip


@pytest.mark.parametrize(("w", "b", "target", "loss", "grad_w", "grad_b"), REFERENCE)
def test_values_of_the_quadrature(w, b, target, loss, grad_w, grad_b):
    found_w, found_b = objective.expected_gradient(w, b, target_weights=target, target="relu")
    assert objective.loss(w, b, target_weights=target, target="relu") == pytest.approx(loss, rel=1e-14)
    assert found_w == pytest.approx(grad_w, rel=1e-13)
    assert found_b == pytest.approx(grad_b, rel=1e-13)


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


def exact_gradient(w, b, gamma):
    """By w and b, and the size of the terms: the moments of the module, in 60 digits."""
    with mpmath.workdps(60):
        w, b, gamma = [mpmath.mpf(float(v)) for v in w], mpmath.mpf(float(b)), mpmath.mpf(float(gamma))
        s = mpmath.norm(w)
        kappa, rho, r = b / s, w[-1] / s, mpmath.norm(w[:-1]) / s
        q = rho * kappa / r
        F, f = mpmath.ncdf(kappa), mpmath.npdf(kappa)
        orthant = F / 2 + OwenT._imp_(kappa, rho / r)
        along = [s * F, -gamma * rho * orthant, -gamma * f * (r * mpmath.npdf(q) - rho * kappa * mpmath.ncdf(-q))]
        bias = [
            s * (kappa * F + f),
            -gamma * mpmath.npdf(0) * mpmath.ncdf(kappa / r),
            -gamma * rho * f * mpmath.ncdf(-q),
        ]
        terms = [[*(v * x / s for v in along), gamma * rho * orthant * x / s] for x in w]
        terms[-1].append(-gamma * orthant)
        return [(mpmath.fsum(row), mpmath.fsum(map(abs, row))) for row in (*terms, bias)]


def test_gradient_keeps_twelve_digits_of_its_terms_down_to_where_they_leave_float64():
    rng = np.random.default_rng(17)
    for _ in range(150):
        w = rng.normal(size=3) * 10 ** rng.uniform(-1.5, 1.5, 3)
        b, gamma = rng.uniform(-37, 2) * np.linalg.norm(w), 10 ** rng.uniform(-2, 2)
        found_w, found_b = objective.expected_gradient(w, b, gamma, target="relu")
        for found, (exact, size) in zip([*found_w, found_b], exact_gradient(w, b, gamma), strict=True):
            assert abs(found - exact) < 1e-12 * size
    w, b, gamma = [-0.78137, -0.05024], -25.773, 37.144
    found_w, found_b = objective.expected_gradient(w, b, gamma, target="relu")
    for found, (exact, size) in zip([*found_w, found_b], exact_gradient(w, b, gamma), strict=True):
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


def test_orthants_add_up_to_the_half_plane():
    kappa, rho = np.meshgrid(np.linspace(-6, 6, 25), np.linspace(-1, 1, 21))
    both = orthant_probability(kappa, rho) + orthant_probability(kappa, -rho)
    assert np.max(np.abs(both / ndtr(kappa) - 1)) < 1e-13


def test_collinear_vectors_have_the_limits():
    for kappa in (-2.0, 0.0, 1.5):
        assert orthant_probability(kappa, 1.0) == pytest.approx(min(ndtr(kappa), 0.5), abs=1e-15)
        assert orthant_probability(kappa, -1.0) == pytest.approx(max(ndtr(kappa) - 0.5, 0.0), abs=1e-15)
    assert orthant_probability(1.5, 1 - 1e-12) == pytest.approx(0.5, abs=1e-6)


def test_derivatives_of_owens_function():
    h, a = sympy.symbols("h a", real=True)
    at = {h: sympy.Rational(3, 4), a: sympy.Rational(2, 5)}
    for variable in (h, a):
        exact = sympy.diff(OwenT(h, a), variable).subs(at).evalf(30)
        step = mpmath.mpf(10) ** -14

        def shifted(k, variable=variable, step=step):
            values = {v: mpmath.mpf(x.p) / x.q for v, x in at.items()}
            values[variable] += k * step  # at the precision of the caller
            return OwenT._imp_(values[h], values[a])

        with mpmath.workdps(50):
            slope = (shifted(1) - shifted(-1)) / (2 * step)
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


def test_gradient_is_the_derivative_of_the_loss():
    rng = np.random.default_rng(11)
    h = 1e-3
    for _ in range(5):
        theta, target = rng.normal(size=4), rng.normal(size=3)
        grad = np.append(*objective.expected_gradient(theta[:3], theta[3], target_weights=target, target="relu"))
        for i in range(4):
            step = h * np.eye(4)[i]
            values = {}
            for k in (-2, -1, 1, 2):
                at = theta + k * step
                values[k] = objective.loss(at[:3], at[3], target_weights=target, target="relu")
            slope = (8 * (values[1] - values[-1]) - (values[2] - values[-2])) / (12 * h)
            assert slope == pytest.approx(grad[i], abs=1e-9)


@pytest.mark.parametrize("w", [-0.7, 0.7])
@pytest.mark.parametrize("b", [-4.0, -0.2, 0.0, 0.5])
def test_vectors_on_the_axis_agree_with_the_axis_forms(w, b):
    grad_w, grad_b = objective.expected_gradient([0.0, 0.0, w], b, 0.9, target="relu")
    assert objective.loss([0.0, 0.0, w], b, 0.9, target="relu") == pytest.approx(
        relu_unit_axis.relu_target_loss(w, b, 0.9), rel=1e-14
    )
    assert grad_w[:2].tolist() == [0.0, 0.0]
    assert grad_w[2] == pytest.approx(relu_unit_axis.relu_target_weight_gradient(w, b, 0.9), rel=1e-13, abs=1e-16)
    assert grad_b == pytest.approx(relu_unit_axis.relu_target_bias_gradient(w, b, 0.9), rel=1e-13)


def test_nearly_collinear_vectors_come_close_to_the_axis():
    for slope in (1e-3, 1e-6, 1e-9, 1e-12):
        grad_w, grad_b = objective.expected_gradient([slope, 0.7], 0.3, 0.9, target="relu")
        assert grad_w[1] == pytest.approx(
            relu_unit_axis.relu_target_weight_gradient(0.7, 0.3, 0.9), abs=2 * slope + 1e-15
        )
        assert grad_b == pytest.approx(relu_unit_axis.relu_target_bias_gradient(0.7, 0.3, 0.9), abs=2 * slope + 1e-15)


def test_both_targets_agree_for_aligned_weights_below_zero_bias_only():
    w = np.array([0.3, -0.6, 0.2])
    for b, same in ((-2.0, True), (-0.1, True), (0.0, True), (0.1, False), (2.0, False)):
        linear = np.append(*objective.expected_gradient(w, b, target_weights=2 * w))
        rectified = np.append(*objective.expected_gradient(w, b, target_weights=2 * w, target="relu"))
        assert bool(np.max(np.abs(linear - rectified)) < 1e-15) is same


def test_expected_gradients_may_differ_in_sign():
    assert objective.expected_gradient([0.1], 0.3, 1.0)[1] == pytest.approx(0.29560636701976676518, rel=1e-13)
    assert objective.expected_gradient([0.1], 0.3, 1.0, target="relu")[1] == pytest.approx(
        -0.09890406496972790558, rel=1e-13
    )


def test_in_the_linear_cone_it_attracts_to_the_affine_fit():
    fit = 0.5, 1 / np.sqrt(2 * np.pi)
    w, b = 0.1, 1.0  # kappa = 10
    grad_w, grad_b = objective.expected_gradient([w], b, 1.0, target="relu")
    assert (grad_w[0], grad_b) == pytest.approx((w - fit[0], b - fit[1]), abs=1e-15)


@pytest.mark.parametrize("kappa", [-5.0, -20.0, -37.0])
def test_dead_cone_keeps_twelve_digits(kappa):
    for rho in (-0.5, 0.4, 0.9):
        b, gamma = kappa, 0.8
        w, target = np.array([1.0, 0.0]), gamma * np.array([rho, np.sqrt(1 - rho**2)])
        grad_w, grad_b = objective.expected_gradient(w, b, target_weights=target, target="relu")
        along = relu_unit_relu_target.weight_gradient_along.mp(b, 1.0, gamma, rho)
        bias = relu_unit_relu_target.bias_gradient_form.mp(b, 1.0, gamma, rho)
        assert abs(grad_w[0] / along - 1) < 1e-12
        assert abs(grad_b / bias - 1) < 1e-12


def test_arguments_outside_the_domain_are_named():
    with pytest.raises(ValueError, match=r"orthant_probability: rho must be in \[-1, 1\], got 1.5"):
        orthant_probability(0.0, 1.5)
    for r in (np.nan, -3, 5, -np.sqrt(0.75)):
        with pytest.raises(ValueError, match="orthant_probability: r must"):
            orthant_probability(1.0, 0.5, r=r)
    with pytest.raises(ValueError, match="orthant_probability: kappa must be finite"):
        orthant_probability(np.nan, 0.5)
    with pytest.raises(ValueError, match="loss: w must not be the zero vector"):
        objective.loss([0.0, 0.0], 1.0, 1.0, target="relu")
    with pytest.raises(ValueError, match="rho must be"):
        orthant_probability_form(0.0, 1.0)


def test_shapes_follow_numpy():
    grad_w, grad_b = objective.expected_gradient(np.ones((4, 1, 3)), np.zeros(5), 1.0, target="relu")
    assert grad_w.shape == (4, 5, 3)
    assert grad_b.shape == objective.loss(np.ones((4, 1, 3)), np.zeros(5), 1.0, target="relu").shape == (4, 5)
    assert isinstance(objective.loss([1.0], 0.0, 1.0, target="relu"), float)
