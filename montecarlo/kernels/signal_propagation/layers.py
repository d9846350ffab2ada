"""Layers and laws that change a second moment: dropout, residual branches, transposed convolutions, cut normal laws."""

import math

import numpy as np

from montecarlo.engine.models import kernel
from montecarlo.streams.draws import normal2, uniform2

# That a dropped unit of SELU is set to: -scale alpha, its limit far on the left.
DROPPED = -1.7580993408473766


@kernel(columns=2)
def dropout(stream, first, p, mean_x, variance, out):
    """x/(1 - p) with probability 1 - p, else 0, and its square; x ~ N(mean_x, variance)."""
    spread = math.sqrt(variance)
    for i in range(out.shape[0]):
        u, _ = uniform2(stream, first + i, 0)
        x = mean_x + spread * normal2(stream, first + i, 1)[0]
        kept = x / (1.0 - p) if u >= p else 0.0
        out[i, 0], out[i, 1] = kept, kept * kept


@kernel(columns=2)
def alpha_dropout(stream, first, p, out):
    """a x + b of x ~ N(0, 1), which is -scale alpha of SELU with probability p, and its square."""
    a = 1.0 / math.sqrt((1.0 - p) * (1.0 + p * DROPPED * DROPPED))
    b = -a * p * DROPPED
    for i in range(out.shape[0]):
        u, _ = uniform2(stream, first + i, 0)
        x = normal2(stream, first + i, 1)[0] if u >= p else DROPPED
        y = a * x + b
        out[i, 0], out[i, 1] = y, y * y


@kernel
def complex_cut(stream, first, cut, out):
    """|z|^2 of a complex normal z with E|z|^2 = 1, drawn again until |z| is at most cut."""
    for i in range(out.shape[0]):
        draw = 0
        x, y = normal2(stream, first + i, draw)
        while (x * x + y * y) / 2.0 > cut * cut:
            draw += 1
            x, y = normal2(stream, first + i, draw)
        out[i, 0] = (x * x + y * y) / 2.0


@kernel(block=2**12)
def transposed_convolution(stream, first, channels_in: int, channels_out: int, size: int, stride: int, out):
    """Mean square of an output of a transposed convolution of a line far from its ends.

    Weights have the variance 1/(channels_out size), inputs are standard normal; output t sums over all inputs s and
    taps k with s stride + k = t, averaged over ``stride`` outputs in a row.
    """
    spread = 1.0 / math.sqrt(channels_out * size)
    reach = size // stride + 1
    for i in range(out.shape[0]):
        totals, draw = np.zeros(stride), 0
        for _ in range(channels_in):
            inputs, taps = np.empty(reach + 1), np.empty(size)
            for s in range(reach + 1):
                inputs[s] = normal2(stream, first + i, draw)[0]
                draw += 1
            for k in range(size):
                taps[k] = spread * normal2(stream, first + i, draw)[0]
                draw += 1
            for t in range(stride):
                for s in range(reach + 1):
                    k = t + reach * stride - s * stride
                    if k >= 0 and k < size:
                        totals[t] += taps[k] * inputs[s]
        out[i, 0] = np.sum(totals * totals) / stride


@kernel
def residual(stream, first, width: int, depth: int, branch, out):
    """Mean square of x after ``depth`` steps x + branch W x from x ~ N(0, I), W_ij ~ N(0, 1/width)."""
    spread = branch / math.sqrt(width)
    for i in range(out.shape[0]):
        x, step, draw = np.empty(width), np.empty(width), 0
        for j in range(width):
            x[j] = normal2(stream, first + i, draw)[0]
            draw += 1
        for _ in range(depth):
            for j in range(width):
                total = 0.0
                for k in range(0, width, 2):
                    one, other = normal2(stream, first + i, draw)
                    draw += 1
                    total += one * x[k] + (other * x[k + 1] if k + 1 < width else 0.0)
                step[j] = spread * total
            x += step
        out[i, 0] = np.sum(x * x) / width
