"""Gaussian processes that learn to add: against linear algebra, many digits, and scikit-learn where it is installed."""

import mpmath
import numpy as np
import pytest
from kernels_for_tests import row_of, rows_of
from scipy import stats

from montecarlo.training import addition_processes as processes, exact_processes
from montecarlo.training.addition_processes import addition_process, disc_points, fitted, squared_exponential
from montecarlo.training.exact_processes import exact_process, likelihood_of_length
from paper_checks.experiments.stored import stored_rows
from paper_checks.papers.network_smoothness.table_1.sweeps import BEST_LENGTH

SETTINGS = {"length_scale": 1.0, "alpha": 1e-10, "number": 40, "first_seed": 42, "grid": 24, "half_width": 1.5}
EXACT = {"length_scale": 200.0, "alpha": 1e-4, "number": 12, "first_seed": 42, "grid": 8, "half_width": 1.5}


def test_what_a_process_says_beforehand_is_its_posterior_deviation():
    settings = {"length_scale": 0.5, "alpha": 1e-3, "number": 20, "first_seed": 5, "low": 0.25, "grid": 9}
    found = rows_of(processes.annulus_process, settings | {"half_width": 1.5})[0]
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


def test_the_amplitude_is_the_most_likely_one():
    points = disc_points(3, 30)
    targets = points.sum(axis=1)
    amplitude, coefficients = fitted(points, targets, 1.0, 1e-8)
    shape = squared_exponential(points, points, 1.0)

    def unlikely(value):
        matrix = value * shape + 1e-8 * np.eye(30)
        return targets @ np.linalg.solve(matrix, targets) / 2 + np.linalg.slogdet(matrix)[1] / 2

    grid = [unlikely(v) for v in np.exp(processes.LOG_AMPLITUDES)]
    assert unlikely(amplitude) <= min(grid) + 1e-6
    assert unlikely(amplitude) < unlikely(1.05 * amplitude)
    assert unlikely(amplitude) < unlikely(amplitude / 1.05)
    np.testing.assert_allclose(amplitude * shape @ coefficients + 1e-8 * coefficients, targets, atol=1e-9)


def test_the_seed_is_that_of_the_run_and_errors_are_those_of_the_definition():
    row, points, axis = rows_of(addition_process, SETTINGS, first=1)[0], disc_points(43, 40), np.linspace(-1.5, 1.5, 24)
    amplitude, coefficients = fitted(points, points.sum(axis=1), 1.0, 1e-10)
    places = np.array([(x, y) for x in axis for y in axis])
    wrong = (amplitude * squared_exponential(places, points, 1.0) @ coefficients - places.sum(axis=1)) ** 2
    inside = (places**2).sum(axis=1) <= 1
    assert row[0] == pytest.approx(amplitude, rel=1e-12)
    assert row[2:4] == pytest.approx([wrong[inside].mean(), wrong[~inside].mean()], rel=1e-6)
    assert row[1] < row[2] < row[3]


# Many digits, against float64 where it has digits.


def test_errors_are_those_of_float64_where_the_matrix_is_well_conditioned():
    with_many, in_floats = (row_of(simulator, EXACT, first=1) for simulator in (exact_process, addition_process))
    for name, value in in_floats.items():
        assert with_many[name] == pytest.approx(value, rel=2e-3), name
    assert with_many["inside_without_jitter"] < 1e-3 * with_many["inside"]


def test_the_function_through_the_data_is_that_of_linear_algebra():
    points, axis = disc_points(42, 3), np.linspace(-1.5, 1.5, 8)
    inside = [(x, y) for x in axis for y in axis if x * x + y * y <= 1]
    with mpmath.workdps(50):

        def kernel(one, others):
            scale = 2 * mpmath.mpf(200) ** 2
            return [mpmath.exp(-sum(mpmath.mpf(v) ** 2 for v in np.subtract(one, p)) / scale) for p in others]

        matrix = mpmath.matrix([kernel(p, points) for p in points])
        coefficients = mpmath.lu_solve(matrix, mpmath.matrix([mpmath.mpf(x) + mpmath.mpf(y) for x, y in points]))
        errors = [mpmath.fdot(kernel(place, points), coefficients) - mpmath.fsum(place) for place in inside]
        expected = float(mpmath.fsum(e**2 for e in errors) / len(errors))
    found = row_of(exact_process, EXACT | {"number": 3})
    assert found["inside_without_jitter"] == pytest.approx(expected, rel=1e-9)


def test_the_likelihood_is_that_of_its_definition():
    points = disc_points(5, 12)
    amplitude, _ = fitted(points, points.sum(axis=1), 100.0, 1e-4)
    matrix = amplitude * squared_exponential(points, points, 100.0) + 1e-4 * np.eye(12)
    targets = points.sum(axis=1)
    expected = -(targets @ np.linalg.solve(matrix, targets) + np.linalg.slogdet(matrix)[1]) / 2
    assert likelihood_of_length(points, 100.0, 1e-4) == pytest.approx(expected, rel=1e-5)
    assert exact_processes.float_likelihood(points, 100.0, 1e-4)[0] == pytest.approx(expected, abs=0.2)


@pytest.mark.slow
def test_a_stored_best_length_is_more_likely_than_its_neighbours():
    (rows,) = stored_rows(BEST_LENGTH)
    points, (length, _, likelihood, *_) = disc_points(42, 128), rows[0]
    beside = [likelihood_of_length(points, factor * length, 1e-10) for factor in (1.0, 0.9, 1.1)]
    assert beside[0] == pytest.approx(likelihood, abs=1e-6)
    assert beside[0] > max(beside[1:])


def test_a_sine_process_is_judged_on_new_noise():
    x, y = processes.noisy_sine(np.random.RandomState(1), 2000, 0.25)
    assert abs(np.std(y - np.sin(x[:, 0])) - 0.25) < 0.02
    settings = {"length_scale": 2.0, "noise": 0.25, "number": 48, "first_seed": 42}
    one, other = (row_of(processes.sine_process, settings, first=first) for first in (0, 1))
    assert one["train"] < 0.25**2 < one["test"]
    assert one != other


def test_a_sine_process_has_the_likelihood_of_its_definition():
    found = row_of(processes.sine_process, {"length_scale": 1.5, "noise": 0.5, "number": 20, "first_seed": 42}, first=3)
    x, y = processes.noisy_sine(np.random.RandomState(45), 20, 0.5)
    matrix = found["amplitude"] * squared_exponential(x, x, 1.5) + 0.25 * np.eye(20)
    assert found["likelihood"] == pytest.approx(stats.multivariate_normal(np.zeros(20), matrix).logpdf(y), rel=1e-9)


def test_distances_to_ridges_are_to_first_order():
    """With a large jitter data are no special points; the distance is error over slope, by differences."""
    settings = {"length_scale": 0.5, "alpha": 1e-2, "number": 21, "first_seed": 42}
    points = disc_points(42, 21)
    amplitude, coefficients = fitted(points, points.sum(axis=1), 0.5, 1e-2)

    def error(where):
        return amplitude * squared_exponential(where, points, 0.5) @ coefficients - where.sum(axis=1)

    h = 1e-6
    slopes = [(error(points + h * e) - error(points - h * e)) / (2 * h) for e in np.eye(2)]
    expected = np.median(np.abs(error(points)) / np.hypot(*slopes))
    assert row_of(processes.ridges, settings)["at_data"] == pytest.approx(expected, rel=1e-6)
