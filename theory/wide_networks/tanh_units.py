r"""Expectations of hyperbolic tangents of normal values, by the trapezoidal rule with an error that is proved.

For u ~ N(0, k), u = sqrt(k) z, and g even and analytic for |Im u| <= y < pi/2 the rule of step h on the line of z errs
by at most

.. math:: \frac{2}{e^{2 \pi b/h} - 1} \int |g(\sqrt{k} (x + i b))| \, e^{(b^2 - x^2)/2} \frac{dx}{\sqrt{2 \pi}},
          \qquad b = y/\sqrt{k}

(E. T. Goodwin, 1949; the poles of tanh are at i pi/2). With c = cos(y) it is |sech(v + iy)| <= sech(v)/c and
|tanh(v + iy)|^2 <= (tanh^2 v + sin^2(y) sech^2 v)/c^2, so that for the three moments below the integral is at most
(5 + 2 b^2) e^(b^2/2)/c^6 times the expectation itself, whatever k is. Here y <= 1.2, b <= 6 and 2 pi b/h = 50 + b^2/2:
the relative error is below 2 (5 + 2 b^2) e^-50/c^6 < 2e-17, less than what rounding leaves.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from theory.arguments import reals, require
from theory.numerics.normal_means import normal_nodes

LARGEST_VARIANCE = 1e6
# Of a covariance: its rule has as many nodes squared.
LARGEST_OF_TWO = 100.0
STRIP, WIDEST, EXPONENT = 1.2, 6.0, 50.0
# Beyond this many standard deviations the normal law has 2e-21.
FARTHEST = 9.5


def _nodes(deviation: float) -> tuple[np.ndarray, np.ndarray]:
    """Places z and weights, for an integrand that is analytic for |Im z| < pi/2 over ``deviation``."""
    b = min(WIDEST, STRIP / deviation) if deviation else WIDEST
    return normal_nodes(2 * np.pi * b / (EXPONENT + b * b / 2), FARTHEST)


def _mean(g: Callable[[np.ndarray], np.ndarray], k: float) -> float:
    """E[g(u)] for u ~ N(0, k)."""
    z, weights = _nodes(np.sqrt(k))
    return float(g(np.sqrt(k) * z) @ weights)


def mean_of_each(function: str, g: Callable[[np.ndarray], np.ndarray], k: Any) -> Any:
    """E[g(u)] for u ~ N(0, k) at each variance k, in the name of ``function``; g as the module's text says."""
    (k,) = reals(function, k=k)
    require(function, "k", k, (k > 0) & (k <= LARGEST_VARIANCE), f"be in (0, {LARGEST_VARIANCE:g}]")
    found = np.array([_mean(g, v) for v in k.flat]).reshape(k.shape)
    return found if k.ndim else float(found)


def square(u: np.ndarray) -> np.ndarray:
    """tanh(u)^2."""
    return np.tanh(u) ** 2


def slope_square(u: np.ndarray) -> np.ndarray:
    """tanh'(u)^2."""
    return (1 - square(u)) ** 2


def curvature_square(u: np.ndarray) -> np.ndarray:
    """tanh''(u)^2."""
    return 4 * square(u) * slope_square(u)


def tanh_second_moment(k: Any) -> Any:
    """E[tanh(u)^2] for normal u with variance k.

    Parameters
    ----------
    k : float or array
        In (0, 1e6].

    Returns
    -------
    float or array
        To a relative error of 1e-14.

    Raises
    ------
    ValueError
        For other variances.

    Source: smooth, 3.3.

    Examples
    --------
    >>> round(tanh_second_moment(1.0), 12)
    0.394294490398
    """
    return mean_of_each("tanh_second_moment", square, k)


def tanh_slope_moment(k: Any) -> Any:
    """E[tanh'(u)^2], that is E[sech(u)^4]; argument, error and source as of :func:`tanh_second_moment`.

    Examples
    --------
    >>> round(tanh_slope_moment(1e-9), 8)
    1.0
    """
    return mean_of_each("tanh_slope_moment", slope_square, k)


def tanh_curvature_moment(k: Any) -> Any:
    """E[tanh''(u)^2]; argument, error and source as of :func:`tanh_second_moment`.

    Examples
    --------
    >>> round(tanh_curvature_moment(1e-6) / 4e-6, 4)
    1.0
    """
    return mean_of_each("tanh_curvature_moment", curvature_square, k)


def tanh_covariance(k: Any, k_other: Any, covariance: Any) -> Any:
    """E[tanh(u) tanh(u')] for normal u, u' with variances k, k_other and a covariance.

    The rule is used for z and z' with u = sqrt(k) z and u' = sqrt(k_other) (r z + sqrt(1 - r^2) z'); in both of them
    the integrand is at most tan(1.2)^2 < 6.7 on its strip.

    Parameters
    ----------
    k, k_other : float or array
        In (0, 100].
    covariance : float or array
        Its square is at most k k_other.

    Returns
    -------
    float or array
        Of the broadcast shape, to 1e-14 of the root of both second moments.

    Raises
    ------
    ValueError
        For other values.

    Source: smooth, 3.3.

    Examples
    --------
    >>> round(tanh_covariance(1.0, 1.0, 1.0) - tanh_second_moment(1.0), 12)
    0.0
    >>> round(tanh_covariance(1.0, 2.0, -0.5), 12)
    -0.14675411546
    """
    name = "tanh_covariance"
    arrays = np.broadcast_arrays(*reals(name, k=k, k_other=k_other, covariance=covariance))
    for of, value in zip(("k", "k_other"), arrays[:2], strict=True):
        require(name, of, value, (value > 0) & (value <= LARGEST_OF_TWO), f"be in (0, {LARGEST_OF_TWO:g}]")
    fits = np.abs(arrays[2]) <= np.sqrt(arrays[0] * arrays[1]) * (1 + 1e-15)
    require(name, "covariance", arrays[2], fits, "have a square of at most k k_other")
    found = np.array([_covariance(*map(float, v)) for v in zip(*(a.flat for a in arrays), strict=True)])
    return found.reshape(arrays[0].shape) if arrays[0].ndim else float(found[0])


def _covariance(k: float, k_other: float, covariance: float) -> float:
    one, other = np.sqrt(k), np.sqrt(k_other)
    r = min(1.0, max(-1.0, covariance / (one * other)))
    rest = other * np.sqrt((1 - r) * (1 + r))
    z, weights = _nodes(max(one, other * abs(r)))
    inner, inner_weights = _nodes(rest)
    # Pairs of mirrored nodes are equal.
    half = z > 0
    given = np.tanh((other * r * z[half])[:, None] + rest * inner) @ inner_weights
    return float(2 * (weights[half] * np.tanh(one * z[half])) @ given)
