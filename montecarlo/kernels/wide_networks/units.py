"""Hidden units phi(u) by number, and their slopes: ReLU, error function, hyperbolic tangent."""

import math

from montecarlo.engine.compiled import compiled_helper
from montecarlo.kernels.wide_networks.error_function import erf
from montecarlo.streams.vector_math import exp, tanh

RELU, ERF, TANH = 0, 1, 2


@compiled_helper
def values(unit, u):
    """phi(u) in place of u. A loop for each function, so that each is vectorised."""
    if unit == RELU:
        for i in range(u.shape[0]):
            u[i] = max(u[i], 0.0)
    elif unit == ERF:
        for i in range(u.shape[0]):
            u[i] = erf(u[i])
    else:
        for i in range(u.shape[0]):
            u[i] = tanh(u[i])


@compiled_helper
def slopes(unit, u):
    """phi'(u) in place of u."""
    if unit == RELU:
        for i in range(u.shape[0]):
            u[i] = 1.0 if u[i] > 0.0 else 0.0
    elif unit == ERF:
        for i in range(u.shape[0]):
            u[i] = 2.0 / math.sqrt(math.pi) * exp(-u[i] * u[i])
    else:
        for i in range(u.shape[0]):
            t = tanh(u[i])
            u[i] = 1.0 - t * t
