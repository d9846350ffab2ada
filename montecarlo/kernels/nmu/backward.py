"""The gradient by one input of a layer of neural multiplication units.

Output o is z_o = prod_h (W_oh z_h + 1 - W_oh): all outputs share the inputs z, and have weights of their own. The
gradient by the first input is the sum over outputs of delta_o W_o1 prod_{h > 1} (W_oh z_h + 1 - W_oh), where delta_o is
the derivative of the loss by z_o. Everything is independent unless a kernel says otherwise.

Draw indices: input h of all outputs has index h, what belongs to output o begins at (o + 1) fan_in. Where two values
are equally likely, one word of random bits makes up to 64 choices.
"""

import math

import numpy as np

from montecarlo.engine.compiled import compiled_helper
from montecarlo.engine.models import kernel
from montecarlo.streams.draws import beta_symmetric, coin, uniform2
from montecarlo.streams.philox import random_bits


@compiled_helper
def _inputs(stream, first, mean_z, half_z, fan_in, n):
    """Inputs of a block of samples, uniform with a mean and a half width; shape (fan_in, n)."""
    z = np.empty((fan_in, n))
    for h in range(fan_in):
        for i in range(n):
            z[h, i] = mean_z + half_z * (2 * uniform2(stream, first + i, h)[0] - 1)
    return z


@kernel
def gradient(
    stream, first, mean_delta, sd_delta, corr_delta, mean_w, half_w, mean_z, half_z, fan_in: int, fan_out: int, out
):
    """Weights and inputs uniform with a mean and a half width; deltas are mean_delta +- sd_delta.

    The sign of a delta is the common one with probability sqrt(corr_delta), else one of its own: any two deltas have
    correlation corr_delta.
    """
    n, takes_common = out.shape[0], math.sqrt(corr_delta)
    z, common, term = np.empty((fan_in, n)), np.empty(n), np.empty(n)
    for h in range(1, fan_in):  # the derivative by the first input does not contain it
        for i in range(n):
            z[h, i] = mean_z + half_z * (2 * uniform2(stream, first + i, h)[0] - 1)
    for i in range(n):
        common[i] = uniform2(stream, first + i, 0)[1]
        out[i, 0] = 0.0
    for o in range(fan_out):
        draw = (o + 1) * fan_in
        for i in range(n):
            u, v = uniform2(stream, first + i, draw)
            # One uniform makes both choices: which sign, and whether it is the common one.
            share = 2 * u if u < 0.5 else 2 * u - 1
            sign = common[i] if share < takes_common else u
            delta = mean_delta + (sd_delta if sign < 0.5 else -sd_delta)
            term[i] = delta * (mean_w + half_w * (2 * v - 1))
        for h in range(1, fan_in):
            for i in range(n):
                w = mean_w + half_w * (2 * uniform2(stream, first + i, draw + h)[0] - 1)
                term[i] *= w * z[h, i] + 1 - w
        for i in range(n):
            out[i, 0] += term[i]


@kernel(columns=3)
def derivatives(stream, first, mean_w, half_w, mean_z, half_z, fan_in: int, out):
    """The derivatives of two outputs by their first input, and the first of them without its weight."""
    for i in range(out.shape[0]):
        u, v = uniform2(stream, first + i, fan_in)
        out[i, 0] = mean_w + half_w * (2 * u - 1)
        out[i, 1] = mean_w + half_w * (2 * v - 1)
        out[i, 2] = 1.0
    for h in range(1, fan_in):
        for i in range(out.shape[0]):
            z = mean_z + half_z * (2 * uniform2(stream, first + i, h)[0] - 1)
            u, v = uniform2(stream, first + i, fan_in + h)
            w = mean_w + half_w * (2 * u - 1)
            w2 = mean_w + half_w * (2 * v - 1)
            out[i, 0] *= w * z + 1 - w
            out[i, 1] *= w2 * z + 1 - w2
            out[i, 2] *= w * z + 1 - w


@kernel
def squared_loss(stream, first, mean_w, half_w, mean_z, half_z, target, fan_in: int, fan_out: int, out):
    """The loss is the sum of (z_o - target)^2/2, so delta_o = z_o - target; weights and inputs uniform."""
    n = out.shape[0]
    z = _inputs(stream, first, mean_z, half_z, fan_in, n)
    rest = np.empty(n)
    out[:, 0] = 0.0
    for o in range(fan_out):
        draw = (o + 1) * fan_in
        rest[:] = 1.0
        for h in range(1, fan_in):
            for i in range(n):
                w = mean_w + half_w * (2 * uniform2(stream, first + i, draw + h)[0] - 1)
                rest[i] *= w * z[h, i] + 1 - w
        for i in range(n):
            w = mean_w + half_w * (2 * uniform2(stream, first + i, draw)[0] - 1)
            output = (w * z[0, i] + 1 - w) * rest[i]
            out[i, 0] += (output - target) * w * rest[i]


