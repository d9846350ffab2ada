"""Gaussian process regressors that learn to add two numbers from points of a disc or an annulus, or a noisy sine.

The kernel is amplitude exp(-d^2/(2 length_scale^2)) with alpha on the diagonal; the amplitude is the most likely one
within its bounds, the length scale is given. Solved by Cholesky's method, as in the published experiments.
"""

import math
import warnings
from functools import cache

import numpy as np
from scipy import linalg, optimize

from montecarlo.engine.models import one_run

# The bounds of the amplitude in the published experiments, and where the likelihood is looked at before it is climbed.
LOG_AMPLITUDES = np.linspace(math.log(1e-5), math.log(1e5), 93)
COARSE = 4
# In place of a likelihood where the matrix is not positive in float64.
NONE = 1e12


def disc_points(seed: int, number: int, low: float = 0.0) -> np.ndarray:
    """Points (number, 2) with r = sqrt(r'), r' ~ U(low, 1), by NumPy's legacy generator: angles first, then r'.

    Examples
    --------
    >>> points = disc_points(42, 3)
    >>> points.shape, bool((np.linalg.norm(points, axis=1) <= 1).all())
    ((3, 2), True)
    """
    rng = np.random.RandomState(seed)
    angle, radius = rng.uniform(0, 2 * np.pi, number), np.sqrt(rng.uniform(low, 1, number))
    return np.stack([radius * np.sin(angle), radius * np.cos(angle)], axis=1)


def square_grid(number: int, half_width: float) -> tuple[np.ndarray, np.ndarray]:
    """Points (number^2, 2) of a square grid on [-half_width, half_width]^2, and which of them lie in the unit disc.

    Examples
    --------
    >>> places, within = square_grid(64, 1.5)
    >>> places.shape, int(within.sum())
    ((4096, 2), 1396)
    """
    axis = np.linspace(-half_width, half_width, number)
    places = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    return places, (places**2).sum(axis=1) <= 1


def squared_exponential(one: np.ndarray, other: np.ndarray, length_scale: float) -> np.ndarray:
    """exp(-d^2/(2 length_scale^2)) of all pairs of points (n, 2) and (m, 2)."""
    squares = sum((a[:, None] - b) ** 2 for a, b in zip(one.T, other.T, strict=True))
    squares /= -2 * length_scale**2
    return np.exp(squares, out=squares)


def fitted(points: np.ndarray, targets: np.ndarray, length_scale: float, alpha: float) -> tuple[float, np.ndarray]:
    """The most likely amplitude, and the coefficients of the kernel's functions in the prediction."""
    shape = squared_exponential(points, points, length_scale)
    diagonal = np.diag_indices(len(shape))

    @cache
    def solved(log_amplitude: float) -> tuple[float, np.ndarray]:
        """How unlikely the amplitude is, and its coefficients. LAPACK itself: SciPy's checks and copies take longer."""
        matrix = math.exp(log_amplitude) * shape
        matrix[diagonal] += alpha
        lower, failed = linalg.lapack.dpotrf(matrix.T, lower=True, clean=False, overwrite_a=True)
        if failed:
            return NONE, targets
        coefficients, _ = linalg.lapack.dpotrs(lower, targets, lower=True)
        return float(targets @ coefficients / 2 + np.log(np.diag(lower)).sum()), coefficients

    def unlikely(log_amplitude: float) -> float:
        return solved(float(log_amplitude))[0]

    # The whole grid only about the best of each three of every fourth place: valleys are not narrower than these.
    values = [unlikely(v) for v in LOG_AMPLITUDES[::COARSE]]
    valleys = [COARSE * i for i, v in enumerate(values) if v == min(values[max(i - 1, 0) : i + 2])]
    near = {i + step for i in valleys for step in range(1 - COARSE, COARSE)} & set(range(len(LOG_AMPLITUDES)))
    best = min(sorted(near), key=lambda i: unlikely(LOG_AMPLITUDES[i]))
    ends = LOG_AMPLITUDES[max(best - 1, 0)], LOG_AMPLITUDES[min(best + 1, len(LOG_AMPLITUDES) - 1)]
    found = optimize.minimize_scalar(unlikely, bounds=ends, method="bounded", options={"xatol": 1e-6})
    least, coefficients = solved(log_amplitude := float(min(LOG_AMPLITUDES[best], found.x, key=unlikely)))
    if least == NONE:
        raise linalg.LinAlgError(f"no amplitude makes the kernel's matrix of length scale {length_scale} positive")
    return math.exp(log_amplitude), coefficients


@one_run(columns=("amplitude", "train", "inside", "outside"))
def addition_process(run, length_scale, alpha, number: int, first_seed: int, grid: int, half_width):
    """Mean squared errors on the data, and on the points of a grid inside and outside of the disc.

    Run i has the data of seed ``first_seed`` + i; nothing else of it is random.
    """
    places, within = square_grid(grid, half_width)
    points = disc_points(first_seed + run, number)
    amplitude, coefficients = fitted(points, points.sum(axis=1), length_scale, alpha)
    coefficients = amplitude * coefficients

    def error(where):
        found = [squared_exponential(part, points, length_scale) @ coefficients for part in np.array_split(where, 64)]
        return float(((np.concatenate(found) - where.sum(axis=1)) ** 2).mean())

    return [amplitude, error(points), error(places[within]), error(places[~within])]


