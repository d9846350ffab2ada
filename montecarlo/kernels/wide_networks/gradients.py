"""Squared length of the gradient of random networks f(x) = sum_j v_j phi(w_j . x + b_j) on two inputs.

v_j ~ N(0, 1/H), w_j ~ N(0, weight_scale^2 I), b_j ~ N(0, bias_scale^2), all independent.
"""

import numpy as np

from montecarlo.engine.models import kernel
from montecarlo.kernels.wide_networks.networks import TILE, parameters
from montecarlo.kernels.wide_networks.units import slopes


@kernel(block=2**14)
def squared_gradient(stream, first, unit: int, x_1, x_2, weight_scale, bias_scale, width: int, out):
    """|grad f(x)|^2, phi by its number."""
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
