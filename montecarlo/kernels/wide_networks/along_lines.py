"""Random networks along a line: f(t) = sum_j v_j phi(w_j t + b_j) with H hidden units, from 0 to an end.

v_j ~ N(0, 1), w_j ~ N(0, weight_scale^2), b_j ~ N(0, bias_scale^2), all independent; what is counted does not depend on
the scale of f.
"""

import numpy as np

from montecarlo.engine.models import kernel
from montecarlo.streams.draws import normal2
from montecarlo.streams.instructions import inlined
from montecarlo.streams.vector_math import tanh


@inlined
def _draw(stream, sample, values, end, weight_scale, bias_scale, width):
    """A tanh network at equal steps from 0 to the end."""
    step = end / (values.shape[0] - 1)
    for i in range(values.shape[0]):
        values[i] = 0.0
    for j in range(width):
        w, b = normal2(stream, sample, 2 * j)
        v, _ = normal2(stream, sample, 2 * j + 1)
        for i in range(values.shape[0]):
            values[i] += v * tanh(weight_scale * w * (step * i) + bias_scale * b)


@kernel(columns=("zeros", "extrema"), block=2**10)
def tanh_turns(stream, first, end, weight_scale, bias_scale, width: int, steps: int, out):
    """Sign changes of f from step to step, and of its differences."""
    values = np.empty(steps + 1)
    for i in range(out.shape[0]):
        _draw(stream, first + i, values, end, weight_scale, bias_scale, width)
        zeros, extrema = 0.0, 0.0
        for j in range(steps):
            zeros += 1.0 if values[j] * values[j + 1] < 0.0 else 0.0
        for j in range(steps - 1):
            extrema += 1.0 if (values[j + 1] - values[j]) * (values[j + 2] - values[j + 1]) < 0.0 else 0.0
        out[i, 0], out[i, 1] = zeros, extrema
