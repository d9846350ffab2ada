"""Layers whose weights have orthonormal rows, or columns where there are more rows than columns."""

import math

import numpy as np

from montecarlo.engine.models import kernel
from montecarlo.kernels.galu.neurons import take_away
from montecarlo.streams.draws import normal2
from montecarlo.streams.instructions import inlined


@inlined
def _orthonormal(stream, sample, frame):
    """Fill the rows by Gram-Schmidt on standard normal ones; returns the next free draw."""
    many, size = frame.shape
    draw = 0
    for r in range(many):
        for j in range(0, size, 2):
            one, other = normal2(stream, sample, draw)
            draw += 1
            frame[r, j] = one
            if j + 1 < size:
                frame[r, j + 1] = other
        for before in range(r):
            take_away(frame[before], frame[r])
        length = math.sqrt(np.dot(frame[r], frame[r]))
        for j in range(size):
            frame[r, j] /= length
    return draw


@kernel(columns=4, block=2**12)
def semi_orthogonal(stream, first, rows: int, columns: int, gain, out):
    """Mean square of outputs of a layer of rows x columns for x ~ N(0, I); a weight, its square and fourth power."""
    small, large = min(rows, columns), max(rows, columns)
    frame, x = np.empty((small, large)), np.empty(columns)
    for i in range(out.shape[0]):
        draw = _orthonormal(stream, first + i, frame)
        for j in range(columns):
            x[j] = gain * normal2(stream, first + i, draw + j)[0]
        total = 0.0
        for r in range(rows):
            seen = 0.0
            for j in range(columns):
                seen += x[j] * (frame[r, j] if rows <= columns else frame[j, r])
            total += seen * seen
        weight = gain * frame[small - 1, 0]
        out[i, 0], out[i, 1], out[i, 2], out[i, 3] = total / rows, weight, weight**2, weight**4
