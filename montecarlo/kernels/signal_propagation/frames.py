"""Layers whose weights have orthonormal rows, or columns where there are more rows than columns."""

import numpy as np

from montecarlo.engine.compiled import compiled_helper
from montecarlo.engine.models import kernel
from montecarlo.kernels.least_squares import inner_products, normals
from montecarlo.kernels.reflections import TILE, fill


@compiled_helper
def _orthonormal(stream, first, frame):
    """Fill the rows by Gram-Schmidt on standard normal ones; returns the next free draw."""
    dot, draw = np.empty(frame.shape[2]), 0
    for r in range(frame.shape[0]):
        row = frame[r]
        draw = normals(stream, first, draw, row)
        for before in range(r):
            inner_products(frame[before], row, dot)
            for j in range(row.shape[0]):
                for s in range(row.shape[1]):
                    row[j, s] -= dot[s] * frame[before, j, s]
        inner_products(row, row, dot)
        for j in range(row.shape[0]):
            for s in range(row.shape[1]):
                row[j, s] /= np.sqrt(dot[s])
    return draw


@kernel(columns=4, block=2**12)
def semi_orthogonal(stream, first, rows: int, columns: int, gain, out):
    """Mean square of outputs of a layer of rows x columns for x ~ N(0, I); a weight, its square and fourth power."""
    small, large = min(rows, columns), max(rows, columns)
    for begin in range(0, out.shape[0], TILE):
        tile = out[begin : begin + TILE]
        count = tile.shape[0]
        frame, x, seen = np.empty((small, large, count)), np.empty((columns, count)), np.empty(count)
        draw = _orthonormal(stream, first + begin, frame)
        normals(stream, first + begin, draw, x)
        fill(tile[:, 0], 0.0)
        for r in range(rows):
            inner_products(x, frame[r] if rows <= columns else frame[:, r], seen)
            for s in range(count):
                tile[s, 0] += (gain * seen[s]) ** 2 / rows
        for s in range(count):
            weight = gain * frame[small - 1, 0, s]
            tile[s, 1], tile[s, 2], tile[s, 3] = weight, weight**2, weight**4
