"""The gradient by one input of a layer of NAC multiplication units, z_o = exp(sum_h W_oh log(|z_h| + eps)).

All outputs share the inputs and have weights of their own. The derivative of an output by the first input is carried
along with its value, step by step: logarithm, weighted sum, exponential. dL/dz is the sum over outputs of
delta_o dz_o/dz, where delta_o = dL/dz_o. Everything is independent unless a kernel says otherwise.

Draw indices: what all outputs share comes first, then fan_in + 1 of them for each output. The signs of up to 64 deltas
are the bits of one word.
"""

import numpy as np

from montecarlo.engine.compiled import compiled_helper
from montecarlo.engine.models import kernel
from montecarlo.kernels.reflections import fill
from montecarlo.streams.draws import coin, uniform2, uniform4
from montecarlo.streams.instructions import inlined, magnitude, select
from montecarlo.streams.philox import random_bits
from montecarlo.streams.vector_math import exp, log


@compiled_helper
def _inputs(stream, first, a, b, eps, fan_in, n):
    """log(z + eps) of all inputs of a block of samples, z ~ U[a, b], 0 <= a, and 1/(z + eps) of the first.

    Rows of zeros make up a multiple of four: whatever their weights, they contribute nothing.
    """
    logs, inverse = np.zeros((-(-fan_in // 4) * 4, n)), np.empty(n)
    for h in range(0, fan_in, 2):
        row, next_row = logs[h], logs[h + 1]
        for i in range(n):
            u, v = uniform2(stream, first + i, h)
            row[i], next_row[i] = a + (b - a) * u + eps, a + (b - a) * v + eps
    for i in range(n):
        inverse[i] = 1.0 / logs[0, i]
    for h in range(fan_in):
        row = logs[h]
        for i in range(n):
            row[i] = log(row[i])
    if fan_in % 2:
        fill(logs[fan_in], 0.0)
    return logs, inverse


@compiled_helper
def _play(stream, first, r_w, logs, inverse, draw, out):
    """An output in column 1 and its derivative by the first input in column 2; W ~ U[-r_w, r_w]."""
    for h in range(0, logs.shape[0], 4):
        one, two, three, four = logs[h], logs[h + 1], logs[h + 2], logs[h + 3]
        for i in range(out.shape[0]):
            u, v, s, t = uniform4(stream, first + i, draw + h)
            w = r_w * (2 * u - 1)
            total = w * one[i] + r_w * ((2 * v - 1) * two[i] + (2 * s - 1) * three[i] + (2 * t - 1) * four[i])
            if h == 0:
                out[i, 1] = total
                out[i, 2] = w * inverse[i]
            else:
                out[i, 1] += total
    for i in range(out.shape[0]):
        out[i, 1] = exp(out[i, 1])
        out[i, 2] *= out[i, 1]


@kernel(columns=3)
def layer(stream, first, r_w, a, b, eps, mean_delta, sd_delta, fan_in: int, fan_out: int, out):
    """dL/dz with delta = mean_delta +- sd_delta, either sign alike; then the last output and its derivative."""
    logs, inverse = _inputs(stream, first, a, b, eps, fan_in, out.shape[0])
    words = np.empty(out.shape[0], np.uint64)
    for i in range(out.shape[0]):
        words[i], _ = random_bits(stream, first + i, fan_in)
        out[i, 0] = 0.0
    for o in range(fan_out):
        _play(stream, first, r_w, logs, inverse, (o + 1) * (fan_in + 1), out)
        for i in range(out.shape[0]):
            out[i, 0] += (mean_delta + sd_delta * coin(words[i], o)) * out[i, 2]


@kernel(columns=3)
def squared_loss(stream, first, r_w, a, b, eps, target, fan_in: int, fan_out: int, out):
    """dL/dz for the loss sum_o (z_o - target)^2/2, so delta_o = z_o - target; then the last output, its derivative."""
    logs, inverse = _inputs(stream, first, a, b, eps, fan_in, out.shape[0])
    out[:, 0] = 0.0
    for o in range(fan_out):
        _play(stream, first, r_w, logs, inverse, (o + 1) * (fan_in + 1), out)
        for i in range(out.shape[0]):
            out[i, 0] += (out[i, 1] - target) * out[i, 2]


@kernel(columns=3)
def independent(stream, first, r_w, mean_w, a, b, eps, mean_delta, sd_delta, fan_in: int, fan_out: int, out):
    """Gradient as if z_out, W and z were independent in z_out W sign(z)/(|z| + eps); columns as of :func:`layer`.

    Each output is a unit with inputs of its own; W ~ U[mean_w - r_w, mean_w + r_w] and z ~ U[a, b] are drawn beside it.
    """
    n, odd = out.shape[0], fan_in % 2
    inverse, words = np.empty(n), np.empty(n, np.uint64)
    w, z, w2, z2 = np.empty(n), np.empty(n), np.empty(n), np.empty(n)
    for i in range(n):
        words[i], _ = random_bits(stream, first + i, 0)  # the other word makes the second uniform value
        inverse[i] = 1.0 / (a + (b - a) * uniform2(stream, first + i, 0)[1] + eps)
        out[i, 0] = 0.0
    for o in range(fan_out):
        draw = 1 + o * (fan_in + 1)
        out[:, 1] = 0.0
        # What draws and what computes logarithms are loops of their own: together their constants fill the registers.
        for h in range(0, fan_in - odd, 2):
            for i in range(n):
                w[i], z[i], w2[i], z2[i] = uniform4(stream, first + i, draw + h)
            for i in range(n):
                one = (2 * w[i] - 1) * log(a + (b - a) * z[i] + eps)
                out[i, 1] += r_w * (one + (2 * w2[i] - 1) * log(a + (b - a) * z2[i] + eps))
        for i in range(n):
            w[i], z[i], w2[i], _ = uniform4(stream, first + i, draw + fan_in)
        if odd:
            for i in range(n):
                out[i, 1] += r_w * (2 * w[i] - 1) * log(a + (b - a) * z[i] + eps)
        for i in range(n):
            out[i, 1] = exp(out[i, 1])
            out[i, 2] = out[i, 1] * (mean_w + r_w * (2 * w2[i] - 1)) * inverse[i]
            out[i, 0] += (mean_delta + sd_delta * coin(words[i], o)) * out[i, 2]


@kernel
def three_factors(stream, first, mean_out, half_out, mean_w, half_w, mean_q, half_q, out):
    """A product of three independent uniform variables with given means and half widths."""
    for i in range(out.shape[0]):
        u, v = uniform2(stream, first + i, 0)
        x, _ = uniform2(stream, first + i, 1)
        product = (mean_out + half_out * (2 * u - 1)) * (mean_w + half_w * (2 * v - 1))
        out[i, 0] = product * (mean_q + half_q * (2 * x - 1))


@inlined
def _sign(z):
    return select(z > 0.0, 1.0, select(z < 0.0, -1.0, 0.0))


@kernel
def inverse(stream, first, low, high, eps, out):
    """sign(z)/(|z| + eps) for z ~ U[low, high], of any sign."""
    for i in range(out.shape[0]):
        u, _ = uniform2(stream, first + i, 0)
        z = low + (high - low) * u
        out[i, 0] = _sign(z) / (magnitude(z) + eps)


@kernel
def inverse_random_sign(stream, first, a, b, eps, out):
    """sign(z)/(|z| + eps) for |z| ~ U[a, b] with a random sign."""
    for i in range(out.shape[0]):
        u, v = uniform2(stream, first + i, 0)
        z = (a + (b - a) * u) * select(v < 0.5, 1.0, -1.0)
        out[i, 0] = _sign(z) / (magnitude(z) + eps)


@kernel
def minus_size(stream, first, w, b, eps, out):
    """-|dz_out/dz| of a unit with one input z ~ U[0, b] and the weight w."""
    for i in range(out.shape[0]):
        u, _ = uniform2(stream, first + i, 0)
        z = b * u
        out[i, 0] = -magnitude(exp(w * log(z + eps)) * (w / (z + eps)))


@kernel
def positive_weight(stream, first, a, b, eps, out):
    """dz_out/dz of a unit with one input z ~ U[a, b] and W ~ U[0, 1]."""
    for i in range(out.shape[0]):
        w, v = uniform2(stream, first + i, 0)
        z = a + (b - a) * v
        out[i, 0] = exp(w * log(z + eps)) * (w / (z + eps))
