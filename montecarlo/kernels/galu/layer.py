"""A layer of 0-1 GaLU neurons at its start, forwards and backwards."""

import numpy as np

from montecarlo.engine.models import kernel
from montecarlo.streams.draws import normal2


@kernel(columns=2)
def layer(stream, first, sd_w, mean_z, sd_z, fan_in: int, fan_out: int, out):
    """An output s(x.u) (x.w), and the gradient of an input for standard normal gradients of the outputs.

    Inputs, filters and weights are normal; the gradient passes each neuron through its own gate, which is open or not
    by the same inputs for all.
    """
    n = out.shape[0]
    z, gate, linear, weight = np.empty((fan_in, n)), np.empty(n), np.empty(n), np.empty(n)
    for h in range(fan_in):
        for i in range(n):
            z[h, i] = mean_z + sd_z * normal2(stream, first + i, h)[0]
    out[:, 1] = 0.0
    for o in range(fan_out):
        gate[:] = 0.0
        linear[:] = 0.0
        for h in range(fan_in):
            for i in range(n):
                u, w = normal2(stream, first + i, fan_in + o * fan_in + h)
                gate[i] += u * z[h, i]
                linear[i] += sd_w * w * z[h, i]
                weight[i] = sd_w * w if h == 0 else weight[i]
        for i in range(n):
            is_open = 1.0 if gate[i] > 0.0 else 0.0
            if o == 0:
                out[i, 0] = is_open * linear[i]
            slope, _ = normal2(stream, first + i, fan_in + fan_out * fan_in + o)
            out[i, 1] += is_open * slope * weight[i]
