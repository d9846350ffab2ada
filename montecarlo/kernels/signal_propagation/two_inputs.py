"""Two inputs in one random network of any width.

h_(l+1) = W phi(h_l) + b with W_ij ~ N(0, weight_variance/width), b_i ~ N(0, bias_variance), for both inputs alike.
Given the layer before, pairs of entries are independent and jointly normal: they are drawn themselves, in place of W.
"""

import math

import numpy as np

from montecarlo.engine.compiled import compiled_helper
from montecarlo.engine.models import kernel
from montecarlo.kernels.reflections import TILE, fill
from montecarlo.kernels.signal_propagation.units import activate
from montecarlo.streams.draws import normal2


@compiled_helper
def _layer(stream, first, draw, covariance, both):
    """Fill both vectors by the 2 x 2 covariance of their entries; returns the next free draw."""
    _, width, count = both.shape
    one, along, across = np.empty(count), np.empty(count), np.empty(count)
    for s in range(count):
        one[s] = math.sqrt(covariance[0, s])
        along[s] = covariance[1, s] / one[s] if one[s] > 0.0 else 0.0
        across[s] = math.sqrt(max(covariance[2, s] - along[s] * along[s], 0.0))
    for j in range(width):
        h, other = both[0, j], both[1, j]
        for s in range(count):
            u, v = normal2(stream, first + s, draw + j)
            h[s] = one[s] * u
            other[s] = along[s] * u + across[s] * v
    return draw + width


@compiled_helper
def _mean_product(one, other, total):
    """Of the entries of two vectors of each sample."""
    width = one.shape[0]
    fill(total, 0.0)
    for j in range(width):
        for s in range(total.shape[0]):
            total[s] += one[j, s] * other[j, s] / width


@kernel(columns=3, block=2**12)
def covariances(
    stream, first, kind: int, width: int, depth: int, weight_variance, bias_variance, variance, correlation, out
):
    """Mean over the last layer of the product of both h, that of the square of the first, and the square of this mean.

    At layer 0 entries have this variance and correlation.
    """
    for begin in range(0, out.shape[0], TILE):
        tile = out[begin : begin + TILE]
        count = tile.shape[0]
        both, known, mean = np.empty((2, width, count)), np.empty((3, count)), np.empty(count)
        fill(known[0], variance)
        fill(known[1], correlation * variance)
        fill(known[2], variance)
        draw = _layer(stream, first + begin, 0, known, both)
        for _ in range(depth):
            for which in range(2):
                for j in range(width):
                    activate(kind, both[which, j])
            for k in range(3):
                _mean_product(both[k // 2], both[(k + 1) // 2], mean)
                for s in range(count):
                    known[k, s] = weight_variance * mean[s] + bias_variance
            draw = _layer(stream, first + begin, draw, known, both)
        _mean_product(both[0], both[1], tile[:, 0])
        _mean_product(both[0], both[0], tile[:, 1])
        for s in range(count):
            tile[s, 2] = tile[s, 1] * tile[s, 1]
