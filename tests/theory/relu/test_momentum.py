"""Momentum on a quadratic loss: eigenvalues and paths keep their digits everywhere, and agree with played steps."""

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest

from theory import momentum
from theory.momentum import eigenvalues, is_oscillating, is_stable, oscillation_threshold, spectral_radius
from theory.momentum.overshooting import overshoot, overshoot_form, overshoot_step
from theory.momentum.trajectory import deviation

CONVENTIONS = momentum.CONVENTIONS


def random_settings(seed, count, high=1.0):
    """Step sizes over four decades, momenta over (0, 1)."""
    rng = np.random.default_rng(seed)
    return 10 ** rng.uniform(-3, high, count), rng.uniform(0, 1, count)


def beside_the_double_root(seed, count, convention="ema"):
    """Settings whose momentum is off the threshold by a part in 10 to 10^16, on either side."""
    rng = np.random.default_rng(seed)
    eta = 10 ** rng.uniform(-2.5, -0.5, count)
    off = 10.0 ** rng.uniform(-16, -1, count) * rng.choice([-1, 1], count)
    return eta, np.minimum(oscillation_threshold(eta, convention=convention) * (1 + off), 0.999)


def exactly(eta, beta, convention="ema"):
    """(h, beta) of float64 arguments as mpmath numbers."""
    eta, beta = mpmath.mpf(float(eta)), mpmath.mpf(float(beta))
    return eta * (1 - beta if convention == "ema" else 1), beta


def exact_roots(trace, product):
    root = mpmath.sqrt(mpmath.mpc(trace**2 - 4 * product))
    return (trace + root) / 2, (trace - root) / 2


def assert_fourteen_digits(found, exact):
    for value, root in zip(found, exact, strict=True):
        for got, part in ((value.real, root.real), (value.imag, root.imag)):
            assert abs(got - part) <= 1e-14 * abs(part), (got, part)


