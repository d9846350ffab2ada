"""Rademacher complexity of linear predictors of norm 1 on samples whose entries are 1 or -1."""

import math

import numpy as np

from montecarlo.engine.models import kernel
from montecarlo.streams.draws import normal2, uniform2
from montecarlo.streams.instructions import select


@kernel(columns=2, block=2**14)
def complexity(stream, first, gates: int, inputs: int, m: int, out):
    """|sum_i e_i x_i| / m in the Euclidean and in the largest-entry norm, for independent signs e_i.

    With gates > 0 the features of a 0-1 GaLU layer are taken: g_ij x_i with g_ij = 1 where x_i . u_j > 0, u_j normal.
    """
    units = max(gates, 1)
    total, x, u = np.empty((units, inputs)), np.empty(inputs), np.empty((units, inputs))
    for s in range(out.shape[0]):
        sample, draw = first + s, 0
        for j in range(gates):
            for a in range(inputs):
                u[j, a], _ = normal2(stream, sample, draw)
                draw += 1
        total[:] = 0.0
        for _ in range(m):
            v, _ = uniform2(stream, sample, draw)
            draw += 1
            sign = select(v < 0.5, 1.0, -1.0)
            for a in range(inputs):
                v, _ = uniform2(stream, sample, draw)
                draw += 1
                x[a] = select(v < 0.5, 1.0, -1.0)
            for j in range(units):
                field = 1.0
                if gates > 0:
                    field = 0.0
                    for a in range(inputs):
                        field += x[a] * u[j, a]
                if field > 0:
                    for a in range(inputs):
                        total[j, a] += sign * x[a]
        square, largest = 0.0, 0.0
        for j in range(units):
            for a in range(inputs):
                square += total[j, a] * total[j, a]
                largest = max(largest, abs(total[j, a]))
        out[s, 0] = math.sqrt(square) / m
        out[s, 1] = largest / m
