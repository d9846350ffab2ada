"""Random networks f(x) = sum_j v_j phi(w_j . x + b_j) on two inputs, with H hidden units.

v_j ~ N(0, 1/H), w_j ~ N(0, I), b_j ~ N(0, s^2), all independent. Units phi by number: ReLU, error function, hyperbolic
tangent.
"""

import math

import numpy as np

from montecarlo.engine.compiled import compiled_helper
from montecarlo.engine.models import kernel
from montecarlo.kernels.signal_propagation.units import activate
from montecarlo.streams.draws import normal2, normal4
from montecarlo.streams.instructions import magnitude, select
from montecarlo.streams.vector_math import exp, tanh

RELU, ERF, TANH = 0, 1, 2
# Their numbers among all activation functions.
NUMBERS = (1, 4, 3)
# Samples that are worked on together.
TILE = 256


@compiled_helper
def parameters(stream, first, unit, drawn):
    """First weights, bias and second weight of a unit by row, standard normal, for each sample."""
    w_1, w_2, bias, v = drawn[0], drawn[1], drawn[2], drawn[3]
    for i in range(drawn.shape[1]):
        w_1[i], w_2[i], bias[i], v[i] = normal4(stream, first + i, unit)


@kernel(columns=2, block=2**14)
def outputs(stream, first, unit: int, x_1, x_2, y_1, y_2, bias_scale, width: int, out):
    """f(x) and f(y), phi by its number."""
    for begin in range(0, out.shape[0], TILE):
        tile = out[begin : begin + TILE]
        count = tile.shape[0]
        drawn, hidden, sums = np.empty((4, count)), np.empty(count), np.zeros((2, count))
        w_1, w_2, bias, v = drawn[0], drawn[1], drawn[2], drawn[3]
        for j in range(width):
            parameters(stream, first + begin, j, drawn)
            for at in range(2):
                a, b, total = x_1 if at == 0 else y_1, x_2 if at == 0 else y_2, sums[at]
                for i in range(count):
                    hidden[i] = w_1[i] * a + w_2[i] * b + bias_scale * bias[i]
                activate(NUMBERS[unit], hidden)
                for i in range(count):
                    total[i] += v[i] * hidden[i]
        for i in range(count):
            tile[i, 0], tile[i, 1] = sums[0, i] / math.sqrt(width), sums[1, i] / math.sqrt(width)


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


@kernel(block=2**14)
def squared_gradient(stream, first, unit: int, x_1, x_2, weight_scale, bias_scale, width: int, out):
    """|grad f(x)|^2, phi by its number, with w_j ~ N(0, weight_scale^2 I)."""
    for begin in range(0, out.shape[0], TILE):
        tile = out[begin : begin + TILE]
        count = tile.shape[0]
        drawn, hidden, along_1, along_2 = np.empty((4, count)), np.empty(count), np.zeros(count), np.zeros(count)
        w_1, w_2, bias, v = drawn[0], drawn[1], drawn[2], drawn[3]
        for j in range(width):
            parameters(stream, first + begin, j, drawn)
            for i in range(count):
                hidden[i] = weight_scale * (w_1[i] * x_1 + w_2[i] * x_2) + bias_scale * bias[i]
            slopes(unit, hidden)
            for i in range(count):
                along_1[i] += v[i] * hidden[i] * w_1[i]
                along_2[i] += v[i] * hidden[i] * w_2[i]
        for i in range(count):
            length = along_1[i] * along_1[i] + along_2[i] * along_2[i]
            tile[i, 0] = weight_scale * weight_scale * length / width


@kernel
def lines(stream, first, radius, bias_scale, width: int, out):
    """Number of the lines w . x + b = 0 that meet the disc about 0."""
    n = out.shape[0]
    near, far = np.empty(n), np.empty(n)
    out[:, 0] = 0.0
    for j in range(0, width, 2):
        last = 1.0 if j + 1 < width else 0.0
        _lengths(stream, first, j, radius, near)
        _lengths(stream, first, j + 1, radius, far)
        for i in range(n):
            b, c = normal2(stream, first + i, width + 1 + j)
            out[i, 0] += select(bias_scale * magnitude(b) < near[i], 1.0, 0.0)
            out[i, 0] += select(bias_scale * magnitude(c) < far[i], last, 0.0)


@compiled_helper
def _lengths(stream, first, draw, radius, lengths):
    """radius |w| of a line."""
    for i in range(lengths.shape[0]):
        w_1, w_2 = normal2(stream, first + i, draw)
        lengths[i] = radius * math.sqrt(w_1 * w_1 + w_2 * w_2)


@kernel
def changes_sign(stream, first, correlation, out):
    """Whether two normal values of a correlation have different signs."""
    rest = math.sqrt(1 - correlation * correlation)
    for i in range(out.shape[0]):
        u, v = normal2(stream, first + i, 0)
        out[i, 0] = 1.0 if u * (correlation * u + rest * v) < 0.0 else 0.0
