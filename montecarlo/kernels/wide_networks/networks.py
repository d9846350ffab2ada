"""Random networks f(x) = sum_j v_j phi(w_j . x + b_j) on two inputs, with H hidden units.

v_j ~ N(0, 1/H), w_j ~ N(0, I), b_j ~ N(0, s^2), all independent.
"""

import math

from montecarlo.engine.models import kernel
from montecarlo.kernels.wide_networks.units import value
from montecarlo.streams.draws import normal2


@kernel(columns=2, block=2**14)
def outputs(stream, first, unit: int, x_1, x_2, y_1, y_2, bias_scale, width: int, out):
    """f(x) and f(y), phi by its number."""
    for i in range(out.shape[0]):
        one, two = 0.0, 0.0
        for j in range(width):
            w_1, w_2 = normal2(stream, first + i, 2 * j)
            bias, v = normal2(stream, first + i, 2 * j + 1)
            one += v * value(unit, w_1 * x_1 + w_2 * x_2 + bias_scale * bias)
            two += v * value(unit, w_1 * y_1 + w_2 * y_2 + bias_scale * bias)
        out[i, 0], out[i, 1] = one / math.sqrt(width), two / math.sqrt(width)


@kernel
def lines(stream, first, radius, bias_scale, width: int, out):
    """How many of the lines w . x + b = 0 meet the disc about 0."""
    for i in range(out.shape[0]):
        found = 0.0
        for j in range(width):
            w_1, w_2 = normal2(stream, first + i, 2 * j)
            b, _ = normal2(stream, first + i, 2 * j + 1)
            found += 1.0 if bias_scale * abs(b) < radius * math.sqrt(w_1 * w_1 + w_2 * w_2) else 0.0
        out[i, 0] = found


@kernel
def changes_sign(stream, first, correlation, out):
    """Whether two normal values of a correlation have different signs."""
    rest = math.sqrt(1 - correlation * correlation)
    for i in range(out.shape[0]):
        u, v = normal2(stream, first + i, 0)
        out[i, 0] = 1.0 if u * (correlation * u + rest * v) < 0.0 else 0.0
