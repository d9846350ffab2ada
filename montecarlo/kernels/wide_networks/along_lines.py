"""Random networks along a line: f(t) = sum_j v_j phi(w_j t + b_j) with H hidden units, from 0 to an end.

v_j ~ N(0, 1), w_j ~ N(0, weight_scale^2), b_j ~ N(0, bias_scale^2), all independent; what is counted does not depend on
the scale of f.
"""

import numpy as np

from montecarlo.engine.models import kernel
from montecarlo.streams.draws import normal2
from montecarlo.streams.instructions import inlined
from montecarlo.streams.vector_math import tanh

LAYERS = 8
"""Second layers that a sample draws for one first layer, as it takes longer to evaluate than they do."""


@inlined
def _draw(stream, sample, values, hidden, second, end, weight_scale, bias_scale, width):
    """Tanh networks (layers, places) with one first layer, at equal steps from 0 to the end."""
    step = end / (hidden.size - 1)
    values[:] = 0.0
    for j in range(width):
        draw = j * (1 + LAYERS // 2)
        w, b = normal2(stream, sample, draw)
        for k in range(LAYERS // 2):
            second[2 * k], second[2 * k + 1] = normal2(stream, sample, draw + 1 + k)
        for i in range(hidden.size):
            hidden[i] = tanh(weight_scale * w * (step * i) + bias_scale * b)
        for k in range(LAYERS):
            row, v = values[k], second[k]
            for i in range(hidden.size):
                row[i] += v * hidden[i]


@kernel(columns=("zeros", "extrema"), block=2**8)
def tanh_turns(stream, first, end, weight_scale, bias_scale, width: int, steps: int, out):
    """Sign changes of f from step to step, and of its differences: means over the second layers of a sample."""
    values, hidden, second = np.empty((LAYERS, steps + 1)), np.empty(steps + 1), np.empty(LAYERS)
    for i in range(out.shape[0]):
        _draw(stream, first + i, values, hidden, second, end, weight_scale, bias_scale, width)
        zeros, extrema = 0.0, 0.0
        for k in range(LAYERS):
            f = values[k]
            for j in range(steps):
                zeros += 1.0 if f[j] * f[j + 1] < 0.0 else 0.0
            for j in range(steps - 1):
                extrema += 1.0 if (f[j + 1] - f[j]) * (f[j + 2] - f[j + 1]) < 0.0 else 0.0
        out[i, 0], out[i, 1] = zeros / LAYERS, extrema / LAYERS
