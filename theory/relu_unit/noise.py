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

from dataclasses import replace
from typing import Any

import numpy as np

from theory.arguments import in_float64, real_array
from theory.formula import Formula, Interval, Source
from theory.numerics.normal_tails import Phi, Truncated, phi, special, truncated
from theory.numerics.pairs import refined
from theory.relu_unit.frame import b, geometry, p, s
from theory.symbols import real

t = real("t")

SOURCE = Source("relu", "additional to section 5, gradient noise")
ARGUMENTS = [b, s, p, t]
DOMAIN = {**dict.fromkeys((b, p, t), Interval(-1e4, 1e4)), s: Interval(1e-3, 1e4)}

kappa = b / s
d = s - p
F, f = Phi(kappa), phi(kappa)
M = [F, f, F - kappa * f, (2 + kappa**2) * f, 3 * F - kappa * (3 + kappa**2) * f]
along, bias, across = d * M[2] + b * M[1], d * M[1] + b * M[0], -t * M[0]


def squared_error(k):
    """E[((s - p) u + b)^2 u^k; u > -kappa]."""
    return d**2 * M[2 + k] + 2 * d * b * M[1 + k] + b**2 * M[k]


def error_moments(m: Truncated, d, level) -> tuple[list[np.ndarray], ...]:
    """E[e^2], E[e] and E[e u] of active samples, divided by the scale: their terms.

    Parameters
    ----------
    m : Truncated
        At kappa = b/s.
    d, level : array
        Of e = d u + level, see :func:`error_parts`; in the tail of e = d y + level, with the distance y = u + kappa of
        at least 0 beyond the threshold. Either way e^2 is a quadratic form in two numbers whose moments are far from
        collinear: at most a factor of ten is lost.
    """
    left = m.kappa < 0
    second, first, zeroth = (
        np.where(left, tail, body)
        for tail, body in ((m.square, m.second), (m.ramp, m.density), (m.probability, m.probability))
    )
    along = np.where(left, zeroth, second), np.where(left, m.density, first)
    return (
        [d * d * second, 2 * d * level * first, level * level * zeroth],
        [d * first, level * zeroth],
        [d * along[0], level * along[1]],
    )


def error_covariances(m: Truncated, d, level) -> tuple[list[np.ndarray], ...]:
    """Var[e], Var[e u] and Cov[e, e u] of what active samples contribute, divided by the scale: their terms.

    The means are taken off the moments of u, not off those of e: Cov[u; 1] = E[u] (1 - Phi). What is left of the
    variances are quadratic forms of bounded condition.
    """
    left, kappa = m.kappa < 0, m.kappa
    p, f, second, inactive = m.probability, m.density, m.second, special().ndtr(-m.kappa)
    third, fourth = (2 + kappa**2) * f, 3 * p - kappa * (3 + kappa**2) * f
    square_y, ramp, scale = m.square, m.ramp, m.scale
    # Of x, 1 and of x u, u, with x = y in the tail and x = u elsewhere.
    var_x = np.where(left, square_y - scale * ramp * ramp, second - f * f)
    cov_x_one = np.where(left, ramp, f) * inactive
    var_one = p * inactive
    var_xu = np.where(left, square_y + 2 * p - scale * p * p, fourth - second * second)
    cov_xu_u = np.where(left, ramp + f - scale * p * f, third - second * f)
    var_u = second - scale * f * f
    cov_x_xu = np.where(left, 2 * ramp - scale * ramp * p, third - f * second)
    cov_x_u = np.where(left, p - scale * ramp * f, second - f * f)
    cov_xu_one = np.where(left, p, second) * inactive
    cov_u_one = f * inactive
    return (
        [d * d * var_x, 2 * d * level * cov_x_one, level * level * var_one],
        [d * d * var_xu, 2 * d * level * cov_xu_u, level * level * var_u],
        [d * d * cov_x_xu, d * level * cov_x_u, d * level * cov_xu_one, level * level * cov_u_one],
    )


def error_parts(kappa, d, b, p) -> tuple[np.ndarray, np.ndarray]:
    """d = s - p and what is added to d u, or in the tail to d y, in the error."""
    return d, np.where(kappa < 0, p * kappa, b)


