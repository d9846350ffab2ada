"""Descent of a single ReLU by plain iteration of its expected gradient: the result is taken from the end only.

The early decisions of :mod:`montecarlo.descent.fates` and of the theory are tested against it.
"""

import math

import numpy as np

from montecarlo.descent.fates import CONE
from montecarlo.descent.fields import linear
from montecarlo.engine.compiled import compiled_helper
from montecarlo.engine.models import kernel
from montecarlo.streams.draws import normal2, uniform2

MOMENTA = np.array([0.0, 0.5, 0.9])
# Behind the start: dead after some steps and at the optimum in the end, as it is and with one thing changed.
_COLUMNS = ("w_1", "w_2", "w_3", "b", "gamma", "momentum", *(
    f"{end}, {what}" for what in ("as it is", "opposite", "turned", "heavy ball") for end in ("dead", "there")
))  # fmt: skip


@compiled_helper
def _ends(u, v, b, gamma, step_size, momentum, weight, steps, rest):
    """Whether the unit is in the dead cone after ``steps``, and within gamma/100 of the optimum after ``rest``."""
    mu, mv, mb, dead = 0.0, 0.0, 0.0, 0.0
    for t in range(rest):
        gu, gv, gb = linear(u, v, b, gamma)
        mu, mv, mb = momentum * mu + weight * gu, momentum * mv + weight * gv, momentum * mb + weight * gb
        u, v, b = u - step_size * mu, v - step_size * mv, b - step_size * mb
        if t == steps - 1:
            dead = 1.0 if b < -CONE * math.sqrt(u * u + v * v) else 0.0
    return dead, 1.0 if math.sqrt((u - gamma) ** 2 + v * v + b * b) < 0.01 * gamma else 0.0


@kernel(columns=_COLUMNS, block=16)
def from_anywhere(stream, first, step_size, steps: int, rest: int, out):
    """Three inputs, w ~ N(0, I/4), b ~ N(0, 1) but -3.5 ||w|| in every fourth start, log10 gamma ~ U[-1, 0].

    Then ends: from there; with the target opposite; with the first input in place of the last; with a heavy ball.
    """
    for i in range(out.shape[0]):
        x, y = normal2(stream, first + i, 0)
        z, b = normal2(stream, first + i, 1)
        p, q = uniform2(stream, first + i, 2)
        x, y, z, gamma, momentum = x / 2, y / 2, z / 2, 10 ** (p - 1), MOMENTA[int(3 * q)]
        if (first + i) % 4 == 0:
            b = -3.5 * math.sqrt(x * x + y * y + z * z)
        out[i, 0], out[i, 1], out[i, 2], out[i, 3], out[i, 4], out[i, 5] = x, y, z, b, gamma, momentum
        across, weight = math.sqrt(x * x + y * y), 1 - momentum
        out[i, 6], out[i, 7] = _ends(z, across, b, gamma, step_size, momentum, weight, steps, rest)
        out[i, 8], out[i, 9] = _ends(-z, across, b, gamma, step_size, momentum, weight, steps, rest)
        turned = math.sqrt(y * y + z * z)
        out[i, 10], out[i, 11] = _ends(x, turned, b, gamma, step_size, momentum, weight, steps, rest)
        out[i, 12], out[i, 13] = _ends(z, across, b, gamma, step_size, momentum, 1.0, steps, rest)
