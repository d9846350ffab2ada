r"""Gaussian processes that learn to add, with many digits: what the process gives, and what float64 leaves of it.

For a length scale that is long against the disc nearly all eigenvalues of the kernel's matrix are below rounding. With
q = |x|^2/(2 l^2) the kernel is a sum over monomials,

.. math:: e^{-|x - x'|^2/(2 l^2)} = \sum_{i, j} f_{ij}(x) f_{ij}(x'), \qquad
          f_{ij}(x) = e^{-q} \frac{x_1^i x_2^j}{\sqrt{i! \, j!} \; l^{i + j}},

of which few degrees count. Solved with mpmath by Cholesky's method; errors e^q (f(x) - x_1 - x_2) are polynomials whose
coefficients are subtracted with many digits and evaluated in float64.
"""

import math
from collections.abc import Sequence

import mpmath
import numpy as np
from scipy import linalg, optimize

from montecarlo.engine.models import one_run
from montecarlo.training.addition_processes import LOG_AMPLITUDES, disc_points, square_grid, squared_exponential

# Of features: what is left of the kernel on the disc, against a jitter of 1e-10 and amplitudes of 1e5.
LEFT_OUT = 1e-34
DIGITS, DIGITS_WITHOUT_JITTER, DEGREE_WITHOUT_JITTER = 60, 200, 24
# Where the best length scale is looked for, and to which precision of its logarithm.
LENGTHS, WITHIN = (20.0, 5000.0), 1e-3
FLOAT_LENGTHS = np.geomspace(20.0, 1000.0, 40)


class Monomials:
    """The features f_ij up to a degree, at points (n, 2), as lists of mpmath numbers by feature.

    Examples
    --------
    >>> found = Monomials(np.array([[0.5, 0.25]]), 10.0, 8)
    >>> round(float(sum(column[0] ** 2 for column in found.columns)), 12)
    1.0
    """

    def __init__(self, points: np.ndarray, length_scale: float, degree: int):
        scale = mpmath.mpf(length_scale)
        exact = [(mpmath.mpf(float(x)), mpmath.mpf(float(y))) for x, y in points]
        damp = [mpmath.exp(-(x * x + y * y) / (2 * scale**2)) for x, y in exact]
        self.length_scale = scale
        self.powers = [(i, n - i) for n in range(degree + 1) for i in range(n + 1)]
        self.factors = [
            1 / (mpmath.sqrt(mpmath.factorial(i) * mpmath.factorial(j)) * scale ** (i + j)) for i, j in self.powers
        ]
        self.columns = [
            [q * factor * x**i * y**j for q, (x, y) in zip(damp, exact, strict=True)]
            for factor, (i, j) in zip(self.factors, self.powers, strict=True)
        ]
        self.targets = [x + y for x, y in exact]

    def products(self) -> tuple[mpmath.matrix, mpmath.matrix]:
        """Of all pairs of features, and of features and targets, summed over the points."""
        m = len(self.columns)
        gram, moments = mpmath.matrix(m), mpmath.matrix(m, 1)
        for i, column in enumerate(self.columns):
            moments[i] = mpmath.fdot(column, self.targets)
            for j in range(i + 1):
                gram[i, j] = gram[j, i] = mpmath.fdot(column, self.columns[j])
        return gram, moments

    def errors(self, weights: Sequence[mpmath.mpf], places: np.ndarray) -> np.ndarray:
        """Of the prediction sum_m weights_m f_m at places (m, 2)."""
        degree = self.powers[-1][0]
        table = np.zeros((degree + 1, degree + 1))
        for weight, factor, (i, j) in zip(weights, self.factors, self.powers, strict=True):
            table[i, j] = float(weight * factor - self._of_target(i, j))
        damp = np.exp(-(places**2).sum(axis=1) / (2 * float(self.length_scale) ** 2))
        return damp * np.polynomial.polynomial.polyval2d(*places.T, table)

    def _of_target(self, i: int, j: int) -> mpmath.mpf:
        """The coefficient of x_1^i x_2^j in e^q (x_1 + x_2)."""
        if (i + j) % 2 == 0:
            return mpmath.mpf(0)
        half = mpmath.mpf(1) / (2 * self.length_scale**2)
        p, r = i // 2, j // 2
        return half ** (p + r) / (mpmath.factorial(p) * mpmath.factorial(r))


