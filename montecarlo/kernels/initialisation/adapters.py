"""Low-rank adapters beside a layer: what their first step changes."""

import math

import numpy as np

from montecarlo.engine.models import kernel
from montecarlo.streams.draws import normal2, uniform2


@kernel
def first_step(stream, first, fan_in: int, rank: int, s, out):
    """s^2 |A x|^2 of a standard normal x; the entries of A are uniform up to 1/sqrt(fan_in)."""
    bound = 1.0 / math.sqrt(fan_in)
    x = np.empty(fan_in)
    for i in range(out.shape[0]):
        for j in range(fan_in):
            x[j] = normal2(stream, first + i, j)[0]
        draw, total = fan_in, 0.0
        for _ in range(rank):
            seen = 0.0
            for j in range(fan_in):
                seen += bound * (2.0 * uniform2(stream, first + i, draw)[0] - 1.0) * x[j]
                draw += 1
            total += seen * seen
        out[i, 0] = s * s * total