@kernel
def binary_squared_loss(stream, first, half_z, target, fan_in: int, fan_out: int, out):
    """The same loss; weights 0 or 1 with probability 1/2, inputs uniform on [-half_z, half_z]; fan_in up to 64."""
    n = out.shape[0]
    z = _inputs(stream, first, 0.0, half_z, fan_in, n)
    rest, words = np.empty(n), np.empty(n, np.uint64)
    out[:, 0] = 0.0
    for o in range(fan_out):
        for i in range(n):
            words[i], _ = random_bits(stream, first + i, fan_in + o)
            rest[i] = 1.0
        for h in range(1, fan_in):
            for i in range(n):
                w = 0.5 + 0.5 * coin(words[i], h)
                rest[i] *= w * z[h, i] + 1 - w
        for i in range(n):
            w = 0.5 + 0.5 * coin(words[i], 0)
            output = (w * z[0, i] + 1 - w) * rest[i]
            out[i, 0] += (output - target) * w * rest[i]


@kernel
def signed_output(stream, first, half_z, fan_in: int, out):
    """One output, delta = +-z_out with a random sign; weights 0 or 1, inputs uniform on [-half_z, half_z]."""
    out[:, 0] = 1.0
    for h in range(1, fan_in):
        for i in range(out.shape[0]):
            u, v = uniform2(stream, first + i, h)
            w = 0.0 if v < 0.5 else 1.0
            out[i, 0] *= w * (half_z * (2 * u - 1)) + 1 - w
    for i in range(out.shape[0]):
        u, v = uniform2(stream, first + i, 0)
        word, _ = random_bits(stream, first + i, fan_in)
        w = 0.0 if v < 0.5 else 1.0
        output = (w * (half_z * (2 * u - 1)) + 1 - w) * out[i, 0]
        out[i, 0] *= coin(word, 0) * output * w


@kernel(columns=2)
def beta_layer(stream, first, beta_a, sd_z, fan_in: int, fan_out: int, out):
    """Weights Beta(a, a), inputs +-sd_z, deltas +-1: the first output, and the gradient; fans up to 64."""
    n = out.shape[0]
    inputs, deltas, term = np.empty(n, np.uint64), np.empty(n, np.uint64), np.empty(n)
    for i in range(n):
        inputs[i], deltas[i] = random_bits(stream, first + i, 0)
        out[i, 1] = 0.0
    for o in range(fan_out):
        draw = (o + 1) * fan_in
        term[:] = 1.0
        for h in range(1, fan_in):
            for i in range(n):
                w = beta_symmetric(stream, first + i, draw + h, beta_a)
                term[i] *= w * sd_z * coin(inputs[i], h) + 1 - w
        for i in range(n):
            w = beta_symmetric(stream, first + i, draw, beta_a)
            if o == 0:
                out[i, 0] = (w * sd_z * coin(inputs[i], 0) + 1 - w) * term[i]
            out[i, 1] += coin(deltas[i], o) * w * term[i]


@kernel(columns=2)
def two_point_layer(stream, first, distance, sd_z, fan_in: int, fan_out: int, out):
    """Weights 1/2 +- distance, inputs +-sd_z, deltas +-1: the first output, and the gradient; fans up to 64."""
    n = out.shape[0]
    inputs, deltas, words = np.empty(n, np.uint64), np.empty(n, np.uint64), np.empty(n, np.uint64)
    term = np.empty(n)
    for i in range(n):
        inputs[i], deltas[i] = random_bits(stream, first + i, 0)
        out[i, 1] = 0.0
    for o in range(fan_out):
        for i in range(n):
            words[i], _ = random_bits(stream, first + i, o + 1)
            term[i] = 1.0
        for h in range(1, fan_in):
            for i in range(n):
                w = 0.5 + distance * coin(words[i], h)
                term[i] *= w * sd_z * coin(inputs[i], h) + 1 - w
        for i in range(n):
            w = 0.5 + distance * coin(words[i], 0)
            if o == 0:
                out[i, 0] = (w * sd_z * coin(inputs[i], 0) + 1 - w) * term[i]
            out[i, 1] += coin(deltas[i], o) * w * term[i]
