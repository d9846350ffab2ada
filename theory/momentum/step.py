"""A step of gradient descent, by step size and momentum: its matrix, eigenvalues, thresholds and limits."""

from typing import Any

import numpy as np

from theory.arguments import in_float64
from theory.momentum.spectrum import discriminant_pair, larger_modulus, trace_pair, value
from theory.momentum.systems import plain, system
from theory.numerics.pairs import Pair


def matrix(step_size: Any, momentum: Any, *, convention: str = "ema", curvature: Any = 1.0) -> np.ndarray:
    """The matrix A that takes (momentum, deviation) to its next value.

    ``[[beta, (1 - beta) mu], [-eta beta, 1 - eta (1 - beta) mu]]`` for ``"ema"``; without (1 - beta) for the other.

    Parameters
    ----------
    step_size : float or array
        eta, in (0, 1e70].
    momentum : float or array
        beta, in [0, 1).
    convention : {"ema", "heavy-ball"}
        m' = beta m + (1 - beta) g, or m' = beta m + g; both with theta' = theta - eta m'.
    curvature : float or array
        mu, the eigenvalue of the Hessian, in (0, 1e70]. 1 in the paper.

    Returns
    -------
    array (..., 2, 2)

    Raises
    ------
    ValueError
        For an argument outside its domain.

    Source: relu, eq. (20).

    Examples
    --------
    >>> matrix(0.5, 0.75)
    array([[ 0.75 ,  0.25 ],
           [-0.375,  0.875]])
    """
    s = system("matrix", step_size, momentum, convention, curvature)
    weight = (1 - s.beta) if convention == "ema" else np.ones_like(s.beta)
    rows = [[s.beta, weight * s.mu], [-s.eta * s.beta, value(1 - s.h)]]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def eigenvalues(step_size: Any, momentum: Any, *, convention: str = "ema", curvature: Any = 1.0) -> np.ndarray:
    """The pair of eigenvalues that governs momentum and parameters.

    Arguments and errors as in :func:`matrix`. The convention ``"nesterov"`` is the heavy ball with its gradient looked
    up ahead, v' = beta v - eta g(theta + beta v), theta' = theta + v': its pair solves
    lambda^2 - (1 + beta)(1 - h) lambda + beta (1 - h) = 0.

    Returns
    -------
    complex array (..., 2)
        The one of larger real part, or of positive imaginary part, first. Each part has a relative error below 1e-14.

    Source: relu, section 4.

    Examples
    --------
    >>> eigenvalues(0.1, 0.5).real.round(6)
    array([0.885078, 0.564922])
    >>> eigenvalues(0.1, [0.5, 0.9]).shape
    (2, 2)
    >>> eigenvalues(0.1, 0.9, convention="heavy-ball").round(12)
    array([0.9+0.3j, 0.9-0.3j])
    >>> eigenvalues(0.1, 0.5, convention="nesterov").real.round(12)
    array([0.75, 0.6 ])
    """
    ahead = convention == "nesterov"
    s = system("eigenvalues", step_size, momentum, "heavy-ball" if ahead else convention, curvature)
    if ahead:
        rest, gap, total = 1 - s.h, 1 - Pair(s.beta), 1 + Pair(s.beta)
        return roots(value(total * rest), value(rest * (gap * gap - s.h * total * total)), s.beta * value(rest))
    return roots(value(trace_pair(s.h, s.beta)), value(discriminant_pair(s.h, s.beta)), s.beta)


def roots(trace: np.ndarray, discriminant: np.ndarray, product: np.ndarray) -> np.ndarray:
    """Zeros of x^2 - trace x + product, given its discriminant without cancellation."""
    root = np.sqrt(np.abs(discriminant))
    larger = (trace + np.copysign(root, trace)) / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        other = np.where(larger == 0, 0.0, product / larger)
    real = np.where(trace >= 0, [larger, other], [other, larger])
    pair = np.where(discriminant < 0, trace / 2 + np.array([1, -1]).reshape(2, *[1] * trace.ndim) * 0.5j * root, real)
    return np.moveaxis(pair, 0, -1)


def spectral_radius(step_size: Any, momentum: Any, *, convention: str = "ema", curvature: Any = 1.0) -> Any:
    """The larger modulus of the eigenvalues: the factor per step by which deviations shrink in the long run.

    Arguments and errors as in :func:`matrix`; a float or an array. Source: relu, section 4.

    Examples
    --------
    >>> round(spectral_radius(0.1, 0.9) ** 2, 12)
    0.9
    """
    s = system("spectral_radius", step_size, momentum, convention, curvature)
    return plain(larger_modulus(s.h, s.beta))


def is_stable(step_size: Any, momentum: Any, *, convention: str = "ema", curvature: Any = 1.0) -> Any:
    """Whether both eigenvalues are inside the unit circle: h < 2 (1 + beta).

    Arguments and errors as in :func:`matrix`; truth values. Source: relu, section 4.

    Examples
    --------
    >>> is_stable([1.9, 2.1, 2.1], [0, 0, 0.1]).tolist()
    [True, False, True]
    """
    s = system("is_stable", step_size, momentum, convention, curvature)
    return plain(value(2 * (1 + Pair(s.beta)) - s.h) > 0)


def is_oscillating(step_size: Any, momentum: Any, *, convention: str = "ema", curvature: Any = 1.0) -> Any:
    """Whether the eigenvalues are a complex pair; arguments, errors and result as of :func:`is_stable`.

    Source: relu, section 4.

    Examples
    --------
    >>> is_oscillating(0.1, [0.66, 0.67]).tolist()
    [False, True]
    """
    s = system("is_oscillating", step_size, momentum, convention, curvature)
    return plain(value(discriminant_pair(s.h, s.beta)) < 0)


def oscillation_threshold(step_size: Any, *, convention: str = "ema", curvature: Any = 1.0) -> Any:
    """The momentum above which the eigenvalues are complex: critical damping, and the fastest long-run decay.

    ((1 - eta mu)/(1 + eta mu))^2 for ``"ema"``, (1 - sqrt(eta mu))^2 for ``"heavy-ball"``; a value of 1 or more, which
    the heavy ball reaches at eta mu = 4, says that no momentum below 1 oscillates.

    Arguments and errors as in :func:`matrix`; a float or an array. Source: relu, section 4.

    Examples
    --------
    >>> round(oscillation_threshold(0.1), 12)
    0.669421487603
    >>> round(oscillation_threshold(0.1, convention="heavy-ball"), 12)
    0.467544467966
    """
    s = system("oscillation_threshold", step_size, 0.0, convention, curvature)
    step = value(Pair(s.eta) * s.mu)
    distance = value(1 - Pair(s.eta) * s.mu)
    return plain((distance / (1 + (step if convention == "ema" else np.sqrt(step)))) ** 2)


@in_float64
def stability_limit(momentum: Any, *, convention: str = "ema", curvature: Any = 1.0) -> Any:
    """The step size at which an eigenvalue reaches -1; all smaller ones converge.

    2 (1 + beta)/((1 - beta) mu) for ``"ema"``, 2 (1 + beta)/mu for ``"heavy-ball"``.

    Arguments and errors as in :func:`matrix`, and OverflowError for a step size beyond float64; a float or an array.
    Source: relu, section 4.

    Examples
    --------
    >>> stability_limit(0.5), stability_limit(0.5, convention="heavy-ball")
    (6.0, 3.0)
    """
    s = system("stability_limit", 1.0, momentum, convention, curvature)
    return plain(2 * (1 + s.beta) / value(s.h))
