"""A linear layer, z_o = sum_h W_oh z_h."""

import math

from montecarlo.engine.compiled import compiled_helper
from montecarlo.engine.models import kernel
from montecarlo.streams.draws import uniform4


@kernel(columns=2)
def glorot_layer(stream, first, half_z, half_delta, fan_in: int, fan_out: int, out):
    """The first output, and the gradient by the first input of a loss with coefficients delta.

    Weights are uniform with mean zero and variance 2/(fan_in + fan_out), inputs and deltas uniform around zero.
    """
    bound, n = math.sqrt(6.0 / (fan_in + fan_out)), out.shape[0]
    for i in range(n):
        # The first weight, with what it multiplies on both sides.
        w, z, delta, _ = uniform4(stream, first + i, 0)
        out[i, 0] = (2 * w - 1) * (2 * z - 1)
        out[i, 1] = (2 * w - 1) * (2 * delta - 1)
    _add_products(stream, first, 1, fan_in - 1, out[:, 0])
    _add_products(stream, first, fan_in, fan_out - 1, out[:, 1])
    for i in range(n):
        out[i, 0] *= bound * half_z
        out[i, 1] *= bound * half_delta


@compiled_helper
def _add_products(stream, first, draw, number, total):
    """Add so many products of two values uniform on [-1, 1], from this draw index on."""
    for k in range(0, number, 2):
        last = 0.0 if k + 1 == number else 1.0
        for i in range(total.shape[0]):
            u, v, s, t = uniform4(stream, first + i, draw + k)
            total[i] += (2 * u - 1) * (2 * v - 1) + last * (2 * s - 1) * (2 * t - 1)
