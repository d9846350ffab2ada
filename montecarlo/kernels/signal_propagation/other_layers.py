"""Layers with starts of their own: sparse, bilinear and recurrent ones."""

import math

import numpy as np

from montecarlo.engine.models import kernel
from montecarlo.streams.distributions import permutation
from montecarlo.streams.draws import normal2, uniform2


@kernel
def sparse_entry(stream, first, rows: int, sparsity, out):
    """Whether the last entry of a column is set to 0: a random ceil(sparsity rows) of its entries are."""
    zeros = math.ceil(sparsity * rows)
    for i in range(out.shape[0]):
        order = np.empty(rows, dtype=np.int64)
        permutation(stream, first + i, 0, order)
        is_zero = 0.0
        for k in range(zeros):
            if order[k] == rows - 1:
                is_zero = 1.0
        out[i, 0] = is_zero


@kernel
def bilinear(stream, first, in1: int, in2: int, out):
    """Square of x^T A z + b of standard normal x and z; entries of A and b from U(-1/sqrt(in1), 1/sqrt(in1))."""
    bound = 1.0 / math.sqrt(in1)
    for i in range(out.shape[0]):
        total, draw = bound * (2.0 * uniform2(stream, first + i, 0)[0] - 1.0), 1
        for _ in range(in1):
            x = normal2(stream, first + i, draw)[0]
            draw += 1
            seen = 0.0
            for k in range(in2):
                w, _ = uniform2(stream, first + i, draw)
                # z is the same for all rows of A.
                seen += bound * (2.0 * w - 1.0) * normal2(stream, first + i, 2**20 + k)[0]
                draw += 1
            total += x * seen
        out[i, 0] = total * total


@kernel
def recurrent_gate(stream, first, inputs: int, hidden: int, out):
    """Square of W x + b + c of standard normal x, at a state of 0; all from U(-1/sqrt(hidden), 1/sqrt(hidden))."""
    bound = 1.0 / math.sqrt(hidden)
    for i in range(out.shape[0]):
        one, other = uniform2(stream, first + i, 0)
        total = 2.0 * bound * (one + other - 1.0)
        for k in range(inputs):
            w, _ = uniform2(stream, first + i, 1 + 2 * k)
            total += bound * (2.0 * w - 1.0) * normal2(stream, first + i, 2 + 2 * k)[0]
        out[i, 0] = total * total
