r"""Correlations of two inputs in wide random networks, layer by layer.

Of two inputs of one variance q that the network keeps, with the correlation c,

.. math:: c_{l+1} = \frac{\sigma_w^2 E[\phi(u) \phi(v)] + \sigma_b^2}{q}, \qquad \text{with the slope } \chi
          \text{ at } c = 1.

The map is a power series of c with coefficients of at least 0 (Mehler's formula), so convex on [0, 1], and 1 is a fixed
point of it. For chi <= 1 all correlations in [0, 1] tend to 1; for chi > 1 all but 1 itself tend to one limit below.

Sources: B. Poole et al. (2016), S. S. Schoenholz et al. (2017), as in :mod:`.maps`.
"""

import math
from typing import NamedTuple

import numpy as np
import scipy

from theory.arguments import numbers, require, whole_within
from theory.signal_propagation.activations import Activation, named
from theory.signal_propagation.covariances import LARGEST, SMALLEST, covariance
from theory.signal_propagation.maps import depth_scale, fixed_points

# Of the fourth-order difference by which a slope is taken.
STEP = 1e-3
# A chi this near to 1 is one.
ROUNDING = 1e-9
KEPT = 1e-6


class Limit(NamedTuple):
    """A correlation to which those of [0, 1) tend, and the slope of the map there."""

    correlation: float
    slope: float


class DepthScales(NamedTuple):
    """Layers over which distances to the limits of the variance and of the correlation fall by a factor e."""

    variance: float
    correlation: float


def correlation_map(
    phi: str | Activation, correlation: float, weight_variance: float, bias_variance: float = 0.0,
    variance: float = 1.0,
) -> float:  # fmt: skip
    """Correlation of two inputs of one variance after a layer.

    Parameters
    ----------
    phi : str or Activation
        As of :func:`covariance`.
    correlation : float
        In [-0.999999, 1].
    weight_variance, bias_variance : float
        sigma_w^2, which is fan_in Var[W], and sigma_b^2.
    variance : float
        In the domain of :func:`covariance`.

    Raises
    ------
    ValueError
        For other values.

    Source: constants, maps of correlations.

    Examples
    --------
    >>> round(correlation_map("relu", 0.0, 2.0) * math.pi, 12)
    1.0
    """
    chosen = named(phi)
    weight, bias = _variances("correlation_map", weight_variance, bias_variance)
    here = covariance(chosen, correlation, variance)
    return (weight * here + bias) / (weight * chosen.second_moment(variance) + bias)


def _variances(function: str, weight_variance: float, bias_variance: float) -> tuple[float, float]:
    weight, bias = numbers(function, weight_variance=weight_variance, bias_variance=bias_variance)
    require(function, "weight_variance", weight, 0 < weight <= 1e6, "be in (0, 1e6]", "pass a variance")
    require(function, "bias_variance", bias, 0 <= bias <= 1e6, "be in [0, 1e6]", "pass a variance")
    return weight, bias


def correlate(
    phi: str | Activation, depth: int, weight_variance: float, bias_variance: float = 0.0, variance: float = 1.0,
    correlation: float = 0.0,
) -> np.ndarray:  # fmt: skip
    """The correlation of two inputs of one variance, by layer from 0 to ``depth``.

    Parameters
    ----------
    phi, weight_variance, bias_variance
        As of :func:`correlation_map`.
    depth : int
        1 to 10,000.
    variance, correlation : float
        Of the inputs.

    Raises
    ------
    ValueError
        For other values, and where the variance leaves the domain of :func:`covariance`.

    Source: constants, maps of correlations.

    Examples
    --------
    >>> correlate("relu", 3, 2.0).round(4).tolist()
    [0.0, 0.3183, 0.4937, 0.6048]
    """
    chosen = named(phi)
    depth = whole_within("correlate", "depth", depth, 1, 10_000)
    weight, bias = _variances("correlate", weight_variance, bias_variance)
    q, c = numbers("correlate", variance=variance, correlation=correlation)
    found = [c]
    for _ in range(depth):
        if not SMALLEST <= q <= LARGEST:
            raise ValueError(
                f"correlate: the variance must stay in [{SMALLEST:g}, {LARGEST:g}], got {q:g} after layer "
                f"{len(found) - 1}; take other variances of weights and biases"
            )
        c = correlation_map(chosen, c, weight, bias, q)
        q = weight * chosen.second_moment(q) + bias
        found.append(c)
    return np.array(found)


def correlation_limit(
    phi: str | Activation, weight_variance: float, bias_variance: float = 0.0, variance: float = 1.0
) -> Limit:
    """Limit of the correlation of two inputs, from any in [0, 1); one within 1e-8 of 1 is 1.

    Parameters
    ----------
    phi, weight_variance, bias_variance
        As of :func:`correlation_map`.
    variance : float
        One that the network keeps.

    Raises
    ------
    ValueError
        For a variance that is not kept to 1e-6, and other values.

    Source: constants, maps of correlations.

    Examples
    --------
    >>> [point] = fixed_points("tanh", 2.0, 0.1)
    >>> limit = correlation_limit("tanh", 2.0, 0.1, point.variance)
    >>> round(limit.correlation, 6), round(limit.slope, 6)
    (0.987999, 0.997028)
    """
    chosen = named(phi)
    weight, bias = _variances("correlation_limit", weight_variance, bias_variance)
    (q,) = numbers("correlation_limit", variance=variance)
    chi = weight * chosen.slope_second_moment(q)
    behind = weight * chosen.second_moment(q) + bias
    if abs(behind - q) > KEPT * q:
        raise ValueError(
            f"correlation_limit: variance must be kept by the network, got {q:g}, which becomes {behind:g}; pass one "
            "of fixed_points(phi, weight_variance, bias_variance)"
        )
    if chi <= 1 + ROUNDING:
        return Limit(1.0, chi)

    def growth(c: float) -> float:
        return correlation_map(chosen, c, weight, bias, q) - c

    above = next((c for c in (1 - 10.0**-k for k in range(1, 9)) if growth(c) < 0), None)
    if above is None:
        return Limit(1.0, chi)
    c = 0.0 if abs(growth(0.0)) < 1e-14 else scipy.optimize.brentq(growth, 0.0, above, xtol=1e-15)
    return Limit(c, _slope(growth, c) + 1)


def _slope(function, c: float) -> float:
    step = STEP * (1 - c)
    at = {k: function(c + k * step) for k in (-2, -1, 1, 2)}
    return (8 * (at[1] - at[-1]) - (at[2] - at[-2])) / (12 * step)


def depth_scales(
    phi: str | Activation, weight_variance: float, bias_variance: float = 0.0, variance: float = 1.0
) -> DepthScales:
    """Numbers of layers after which deviations of variance and correlation fall by a factor e.

    Arguments and errors as of :func:`correlation_limit`. Infinite on the edge of chaos, where both scales are those of
    a power law. Source: constants, maps of correlations (xi_q and xi_c of Schoenholz et al., 2017).

    Examples
    --------
    >>> [point] = fixed_points("tanh", 2.0, 0.1)
    >>> [round(scale, 4) for scale in depth_scales("tanh", 2.0, 0.1, point.variance)]
    [1.2124, 335.9577]
    """
    limit = correlation_limit(phi, weight_variance, bias_variance, variance)
    kept = fixed_points(phi, weight_variance, bias_variance)
    slope = min(kept, key=lambda p: abs(math.log(p.variance / variance))).slope if kept else 1.0
    return DepthScales(*(depth_scale(1.0 if abs(s - 1) < ROUNDING else abs(s)) for s in (slope, limit.slope)))
