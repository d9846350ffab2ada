"""Averages over the angle between two normal vectors in R^d."""

import math

import numpy as np
from scipy import special


def angles(d: int, power: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Quadrature over the angle t pi of two normal vectors: t, 1 - t, and weights of sum 1 for ~ sin(pi t)^(d-2) dt.

    For integrands like t^s (1 - t)^(power - s). The trapezoidal rule in y = log(t/(1 - t)), where they are analytic and
    fall off exponentially, so that it converges geometrically in the number of nodes.
    """
    # No peak is sharper than exp(-curvature y^2/2), nor its transform wider than about that of exp(y - exp(y)).
    curvature = (power + 2) / 4 + (d - 2) * math.pi**2 / 16
    step = 2 * math.pi / (25 + 9 * math.sqrt(curvature))
    count = math.ceil((math.log(power + d) + 3 + 40 / (d - 1)) / step)
    y = step * np.arange(-count, count + 1)
    t = special.expit(y)
    side = np.minimum(t, t[::-1])
    # From the end or from the middle, whichever is near: the power d - 2 magnifies an error.
    ends, middle = np.sin(np.pi * side), np.sin(np.pi / 2 * np.tanh(y / 2))
    log_sine = np.where(side < 0.25, np.log(ends), np.log1p(-np.minimum(middle**2, 0.5)) / 2)
    weights = side * (1 - side) * np.exp((d - 2) * log_sine)
    some = weights > 0
    return t[some], t[::-1][some], weights[some] / weights.sum()


def closed_again(d: int, k: int) -> float:
    """P(a second input opens no gate, given that the first opens none): E[(1 - t)^k], t pi the angle between them."""
    _, rest, weights = angles(d, k)
    return float(rest**k @ weights)
