r"""E[phi(u) phi(v)] for normal u, v of one variance and a correlation c.

u = a x + s y and v = +-a x + s y' with independent standard normal x, y, y', a^2 = |c| variance and s^2 = (1 - |c|)
variance, so that the expectation is that of g(a x) g(+-a x), g(m) = E[phi(m + s y)] of :mod:`.smoothed`: one integral
of a function that is analytic even where phi has kinks, with a proved error.
"""

import math

import numpy as np

from theory.arguments import numbers, require
from theory.numerics.normal_means import WIDEST, Growth, normal_mean
from theory.signal_propagation.activations import Activation, named
from theory.signal_propagation.smoothed import IN_PIECES, SMOOTH, Analytic, InPieces, average
from theory.wide_networks import erf_covariance, relu_covariance

SMALLEST, LARGEST = 1e-4, 100.0
LOWEST = -1 + 1e-6
# Nearer to 1 the slope there says all that float64 shows.
NEAR = 1e-9
# Nearer to 0 nothing but the square of the mean is left.
NOTHING = 1e-30
# Standard deviations of g's smoothing by which its strip reaches off the line.
HEIGHT = 3.0


def covariance(phi: str | Activation, correlation: float, variance: float = 1.0) -> float:
    """E[phi(u) phi(v)] for normal u, v of mean 0, this variance and this correlation.

    Parameters
    ----------
    phi : str or Activation
        One of ``NAMES``, or what :func:`activation` gives for it.
    correlation : float
        In [-0.999999, 1].
    variance : float
        In [1e-4, 100].

    Returns
    -------
    float
        To 1e-12 of E[phi(u)^2].

    Raises
    ------
    ValueError
        For other values, for ``gelu_tanh``, whose poles come too near the line, and activation functions of one's own.

    Source: constants, maps of correlations (B. Poole and others, "Exponential expressivity in deep neural networks
    through transient chaos", 2016; Y. Cho and L. K. Saul, "Kernel methods for deep learning", 2009, for ReLU).

    Examples
    --------
    >>> round(covariance("relu", 0.0) * 2 * math.pi, 12), round(covariance("selu", 0.0), 12)
    (1.0, 0.0)
    >>> round(covariance("tanh", 0.5), 12)
    0.186324413203
    """
    chosen = named(phi)
    c, q = numbers("covariance", correlation=correlation, variance=variance)
    require("covariance", "correlation", c, LOWEST <= c <= 1, f"be in [{LOWEST:g}, 1]", "pass a correlation")
    inside = SMALLEST <= q <= LARGEST
    require("covariance", "variance", q, inside, f"be in [{SMALLEST:g}, {LARGEST:g}]", "scale the weights")
    if chosen.name in ("linear", "relu", "leaky_relu"):
        return _leaky(float(chosen.slope(np.array([-1.0]))[0]), c, q)
    if chosen.name == "erf":
        return float(erf_covariance(q, q, c * q))
    if known := IN_PIECES.get(chosen.name) or SMOOTH.get(chosen.name):
        return _by_quadrature(chosen, known, c, q)
    names = ("linear", "relu", "leaky_relu", "erf", *IN_PIECES, *SMOOTH)
    raise ValueError(f"covariance: phi must be one of {', '.join(names)}, got {chosen.name!r}; choose one of them")


def _leaky(slope: float, c: float, q: float) -> float:
    """phi(u) is slope u + (1 - slope) max(u, 0)."""
    bend = 2 * math.atan2(math.sqrt(1 + c), math.sqrt(1 - c))
    return q * slope * c + (1 - slope) ** 2 * float(relu_covariance(q, q, bend))


def _by_quadrature(phi: Activation, known: InPieces | Analytic, c: float, q: float) -> float:
    size = phi.second_moment(q)
    if 1 - c < NEAR:
        return size - (1 - c) * q * phi.slope_second_moment(q)
    a, s = math.sqrt(abs(c) * q), math.sqrt((1 - abs(c)) * q)
    mean, strip, factor = _mean(known, a, s, size)
    growths = [
        Growth(strip, [(2 * factor * (constant + slope * s) ** 2, 0), (2 * factor * slope**2, 2)])
        for constant, slope in known.bounds
    ]

    def product(u):
        at = mean(u)
        return at * (at if c > 0 else mean(-u))

    if abs(c) < NOTHING:
        return float(mean(np.zeros(1))[0]) ** 2
    return normal_mean(product, growths, a * a, size)[0]


def _mean(known: InPieces | Analytic, a: float, s: float, size: float):
    """g, how far off the line it is bounded, and the square of the factor that its bound has there."""
    if isinstance(known, Analytic):
        return lambda u: average(known, u, s, math.sqrt(size)), known.strip, 1.0
    strip = min(HEIGHT * s, WIDEST * a)
    return lambda u: known.mean(u, s), strip, math.exp((strip / s) ** 2)
