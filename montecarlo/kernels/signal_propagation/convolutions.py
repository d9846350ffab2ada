"""Convolutions of a circle in groups of channels: an output, and the gradient by an input."""

import math

from montecarlo.engine.models import kernel
from montecarlo.streams.draws import normal2


@kernel(columns=2)
def grouped_convolution(
    stream, first, channels_in: int, channels_out: int, groups: int, taps: int, weight_variance, out
):
    """Square of an output of the last channel, and of the gradient by an input of the last channel.

    Inputs and gradients by outputs are standard normal; a channel is connected to those of its group alone. The circle
    is so long that the taps fall on different places.
    """
    spread, n, draw = math.sqrt(weight_variance), out.shape[0], 0
    out[:, 0] = 0.0
    out[:, 1] = 0.0
    for o in range(channels_out):
        for c in range(channels_in):
            if o * groups // channels_out != c * groups // channels_in:
                continue
            for _ in range(taps):
                if o == channels_out - 1:
                    for i in range(n):
                        weight, value = normal2(stream, first + i, draw)
                        out[i, 0] += spread * weight * value
                if c == channels_in - 1:
                    for i in range(n):
                        weight, _ = normal2(stream, first + i, draw)
                        value, _ = normal2(stream, first + i, draw + 1)
                        out[i, 1] += spread * weight * value
                draw += 2
    for i in range(n):
        out[i, 0], out[i, 1] = out[i, 0] ** 2, out[i, 1] ** 2
