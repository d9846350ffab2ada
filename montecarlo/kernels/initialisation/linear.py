"""A linear layer, z_o = sum_h W_oh z_h."""

import math

from montecarlo.engine.models import kernel
from montecarlo.streams.draws import uniform2


@kernel(columns=2)
def glorot_layer(stream, first, half_z, half_delta, fan_in: int, fan_out: int, out):
    """The first output, and the gradient by the first input of a loss with coefficients delta.

    Weights are uniform with mean zero and variance 2/(fan_in + fan_out), inputs and deltas uniform around zero.
    """
    bound = math.sqrt(6.0 / (fan_in + fan_out))
    out[:, 0] = 0.0
    out[:, 1] = 0.0
    for h in range(fan_in):
        for i in range(out.shape[0]):
            u, v = uniform2(stream, first + i, h)
            out[i, 0] += bound * (2 * u - 1) * half_z * (2 * v - 1)
    for o in range(fan_out):
        for i in range(out.shape[0]):
            # The first weight of the first output is the one that the loop before has drawn.
            u, _ = uniform2(stream, first + i, 0 if o == 0 else fan_in + o)
            v, _ = uniform2(stream, first + i, fan_in + fan_out + o)
            out[i, 1] += bound * (2 * u - 1) * half_delta * (2 * v - 1)
