"""Linear regions of random ReLU networks sum_j v_j max(0, w_j . x + b_j), w_j ~ N(0, I), b_j ~ N(0, bias_scale^2)."""

import math

import numpy as np

from montecarlo.engine.models import kernel
from montecarlo.streams.draws import normal2
from montecarlo.streams.instructions import inlined


@inlined
def _crosses_inside(w_1, w_2, b, v_1, v_2, c, radius):
    """Whether the lines w . x + b = 0 and v . x + c = 0 cross within the disc, by Cramer's rule."""
    determinant = w_1 * v_2 - w_2 * v_1
    x = w_2 * c - v_2 * b
    y = v_1 * b - w_1 * c
    return x * x + y * y < (radius * determinant) ** 2


@kernel
def crosses(stream, first, radius, bias_scale, out):
    """Whether two lines cross within the disc about 0."""
    for i in range(out.shape[0]):
        w_1, w_2 = normal2(stream, first + i, 0)
        v_1, v_2 = normal2(stream, first + i, 1)
        b, c = normal2(stream, first + i, 2)
        inside = _crosses_inside(w_1, w_2, bias_scale * b, v_1, v_2, bias_scale * c, radius)
        out[i, 0] = 1.0 if inside else 0.0


@kernel(block=2**14)
def regions_of_disc(stream, first, radius, bias_scale, width: int, out):
    """The disc is one region; each line adds one, and one for each line before it that it crosses inside."""
    w, b = np.empty((width, 2)), np.empty(width)
    for i in range(out.shape[0]):
        found = 1.0
        for j in range(width):
            w[j, 0], w[j, 1] = normal2(stream, first + i, 2 * j)
            bias, _ = normal2(stream, first + i, 2 * j + 1)
            b[j] = bias_scale * bias
            found += 1.0 if abs(b[j]) < radius * math.sqrt(w[j, 0] ** 2 + w[j, 1] ** 2) else 0.0
            for other in range(j):
                inside = _crosses_inside(w[j, 0], w[j, 1], b[j], w[other, 0], w[other, 1], b[other], radius)
                found += 1.0 if inside else 0.0
        out[i, 0] = found


@kernel
def pieces_of_segment(stream, first, x_1, x_2, y_1, y_2, bias_scale, width: int, out):
    """Linear pieces from x to y: one more for each unit that is active at one end only."""
    for i in range(out.shape[0]):
        found = 1.0
        for j in range(width):
            w_1, w_2 = normal2(stream, first + i, 2 * j)
            bias, _ = normal2(stream, first + i, 2 * j + 1)
            at_x = w_1 * x_1 + w_2 * x_2 + bias_scale * bias
            at_y = w_1 * y_1 + w_2 * y_2 + bias_scale * bias
            found += 1.0 if at_x * at_y < 0.0 else 0.0
        out[i, 0] = found
