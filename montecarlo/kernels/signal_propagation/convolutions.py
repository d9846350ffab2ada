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
    spread = math.sqrt(weight_variance)
    for i in range(out.shape[0]):
        seen, back, draw = 0.0, 0.0, 0
        for o in range(channels_out):
            for c in range(channels_in):
                if o * groups // channels_out != c * groups // channels_in:
                    continue
                for _ in range(taps):
                    weight, value = normal2(stream, first + i, draw)
                    draw += 1
                    if o == channels_out - 1:
                        seen += spread * weight * value
                    if c == channels_in - 1:
                        back += spread * weight * normal2(stream, first + i, draw)[0]
                        draw += 1
        out[i, 0], out[i, 1] = seen * seen, back * back
