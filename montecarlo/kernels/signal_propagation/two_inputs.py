"""Two inputs in one random network of any width.

h_(l+1) = W phi(h_l) + b with W_ij ~ N(0, weight_variance/width), b_i ~ N(0, bias_variance), for both inputs alike.
Given the layer before, pairs of entries are independent and jointly normal: they are drawn themselves, in place of W.
"""

import math

import numpy as np

from montecarlo.engine.models import kernel
from montecarlo.kernels.signal_propagation.units import activated
from montecarlo.streams.draws import normal2
from montecarlo.streams.instructions import inlined


@inlined
def _layer(stream, sample, draw, covariance, h, other):
    """Fill both vectors by the 2 x 2 covariance of their entries; returns the next free draw."""
    first = math.sqrt(covariance[0])
    along = covariance[1] / first if first > 0.0 else 0.0
    across = math.sqrt(max(covariance[2] - along * along, 0.0))
    for j in range(h.shape[0]):
        one, two = normal2(stream, sample, draw)
        draw += 1
        h[j] = first * one
        other[j] = along * one + across * two
    return draw


@kernel(columns=3, block=2**12)
def covariances(
    stream, first, kind: int, width: int, depth: int, weight_variance, bias_variance, variance, correlation, out
):  # fmt: skip
    """Mean over the last layer of the product of both h, that of the square of the first, and the square of this mean.

    At layer 0 entries have this variance and correlation.
    """
    both, known = np.empty((2, width)), np.empty(3)
    h, other = both[0], both[1]
    for i in range(out.shape[0]):
        known[0] = known[2] = variance
        known[1] = correlation * variance
        draw = _layer(stream, first + i, 0, known, h, other)
        for _ in range(depth):
            for which in range(2):
                for j in range(width):
                    both[which, j] = activated(kind, both[which, j])
            known[0] = weight_variance * np.dot(h, h) / width + bias_variance
            known[1] = weight_variance * np.dot(h, other) / width + bias_variance
            known[2] = weight_variance * np.dot(other, other) / width + bias_variance
            draw = _layer(stream, first + i, draw, known, h, other)
        square = np.dot(h, h) / width
        out[i, 0], out[i, 1], out[i, 2] = np.dot(h, other) / width, square, square * square
