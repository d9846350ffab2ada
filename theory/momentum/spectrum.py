r"""Gradient descent with momentum on a quadratic loss: one linear system per direction of curvature.

A deviation e from the optimum and its momentum m evolve, with step size eta, momentum rate beta and curvature mu, as

.. math:: m' = \beta m + (1 - \beta) \mu e \ \text{("ema")} \quad\text{or}\quad m' = \beta m + \mu e
          \ \text{("heavy-ball")}, \qquad e' = e - \eta m' .

Only the *effective step* h enters the eigenvalues: h = eta (1 - beta) mu or h = eta mu. Both conventions have

.. math:: \lambda^2 - (1 + \beta - h) \lambda + \beta = 0 .

- They oscillate (a complex pair, of modulus sqrt(beta)) if and only if (1 - sqrt(beta))^2 < h < (1 + sqrt(beta))^2.
- They converge if and only if 0 < h < 2 (1 + beta), for 0 <= beta < 1 (Jury's criterion).

The affine model with inputs from N(0, I) and the loss E[eps^2]/2 has the identity for its Hessian: mu = 1 for every
weight and for the bias, whatever the scale of the target. A loss without the 1/2 has mu = 2.

**Accuracy.** The discriminant is formed from (1 - beta - h)^2 - 4 beta h in about 32 digits, so that eigenvalues,
thresholds and the choice between real and complex are right to the last digits of float64 beside a double root too,
where the textbook form loses half of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from sympy import Abs, Expr, Piecewise, Symbol, sqrt

from theory.arguments import real_array
from theory.formula import Formula, Interval, Source
from theory.numerics.pairs import Pair
from theory.symbols import nonnegative, positive, real

__all__ = [
    "CONVENTIONS", "characteristic_polynomial", "discriminant", "discriminant_factored", "eigenvalues",
    "ema_stability_limit", "ema_threshold", "heavy_ball_stability_limit", "heavy_ball_threshold", "is_oscillating",
    "is_stable", "least_real_part", "matrix", "oscillation_threshold", "radius", "spectral_radius", "stability_limit",
    "trace",
]  # fmt: skip

CONVENTIONS = ("ema", "heavy-ball")

eta, h, lam = positive("eta"), positive("h"), real("lambda")
beta = nonnegative("beta")

STEP = Interval(0, 1e6, open_low=True)
MOMENTUM = Interval(0, 1, open_high=True)
# Squares of products of two of these stay within float64.
POSITIVE = Interval(0, 1e70, open_low=True)


def trace_pair(h: Pair, beta: Any) -> Pair:
    """The sum of the eigenvalues, 1 + beta - h, in about 32 digits."""
    return (1 + Pair.of(beta)) - h


def discriminant_pair(h: Pair, beta: Any) -> Pair:
    """The discriminant in about 32 digits of its larger term, which is itself small for beta near 1 and small h."""
    gap = (1 - Pair.of(beta)) - h
    return gap * gap - 4 * h * beta


def value(pair: Pair) -> np.ndarray:
    """A pair in float64."""
    return pair.high + pair.low


def _radius(h: Pair, beta: np.ndarray) -> np.ndarray:
    t, d = value(trace_pair(h, beta)), value(discriminant_pair(h, beta))
    return np.where(d < 0, np.sqrt(beta), (np.abs(t) + np.sqrt(np.maximum(d, 0))) / 2)


def _least_real_part(h: Pair, beta: np.ndarray) -> np.ndarray:
    t, d = value(trace_pair(h, beta)), value(discriminant_pair(h, beta))
    root = np.sqrt(np.maximum(d, 0))
    # The smaller of two positive roots by their product: their sum minus the root cancels.
    with np.errstate(divide="ignore", invalid="ignore"):
        smaller = np.where(t > 0, 2 * beta / (t + root), (t - root) / 2)
    return np.where(d < 0, t / 2, smaller)


_T = 1 + beta - h
_D = _T**2 - 4 * beta
_DOMAIN = {eta: STEP, h: STEP, beta: MOMENTUM, lam: Interval(-1e3, 1e3)}


def _formula(says: str, expr: Expr, arguments: list[Symbol], numeric: Callable | None = None) -> Formula:
    source = Source("relu", "section 4, eigenvalues")
    return Formula(says, expr, arguments, source=source, domain={s: _DOMAIN[s] for s in arguments}, numeric=numeric)


trace = _formula(
    "the sum of the two eigenvalues of the matrix (20), for the effective step h",
    _T,
    [h, beta],
    lambda h, beta: value(trace_pair(Pair(h), beta)),
)
characteristic_polynomial = _formula(
    "the polynomial whose zeros are the eigenvalues of the matrix (20), for the effective step h",
    lam**2 - _T * lam + beta,
    [lam, h, beta],
    # Grouped by the zeros 1 and beta that it has for h = 0.
    lambda lam, h, beta: value((Pair(lam) - 1) * (Pair(lam) - beta) + Pair(h) * lam),
)
discriminant = _formula(
    "the discriminant of the characteristic polynomial: negative for a complex pair",
    _D,
    [h, beta],
    lambda h, beta: value(discriminant_pair(Pair(h), beta)),
)
discriminant_factored = _formula(
    "the same discriminant by its zeros in h",
    ((1 - sqrt(beta)) ** 2 - h) * ((1 + sqrt(beta)) ** 2 - h),
    [h, beta],
    lambda h, beta: value(discriminant_pair(Pair(h), beta)),
)
radius = _formula(
    "the larger modulus of the eigenvalues, for the effective step h",
    Piecewise((sqrt(beta), _D < 0), ((Abs(_T) + sqrt(_D)) / 2, True)),
    [h, beta],
    lambda h, beta: _radius(Pair(h), beta),
)
least_real_part = _formula(
    "the smaller real part of the eigenvalues, for the effective step h",
    Piecewise((_T / 2, _D < 0), ((_T - sqrt(_D)) / 2, True)),
    [h, beta],
    lambda h, beta: _least_real_part(Pair(h), beta),
)
ema_threshold = _formula(
    "the momentum above which the eigenvalues are complex, momentum as an average (6)",
    ((1 - eta) / (1 + eta)) ** 2,
    [eta],
)
heavy_ball_threshold = _formula(
    "the momentum above which the eigenvalues are complex, momentum as a sum (heavy ball)",
    (1 - sqrt(eta)) ** 2,
    [eta],
    lambda eta: ((1 - eta) / (1 + np.sqrt(eta))) ** 2,
)
ema_stability_limit = _formula(
    "the step size below which all eigenvalues are inside the unit circle, momentum as an average (6)",
    2 * (1 + beta) / (1 - beta),
    [beta],
)
heavy_ball_stability_limit = _formula(
    "the step size below which all eigenvalues are inside the unit circle, momentum as a sum (heavy ball)",
    2 * (1 + beta),
    [beta],
)


class System(NamedTuple):
    """Checked arguments of one shape: effective step as a pair, momentum, step size, curvature."""

    h: Pair
    beta: np.ndarray
    eta: np.ndarray
    mu: np.ndarray


def system(function: str, step_size: Any, momentum: Any, convention: str, curvature: Any, *others: Any) -> System:
    """Check the arguments that all functions share and broadcast them, with the shapes of ``others``.

    Raises
    ------
    ValueError
        In the name of ``function``.
    """
    check_convention(function, "convention", convention)
    values = {"step_size": (step_size, POSITIVE), "momentum": (momentum, MOMENTUM), "curvature": (curvature, POSITIVE)}
    arrays = []
    for name, (given, interval) in values.items():
        array = real_array(function, name, given)
        inside = interval.contains(array)
        if not inside.all():
            bad = array[~inside].flat[0]
            raise ValueError(f"{function}: {name} must be {interval}, got {bad:g}; choose a value inside")
        arrays.append(array)
    shape = np.broadcast_shapes(*(a.shape for a in arrays), *(np.shape(o) for o in others))
    eta, beta, mu = (np.broadcast_to(a, shape) for a in arrays)
    h = Pair(eta) * mu
    return System(h * (1 - Pair(beta)) if convention == "ema" else h, beta, eta, mu)


def check_convention(function: str, name: str, convention: str) -> None:
    """Refuse a name that is no convention, in the name of ``function``."""
    if convention not in CONVENTIONS:
        raise ValueError(f"{function}: {name} must be one of {CONVENTIONS}, got {convention!r}; choose one")


def plain(array: np.ndarray) -> Any:
    """A Python number for an array without axes."""
    return array.item() if array.ndim == 0 else array


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

    Arguments and errors as in :func:`matrix`.

    Returns
    -------
    float or array

    Source: relu, section 4.

    Examples
    --------
    >>> round(spectral_radius(0.1, 0.9) ** 2, 12)
    0.9
    """
    s = system("spectral_radius", step_size, momentum, convention, curvature)
    return plain(_radius(s.h, s.beta))