def _degree(length_scale: float) -> int:
    """The least degree beyond which the kernel has LEFT_OUT at most, of two points of the disc."""
    n = 1
    while length_scale ** (-2 * n) / math.factorial(n) > LEFT_OUT:
        n += 1
    return n


def _forward(lower: mpmath.matrix, values: Sequence[mpmath.mpf]) -> list[mpmath.mpf]:
    """The solution of lower x = values."""
    found = []
    for i, value in enumerate(values):
        found.append((value - mpmath.fdot((lower[i, k] for k in range(i)), found)) / lower[i, i])
    return found


class _Likelihood:
    """Of amplitudes, at one length scale; with weights of the features."""

    def __init__(self, points: np.ndarray, length_scale: float, alpha: float):
        self.features = Monomials(points, length_scale, _degree(length_scale))
        self.gram, self.moments = self.features.products()
        self.square = mpmath.fdot(self.features.targets, self.features.targets)
        self.alpha, self.number = mpmath.mpf(alpha), len(points)

    def _matrix(self, log_amplitude: float) -> tuple[mpmath.matrix, mpmath.mpf]:
        """gram + ratio I, and the ratio of jitter and amplitude."""
        ratio = self.alpha / mpmath.exp(mpmath.mpf(float(log_amplitude)))
        return self.gram + ratio * mpmath.eye(self.gram.rows), ratio

    def unlikely(self, log_amplitude: float) -> float:
        """Minus the logarithm of the likelihood, without the constant."""
        matrix, ratio = self._matrix(log_amplitude)
        lower = mpmath.cholesky(matrix)
        half = _forward(lower, self.moments)
        fit = (self.square - mpmath.fdot(half, half)) / self.alpha
        volume = mpmath.fsum(mpmath.log(lower[i, i] ** 2 / ratio) for i in range(lower.rows))
        return float((fit + volume + self.number * mpmath.log(self.alpha)) / 2)

    def best(self, largest: float = LOG_AMPLITUDES[-1]) -> tuple[float, float]:
        """The most likely amplitude's logarithm within its bounds, and how unlikely it is."""
        ends = LOG_AMPLITUDES[0], largest
        found = optimize.minimize_scalar(self.unlikely, bounds=ends, method="bounded", options={"xatol": 1e-4})
        return float(found.x), float(found.fun)

    def weights(self, log_amplitude: float) -> mpmath.matrix:
        """Of the features in the prediction."""
        return mpmath.cholesky_solve(self._matrix(log_amplitude)[0], self.moments)


def _without_jitter(points: np.ndarray, length_scale: float) -> tuple[Monomials, list[mpmath.mpf]]:
    """The features and their weights in the function through all data."""
    features = Monomials(points, length_scale, DEGREE_WITHOUT_JITTER)
    exact = [[mpmath.mpf(float(v)) for v in point] for point in points]
    kernel = mpmath.matrix(len(points))
    for i, (x, y) in enumerate(exact):
        for j, (v, w) in enumerate(exact[: i + 1]):
            square = (x - v) ** 2 + (y - w) ** 2
            kernel[i, j] = kernel[j, i] = mpmath.exp(-square / (2 * features.length_scale**2))
    coefficients = mpmath.cholesky_solve(kernel, mpmath.matrix(features.targets))
    return features, [mpmath.fdot(column, coefficients) for column in features.columns]


