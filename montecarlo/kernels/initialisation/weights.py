"""Single weights as they are drawn, and a rectified layer with normal weights."""

import numpy as np

from montecarlo.engine.models import kernel
from montecarlo.streams.draws import normal2, uniform2


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
    for h in range(fan_in):
        for i in range(n):
            w, z = normal2(stream, first + i, h)
            total[i] += spread * w * max(z, 0.0)
    for i in range(n):
        out[i, 0] = total[i]


@kernel
def cut_normal(stream, first, location, spread, low, high, out):
    """A value of the normal law with this mean and this standard deviation, drawn again until low < value < high."""
    for i in range(out.shape[0]):
        draw, value = 0, high
        while value <= low or value >= high:
            one, other = normal2(stream, first + i, draw)
            draw += 1
            value = location + spread * one
            if value <= low or value >= high:
                value = location + spread * other
        out[i, 0] = value
