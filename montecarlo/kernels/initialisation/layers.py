"""Layers whose weights come from the laws by which layers are initialised.

Observables are the first output, and the gradient by the first input for deltas +-1 that know nothing of the layer.
"""

import numpy as np

from montecarlo.engine.models import kernel
from montecarlo.kernels.arithmetic.depth import add_uniform_sum, mean_square
from montecarlo.kernels.nac.weights import nac_weight
from montecarlo.kernels.reflections import fill
from montecarlo.streams.draws import coin, normal2, uniform2
from montecarlo.streams.philox import random_bits
from montecarlo.streams.vector_math import log


@kernel
def truncated_normal(stream, first, cut, out):
    """A standard normal value, drawn again until its size is at most cut."""
    for i in range(out.shape[0]):
        draw = 0
        x, y = normal2(stream, first + i, draw)
        while abs(x) > cut:
            if abs(y) <= cut:
                x = y
            else:
                draw += 1
                x, y = normal2(stream, first + i, draw)
        out[i, 0] = x


@kernel(columns=2)
def linear_layer(stream, first, half_w, mean_z, half_z, fan_in: int, fan_out: int, out):
    """Weights U[-half_w, half_w], inputs uniform with a mean and a half width; at most 63 outputs."""
    n = out.shape[0]
    words, own = np.empty(n, np.uint64), np.empty(n)
    for i in range(n):
        words[i], _ = random_bits(stream, first + i, 0)
        out[i, 0] = 0.0
        out[i, 1] = 0.0
    for h in range(fan_in):
        for i in range(n):
            u, v = uniform2(stream, first + i, 1 + h)
            own[i] = half_w * (2 * u - 1)
            out[i, 0] += own[i] * (mean_z + half_z * (2 * v - 1))
        if h == 0:
            for i in range(n):
                out[i, 1] = coin(words[i], 0) * own[i]
    for o in range(1, fan_out, 2):
        last = 0.0 if o + 1 == fan_out else half_w
        for i in range(n):
            u, v = uniform2(stream, first + i, fan_in + o)
            out[i, 1] += coin(words[i], o) * half_w * (2 * u - 1) + coin(words[i], o + 1) * last * (2 * v - 1)


@kernel(columns=2)
def relu_layer(stream, first, half_w, mean_z, sd_z, fan_in: int, fan_out: int, out):
    """z_out = sum_h W_h max(z_h, 0); weights U[-half_w, half_w], inputs normal; at most 64 outputs."""
    n = out.shape[0]
    words, total, gate = np.empty(n, np.uint64), np.empty(n), np.empty(n)
    for i in range(n):
        words[i], _ = random_bits(stream, first + i, 0)
        out[i, 0] = 0.0
    for h in range(fan_in):
        for i in range(n):
            u, _ = uniform2(stream, first + i, 2 * h + 1)
            y, _ = normal2(stream, first + i, 2 * h + 2)
            w, z = half_w * (2 * u - 1), mean_z + sd_z * y
            out[i, 0] += w * max(z, 0.0)
            if h == 0:
                gate[i] = 1.0 if z > 0 else 0.0
                total[i] = coin(words[i], 0) * w
    for o in range(1, fan_out):
        for i in range(n):
            u, _ = uniform2(stream, first + i, 2 * fan_in + o)
            total[i] += coin(words[i], o) * half_w * (2 * u - 1)
    for i in range(n):
        out[i, 1] = gate[i] * total[i]


@kernel
def nac_layer(stream, first, r, mean_z, half_z, fan_in: int, out):
    """Weights tanh(W_hat) sigmoid(M_hat), both U[-r, r]; inputs uniform with a mean and a half width."""
    out[:, 0] = 0.0
    for h in range(fan_in):
        for i in range(out.shape[0]):
            s, _ = uniform2(stream, first + i, 2 * h + 1)
            out[i, 0] += nac_weight(stream, first + i, 2 * h, r) * (mean_z + half_z * (2 * s - 1))


@kernel
def nac_mul_log(stream, first, r, a, b, fan_in: int, out):
    """log of z_out = prod_h z_h^W_h, weights as before, z ~ U[a, b], 0 < a."""
    out[:, 0] = 0.0
    for h in range(fan_in):
        for i in range(out.shape[0]):
            s, _ = uniform2(stream, first + i, 2 * h + 1)
            out[i, 0] += nac_weight(stream, first + i, 2 * h, r) * log(a + (b - a) * s)


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
