"""Activation functions of a normal value, by a number for each function.

0 linear, 1 ReLU, 2 leaky ReLU with slope 0.2, 3 tanh, 4 erf, 5 logistic, 6 ELU with alpha 1, 7 SELU, 8 GELU, 9 its
approximation by tanh, 10 that by the logistic function, 11 SiLU, 12 softplus, 13 hard tanh, 14 ReLU6, 15 hard logistic
function, 16 hard swish, 17 mish, 18 CELU with alpha 1, 19 squared ReLU.
"""

import math

import numpy as np

from montecarlo.engine.compiled import compiled_helper
from montecarlo.engine.models import kernel
from montecarlo.streams.draws import normal2
from montecarlo.streams.error_function import erf
from montecarlo.streams.instructions import inlined, select
from montecarlo.streams.vector_math import exp, expm1, sigmoid, tanh

SELU_ALPHA, SELU_SCALE = 1.6732632423543772, 1.0507009873554805
ROOT = math.sqrt(2.0)
STEP = 1e-6
TANH_SCALE, CUBE = math.sqrt(2.0 / math.pi), 0.044715


@inlined
def _logistic(u):
    return 1.0 / (1.0 + math.exp(-u))


@inlined
def _elu(u, alpha):
    return u if u > 0.0 else alpha * math.expm1(u)


@inlined
def _smooth(kind, u):
    if kind == 3:
        return math.tanh(u)
    if kind == 4:
        return math.erf(u)
    if kind == 5:
        return _logistic(u)
    if kind == 8:
        return u * 0.5 * math.erfc(-u / ROOT)
    if kind == 9:
        return 0.5 * u * (1.0 + math.tanh(TANH_SCALE * (u + CUBE * u * u * u)))
    if kind == 10:
        return u * _logistic(1.702 * u)
    if kind == 11:
        return u * _logistic(u)
    if kind == 17:
        return u * math.tanh(math.log1p(math.exp(u)))
    return max(u, 0.0) + math.log1p(math.exp(-abs(u)))


@inlined
def _in_pieces(kind, u):
    if kind == 0:
        return u
    if kind == 1:
        return max(u, 0.0)
    if kind == 2:
        return u if u > 0.0 else 0.2 * u
    if kind == 6 or kind == 18:
        return _elu(u, 1.0)
    if kind == 19:
        return max(u, 0.0) * max(u, 0.0)
    if kind == 7:
        return SELU_SCALE * _elu(u, SELU_ALPHA)
    if kind == 13:
        return min(max(u, -1.0), 1.0)
    if kind == 14:
        return min(max(u, 0.0), 6.0)
    hard = min(max(u / 6.0 + 0.5, 0.0), 1.0)
    return hard if kind == 15 else u * hard


@inlined
def activated(kind, u):
    """Activation phi(u) of a preactivation."""
    if (kind >= 3 and kind <= 5) or (kind >= 8 and kind <= 12) or kind == 17:
        return _smooth(kind, u)
    return _in_pieces(kind, u)


@inlined
def slope(kind, u):
    """phi'(u) by central differences of the function that is played: no derivative is written twice."""
    return (activated(kind, u + STEP) - activated(kind, u - STEP)) / (2.0 * STEP)


@compiled_helper
def activate(kind, u):
    """phi(u) in place of u. Loops of their own for what is played most, so that each is vectorised."""
    if kind == 1:
        for i in range(u.shape[0]):
            u[i] = max(u[i], 0.0)
    elif kind == 3:
        for i in range(u.shape[0]):
            u[i] = tanh(u[i])
    elif kind == 4:
        for i in range(u.shape[0]):
            u[i] = erf(u[i])
    elif kind == 5:
        for i in range(u.shape[0]):
            u[i] = sigmoid(u[i])
    elif kind == 7:
        for i in range(u.shape[0]):
            u[i] = SELU_SCALE * select(u[i] > 0.0, u[i], SELU_ALPHA * expm1(u[i]))
    elif kind == 8:
        for i in range(u.shape[0]):
            u[i] = 0.5 * u[i] * (1.0 + erf(u[i] / ROOT))
    elif kind == 11:
        for i in range(u.shape[0]):
            u[i] = u[i] * sigmoid(u[i])
    elif kind == 17:
        for i in range(u.shape[0]):
            # tanh(log(1 + e)) = (e^2 + 2e)/(e^2 + 2e + 2), which is 1 in float64 for u above 20.
            e = exp(select(u[i] < 20.0, u[i], 20.0))
            both = e * (e + 2.0)
            u[i] = u[i] * both / (both + 2.0)
    else:
        for i in range(u.shape[0]):
            u[i] = activated(kind, u[i])


@kernel(columns=2)
def moments(stream, first, kind: int, variance, out):
    """phi(u) and phi(u)^2 for u ~ N(0, variance): means of two independent values, as a draw gives two."""
    spread = math.sqrt(variance)
    for i in range(out.shape[0]):  # on its own it is vectorised
        one, two = normal2(stream, first + i, 0)
        out[i, 0], out[i, 1] = spread * one, spread * two
    activate(kind, out[:, 0])
    activate(kind, out[:, 1])
    for i in range(out.shape[0]):
        one, two = out[i, 0], out[i, 1]
        out[i, 0], out[i, 1] = 0.5 * (one + two), 0.5 * (one * one + two * two)


@kernel(columns=2)
def gated_pairs(stream, first, kind: int, variance, out):
    """z^2 and (phi'(a) b)^2 + phi(a)^2 for z = phi(a) b with independent a, b ~ N(0, variance)."""
    spread, count = math.sqrt(variance), out.shape[0]
    at, above, below = np.empty(count), np.empty(count), np.empty(count)
    for i in range(count):
        one, two = normal2(stream, first + i, 0)
        at[i], out[i, 1] = spread * one, spread * two
        above[i], below[i] = at[i] + STEP, at[i] - STEP
    activate(kind, at)
    activate(kind, above)
    activate(kind, below)
    for i in range(count):
        steep = (above[i] - below[i]) / (2.0 * STEP)
        out[i, 0], out[i, 1] = (at[i] * out[i, 1]) ** 2, (steep * out[i, 1]) ** 2 + at[i] ** 2
