"""Gaussian processes that learn to add: against plain linear algebra, and scikit-learn where it is installed."""

import numpy as np
import pytest
from kernels_for_tests import rows_of

from montecarlo.training import addition_processes
from montecarlo.training.addition_processes import addition_process, disc_points, fitted, squared_exponential

SETTINGS = {"length_scale": 1.0, "alpha": 1e-10, "number": 40, "first_seed": 42, "grid": 24, "half_width": 1.5}


def test_what_a_process_says_beforehand_is_its_posterior_deviation():
    settings = {"length_scale": 0.5, "alpha": 1e-3, "number": 20, "first_seed": 5, "low": 0.25, "grid": 9}
    found = rows_of(addition_processes.annulus_process, settings | {"half_width": 1.5})[0]
    points, axis = disc_points(5, 20, 0.25), np.linspace(-1.5, 1.5, 9)
    places = np.array([(x, y) for x in axis for y in axis])
    amplitude, _ = fitted(points, points.sum(axis=1), 0.5, 1e-3)
    inverse = np.linalg.inv(amplitude * squared_exponential(points, points, 0.5) + 1e-3 * np.eye(20))
    across = amplitude * squared_exponential(places, points, 0.5)
    errors = across @ inverse @ points.sum(axis=1) - places.sum(axis=1)
    deviations = np.sqrt(amplitude - np.einsum("ij,jk,ik->i", across, inverse, across))
    square = (places**2).sum(axis=1)
    regions = (square >= 0.25) & (square <= 1), square < 0.25, square > 1
    expected = [(errors[where] ** 2).mean() for where in regions]
    expected += [(np.abs(errors) <= 2 * deviations)[regions[2]].mean()]
    expected += [deviations[where].mean() for where in regions[::2]]
    np.testing.assert_allclose(found, expected, rtol=1e-8)


def test_points_are_those_of_the_legacy_generator_in_the_published_order():
    rng = np.random.RandomState(7)
    angle, square = rng.uniform(0, 2 * np.pi, 5), rng.uniform(0.25, 1, 5)
    points = disc_points(7, 5, low=0.25)
    np.testing.assert_allclose((points**2).sum(axis=1), square, rtol=1e-14)
    np.testing.assert_allclose(points[:, 0], np.sqrt(square) * np.sin(angle), rtol=1e-14)


def test_the_kernel_is_that_of_its_definition():
    one, other = disc_points(1, 4), disc_points(2, 3)
    found = squared_exponential(one, other, 0.7)
    for i, x in enumerate(one):
        for j, y in enumerate(other):
            assert found[i, j] == pytest.approx(np.exp(-((x - y) @ (x - y)) / (2 * 0.7**2)), rel=1e-13)


def test_the_amplitude_is_the_most_likely_one():
    points = disc_points(3, 30)
    targets = points.sum(axis=1)
    amplitude, coefficients = fitted(points, targets, 1.0, 1e-8)
    shape = squared_exponential(points, points, 1.0)

    def unlikely(value):
        matrix = value * shape + 1e-8 * np.eye(30)
        return targets @ np.linalg.solve(matrix, targets) / 2 + np.linalg.slogdet(matrix)[1] / 2

    grid = [unlikely(v) for v in np.exp(addition_processes.LOG_AMPLITUDES)]
    assert unlikely(amplitude) <= min(grid) + 1e-6
    assert unlikely(amplitude) < unlikely(1.05 * amplitude)
    assert unlikely(amplitude) < unlikely(amplitude / 1.05)
    np.testing.assert_allclose(amplitude * shape @ coefficients + 1e-8 * coefficients, targets, atol=1e-9)


def test_runs_are_their_seeds_and_errors_those_of_the_definition():
    rows = rows_of(addition_process, SETTINGS, 2)
    np.testing.assert_array_equal(rows[1], rows_of(addition_process, SETTINGS, first=1)[0])
    assert (rows[0] != rows[1]).all()
    points = disc_points(42, 40)
    amplitude, coefficients = fitted(points, points.sum(axis=1), 1.0, 1e-10)
    axis = np.linspace(-1.5, 1.5, 24)
    square = {True: [], False: []}
    for x in axis:
        for y in axis:
            found = amplitude * squared_exponential(np.array([[x, y]]), points, 1.0)[0] @ coefficients
            square[bool(x * x + y * y <= 1)].append((found - x - y) ** 2)
    assert rows[0, 0] == pytest.approx(amplitude, rel=1e-12)
    assert rows[0, 2] == pytest.approx(np.mean(square[True]), rel=1e-6)
    assert rows[0, 3] == pytest.approx(np.mean(square[False]), rel=1e-6)
    assert rows[0, 1] < rows[0, 2] < rows[0, 3]


def test_scikit_learn_finds_the_same():
    gp = pytest.importorskip("sklearn.gaussian_process", reason="scikit-learn is not installed")
    kernels = pytest.importorskip("sklearn.gaussian_process.kernels")
    points = disc_points(42, 60)
    targets = points.sum(axis=1)
    kernel = kernels.ConstantKernel(1.0, (1e-5, 1e5)) * kernels.RBF(0.5, "fixed")
    theirs = gp.GaussianProcessRegressor(kernel, alpha=1e-10, n_restarts_optimizer=5, random_state=0).fit(
        points, targets
    )
    amplitude, coefficients = fitted(points, targets, 0.5, 1e-10)
    assert amplitude == pytest.approx(np.exp(theirs.kernel_.theta[0]), rel=1e-4)
    where = disc_points(43, 30)
    ours = amplitude * squared_exponential(where, points, 0.5) @ coefficients
    np.testing.assert_allclose(ours, theirs.predict(where), atol=1e-6)
