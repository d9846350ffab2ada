"""Points of the disc and the annulus, as the paper draws them, and directions of attacks."""

import math

from montecarlo.engine.models import kernel
from montecarlo.streams.draws import normal2, uniform2
from montecarlo.streams.vector_math import sincos_turns


@kernel(columns=3)
def points(stream, first, low, out):
    """r = sqrt(r'), r' ~ U(low, 1), at a uniform angle: x_1, x_2, and their squared distance from 0."""
    for i in range(out.shape[0]):
        u, v = uniform2(stream, first + i, 0)
        square = low + (1 - low) * u
        sine, cosine = sincos_turns(v)
        r = math.sqrt(square)
        out[i, 0], out[i, 1], out[i, 2] = r * cosine, r * sine, square


@kernel
def sign_step(stream, first, d: int, out):
    """sum |g_i|/(sqrt(d) |g|) of a normal vector g: what a step along the signs gains, of what one along g does."""
    for i in range(out.shape[0]):
        total, square = 0.0, 0.0
        for j in range((d + 1) // 2):
            u, v = normal2(stream, first + i, j)
            v = v if 2 * j + 1 < d else 0.0
            total += abs(u) + abs(v)
            square += u * u + v * v
        out[i, 0] = total / math.sqrt(d * square)