# Eigenvalues.


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_the_matrix_is_that_of_a_played_step(convention):
    eta, beta = random_settings(1, 10_000)
    m, e = np.random.default_rng(2).normal(size=(2, 10_000))
    after = beta * m + ((1 - beta) if convention == "ema" else 1.0) * e
    found = np.einsum("nij,jn->in", momentum.matrix(eta, beta, convention=convention), [m, e])
    np.testing.assert_allclose(found, [after, e - eta * after], rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("convention", [*CONVENTIONS, "nesterov"])
def test_eigenvalues_keep_fourteen_digits_beside_the_double_root_too(convention):
    eta, beta = random_settings(4, 400)
    if convention == "nesterov":
        eta[:200] = ((1 - beta[:200]) / (1 + beta[:200])) ** 2 * (1 + 1e-12)
    else:
        eta[:200], beta[:200] = beside_the_double_root(2, 200, convention)
    found, textbook = eigenvalues(eta, beta, convention=convention), []
    with mpmath.workdps(60):
        for k in range(len(eta)):
            h, b = exactly(eta[k], beta[k], convention)
            trace, product = ((1 + b) * (1 - h), b * (1 - h)) if convention == "nesterov" else (1 + b - h, b)
            exact = exact_roots(trace, product)
            assert_fourteen_digits(found[k], exact)
            plain = float(trace) ** 2 - 4 * float(product)
            textbook.append(abs(np.sqrt(abs(plain)) - 2 * abs(exact[0] - trace / 2)))
    assert max(textbook) > 1e-9, "the textbook form would do"


@pytest.mark.parametrize(
    ("eta", "beta"), [(1.0, 0.0), (1e-300, 0.5), (1e6, 0.9), (0.5, 0.0), (1e-20, 1 - 1e-16), (3.0, 0.25)]
)
def test_eigenvalues_at_the_edges_of_the_domain(eta, beta):
    with mpmath.workdps(700):
        h, b = exactly(eta, beta)
        assert_fourteen_digits(eigenvalues(eta, beta), exact_roots(1 + b - h, b))


def test_curvature_multiplies_the_step_size():
    found = eigenvalues(0.1, 0.9, curvature=[1.0, 2.0])
    np.testing.assert_array_equal(found[1], eigenvalues(0.2, 0.9))
    assert oscillation_threshold(0.05, curvature=2.0) == oscillation_threshold(0.1)
    assert momentum.stability_limit(0.5, curvature=2.0) == momentum.stability_limit(0.5) / 2


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_threshold_separates_real_from_complex(convention):
    eta = np.geomspace(0.01, 0.9, 50)
    threshold = oscillation_threshold(eta, convention=convention)
    for factor, expected in ((1 - 1e-13, False), (1 + 1e-13, True)):
        beta = threshold * factor
        assert (is_oscillating(eta, beta, convention=convention) == expected).all()
        assert ((eigenvalues(eta, beta, convention=convention).imag[:, 0] > 0) == expected).all()
    assert not is_oscillating(4.5, np.linspace(0, 0.999, 100), convention="heavy-ball").any()


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_stability_limit_separates_decay_from_growth(convention):
    beta = np.linspace(0, 0.95, 40)
    limit = momentum.stability_limit(beta, convention=convention)
    for factor, expected in ((1 - 1e-12, True), (1 + 1e-12, False)):
        assert (is_stable(limit * factor, beta, convention=convention) == expected).all()
        assert ((spectral_radius(limit * factor, beta, convention=convention) < 1) == expected).all()


def test_spectral_radius_is_the_larger_modulus():
    eta, beta = random_settings(3, 1000)
    np.testing.assert_allclose(spectral_radius(eta, beta), np.abs(eigenvalues(eta, beta)).max(axis=-1), rtol=1e-14)


# Paths.


def recursion(eta, beta, steps, convention="ema", first=0):
    """(m_t/g_0, e_t/e_0) in exact rational arithmetic."""
    eta, beta = Fraction(float(eta)), Fraction(float(beta))
    m, e = Fraction(first), Fraction(1)
    for _ in range(steps):
        m = beta * m + (1 - beta if convention == "ema" else 1) * e
        e -= eta * m
    return m, e


@pytest.mark.parametrize("convention", CONVENTIONS)
@pytest.mark.parametrize("first", [0, 1, -2])
def test_state_agrees_with_the_steps_in_exact_arithmetic(convention, first):
    settings = [random_settings(5, 30, 0.5), beside_the_double_root(6, 30, convention)]
    eta, beta = (np.concatenate(parts) for parts in zip(*settings, strict=True))
    steps = np.random.default_rng(7).integers(0, 40, len(eta))
    moved, e = momentum.state(eta, beta, steps, convention=convention, first_momentum=first)
    for k in range(len(eta)):
        exact = recursion(eta[k], beta[k], int(steps[k]), convention, first)
        for got, value in zip((moved[k], e[k]), exact, strict=True):
            assert abs(Fraction(float(got)) - value) <= abs(value) * Fraction(1, 10**13)


def test_deviation_after_many_steps_beside_the_double_root():
    eta, beta = beside_the_double_root(8, 40)
    rng = np.random.default_rng(9)
    # Beside 1 the path lasts: elsewhere a million steps leave zero.
    eta, beta = np.concatenate([eta, 10.0 ** rng.uniform(-7, -5, 40)]), np.concatenate([beta, np.zeros(40)])
    beta[40:] = oscillation_threshold(eta[40:]) * (1 + 10.0 ** rng.uniform(-14, -9, 40))
    steps = np.concatenate([rng.integers(1, 2000, 40), rng.integers(1, 10**6, 40)])
    found = deviation(eta, beta, steps)
    lasting = 0
    with mpmath.workdps(120):
        for k in range(len(eta)):
            h, b = exactly(eta[k], beta[k])
            first, second = exact_roots(1 + b - h, b)
            n = int(steps[k])
            exact = mpmath.re(((first - b) * first**n - (second - b) * second**n) / (first - second))
            if abs(exact) > 1e-290:
                assert abs(found[k] - exact) <= 1e-12 * abs(exact), (eta[k], beta[k], n)
                lasting += 1
    assert lasting > 50


def test_deviation_keeps_its_digits_beside_its_zeros():
    """c_1 = 1 - h near h = 1, and c_2 = 1 - 2 h - h beta + h^2 near a zero."""
    assert deviation(1 - 1e-12, 0.0, 1) == pytest.approx(1 - (1 - 1e-12), rel=1e-12)
    beta = 0.3
    eta = (2.3 - math.sqrt(2.3**2 - 4)) / 2 / (1 - beta)
    exact = recursion(eta, beta, 2)[1]
    assert 0 < abs(exact) < Fraction(1, 10**14)
    assert deviation(eta, beta, 2) == pytest.approx(float(exact), rel=1e-12)


def test_deviation_that_leaves_float64_is_infinite_or_zero_never_nan():
    assert deviation(3.0, 0.0, 10**6) == math.inf
    assert deviation(3.0, 0.0, 10**6 - 1) == -math.inf
    assert deviation(0.5, 0.1, 10**6) == 0.0


def test_conventions_are_one_system_for_other_step_sizes():
    eta, beta = random_settings(11, 100, 0.3)
    heavy = momentum.step_size_in("heavy-ball", eta, beta)
    np.testing.assert_allclose(heavy, eta * (1 - beta), rtol=1e-15)
    np.testing.assert_allclose(momentum.step_size_in("ema", heavy, beta, given="heavy-ball"), eta, rtol=1e-15)


# Overshoot and the dead cone.


@pytest.mark.slow
@pytest.mark.parametrize("convention", CONVENTIONS)
def test_overshoot_is_the_lowest_point_of_the_path(convention):
    eta, beta = random_settings(12, 150, 0.6)
    beta = np.minimum(beta, 0.99)
    keep = is_stable(eta, beta, convention=convention)
    walks = deviation(eta[keep][:, None], beta[keep][:, None], np.arange(400), convention=convention)
    found = overshoot(eta[keep], beta[keep], convention=convention)
    at = overshoot_step(eta[keep], beta[keep], convention=convention)
    np.testing.assert_allclose(found[at < 400], np.maximum(0, -walks.min(axis=1))[at < 400], rtol=1e-13)
    assert (walks.min(axis=1) >= -found * (1 + 1e-12)).all()
    for walk, size, steps in zip(walks, found, at.astype(int), strict=True):
        if 0 < steps < 400:
            assert -walk[steps] == pytest.approx(size, rel=1e-12)


def test_a_later_swing_can_be_the_lowest():
    walk = deviation(0.92, 0.98, np.arange(200), convention="heavy-ball")
    assert overshoot_step(0.92, 0.98, convention="heavy-ball") == walk.argmin() > 3
    assert -walk.min() == overshoot(0.92, 0.98, convention="heavy-ball") > -walk[3] > -walk[2]


def test_overshoot_later_than_a_million_steps():
    h, beta = 1e-14, 1 - 1e-7
    exact = overshoot_form.mp(h, beta, dps=30)
    assert overshoot_step(h, beta, convention="heavy-ball") > 10**6
    assert overshoot(h, beta, convention="heavy-ball") == pytest.approx(float(exact), rel=1e-12)


# Arguments.


def test_arguments_broadcast_and_scalars_stay_scalars():
    assert eigenvalues(np.full((3, 1), 0.1), np.zeros(4)).shape == (3, 4, 2)
    assert momentum.matrix([0.1, 0.2], 0.5).shape == (2, 2, 2)
    assert deviation([0.1, 0.2], 0.5, np.arange(5)[:, None]).shape == (5, 2)
    numbers = spectral_radius(0.1, 0.5), oscillation_threshold(0.1), overshoot(0.1, 0.9)
    assert all(isinstance(v, float) for v in numbers)
    assert is_stable(0.1, 0.5) is True
