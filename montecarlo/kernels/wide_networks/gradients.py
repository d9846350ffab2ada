"""Squared length of the gradient of random networks f(x) = sum_j v_j phi(w_j . x + b_j) on two inputs.

v_j ~ N(0, 1/H), w_j ~ N(0, weight_scale^2 I), b_j ~ N(0, bias_scale^2), all independent.
"""

import math

from montecarlo.engine.models import kernel
from montecarlo.streams.draws import normal2
from montecarlo.streams.instructions import inlined
from montecarlo.streams.vector_math import tanh


@inlined
def _relu_slope(u):
    return 1.0 if u > 0.0 else 0.0


@inlined
def _erf_slope(u):
    return 2 / math.sqrt(math.pi) * math.exp(-u * u)


@inlined
def _tanh_slope(u):
    value = tanh(u)
    return 1.0 - value * value


@inlined
def _squared_gradient(slope, stream, sample, x_1, x_2, weight_scale, bias_scale, width):
    along_1, along_2 = 0.0, 0.0
    for j in range(width):
        w_1, w_2 = normal2(stream, sample, 2 * j)
        bias, v = normal2(stream, sample, 2 * j + 1)
        part = v * slope(weight_scale * (w_1 * x_1 + w_2 * x_2) + bias_scale * bias)
        along_1 += part * w_1
        along_2 += part * w_2
    return weight_scale * weight_scale * (along_1 * along_1 + along_2 * along_2) / width


@kernel(block=2**14)
def relu_gradient(stream, first, x_1, x_2, weight_scale, bias_scale, width: int, out):
    """|grad f(x)|^2, phi(u) = max(u, 0)."""
    for i in range(out.shape[0]):
        out[i, 0] = _squared_gradient(
            _relu_slope, stream, first + i, x_1, x_2, weight_scale, bias_scale, width
        )  # fmt: skip


@kernel(block=2**14)
def erf_gradient(stream, first, x_1, x_2, weight_scale, bias_scale, width: int, out):
    """|grad f(x)|^2, phi = erf."""
    for i in range(out.shape[0]):
        out[i, 0] = _squared_gradient(
            _erf_slope, stream, first + i, x_1, x_2, weight_scale, bias_scale, width
        )  # fmt: skip


@kernel(block=2**14)
def tanh_gradient(stream, first, x_1, x_2, weight_scale, bias_scale, width: int, out):
    """|grad f(x)|^2, phi = tanh."""
    for i in range(out.shape[0]):
        out[i, 0] = _squared_gradient(
            _tanh_slope, stream, first + i, x_1, x_2, weight_scale, bias_scale, width
        )  # fmt: skip
