"""Layers with starts of their own: sparse, bilinear and recurrent ones, convolutions in groups, transformers."""

import math

import numpy as np

from montecarlo.engine.models import kernel
from montecarlo.kernels.reflections import TILE, fill
from montecarlo.streams.distributions import permutation
from montecarlo.streams.draws import normal2, uniform2


@kernel
def sparse_entry(stream, first, m: int, s, out):
    """Whether the last entry of a column of m is set to 0: a random ceil(s m) of its entries are."""
    zeros = math.ceil(s * m)
    for i in range(out.shape[0]):
        order = np.empty(m, dtype=np.int64)
        permutation(stream, first + i, 0, order)
        is_zero = 0.0
        for k in range(zeros):
            if order[k] == m - 1:
                is_zero = 1.0
        out[i, 0] = is_zero


@kernel
def bilinear(stream, first, d1: int, d2: int, out):
    """Square of x^T A z + b of d1 and d2 standard normal inputs; A and b from U(-1/sqrt(d1), 1/sqrt(d1))."""
    bound = 1.0 / math.sqrt(d1)
    for begin in range(0, out.shape[0], TILE):
        tile, sample = out[begin : begin + TILE], first + begin
        count = tile.shape[0]
        z, seen, total = np.empty((d2, count)), np.empty(count), np.empty(count)
        for k in range(d2):
            value = z[k]
            for s in range(count):
                value[s] = normal2(stream, sample + s, k)[0]
        draw = d2
        for s in range(count):
            total[s] = bound * (2.0 * uniform2(stream, sample + s, draw)[0] - 1.0)
        for _ in range(d1):
            draw, x = draw + 1, draw + 1
            fill(seen, 0.0)
            for k in range(d2):
                draw += 1
                value = z[k]
                for s in range(count):
                    seen[s] += bound * (2.0 * uniform2(stream, sample + s, draw)[0] - 1.0) * value[s]
            for s in range(count):
                total[s] += normal2(stream, sample + s, x)[0] * seen[s]
        for s in range(count):
            tile[s, 0] = total[s] * total[s]


@kernel
def recurrent_gate(stream, first, d: int, h: int, out):
    """Square of W x + b + c of d standard normal inputs x, at a state of 0; all from U(-1/sqrt(h), 1/sqrt(h))."""
    bound = 1.0 / math.sqrt(h)
    for i in range(out.shape[0]):
        one, other = uniform2(stream, first + i, 0)
        total = 2.0 * bound * (one + other - 1.0)
        for k in range(d):
            w, _ = uniform2(stream, first + i, 1 + 2 * k)
            total += bound * (2.0 * w - 1.0) * normal2(stream, first + i, 2 + 2 * k)[0]
        out[i, 0] = total * total


@kernel
def same_zeros(stream, first, m: int, s, out):
    """Whether two fills of a column of m set the same ceil(s m) entries to 0, each with a permutation of its own."""
    zeros = math.ceil(s * m)
    one, other = np.empty(m, dtype=np.int64), np.empty(m, dtype=np.int64)
    for i in range(out.shape[0]):
        permutation(stream, first + i, 0, one)
        permutation(stream, first + i, 1, other)
        same = 1.0
        for k in range(zeros):
            found = 0.0
            for j in range(zeros):
                if other[j] == one[k]:
                    found = 1.0
            same *= found
        out[i, 0] = same


@kernel
def leaky_square(stream, first, slope, out):
    """Square of max(u, 0) + slope min(u, 0) of a standard normal u: the mean of two independent values."""
    for i in range(out.shape[0]):
        u, v = normal2(stream, first + i, 0)
        one, two = u if u > 0.0 else slope * u, v if v > 0.0 else slope * v
        out[i, 0] = 0.5 * (one * one + two * two)


@kernel
def disk(stream, first, radius, out):
    """|z|^2 of a point z of a disk, drawn again from the square around it until it lies inside."""
    for i in range(out.shape[0]):
        draw, square = 0, 2.0
        while square > 1.0:
            u, v = uniform2(stream, first + i, draw)
            square = (2.0 * u - 1.0) ** 2 + (2.0 * v - 1.0) ** 2
            draw += 1
        out[i, 0] = radius * radius * square


@kernel(columns=2)
def grouped_convolution(
    stream, first, channels_in: int, channels_out: int, groups: int, taps: int, weight_variance, out
):
    """On a circle: square of an output of the last channel, and of the gradient by an input of the last channel.

    Inputs and gradients by outputs are standard normal; a channel is connected to those of its group alone. The circle
    is so long that the taps fall on different places.
    """
    spread, n, draw = math.sqrt(weight_variance), out.shape[0], 0
    out[:, :2] = 0.0
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


@kernel
def attention_logit(stream, first, embedding: int, size: int, gain, out):
    """Square of the logit q k/sqrt(size) of two normal tokens; weights uniform with the variance gain/embedding."""
    bound = math.sqrt(3.0 * gain / embedding)
    for begin in range(0, out.shape[0], TILE):
        tile, sample = out[begin : begin + TILE], first + begin
        count = tile.shape[0]
        x, y = np.empty((embedding, count)), np.empty((embedding, count))
        query, key, total = np.empty(count), np.empty(count), np.zeros(count)
        for j in range(embedding):
            one, other = x[j], y[j]
            for s in range(count):
                one[s], other[s] = normal2(stream, sample + s, j)
        for k in range(size):
            fill(query, 0.0)
            fill(key, 0.0)
            for j in range(embedding):
                one, other, draw = x[j], y[j], (k + 1) * embedding + j
                for s in range(count):
                    u, v = uniform2(stream, sample + s, draw)
                    query[s] += bound * (2.0 * u - 1.0) * one[s]
                    key[s] += bound * (2.0 * v - 1.0) * other[s]
            for s in range(count):
                total[s] += query[s] * key[s]
        for s in range(count):
            tile[s, 0] = total[s] * total[s] / size


@kernel
def feed_forward(stream, first, embedding: int, hidden: int, out):
    """Square of V max(W x + b, 0) + c of a standard normal x; all uniform up to 1/sqrt(inputs) of their layer."""
    bound, last = 1.0 / math.sqrt(embedding), 1.0 / math.sqrt(hidden)
    x = np.empty(embedding)
    for i in range(out.shape[0]):
        for j in range(embedding):
            x[j] = normal2(stream, first + i, j)[0]
        draw = embedding
        total = last * (2.0 * uniform2(stream, first + i, draw)[0] - 1.0)
        for _ in range(hidden):
            draw += 1
            u, v = uniform2(stream, first + i, draw)
            seen = bound * (2.0 * u - 1.0)
            for j in range(embedding):
                draw += 1
                seen += bound * (2.0 * uniform2(stream, first + i, draw)[0] - 1.0) * x[j]
            total += last * (2.0 * v - 1.0) * max(seen, 0.0)
        out[i, 0] = total * total
