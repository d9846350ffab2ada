"""Single weights as they are drawn, and a rectified layer with normal weights."""

import numpy as np

from montecarlo.engine.compiled import compiled_helper
from montecarlo.engine.models import kernel
from montecarlo.streams.draws import normal2, normal4, uniform2
from montecarlo.streams.instructions import inlined, select

# Draws of all samples before those that are left are drawn one by one.
ROUNDS = 2


@kernel
def uniform_weight(stream, first, low, high, out):
    """A weight from U(low, high)."""
    for i in range(out.shape[0]):
        out[i, 0] = low + (high - low) * uniform2(stream, first + i, 0)[0]


@kernel
def normal_weight(stream, first, location, spread, out):
    """A weight from the normal law with this mean and this standard deviation."""
    for i in range(out.shape[0]):
        out[i, 0] = location + spread * normal2(stream, first + i, 0)[0]


@kernel
def rectified_layer(stream, first, spread, fan_in: int, out):
    """sum_h W_h max(z_h, 0) with W_h ~ N(0, spread^2) and z_h ~ N(0, 1)."""
    n = out.shape[0]
    total = np.zeros(n)
    for h in range(0, fan_in - 1, 2):
        for i in range(n):
            w, z, w_next, z_next = normal4(stream, first + i, h)
            total[i] += spread * (w * max(z, 0.0) + w_next * max(z_next, 0.0))
    if fan_in % 2:
        for i in range(n):
            w, z = normal2(stream, first + i, fan_in - 1)
            total[i] += spread * w * max(z, 0.0)
    for i in range(n):
        out[i, 0] = total[i]


@kernel
def cut_normal(stream, first, location, spread, low, high, out):
    """A value of the normal law with this mean and this standard deviation, drawn again until low < value < high."""
    draw_between(stream, first, location, spread, low, high, out)


@inlined
def _inside(value, other, low, high):
    """The first value, if it lies between the limits, else the other."""
    return select(value > low, select(value < high, value, other), other)


@compiled_helper
def draw_between(stream, first, location, spread, low, high, out):
    """Normal values, each drawn again until it lies between the limits.

    Some rounds for all samples, which are vectorised; then the few that are left one by one. Both values of a draw are
    tried in turn, so that rounds are of no influence on what a sample gets.
    """
    for i in range(out.shape[0]):
        out[i, 0] = high
    for draw in range(ROUNDS):
        for i in range(out.shape[0]):
            one, two = normal2(stream, first + i, draw)
            found = _inside(location + spread * one, _inside(location + spread * two, high, low, high), low, high)
            out[i, 0] = select(out[i, 0] < high, out[i, 0], found)
    for i in range(out.shape[0]):
        draw = ROUNDS
        while out[i, 0] >= high:
            one, two = normal2(stream, first + i, draw)
            out[i, 0] = _inside(location + spread * one, _inside(location + spread * two, high, low, high), low, high)
            draw += 1
