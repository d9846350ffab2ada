"""Squared length of the gradient of random networks f(x) = sum_j v_j phi(w_j . x + b_j) on two inputs.

v_j ~ N(0, 1/H), w_j ~ N(0, weight_scale^2 I), b_j ~ N(0, bias_scale^2), all independent.
"""

from montecarlo.engine.models import kernel
from montecarlo.kernels.wide_networks.units import slope
from montecarlo.streams.draws import normal2


@kernel(block=2**14)
def squared_gradient(stream, first, unit: int, x_1, x_2, weight_scale, bias_scale, width: int, out):
    """|grad f(x)|^2, phi by its number."""
    for i in range(out.shape[0]):
        along_1, along_2 = 0.0, 0.0
        for j in range(width):
            w_1, w_2 = normal2(stream, first + i, 2 * j)
            bias, v = normal2(stream, first + i, 2 * j + 1)
            part = v * slope(unit, weight_scale * (w_1 * x_1 + w_2 * x_2) + bias_scale * bias)
            along_1 += part * w_1
            along_2 += part * w_2
        out[i, 0] = weight_scale * weight_scale * (along_1 * along_1 + along_2 * along_2) / width
