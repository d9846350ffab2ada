"""Gaussian process regressors of a noisy sine, and where those that learn to add have their ridges of small errors.

Fits are those of :mod:`montecarlo.training.addition_processes`: the amplitude is the most likely one, the length scale
is given.
"""

import math

import numpy as np

from montecarlo.engine.models import simulator
from montecarlo.training.addition_processes import disc_points, fitted, squared_exponential


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


@simulator(columns=("amplitude", "train", "test", "likelihood"))
def sine_process(stream, first, length_scale, noise, number: int, first_seed: int, out):  # noqa: ARG001
    """Mean squared errors on noisy data that were seen and on as many new ones, and the log-likelihood of the former.

    The process knows the variance of the noise. Run i has data of seed ``first_seed`` + i, at any length scale.
    """
    for i in range(out.shape[0]):
        rng = np.random.RandomState(first_seed + first + i)
        (x, y), (new, wanted) = (noisy_sine(rng, number, noise) for _ in range(2))
        amplitude, coefficients = fitted(x, y, length_scale, noise**2)
        errors = [
            float(((amplitude * squared_exponential(where, x, length_scale) @ coefficients - values) ** 2).mean())
            for where, values in ((x, y), (new, wanted))
        ]
        matrix = amplitude * squared_exponential(x, x, length_scale) + noise**2 * np.eye(number)
        volume = np.linalg.slogdet(matrix)[1] + number * math.log(2 * math.pi)
        out[i] = [amplitude, *errors, -(float(y @ coefficients) + volume) / 2]


@simulator(columns=("at_data", "elsewhere"))
def ridges(stream, first, length_scale, alpha, number: int, first_seed: int, out):  # noqa: ARG001
    """How far a process that adds is from a line without error: medians of |error|/|its gradient|, to first order.

    At its data, and at as many other points of the disc. Run i has the data of seed ``first_seed`` + i.
    """
    for i in range(out.shape[0]):
        points = disc_points(first_seed + first + i, number)
        amplitude, coefficients = fitted(points, points.sum(axis=1), length_scale, alpha)
        medians = []
        for where in (points, disc_points(first_seed + first + i + 1000, number)):
            parts = amplitude * squared_exponential(where, points, length_scale) * coefficients
            errors = parts.sum(axis=1) - where.sum(axis=1)
            away = (points[None] - where[:, None]) / length_scale**2
            gradients = np.einsum("ij,ijk->ik", parts, away) - 1
            medians.append(float(np.median(np.abs(errors) / np.linalg.norm(gradients, axis=1))))
        out[i] = medians
