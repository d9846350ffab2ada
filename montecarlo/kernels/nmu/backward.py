"""The gradient by one input of a layer of neural multiplication units.

Output o is z_o = prod_h (W_oh z_h + 1 - W_oh): all outputs share the inputs z, and have weights of their own. The
gradient by the first input is the sum over outputs of delta_o W_o1 prod_{h > 1} (W_oh z_h + 1 - W_oh), where delta_o is
the derivative of the loss by z_o. Everything is independent unless a kernel says otherwise.

Draw indices: inputs of all outputs come first, what belongs to output o begins at (o + 1) fan_in or later. Where two
values are equally likely, one word of random bits makes up to 64 choices.
"""

import math

import numpy as np

from montecarlo.engine.compiled import compiled_helper
from montecarlo.engine.models import kernel
from montecarlo.kernels.nmu.outputs import factor
from montecarlo.kernels.reflections import fill
from montecarlo.streams.draws import beta_symmetric, coin, uniform2, uniform4
from montecarlo.streams.instructions import select
from montecarlo.streams.philox import random_bits

# An input of 1 contributes a factor of 1 whatever its weight.
NEUTRAL = 1.0


@compiled_helper
def _uniform_rows(stream, first, rows, z):
    """Fill so many rows with uniform values, four by a call, all others with neutral inputs."""
    for h in range(0, rows, 4):
        one, two, three, four = z[h], z[h + 1], z[h + 2], z[h + 3]
        for i in range(z.shape[1]):
            one[i], two[i], three[i], four[i] = uniform4(stream, first + i, h)
    for h in range(rows, z.shape[0]):
        fill(z[h], NEUTRAL)


@compiled_helper
def _inputs(stream, first, mean_z, half_z, fan_in, n):
    """Inputs of a block of samples, uniform with a mean and a half width: fan_in rows of n, then neutral ones.

    The first row comes as it is drawn, uniform on (0, 1): who wants an input scales it.
    """
    z = np.empty((fan_in + 4, n))
    _uniform_rows(stream, first, fan_in, z)
    for h in range(1, fan_in):
        _scale(z[h], mean_z, half_z)
    return z


@compiled_helper
def _scale(row, middle, half):
    for i in range(row.shape[0]):
        row[i] = middle + half * (2 * row[i] - 1)


@compiled_helper
def _multiply(stream, first, draw, mean_w, half_w, z, start, stop, product):
    """Multiply by what inputs from start on contribute, with weights of their own, uniform around a mean."""
    low, width = mean_w - half_w, 2 * half_w
    for h in range(start, stop, 4):
        one, two, three, four = z[h], z[h + 1], z[h + 2], z[h + 3]
        for i in range(product.shape[0]):
            u, v, s, t = uniform4(stream, first + i, draw + h)
            half = factor(low + width * u, one[i]) * factor(low + width * v, two[i])
            other = factor(low + width * s, three[i]) * factor(low + width * t, four[i])
            product[i] *= half * other


@kernel
def gradient(
    stream, first, mean_delta, sd_delta, corr_delta, mean_w, half_w, mean_z, half_z, fan_in: int, fan_out: int, out
):
    """Weights and inputs uniform with a mean and a half width; deltas are mean_delta +- sd_delta.

    The sign of a delta is the common one with probability sqrt(corr_delta), else one of its own: any two deltas have
    correlation corr_delta. The derivative does not contain the first input, whose place the common sign takes.
    """
    n, takes_common, low, width = out.shape[0], math.sqrt(corr_delta), mean_w - half_w, 2 * half_w
    z, term = _inputs(stream, first, mean_z, half_z, fan_in, n), np.empty(n)
    common, second, third = z[0], z[1], z[2]
    out[:, 0] = 0.0
    for o in range(fan_out):
        draw = (o + 1) * (fan_in + 4)
        for i in range(n):
            u, v, s, t = uniform4(stream, first + i, draw)
            # One uniform makes both choices: which sign, and whether it is the common one.
            share = select(u < 0.5, 2 * u, 2 * u - 1)
            sign = select(share < takes_common, common[i], u)
            delta = mean_delta + select(sign < 0.5, sd_delta, -sd_delta)
            others = factor(low + width * s, second[i]) * factor(low + width * t, third[i])
            term[i] = delta * (low + width * v) * others
        _multiply(stream, first, draw, mean_w, half_w, z, 3, fan_in, term)
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
            u, v, s, _ = uniform4(stream, first + i, h)
            z = mean_z + half_z * (2 * s - 1)
            own = factor(mean_w + half_w * (2 * u - 1), z)
            out[i, 0] *= own
            out[i, 1] *= factor(mean_w + half_w * (2 * v - 1), z)
            out[i, 2] *= own


@kernel
def squared_loss(stream, first, mean_w, half_w, mean_z, half_z, target, fan_in: int, fan_out: int, out):
    """The loss is the sum of (z_o - target)^2/2, so delta_o = z_o - target; weights and inputs uniform."""
    n, low, width = out.shape[0], mean_w - half_w, 2 * half_w
    z = _inputs(stream, first, mean_z, half_z, fan_in, n)
    _scale(z[0], mean_z, half_z)
    own, second, third, fourth = z[0], z[1], z[2], z[3]
    rest = np.empty(n)
    out[:, 0] = 0.0
    for o in range(fan_out):
        draw = (o + 1) * (fan_in + 4)
        fill(rest, 1.0)
        _multiply(stream, first, draw, mean_w, half_w, z, 4, fan_in, rest)
        for i in range(n):
            u, v, s, t = uniform4(stream, first + i, draw)
            w = low + width * u
            others = rest[i] * factor(low + width * v, second[i])
            others *= factor(low + width * s, third[i]) * factor(low + width * t, fourth[i])
            out[i, 0] += (factor(w, own[i]) * others - target) * w * others


@kernel
def binary_squared_loss(stream, first, half_z, target, fan_in: int, fan_out: int, out):
    """Squared loss; weights 0 or 1 with probability 1/2, inputs uniform on [-half_z, half_z]; fan_in up to 64."""
    n = out.shape[0]
    z = _inputs(stream, first, 0.0, half_z, fan_in, n)
    _scale(z[0], 0.0, half_z)
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
    """One output, delta = +-z_out with a random sign; weights 0 or 1, inputs on [-half_z, half_z]; fan_in up to 63."""
    z = _inputs(stream, first, 0.0, half_z, fan_in, out.shape[0])
    _scale(z[0], 0.0, half_z)
    words = np.empty(out.shape[0], np.uint64)
    for i in range(out.shape[0]):
        words[i], _ = random_bits(stream, first + i, fan_in)
        out[i, 0] = 1.0
    for h in range(1, fan_in):
        for i in range(out.shape[0]):
            out[i, 0] *= factor(0.5 + 0.5 * coin(words[i], h), z[h, i])
    for i in range(out.shape[0]):
        w = 0.5 + 0.5 * coin(words[i], 0)
        output = factor(w, z[0, i]) * out[i, 0]
        out[i, 0] *= coin(words[i], fan_in) * output * w


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
