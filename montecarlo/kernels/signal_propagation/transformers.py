"""Parts of a transformer as PyTorch starts them: a logit of attention, the feed-forward branch."""

import math

import numpy as np

from montecarlo.engine.models import kernel
from montecarlo.streams.draws import normal2, uniform2


@kernel
def attention_logit(stream, first, embedding: int, size: int, gain, out):
    """Square of q k/sqrt(size) of two standard normal tokens; weights uniform with the variance gain/embedding."""
    bound = math.sqrt(3.0 * gain / embedding)
    x, y = np.empty(embedding), np.empty(embedding)
    for i in range(out.shape[0]):
        for j in range(embedding):
            x[j], y[j] = normal2(stream, first + i, j)
        total, draw = 0.0, embedding
        for _ in range(size):
            query, key = 0.0, 0.0
            for j in range(embedding):
                u, v = uniform2(stream, first + i, draw)
                draw += 1
                query += bound * (2.0 * u - 1.0) * x[j]
                key += bound * (2.0 * v - 1.0) * y[j]
            total += query * key
        out[i, 0] = total * total / size


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
