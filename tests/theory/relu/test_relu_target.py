"""The single ReLU on the target max(0, Lambda.x), and the orthant probability behind it."""

import mpmath
import numpy as np
import pytest
import sympy
from scipy.special import ndtr

from theory.numerics.orthants import OwenT, orthant_probability
from theory.relu_unit import axis as relu_unit_axis
from theory.relu_unit import objective


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
    points = [([-0.78137, -0.05024], -25.773, 37.144)]
    for _ in range(150):
        w = rng.normal(size=3) * 10 ** rng.uniform(-1.5, 1.5, 3)
        points.append((w, rng.uniform(-37, 2) * np.linalg.norm(w), 10 ** rng.uniform(-2, 2)))
    for w, b, gamma in points:
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


def test_nearly_collinear_vectors_come_close_to_the_axis():
    for slope in (1e-3, 1e-6, 1e-9, 1e-12):
        grad_w, grad_b = objective.expected_gradient([slope, 0.7], 0.3, 0.9, target="relu")
        assert grad_w[1] == pytest.approx(
            relu_unit_axis.relu_target_weight_gradient(0.7, 0.3, 0.9), abs=2 * slope + 1e-15
        )
        assert grad_b == pytest.approx(relu_unit_axis.relu_target_bias_gradient(0.7, 0.3, 0.9), abs=2 * slope + 1e-15)
