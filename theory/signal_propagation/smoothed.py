r"""Activation functions averaged over a normal value: g(m) = E[phi(m + s z)], z ~ N(0, 1), and bounds of g.

g is analytic on the whole plane, whatever kinks phi has: |g(x + i y)| <= e^(y^2/(2 s^2)) E|phi(x + s z)|. Functions
made of pieces have closed forms, from the mean of max(m + s z, 0), of its square, and of e^u below 0. Of analytic
functions the trapezoidal rule gives g on the line, with an error as in :mod:`theory.numerics.normal_means`.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from scipy.special import expit, ndtr

from theory.activations import softplus
from theory.numerics.normal_means import PRECISION, WIDEST, normal_nodes
from theory.numerics.normal_tails import density
from theory.signal_propagation import closed, smooth


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
