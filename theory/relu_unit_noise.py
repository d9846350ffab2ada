r"""Covariance of the per-sample gradient of a single ReLU on the linear target: the noise of stochastic descent.

One sample x contributes g = 1{z > 0} e (x, 1), z = w.x + b, with the error e = z - Lambda.x. With u = w.x/s,
v = n.x for the direction n across w towards Lambda, p = Lambda.w/s, t = Lambda.n and M_k = E[u^k; u > -kappa],

.. math:: e = (s - p) u + b - t v, \qquad
          M_0 = \Phi, \; M_1 = \varphi, \; M_2 = \Phi - \kappa \varphi, \; M_3 = (2 + \kappa^2) \varphi, \;
          M_4 = 3 \Phi - \kappa (3 + \kappa^2) \varphi,

so that E[g g^T] follows from E[e^2 u^k]. A minibatch of B samples has this covariance divided by B. At the optimum it
vanishes, since every sample is fitted; in the dead cone it is of the order of Phi(kappa), like the gradient itself, so
that the noise there is larger than the gradient by 1/sqrt(Phi).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from theory.formula import Formula, Interval, Source
from theory.normal_tails import Phi, Truncated, phi, truncated
from theory.relu_unit_geometry import b, domain, geometry, p, refined, s
from theory.symbols import real

__all__ = [
    "across_variance",
    "along_across_covariance",
    "along_bias_covariance",
    "along_variance",
    "bias_variance",
    "error_moments",
    "gradient_noise_covariance",
    "other_variance",
]

t = real("t")

SOURCE = Source("relu", "beyond section 5, gradient noise")
ARGUMENTS = [b, s, p, t]
DOMAIN = {
    **domain(ARGUMENTS),
    b: Interval(-1e4, 1e4),
    s: Interval(1e-3, 1e4),
    p: Interval(-1e4, 1e4),
    t: Interval(-1e4, 1e4),
}

kappa = b / s
d = s - p
F, f = Phi(kappa), phi(kappa)
M = [F, f, F - kappa * f, (2 + kappa**2) * f, 3 * F - kappa * (3 + kappa**2) * f]
along, bias, across = d * M[2] + b * M[1], d * M[1] + b * M[0], -t * M[0]


def squared_error(k):
    """E[((s - p) u + b)^2 u^k; u > -kappa]."""
    return d**2 * M[2 + k] + 2 * d * b * M[1 + k] + b**2 * M[k]


def error_moments(m: Truncated, b, s, p):
    """E[((s - p) u + b)^k ...] for arrays, divided by the scale: three squares (k = 0, 1, 2) and two means.

    In the tail (s - p) u + b = s (u + kappa) - p u: there the first form has terms that cancel.
    """
    left = m.kappa < 0
    third, fourth = (2 + m.kappa**2) * m.density, 3 * m.probability - m.kappa * (3 + m.kappa**2) * m.density
    second, first, zeroth = m.second, m.density, m.probability
    d = s - p
    tail = [
        s * s * m.square - 2 * s * p * zeroth + p * p * second,
        2 * s * s * m.ramp - 2 * s * p * (first + m.ramp) + p * p * third,
        s * s * (2 * zeroth + m.square) - 2 * s * p * (second + 2 * zeroth) + p * p * fourth,
        s * m.ramp - p * first,
        s * zeroth - p * second,
    ]
    body = [
        d * d * second + 2 * d * b * first + b * b * zeroth,
        d * d * third + 2 * d * b * second + b * b * first,
        d * d * fourth + 2 * d * b * third + b * b * second,
        d * first + b * zeroth,
        d * second + b * first,
    ]
    return [np.where(left, x, y) for x, y in zip(tail, body, strict=True)]


def _form(says, expr, terms, name):
    def numeric(b, s, p, t):
        m = truncated(b / s)
        return [m.scale * part for part in terms(m, t, *error_moments(m, b, s, p))]

    return Formula(
        says, expr, ARGUMENTS, source=SOURCE, domain=DOMAIN, numeric=refined(numeric, lambda: globals()[name])
    )


bias_variance = _form(
    "variance of the per-sample gradient by the bias",
    squared_error(0) + t**2 * M[0] - bias**2,
    lambda m, t, s0, _s1, _s2, r0, _r1: [s0, t * t * m.probability, -m.scale * r0 * r0],
    "bias_variance",
)

along_variance = _form(
    "variance of the per-sample gradient by the weights along w",
    squared_error(2) + t**2 * M[2] - along**2,
    lambda m, t, _s0, _s1, s2, _r0, r1: [s2, t * t * m.second, -m.scale * r1 * r1],
    "along_variance",
)

across_variance = _form(
    "variance of the per-sample gradient by the weights across w, towards Lambda",
    squared_error(0) + 3 * t**2 * M[0] - across**2,
    lambda m, t, s0, _s1, _s2, _r0, _r1: [
        s0,
        3 * t * t * m.probability,
        -m.scale * (t * m.probability) ** 2,
    ],
    "across_variance",
)

other_variance = _form(
    "variance of the per-sample gradient by the weights across both w and Lambda",
    squared_error(0) + t**2 * M[0],
    lambda m, t, s0, _s1, _s2, _r0, _r1: [s0, t * t * m.probability],
    "other_variance",
)

along_bias_covariance = _form(
    "covariance of the per-sample gradients along w and by the bias",
    squared_error(1) + t**2 * M[1] - along * bias,
    lambda m, t, _s0, s1, _s2, r0, r1: [s1, t * t * m.density, -m.scale * r0 * r1],
    "along_bias_covariance",
)

along_across_covariance = _form(
    "covariance of the per-sample gradients along and across w",
    -2 * t * (d * M[2] + b * M[1]) - along * across,
    lambda m, t, _s0, _s1, _s2, _r0, r1: [-2 * t * r1, m.scale * t * r1 * m.probability],
    "along_across_covariance",
)


def gradient_noise_covariance(w: Any, b: Any, gamma: Any = None, *, target: Any = None) -> np.ndarray:
    """Covariance of the gradient that one sample contributes, by (w, b).

    Parameters
    ----------
    w : array (..., L)
        Weights, the inputs on the last axis; not the zero vector.
    b : float or array (...)
        Bias.
    gamma : float or array (...)
        Scale of the target; Lambda is gamma times the last axis.
    target : array (..., L), optional
        Lambda itself, instead of ``gamma``.

    Returns
    -------
    array (..., L + 1, L + 1)
        Symmetric; the bias is last. For a minibatch divide by its size.

    Raises
    ------
    ValueError
        Where ||Lambda|| is not in [1e-70, 1e70], w or b is larger, w is zero, or a value is not finite.

    Source: relu, beyond section 5.

    Examples
    --------
    >>> round(float(np.trace(gradient_noise_covariance([0.6, -0.8, 1.2], 0.7, 1.0))), 12)
    5.633613282131
    >>> float(np.abs(gradient_noise_covariance([0.0, 2.0], 0.0, 2.0)).max())
    0.0
    """
    g = geometry("gradient_noise_covariance", w, b, gamma, target)
    m = truncated(g.kappa)
    s0, s1, s2, r0, r1 = (m.scale * part for part in error_moments(m, g.b, g.s, g.p))
    probability, first, second = m.scale * m.probability, m.scale * m.density, m.scale * m.second
    square = np.sum(g.across**2, axis=-1)
    size = g.direction.shape[-1]
    outer = g.direction[..., :, None] * g.direction[..., None, :]
    mixed = g.direction[..., :, None] * -g.across[..., None, :]
    result = np.empty((*g.s.shape, size + 1, size + 1))
    # The error across w is -across.x, of variance ``square``; E[g g^T] first, the product of means last.
    result[..., :size, :size] = (
        (s2 + square * second)[..., None, None] * outer
        + (s0 + square * probability)[..., None, None] * (np.eye(size) - outer)
        + 2 * r1[..., None, None] * (mixed + np.swapaxes(mixed, -1, -2))
        + 2 * probability[..., None, None] * (g.across[..., :, None] * g.across[..., None, :])
    )
    result[..., :size, size] = result[..., size, :size] = g.vector(s1 + square * first, -2 * r0)
    result[..., size, size] = s0 + square * probability
    mean = np.concatenate([g.vector(r1, -probability), r0[..., None]], axis=-1)
    return result - mean[..., :, None] * mean[..., None, :]
