"""Random deep networks of one width: how far a signal and a gradient come.

h_0 ~ N(0, variance) unit by unit, h_(l+1) = W phi(h_l) + b with W_ij ~ N(0, weight_variance/width) and b_i ~ N(0,
bias_variance), all independent; activation functions by their numbers in :mod:`.units`.
"""

import math

import numpy as np

from montecarlo.engine.models import kernel
from montecarlo.kernels.signal_propagation.units import activated, slope
from montecarlo.streams.draws import normal2
from montecarlo.streams.instructions import inlined


@inlined
def _normals(stream, sample, draw, spread, values):
    """Fill a vector; returns the next free draw."""
    n = values.shape[0]
    for j in range(0, n, 2):
        one, other = normal2(stream, sample, draw)
        draw += 1
        values[j] = spread * one
        if j + 1 < n:
            values[j + 1] = spread * other
    return draw


@inlined
def _dot(left, right):
    total = 0.0
    for j in range(left.shape[0]):
        total += left[j] * right[j]
    return total


@kernel(columns=3, block=2**10)
def gains(
    stream, first, kind: int, width: int, depth: int, weight_variance, bias_variance, variance, out
):  # fmt: skip
    """Mean square of the last h, that of the gradient by h_0, and the square of the first.

    The gradient is that of sum_i g_i h_i of the last layer with g_i ~ N(0, 1): 1 without a layer.
    """
    h, seen = np.empty((depth + 1, width)), np.empty(width)
    weights = np.empty((depth, width, width))
    back, ahead = np.empty(width), np.empty(width)
    for i in range(out.shape[0]):
        sample = first + i
        draw = _normals(stream, sample, 0, math.sqrt(variance), h[0])
        for layer in range(depth):
            for j in range(width):
                seen[j] = activated(kind, h[layer, j])
            draw = _normals(stream, sample, draw, math.sqrt(bias_variance), h[layer + 1])
            for j in range(width):
                draw = _normals(stream, sample, draw, math.sqrt(weight_variance / width), weights[layer, j])
                h[layer + 1, j] += _dot(weights[layer, j], seen)
        _normals(stream, sample, draw, 1.0, back)
        for layer in range(depth - 1, -1, -1):
            ahead[:] = 0.0
            for j in range(width):
                for k in range(width):
                    ahead[k] += back[j] * weights[layer, j, k]
            for j in range(width):
                back[j] = ahead[j] * slope(kind, h[layer, j])
        square = _dot(h[depth], h[depth]) / width
        out[i, 0], out[i, 1], out[i, 2] = square, _dot(back, back) / width, square * square


@kernel(columns=2)
def relu_lengths(stream, first, width: int, depth: int, out):
    """Logarithm of the mean square of the last h of a ReLU network with weights N(0, 2/width), and that mean square.

    Given h_l the entries of h_(l+1) are independent and normal with the variance (2/width) sum max(h_l, 0)^2: they are
    drawn themselves, in place of the weights. |h_0|^2 is width.
    """
    for i in range(out.shape[0]):
        total, draw = 0.0, 0
        for _ in range(depth):
            square = 0.0
            for _ in range(0, width, 2):
                one, other = normal2(stream, first + i, draw)
                draw += 1
                square += max(one, 0.0) ** 2 + max(other, 0.0) ** 2
            total += math.log(2.0 * square / width)
        last = normal2(stream, first + i, draw)[0]
        out[i, 0], out[i, 1] = total, math.exp(total) * last * last


@kernel
def relu_square(stream, first, width: int, depth: int, out):
    """Square of the mean square of the last h of a ReLU network with weights N(0, 2/width), from h_0 ~ N(0, I).

    Entries are drawn given the layer before, as in ``relu_lengths``.
    """
    for i in range(out.shape[0]):
        factor, draw = 1.0, 0
        for layer in range(depth + 1):
            square, above = 0.0, 0.0
            for j in range(0, width, 2):
                one, other = normal2(stream, first + i, draw)
                draw += 1
                if j + 1 == width:
                    other = 0.0
                square += one * one + other * other
                above += max(one, 0.0) ** 2 + max(other, 0.0) ** 2
            factor *= (2.0 * above if layer < depth else square) / width
        out[i, 0] = factor * factor


@kernel
def dead(stream, first, width: int, depth: int, out):
    """Whether a ReLU network without biases has a layer behind which all is 0: all its entries below 0."""
    for i in range(out.shape[0]):
        is_dead, draw = 0.0, 0
        for _ in range(depth):
            alive = 0.0
            for j in range(0, width, 2):
                one, other = normal2(stream, first + i, draw)
                draw += 1
                if one > 0.0 or (other > 0.0 and j + 1 < width):
                    alive = 1.0
            if alive == 0.0:
                is_dead = 1.0
        out[i, 0] = is_dead
