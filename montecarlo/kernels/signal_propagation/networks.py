"""Random deep networks of one width: how far a signal and a gradient come.

h_0 ~ N(0, variance) unit by unit, h_(l+1) = W phi(h_l) + b with W_ij ~ N(0, weight_variance/width) and b_i ~ N(0,
bias_variance), all independent; activation functions by their numbers in :mod:`.units`.
"""

import math

import numpy as np

from montecarlo.engine.compiled import compiled_helper
from montecarlo.engine.models import kernel
from montecarlo.kernels.arithmetic.depth import mean_square
from montecarlo.kernels.least_squares import normals
from montecarlo.kernels.reflections import TILE, fill
from montecarlo.kernels.signal_propagation.units import activated, slope
from montecarlo.streams.draws import normal2
from montecarlo.streams.instructions import select
from montecarlo.streams.philox import random_bits
from montecarlo.streams.vector_math import exp, log


@compiled_helper
def _forward(stream, first, kind, spread, bias_spread, h, weights):
    """All layers from h_0, with their weights; the next free draw."""
    depth, width, _, count = weights.shape
    seen, draw = np.empty((width, count)), (width + 1) // 2
    for layer in range(depth):
        for j in range(width):
            for s in range(count):
                seen[j, s] = activated(kind, h[layer, j, s])
        draw = normals(stream, first, draw, h[layer + 1])
        for j in range(width):
            row, total = weights[layer, j], h[layer + 1, j]
            draw = normals(stream, first, draw, row)
            for s in range(count):
                total[s] *= bias_spread
            for k in range(width):
                for s in range(count):
                    row[k, s] *= spread
                    total[s] += row[k, s] * seen[k, s]
    return draw


@compiled_helper
def _backward(kind, h, weights, back):
    """The gradient by h_0 in place of that by the last h."""
    depth, width, _, count = weights.shape
    ahead = np.empty((width, count))
    for layer in range(depth - 1, -1, -1):
        for k in range(width):
            fill(ahead[k], 0.0)
        for j in range(width):
            for k in range(width):
                for s in range(count):
                    ahead[k, s] += back[j, s] * weights[layer, j, k, s]
        for j in range(width):
            for s in range(count):
                back[j, s] = ahead[j, s] * slope(kind, h[layer, j, s])


@kernel(columns=3, block=2**10)
def gains(stream, first, kind: int, width: int, depth: int, weight_variance, bias_variance, variance, out):
    """Mean square of the last h, that of the gradient by h_0, and the square of the first.

    The gradient is that of sum_i g_i h_i of the last layer with g_i ~ N(0, 1): 1 without a layer.
    """
    spread, bias_spread, start = math.sqrt(weight_variance / width), math.sqrt(bias_variance), math.sqrt(variance)
    for begin in range(0, out.shape[0], TILE):
        tile = out[begin : begin + TILE]
        count = tile.shape[0]
        h, back = np.empty((depth + 1, width, count)), np.empty((width, count))
        weights = np.empty((depth, width, width, count))
        normals(stream, first + begin, 0, h[0])
        for j in range(width):
            for s in range(count):
                h[0, j, s] *= start
        draw = _forward(stream, first + begin, kind, spread, bias_spread, h, weights)
        normals(stream, first + begin, draw, back)
        _backward(kind, h, weights, back)
        mean_square(h[depth], tile[:, 0])
        mean_square(back, tile[:, 1])
        for s in range(count):
            tile[s, 2] = tile[s, 0] * tile[s, 0]


@kernel(columns=2)
def relu_lengths(stream, first, width: int, depth: int, out):
    """Logarithm of the mean square of the last h of a ReLU network with weights N(0, 2/width), and that mean square.

    Given h_l the entries of h_(l+1) are independent and normal with the variance (2/width) sum max(h_l, 0)^2: they are
    drawn themselves, in place of the weights. |h_0|^2 is width.
    """
    n = out.shape[0]
    total, square, draw = np.zeros(n), np.empty(n), 0
    for _ in range(depth):
        fill(square, 0.0)
        for _ in range(0, width, 2):
            for i in range(n):
                one, other = normal2(stream, first + i, draw)
                square[i] += max(one, 0.0) ** 2 + max(other, 0.0) ** 2
            draw += 1
        for i in range(n):
            total[i] += log(2.0 * square[i] / width)
    for i in range(n):
        last = normal2(stream, first + i, draw)[0]
        out[i, 0], out[i, 1] = total[i], exp(total[i]) * last * last


@kernel
def squares(stream, first, rectified: int, width: int, depth: int, out):
    """Square of the mean square of the last h, from h_0 ~ N(0, I).

    Weights are N(0, 1/width), behind ReLUs (rectified = 1) N(0, 2/width). Entries are drawn given the layer before, as
    in ``relu_lengths``.
    """
    n = out.shape[0]
    factor, square, draw = np.ones(n), np.empty(n), 0
    for layer in range(depth + 1):
        fill(square, 0.0)
        for j in range(0, width, 2):
            both = 1.0 if j + 1 < width else 0.0
            if rectified == 1 and layer < depth:
                for i in range(n):
                    one, other = normal2(stream, first + i, draw)
                    square[i] += 2.0 * (max(one, 0.0) ** 2 + both * max(other, 0.0) ** 2)
            else:
                for i in range(n):
                    one, other = normal2(stream, first + i, draw)
                    square[i] += one * one + both * other * other
            draw += 1
        for i in range(n):
            factor[i] *= square[i] / width
    for i in range(n):
        out[i, 0] = factor[i] * factor[i]


@kernel
def dead(stream, first, width: int, depth: int, out):
    """Whether a ReLU network without biases has a layer behind which all is 0: all its entries, up to 64, below 0.

    Given the layer before, entries are independent and symmetric: their signs are drawn, a bit for each.
    """
    signs = np.uint64(2**64 - 1) >> np.uint64(64 - width)
    fill(out[:, 0], 0.0)
    for layer in range(depth):
        for i in range(out.shape[0]):
            word, _ = random_bits(stream, first + i, layer)
            out[i, 0] = select(word & signs == np.uint64(0), 1.0, out[i, 0])