@one_run(columns=("length_scale", "amplitude", "likelihood"))
def fitted_length(run, restarts: int, alpha, number: int, first_seed: int):
    """The length scale and amplitude at which scikit-learn's fit ends, and the log-likelihood that it reports.

    The fit begins at the length scale 1 and the amplitude 1, then at ``restarts`` random ones, each within 1e-5 to 1e5.
    Run i has the data of seed ``first_seed`` + i.
    """
    try:
        from sklearn.gaussian_process import GaussianProcessRegressor
        from sklearn.gaussian_process.kernels import RBF, ConstantKernel
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            "fitted_length: scikit-learn must be installed for its Gaussian processes, and is not; "
            "run pip install 'paper-checks[data]'"
        ) from error
    points = disc_points(first_seed + run, number)
    process = GaussianProcessRegressor(
        ConstantKernel(1.0, (1e-5, 1e5)) * RBF(1.0, (1e-5, 1e5)), alpha=alpha, n_restarts_optimizer=restarts,
        random_state=first_seed + run,
    )  # fmt: skip
    with warnings.catch_warnings():
        # That the optimiser stopped at a bound or did not converge is part of the result.
        warnings.simplefilter("ignore")
        process.fit(points, points.sum(axis=1))
    found = process.kernel_
    return [found.k2.length_scale, found.k1.constant_value, process.log_marginal_likelihood_value_]


@one_run(columns=("ring", "hole", "outside", "covered", "deviation_ring", "deviation_outside"))
def annulus_process(run, length_scale, alpha, number: int, first_seed: int, low, grid: int, half_width):
    """Mean squared errors at the points of a grid by region, and what the process says of them beforehand.

    Covered: the share of the points outside of the disc where the error is at most two of the process's standard
    deviations; then the means of these on the annulus and outside.

    Source: smooth, 3.2.
    """
    places, within = square_grid(grid, half_width)
    hole = (places**2).sum(axis=1) < low
    points = disc_points(first_seed + run, number, low)
    amplitude, coefficients = fitted(points, points.sum(axis=1), length_scale, alpha)
    across = amplitude * squared_exponential(places, points, length_scale)
    matrix = amplitude * squared_exponential(points, points, length_scale) + alpha * np.eye(number)
    # As the amplitude was found: another way to the factor fails where rounding leaves this one a positive matrix.
    lower, _ = linalg.lapack.dpotrf(matrix.T, lower=True)
    seen = linalg.solve_triangular(lower, across.T, lower=True)
    deviations = np.sqrt(np.maximum(amplitude - (seen**2).sum(axis=0), 0))
    errors = across @ coefficients - places.sum(axis=1)
    by_region = [float((errors[where] ** 2).mean()) for where in (within & ~hole, hole, ~within)]
    covered = float((np.abs(errors) <= 2 * deviations)[~within].mean())
    return [*by_region, covered, deviations[within & ~hole].mean(), deviations[~within].mean()]


def noisy_sine(rng: np.random.RandomState, number: int, noise: float) -> tuple[np.ndarray, np.ndarray]:
    """Uniform places (number, 1) in [-2 pi, 2 pi], and sin x with normal noise of a standard deviation.

    Examples
    --------
    >>> x, y = noisy_sine(np.random.RandomState(1), 5, 0.0)
    >>> bool((y == np.sin(x[:, 0])).all())
    True
    """
    x = rng.uniform(-2 * np.pi, 2 * np.pi, (number, 1))
    return x, np.sin(x[:, 0]) + noise * rng.normal(size=number)


@one_run(columns=("amplitude", "train", "test", "likelihood"))
def sine_process(run, length_scale, noise, number: int, first_seed: int):
    """Mean squared errors on noisy data that were seen and on as many new ones, and the log-likelihood of the former.

    The process knows the variance of the noise. Run i has data of seed ``first_seed`` + i, at any length scale.
    """
    rng = np.random.RandomState(first_seed + run)
    (x, y), (new, wanted) = (noisy_sine(rng, number, noise) for _ in range(2))
    amplitude, coefficients = fitted(x, y, length_scale, noise**2)
    errors = [
        float(((amplitude * squared_exponential(where, x, length_scale) @ coefficients - values) ** 2).mean())
        for where, values in ((x, y), (new, wanted))
    ]
    matrix = amplitude * squared_exponential(x, x, length_scale) + noise**2 * np.eye(number)
    volume = np.linalg.slogdet(matrix)[1] + number * math.log(2 * math.pi)
    return [amplitude, *errors, -(float(y @ coefficients) + volume) / 2]


@one_run(columns=("at_data", "elsewhere"))
def ridges(run, length_scale, alpha, number: int, first_seed: int):
    """How far a process that adds is from a line without error: medians of |error|/|its gradient|, to first order.

    At its data, and at as many other points of the disc. Run i has the data of seed ``first_seed`` + i.
    """
    points = disc_points(first_seed + run, number)
    amplitude, coefficients = fitted(points, points.sum(axis=1), length_scale, alpha)
    medians = []
    for where in (points, disc_points(first_seed + run + 1000, number)):
        parts = amplitude * squared_exponential(where, points, length_scale) * coefficients
        errors = parts.sum(axis=1) - where.sum(axis=1)
        away = (points[None] - where[:, None]) / length_scale**2
        gradients = np.einsum("ij,ijk->ik", parts, away) - 1
        medians.append(float(np.median(np.abs(errors) / np.linalg.norm(gradients, axis=1))))
    return medians