def is_stable(step_size: Any, momentum: Any, *, convention: str = "ema", curvature: Any = 1.0) -> Any:
    """Whether both eigenvalues are inside the unit circle: h < 2 (1 + beta).

    Arguments and errors as in :func:`matrix`.

    Returns
    -------
    bool or array of bool

    Source: relu, section 4.

    Examples
    --------
    >>> is_stable([1.9, 2.1, 2.1], [0, 0, 0.1]).tolist()
    [True, False, True]
    """
    s = system("is_stable", step_size, momentum, convention, curvature)
    return plain(value(2 * (1 + Pair(s.beta)) - s.h) > 0)


def is_oscillating(step_size: Any, momentum: Any, *, convention: str = "ema", curvature: Any = 1.0) -> Any:
    """Whether the eigenvalues are a complex pair.

    Arguments and errors as in :func:`matrix`.

    Returns
    -------
    bool or array of bool

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

    Parameters
    ----------
    step_size, convention, curvature
        As in :func:`matrix`.

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        For an argument outside its domain.

    Source: relu, section 4.

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


def stability_limit(momentum: Any, *, convention: str = "ema", curvature: Any = 1.0) -> Any:
    """The step size at which an eigenvalue reaches -1; all smaller ones converge.

    2 (1 + beta)/((1 - beta) mu) for ``"ema"``, 2 (1 + beta)/mu for ``"heavy-ball"``.

    Parameters
    ----------
    momentum, convention, curvature
        As in :func:`matrix`.

    Returns
    -------
    float or array

    Raises
    ------
    ValueError
        For an argument outside its domain.

    Source: relu, section 4.

    Examples
    --------
    >>> stability_limit(0.5), stability_limit(0.5, convention="heavy-ball")
    (6.0, 3.0)
    """
    s = system("stability_limit", 1.0, momentum, convention, curvature)
    return plain(2 * (1 + s.beta) / value(s.h))
