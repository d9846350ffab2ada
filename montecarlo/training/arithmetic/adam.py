"""The project's Adam, :class:`montecarlo.training.optimisers.Adam`, compiled: the same recursion, term by term."""

import math

import numpy as np

from montecarlo.streams.instructions import inlined

MOMENTUM, SECOND_MOMENTUM, EPSILON = 0.9, 0.999, 1e-8


@inlined
def adam_step(theta, m, v, gradient, step_size, power, second_power, single):
    """Change theta, m and v in place; the powers are those of both momenta at this step, from 1.

    ``single``: parameters are rounded to float32, as they are kept in the published experiments.
    """
    first, second = step_size * (1 / (1 - power)), 1 / (1 - second_power)
    for j in range(theta.size):
        g = gradient[j]
        m[j] = MOMENTUM * m[j] + (1 - MOMENTUM) * g
        v[j] = SECOND_MOMENTUM * v[j] + (1 - SECOND_MOMENTUM) * (g * g)
        theta[j] -= first * m[j] / (math.sqrt(v[j] * second) + EPSILON)
    if single:
        for j in range(theta.size):
            theta[j] = np.float64(np.float32(theta[j]))