@one_run(columns=("amplitude", "train", "inside", "outside", "inside_without_jitter", "outside_without_jitter"))
def exact_process(run, length_scale, alpha, number: int, first_seed: int, grid: int, half_width):
    """Mean squared errors of the runs of ``addition_process``, with many digits; then those without jitter."""
    places, within = square_grid(grid, half_width)
    points = disc_points(first_seed + run, number)
    with mpmath.workdps(DIGITS):
        likelihood = _Likelihood(points, length_scale, alpha)
        amplitude, _ = likelihood.best()
        weights = likelihood.weights(amplitude)
        found = [likelihood.features.errors(weights, where) for where in (points, places)]
    with mpmath.workdps(DIGITS_WITHOUT_JITTER):
        features, weights = _without_jitter(points, length_scale)
        through = features.errors(weights, places)
    parts = found[0], found[1][within], found[1][~within], through[within], through[~within]
    return [math.exp(amplitude), *(float((part**2).mean()) for part in parts)]


def likelihood_of_length(points: np.ndarray, length_scale: float, alpha: float) -> float:
    """The largest logarithm of the likelihood, with many digits; the constant is left out, as in float_likelihood.

    Examples
    --------
    >>> points = disc_points(1, 10)
    >>> 0 <= likelihood_of_length(points, 200.0, 1e-4) - float_likelihood(points, 200.0, 1e-4)[0] < 0.5
    True
    """
    with mpmath.workdps(DIGITS):
        return -_Likelihood(points, float(length_scale), alpha).best()[1]


def float_likelihood(points: np.ndarray, length_scale: float, alpha: float) -> tuple[float, int]:
    """The largest logarithm of the likelihood that float64 finds, and how many amplitudes it finds not positive.

    Examples
    --------
    >>> float_likelihood(disc_points(1, 20), 1.0, 1e-10)[1]
    0
    """
    targets, shape = points.sum(axis=1), squared_exponential(points, points, length_scale)
    best, lost = -math.inf, 0
    for log_amplitude in LOG_AMPLITUDES:
        try:
            lower = linalg.cholesky(math.exp(log_amplitude) * shape + alpha * np.eye(len(points)), lower=True)
        except linalg.LinAlgError:
            lost += 1
            continue
        fit = targets @ linalg.cho_solve((lower, True), targets) / 2
        best = max(best, -float(fit + np.log(np.diag(lower)).sum()))
    return best, lost


def _best_length(points: np.ndarray, alpha: float, largest: float = LOG_AMPLITUDES[-1]) -> tuple[float, float, float]:
    """The most likely length scale, the logarithm of its amplitude up to the largest, and how unlikely they are."""

    def unlikely(log_length: float) -> float:
        return _Likelihood(points, math.exp(log_length), alpha).best(largest)[1]

    ends = [math.log(v) for v in LENGTHS]
    found = optimize.minimize_scalar(unlikely, bounds=ends, method="bounded", options={"xatol": WITHIN})
    length = math.exp(found.x)
    return length, *_Likelihood(points, length, alpha).best(largest)


@one_run(columns=("length_scale", "amplitude", "likelihood", "at_150", "float_length_scale", "float_lost"))
def best_length(run, alpha, number: int, first_seed: int):
    """The most likely length scale with its amplitude, log-likelihood there and at 150; then what float64 finds.

    Run i has the data of seed ``first_seed`` + i; nothing else of it is random.
    """
    points = disc_points(first_seed + run, number)
    with mpmath.workdps(DIGITS):
        length, amplitude, at_best = _best_length(points, alpha)
        at_150 = _Likelihood(points, 150.0, alpha).best()[1]
    in_floats = [float_likelihood(points, scale, alpha) for scale in FLOAT_LENGTHS]
    place = int(np.argmax([best for best, _ in in_floats]))
    return [length, math.exp(amplitude), -at_best, -at_150, FLOAT_LENGTHS[place], in_floats[place][1]]


@one_run(columns=("length_scale", "amplitude"))
def length_by_bound(run, bound, alpha, number: int, first_seed: int):
    """The most likely length scale and amplitude for amplitudes up to a bound, with the data of ``best_length``."""
    points = disc_points(first_seed + run, number)
    with mpmath.workdps(DIGITS):
        length, amplitude, _ = _best_length(points, alpha, math.log(bound))
    return [length, math.exp(amplitude)]
