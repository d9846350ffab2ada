"""Hidden units phi(u) by number, and their slopes: ReLU, error function, hyperbolic tangent."""

import math

from montecarlo.streams.instructions import inlined
from montecarlo.streams.vector_math import tanh

RELU, ERF, TANH = 0, 1, 2


@inlined
def value(unit, u):
    """phi(u)."""
    if unit == RELU:
        return max(u, 0.0)
    if unit == ERF:
        return math.erf(u)
    return tanh(u)


@inlined
def slope(unit, u):
    """phi'(u)."""
    if unit == RELU:
        return 1.0 if u > 0.0 else 0.0
    if unit == ERF:
        return 2 / math.sqrt(math.pi) * math.exp(-u * u)
    t = tanh(u)
    return 1.0 - t * t
