"""Layers whose weights come from the laws by which layers are initialised.

Observables are the first output, or the gradient by the first input for deltas +-1 that know nothing of the layer.
"""

import math

import numpy as np

from montecarlo.engine.compiled import compiled_helper
from montecarlo.engine.models import kernel
from montecarlo.kernels.arithmetic.depth import add_uniform_sum, mean_square
from montecarlo.kernels.initialisation.weights import draw_between
from montecarlo.kernels.nac.weights import nac_weight_of
from montecarlo.kernels.reflections import copy, fill
from montecarlo.streams.draws import coin, normal2, normal2_uniform2, uniform2, uniform4
from montecarlo.streams.instructions import inlined, select
from montecarlo.streams.philox import random_bits
from montecarlo.streams.vector_math import log


@kernel
def truncated_normal(stream, first, cut, out):
    """A standard normal value, drawn again until its size is below cut."""
    draw_between(stream, first, 0.0, 1.0, -cut, cut, out)


@kernel
def linear_layer(stream, first, half_w, mean_z, half_z, fan_in: int, out):
    """Weights U[-half_w, half_w], inputs uniform with a mean and a half width."""
    out[:, 0] = 0.0
    for h in range(0, fan_in, 2):
        last = 0.0 if h + 1 == fan_in else half_w
        for i in range(out.shape[0]):
            u, v, s, t = uniform4(stream, first + i, h)
            one = half_w * (2 * u - 1) * (mean_z + half_z * (2 * v - 1))
            out[i, 0] += one + last * (2 * s - 1) * (mean_z + half_z * (2 * t - 1))


@kernel
def linear_gradient(stream, first, half_w, fan_out: int, out):
    """Weights U[-half_w, half_w], at most 64 outputs: the gradient sum_o delta_o W_o1, whatever the inputs are."""
    copy(_gradient(stream, first, half_w, fan_out, out.shape[0]), out[:, 0])


@compiled_helper
def _gradient(stream, first, half_w, fan_out, n):
    """sum_o delta_o W_o1 of n samples."""
    words, total = np.empty(n, np.uint64), np.zeros(n)
    for i in range(n):
        words[i], _ = random_bits(stream, first + i, 0)
    for o in range(0, fan_out, 4):
        one, two = half_w if o + 1 < fan_out else 0.0, half_w if o + 2 < fan_out else 0.0
        three = half_w if o + 3 < fan_out else 0.0
        for i in range(n):
            u, v, s, t = uniform4(stream, first + i, o + 1)
            half = coin(words[i], o) * half_w * (2 * u - 1) + coin(words[i], o + 1) * one * (2 * v - 1)
            other = coin(words[i], o + 2) * two * (2 * s - 1) + coin(words[i], o + 3) * three * (2 * t - 1)
            total[i] += half + other
    return total


@kernel(columns=2)
def glorot_layer(stream, first, half_z, half_delta, fan_in: int, fan_out: int, out):
    """The first output, and the gradient by the first input of a loss with coefficients delta.

    Weights are uniform with mean zero and variance 2/(fan_in + fan_out), inputs and deltas uniform around zero.
    """
    bound, n = math.sqrt(6.0 / (fan_in + fan_out)), out.shape[0]
    for i in range(n):
        # The first weight, with what it multiplies on both sides.
        w, z, delta, _ = uniform4(stream, first + i, 0)
        out[i, 0] = (2 * w - 1) * (2 * z - 1)
        out[i, 1] = (2 * w - 1) * (2 * delta - 1)
    _add_products(stream, first, 1, fan_in - 1, out[:, 0])
    _add_products(stream, first, fan_in, fan_out - 1, out[:, 1])
    for i in range(n):
        out[i, 0] *= bound * half_z
        out[i, 1] *= bound * half_delta


@compiled_helper
def _add_products(stream, first, draw, number, total):
    """Add so many products of two values uniform on [-1, 1], from this draw index on."""
    for k in range(0, number, 2):
        last = 0.0 if k + 1 == number else 1.0
        for i in range(total.shape[0]):
            u, v, s, t = uniform4(stream, first + i, draw + k)
            total[i] += (2 * u - 1) * (2 * v - 1) + last * (2 * s - 1) * (2 * t - 1)


