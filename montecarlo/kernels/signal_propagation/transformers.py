"""Parts of a transformer as PyTorch starts them: a logit of attention, the feed-forward branch."""

import math

import numpy as np

from montecarlo.engine.models import kernel
from montecarlo.kernels.reflections import TILE, fill
from montecarlo.streams.draws import normal2, uniform2


@kernel
def attention_logit(stream, first, embedding: int, size: int, gain, out):
    """Square of q k/sqrt(size) of two standard normal tokens; weights uniform with the variance gain/embedding."""
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