def _form(says, expr, terms, *, lhs):
    @refined
    def numeric(b, s, p, t):
        m = truncated(b / s)
        return [m.scale * part for part in terms(m, t, *error_parts(b / s, s - p, b, p))]

    symbols = {"t": "component of Lambda across w"}
    return Formula(says, expr, ARGUMENTS, source=SOURCE, domain=DOMAIN, numeric=numeric, lhs=lhs, symbols=symbols)


bias_variance = _form(
    "variance of the per-sample gradient by the bias",
    squared_error(0) + t**2 * M[0] - bias**2,
    lambda m, t, *e: [*error_covariances(m, *e)[0], t * t * m.probability],
    lhs=r"\mathrm{Var}\left[g_b\right]",
)

along_variance = _form(
    "variance of the per-sample gradient by the weights along w",
    squared_error(2) + t**2 * M[2] - along**2,
    lambda m, t, *e: [*error_covariances(m, *e)[1], t * t * m.second],
    lhs=r"\mathrm{Var}\left[g_{\parallel}\right]",
)

across_variance = _form(
    "variance of the per-sample gradient by the weights across w, towards Lambda",
    squared_error(0) + 3 * t**2 * M[0] - across**2,
    lambda m, t, *e: [*error_moments(m, *e)[0], t * t * m.probability * (3 - m.scale * m.probability)],
    lhs=r"\mathrm{Var}\left[g_{\perp}\right]",
)

other_variance = _form(
    "variance of the per-sample gradient by the weights across both w and Lambda",
    squared_error(0) + t**2 * M[0],
    lambda m, t, *e: [*error_moments(m, *e)[0], t * t * m.probability],
    lhs=r"\mathrm{Var}\left[g_i\right]",
)

along_bias_covariance = _form(
    "covariance of the per-sample gradients along w and by the bias",
    squared_error(1) + t**2 * M[1] - along * bias,
    lambda m, t, *e: [*error_covariances(m, *e)[2], t * t * m.density],
    lhs=r"\mathrm{Cov}\left[g_{\parallel}, g_b\right]",
)

along_across_covariance = _form(
    "covariance of the per-sample gradients along and across w",
    -2 * t * (d * M[2] + b * M[1]) - along * across,
    lambda m, t, *e: [-t * part * (2 - m.scale * m.probability) for part in error_moments(m, *e)[2]],
    lhs=r"\mathrm{Cov}\left[g_{\parallel}, g_{\perp}\right]",
)


@in_float64
def gradient_noise_covariance(w: Any, b: Any, gamma: Any = None, *, target_weights: Any = None) -> np.ndarray:
    """Covariance of the gradient that one sample contributes, by (w, b).

    Arguments and errors as of :func:`theory.relu_unit.loss`, and OverflowError for a result beyond float64; the target
    is Lambda.x.

    Returns
    -------
    array (..., L + 1, L + 1)
        Symmetric; the bias is last. For a minibatch divide by its size.

    Source: relu, additional to section 5.

    Examples
    --------
    >>> round(float(np.trace(gradient_noise_covariance([0.6, -0.8, 1.2], 0.7, 1.0))), 12)
    5.633613282131
    >>> float(np.abs(gradient_noise_covariance([0.0, 2.0], 0.0, 2.0)).max())
    0.0
    """
    g = geometry("gradient_noise_covariance", w, b, gamma, target_weights)
    m = truncated(g.kappa)
    # From the difference of the vectors, whose lengths may agree in all digits.
    off = real_array("gradient_noise_covariance", "w", w) - g.target_weights
    d = np.sum(off * g.direction, axis=-1)
    if off.shape[-1] > 1:
        g = replace(g, across=d[..., None] * g.direction - off)
    parts = error_parts(g.kappa, d, g.b, g.p)
    s0, r0, r1 = (m.scale * sum(terms) for terms in error_moments(m, *parts))
    bias, along, along_bias = (m.scale * sum(terms) for terms in error_covariances(m, *parts))
    probability, first, second = m.scale * m.probability, m.scale * m.density, m.scale * m.second
    square = np.sum(g.across**2, axis=-1)
    # The error across w is -across.x, of variance ``square``.
    return g.symmetric(
        along + square * second,
        s0 + square * probability,
        -r1 * (2 - probability),
        g.vector(along_bias + square * first, -r0 * (2 - probability)),
        bias + square * probability,
        across=probability * (2 - probability),
    )
