"""Layers of multiplication units, one after another, all of one width: real layers, whose outputs share their inputs.

Draw indices: inputs come first, then the weights layer by layer and output by output.
"""

import numpy as np

from montecarlo.engine.compiled import compiled_helper
from montecarlo.engine.models import kernel
from montecarlo.kernels.reflections import copy, fill
from montecarlo.streams.draws import coin, normal2, uniform2
from montecarlo.streams.instructions import ONE_BITS, from_bits, inlined
from montecarlo.streams.philox import random_bits
from montecarlo.streams.vector_math import exp, log

_U20, _U32 = np.uint64(20), np.uint64(32)


@compiled_helper
def mean_square(rows, means):
    """The mean over the rows of a block of their squares."""
    means[:] = 0.0
    for h in range(rows.shape[0]):
        for i in range(rows.shape[1]):
            means[i] += rows[h, i] ** 2 / rows.shape[0]


@inlined
def _around_zero(bits):
    """A value uniform on (-1/2, 1/2) by 32 random bits, the upper ones of a word: (k + 1/2) 2^-32 - 1/2."""
    return from_bits(((bits >> _U32) << _U20) | ONE_BITS) - (1.5 - 2.0**-33)


@compiled_helper
def add_uniform_sum(stream, first, draw, bound, rows, total):
    """Add sum_h W_h rows_h with W_h ~ U[-bound, bound] for each sample, four of 32 bits by a call; the next draw."""
    last = rows.shape[0] - 1
    for h in range(0, last + 1, 4):
        one, two, three = rows[min(h + 1, last)], rows[min(h + 2, last)], rows[min(h + 3, last)]
        of_one = 2.0 * bound if h + 1 <= last else 0.0
        of_two = 2.0 * bound if h + 2 <= last else 0.0
        of_three = 2.0 * bound if h + 3 <= last else 0.0
        for i in range(total.shape[0]):
            u, v = random_bits(stream, first + i, draw)
            total[i] += (
                2.0 * bound * _around_zero(u) * rows[h, i] + of_one * _around_zero(u << _U32) * one[i]
                + of_two * _around_zero(v) * two[i] + of_three * _around_zero(v << _U32) * three[i]
            )  # fmt: skip
        draw += 1
    return draw


@compiled_helper
def _nmu_outputs(stream, first, draw, distance, z, layers, wanted):
    """The first outputs of the last layer for inputs z, weights 1/2 +- distance by a word of bits for each output."""
    width, n = z.shape
    outputs, product, words = np.empty((width, n)), np.empty(n), np.empty(n, np.uint64)
    for layer in range(layers):
        for o in range(width if layer < layers - 1 else wanted):
            for i in range(n):
                words[i], _ = random_bits(stream, first + i, draw + layer * width + o)
                product[i] = 1.0
            for h in range(width):
                for i in range(n):
                    w = 0.5 + distance * coin(words[i], h)
                    product[i] *= w * z[h, i] + 1 - w
            copy(product, outputs[o])
        z, outputs = outputs, z
    return z


@kernel(columns=2)
def nmu_layers(stream, first, distance, sd_z, width: int, layers: int, out):
    """NMU, weights 1/2 +- distance, inputs +-sd_z: the first two outputs of the last layer; width from 2 to 64."""
    n = out.shape[0]
    z, words = np.empty((width, n)), np.empty(n, np.uint64)
    for i in range(n):
        words[i], _ = random_bits(stream, first + i, 0)
    for h in range(width):
        for i in range(n):
            z[h, i] = sd_z * coin(words[i], h)
    z = _nmu_outputs(stream, first, 1, distance, z, layers, 2)
    for i in range(n):
        out[i, 0] = z[0, i]
        out[i, 1] = z[1, i]


@kernel
def binary_layers(stream, first, half_z, width: int, layers: int, out):
    """NMU, weights 0 or 1 with probability 1/2, inputs U[-half_z, half_z]: one output at the end; width up to 64."""
    z = np.empty((width, out.shape[0]))
    for h in range(width):
        for i in range(out.shape[0]):
            z[h, i] = half_z * (2 * uniform2(stream, first + i, h)[0] - 1)
    copy(_nmu_outputs(stream, first, width, 0.5, z, layers, 1)[0], out[:, 0])


@kernel(columns=2)
def nac_mul_layers(stream, first, max_w, a, b, width: int, layers: int, out):
    """NAC multiplication, W ~ U[-max_w, max_w], x ~ U[a, b] with 0 < a, eps = 0.

    Observables: the mean of log^2 z over the units of the last layer, and z of its first unit. Layers hand on log z:
    exp and log between them cancel, and z may leave float64.
    """
    n = out.shape[0]
    logs, outputs = np.empty((width, n)), np.empty((width, n))
    for h in range(width):
        for i in range(n):
            logs[h, i] = log(a + (b - a) * uniform2(stream, first + i, h)[0])
    draw = width
    for _ in range(layers):
        for o in range(width):
            total = outputs[o]
            fill(total, 0.0)
            draw = add_uniform_sum(stream, first, draw, max_w, logs, total)
        logs, outputs = outputs, logs
    for i in range(n):
        out[i, 1] = exp(logs[0, i])
    mean_square(logs, out[:, 0])


@kernel
def normal_nac_mul_layers(stream, first, var_w, width: int, layers: int, out):
    """NAC multiplication, W ~ N(0, var_w), x = e, eps = 0: log of the mean over the last units of log^2 z."""
    n, sd_w = out.shape[0], np.sqrt(var_w)
    logs, outputs, normal = np.ones((width, n)), np.empty((width, n)), np.empty(n)
    draw = 0
    for _ in range(layers):
        for o in range(width):
            total = outputs[o]
            total[:] = 0.0
            for h in range(width):
                # On its own: with the sum in one loop it is not vectorised.
                for i in range(n):
                    normal[i] = normal2(stream, first + i, draw)[0]
                for i in range(n):
                    total[i] += sd_w * normal[i] * logs[h, i]
                draw += 1
        logs, outputs = outputs, logs
    mean_square(logs, out[:, 0])
    for i in range(n):
        out[i, 0] = log(out[i, 0])