@kernel
def relu_layer(stream, first, half_w, mean_z, sd_z, fan_in: int, out):
    """z_out = sum_h W_h max(z_h, 0); weights U[-half_w, half_w], inputs normal."""
    out[:, 0] = 0.0
    for h in range(0, fan_in, 2):
        last = 0.0 if h + 1 == fan_in else half_w
        for i in range(out.shape[0]):
            x, y, u, v = normal2_uniform2(stream, first + i, h)
            one = half_w * (2 * u - 1) * max(mean_z + sd_z * x, 0.0)
            out[i, 0] += one + last * (2 * v - 1) * max(mean_z + sd_z * y, 0.0)


@kernel
def relu_gradient(stream, first, half_w, mean_z, sd_z, fan_out: int, out):
    """Weights and inputs as before, at most 64 outputs: the gradient by the first input, where that is positive."""
    total = _gradient(stream, first, half_w, fan_out, out.shape[0])
    for i in range(out.shape[0]):
        x, _ = normal2(stream, first + i, fan_out + 1)
        out[i, 0] = select(mean_z + sd_z * x > 0.0, total[i], 0.0)


@inlined
def _weighted(u, v, r):
    """W of the NAC, both of its parameters on [-r, r]."""
    return nac_weight_of(r * (2 * u - 1), r * (2 * v - 1))


@kernel
def nac_layer(stream, first, r, mean_z, half_z, fan_in: int, out):
    """Weights tanh(W_hat) sigmoid(M_hat), both U[-r, r]; inputs uniform with a mean and a half width."""
    out[:, 0] = 0.0
    for h in range(fan_in):
        for i in range(out.shape[0]):
            u, v, s, _ = uniform4(stream, first + i, h)
            out[i, 0] += _weighted(u, v, r) * (mean_z + half_z * (2 * s - 1))


@kernel
def nac_mul_log(stream, first, r, a, b, fan_in: int, out):
    """log of z_out = prod_h z_h^W_h, weights as before, z ~ U[a, b], 0 < a."""
    out[:, 0] = 0.0
    for h in range(fan_in):
        for i in range(out.shape[0]):
            u, v, s, _ = uniform4(stream, first + i, h)
            out[i, 0] += _weighted(u, v, r) * log(a + (b - a) * s)


@kernel(block=2**14)
def linear_layers(stream, first, half_w, half_z, rectified: int, width: int, layers: int, out):
    """Several layers of one width, weights and inputs uniform; the mean square of the last outputs.

    With rectified = 1 each layer sees max(z, 0) for z.
    """
    n = out.shape[0]
    z, outputs = np.empty((width, n)), np.empty((width, n))
    for h in range(width):
        for i in range(n):
            z[h, i] = half_z * (2 * uniform2(stream, first + i, h)[0] - 1)
    draw = width
    for _ in range(layers):
        for h in range(width if rectified else 0):
            for i in range(n):
                z[h, i] = max(z[h, i], 0.0)
        for o in range(width):
            total = outputs[o]
            fill(total, 0.0)
            draw = add_uniform_sum(stream, first, draw, half_w, z, total)
        z, outputs = outputs, z
    mean_square(z, out[:, 0])


@kernel
def first_step(stream, first, fan_in: int, rank: int, s, out):
    """s^2 |A x|^2 of a low-rank adapter beside a layer, x standard normal, A uniform up to 1/sqrt(fan_in)."""
    bound = 1.0 / math.sqrt(fan_in)
    x = np.empty(fan_in)
    for i in range(out.shape[0]):
        for j in range(fan_in):
            x[j] = normal2(stream, first + i, j)[0]
        draw, total = fan_in, 0.0
        for _ in range(rank):
            seen = 0.0
            for j in range(fan_in):
                seen += bound * (2.0 * uniform2(stream, first + i, draw)[0] - 1.0) * x[j]
                draw += 1
            total += seen * seen
        out[i, 0] = s * s * total
