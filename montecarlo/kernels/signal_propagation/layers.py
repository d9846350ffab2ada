"""Layers and laws that change a second moment: dropout, residual branches, transposed convolutions, cut normal laws."""

import math

import numpy as np

from montecarlo.engine.models import kernel
from montecarlo.kernels.arithmetic.depth import mean_square
from montecarlo.kernels.least_squares import normals
from montecarlo.kernels.reflections import TILE, fill
from montecarlo.streams.draws import normal2, normal2_uniform2, uniform2
from montecarlo.streams.instructions import select

# That a dropped unit of SELU is set to: -scale alpha, its limit far on the left.
DROPPED = -1.7580993408473766


@kernel(columns=2)
def dropout(stream, first, p, mean_x, variance, out):
    """x/(1 - p) with probability 1 - p, else 0, and its square, means of two units; x ~ N(mean_x, variance)."""
    spread = math.sqrt(variance)
    for i in range(out.shape[0]):
        x, y, u, v = normal2_uniform2(stream, first + i, 0)
        one = select(u >= p, (mean_x + spread * x) / (1.0 - p), 0.0)
        two = select(v >= p, (mean_x + spread * y) / (1.0 - p), 0.0)
        out[i, 0], out[i, 1] = 0.5 * (one + two), 0.5 * (one * one + two * two)


@kernel(columns=2)
def alpha_dropout(stream, first, p, out):
    """a x + b of x ~ N(0, 1), which is -scale alpha of SELU with probability p, and its square."""
    a = 1.0 / math.sqrt((1.0 - p) * (1.0 + p * DROPPED * DROPPED))
    b = -a * p * DROPPED
    for i in range(out.shape[0]):
        u, _ = uniform2(stream, first + i, 0)
        x = select(u >= p, normal2(stream, first + i, 1)[0], DROPPED)
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
    for begin in range(0, out.shape[0], TILE):
        tile, sample = out[begin : begin + TILE], first + begin
        count = tile.shape[0]
        inputs, taps = np.empty((reach + 1, count)), np.empty((size, count))
        totals, draw = np.zeros((stride, count)), 0
        for _ in range(channels_in):
            for k in range(reach + 1 + size):
                values = inputs[k] if k <= reach else taps[k - reach - 1]
                for s in range(count):
                    values[s] = normal2(stream, sample + s, draw)[0]
                draw += 1
            for t in range(stride):
                for r in range(reach + 1):
                    k = t + reach * stride - r * stride
                    if k >= 0 and k < size:
                        total, tap, value = totals[t], taps[k], inputs[r]
                        for s in range(count):
                            total[s] += spread * tap[s] * value[s]
        mean_square(totals, tile[:, 0])


@kernel
def residual(stream, first, width: int, depth: int, branch, out):
    """Mean square of x after ``depth`` steps x + branch W x from x ~ N(0, I), W_ij ~ N(0, 1/width)."""
    spread = branch / math.sqrt(width)
    for begin in range(0, out.shape[0], TILE):
        tile = out[begin : begin + TILE]
        count = tile.shape[0]
        x, step, row = np.empty((width, count)), np.empty((width, count)), np.empty((width, count))
        draw = normals(stream, first + begin, 0, x)
        for _ in range(depth):
            for j in range(width):
                draw = normals(stream, first + begin, draw, row)
                fill(step[j], 0.0)
                for k in range(width):
                    for s in range(count):
                        step[j, s] += spread * row[k, s] * x[k, s]
            for j in range(width):
                for s in range(count):
                    x[j, s] += step[j, s]
        mean_square(x, tile[:, 0])
