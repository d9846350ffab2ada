r"""E[phi(u) phi(v)] for normal u, v of one variance and a correlation c.

u = a x + s y and v = +-a x + s y' with independent standard normal x, y, y', a^2 = |c| variance and s^2 = (1 - |c|)
variance, so that the expectation is that of g(a x) g(+-a x), g(m) = E[phi(m + s y)]: one integral of a function that is
analytic even where phi has kinks, with a proved error.

g is analytic on the whole plane: |g(x + i y)| <= e^(y^2/(2 s^2)) E|phi(x + s z)|. Functions made of pieces have closed
forms, from the mean of max(m + s z, 0), of its square, and of e^u below 0. Of analytic functions the trapezoidal rule
gives g on the line, with an error as in :mod:`theory.numerics.normal_means`.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from scipy.special import expit, ndtr

from theory.activations import softplus
from theory.arguments import numbers, require
from theory.numerics.normal_means import PRECISION, WIDEST, Growth, normal_mean, normal_nodes
from theory.numerics.normal_tails import density
from theory.signal_propagation import closed, smooth
from theory.signal_propagation.activations import Activation, named
from theory.wide_networks import erf_covariance, relu_covariance


class InPieces(NamedTuple):
    """g in closed form; |phi(t)| <= constant + slope |t| for each of the bounds."""

    mean: Callable[[np.ndarray, float], np.ndarray]
    bounds: Sequence[tuple[float, float]]


class Analytic(NamedTuple):
    """phi, analytic for |Im w| <= strip, with |phi(w)| <= constant + slope |w| there for each of the bounds."""

    value: Callable[[np.ndarray], np.ndarray]
    strip: float
    bounds: Sequence[tuple[float, float]]


def _ramp(m, s):
    """E[max(m + s z, 0)]."""
    return m * ndtr(m / s) + s * density(m / s)


def _squared_ramp(m, s):
    """E[max(m + s z, 0)^2]."""
    return (m * m + s * s) * ndtr(m / s) + m * s * density(m / s)


def _clipped(low, high):
    return lambda m, s: low + _ramp(m - low, s) - _ramp(m - high, s)


def _elu(scale, alpha):
    def mean(m, s):
        below = np.exp(m + s * s / 2) * ndtr(-m / s - s)
        return scale * (_ramp(m, s) + alpha * (below - ndtr(-m / s)))

    return mean


def _gelu(m, s):
    t = m / math.sqrt(1 + s * s)
    return m * ndtr(t) + s * s / math.sqrt(1 + s * s) * density(t)


def _hardswish(m, s):
    """u (u + 3)/6 between -3 and 3: from squares and ramps that begin there."""
    squares = _squared_ramp(m + 3, s) - _squared_ramp(m - 3, s)
    return squares / 6 - (_ramp(m + 3, s) + _ramp(m - 3, s)) / 2


_ALPHA, _SCALE = closed.selu_alpha(), closed.selu_scale()

_LINE = ((0.0, 1.0),)

IN_PIECES: Mapping[str, InPieces] = {
    "elu": InPieces(_elu(1.0, 1.0), _LINE),
    "selu": InPieces(_elu(_SCALE, _ALPHA), [(0.0, _SCALE * _ALPHA)]),
    "gelu": InPieces(_gelu, _LINE),
    "hardtanh": InPieces(_clipped(-1, 1), [(1.0, 0.0), *_LINE]),
    "relu6": InPieces(_clipped(0, 6), [(6.0, 0.0), *_LINE]),
    "hardsigmoid": InPieces(lambda m, s: (_clipped(-3, 3)(m, s) + 3) / 6, [(1.0, 0.0)]),
    "hardswish": InPieces(_hardswish, _LINE),
}

SMOOTH: Mapping[str, Analytic] = {
    "tanh": Analytic(np.tanh, smooth.QUARTER, [(1.0, 0.0), (0.0, 2.0)]),
    "sigmoid": Analytic(expit, smooth.HALF, [(1.0, 0.0)]),
    "silu": Analytic(smooth.silu, smooth.HALF, _LINE),
    "softplus": Analytic(softplus, smooth.HALF, [(math.log(2), 1.0)]),
    "gelu_sigmoid": Analytic(smooth.gelu_sigmoid, smooth.HALF / smooth.GELU_SIGMOID, _LINE),
}


def average(phi: Analytic, m: np.ndarray, s: float, size: float) -> np.ndarray:
    """g at real m, to 1e-17 of ``size``, by a rule of one step for all of them."""
    height = min(phi.strip / s, WIDEST)
    farthest = float(np.abs(m).max(initial=0.0)) + s * (1 + height)
    largest = min(constant + slope * farthest for constant, slope in phi.bounds) * math.exp(height**2 / 2)
    step = 2 * math.pi * height / math.log1p(2 * largest / (PRECISION * size / 100))
    z, weights = normal_nodes(step)
    return phi.value(m[:, None] + s * z) @ weights


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
        One of ``NAMES``, or what :func:`activation` gives for it; but for ``gelu_tanh``, ``mish``, ``celu`` and
        ``squared_relu``.
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
        For other values, for the four names above, swiglu and geglu, and activation functions of one's own.

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
