"""The NAC multiplication unit: z_out = exp(sum_h W_h log(|z_h| + eps)).

Inputs and weights are independent unless a kernel says otherwise. The loop over samples is innermost: that is
the loop that maps to vector registers.
"""

import math

from montecarlo.engine.models import kernel
from montecarlo.kernels.nac.weights import nac_weight
from montecarlo.streams.draws import normal2_uniform2, uniform2
from montecarlo.streams.instructions import magnitude, select
from montecarlo.streams.vector_math import exp, log, sigmoid


@kernel(work=2)
def unit(stream, first, r_w, a, b, eps, fan_in: int, out):
    """W ~ U[-r_w, r_w], z ~ U[a, b] with 0 <= a."""
    out[:, 0] = 0.0
    for h in range(fan_in):
        for i in range(out.shape[0]):
            u, v = uniform2(stream, first + i, h)
            out[i, 1] = r_w * (2 * u - 1)
            out[i, 2] = a + (b - a) * v
        for i in range(out.shape[0]):
            out[i, 0] += out[i, 1] * log(out[i, 2] + eps)
    for i in range(out.shape[0]):
        out[i, 0] = exp(out[i, 0])


@kernel(work=1)
def factor(stream, first, r_w, a, b, eps, out):
    """One factor (z + eps)^W, W ~ U[-r_w, r_w], z ~ U[a, b] with 0 <= a."""
    for i in range(out.shape[0]):
        u, v = uniform2(stream, first + i, 0)
        out[i, 0] = r_w * (2 * u - 1)
        out[i, 1] = a + (b - a) * v
    for i in range(out.shape[0]):
        out[i, 0] *= log(out[i, 1] + eps)
    for i in range(out.shape[0]):
        out[i, 0] = exp(out[i, 0])


@kernel
def sigmoid_unit(stream, first, r, a, b, eps, fan_in: int, out):
    """Weights that cannot divide, sigmoid(W_hat) with W_hat ~ U[-r, r]; z ~ U[a, b]."""
    out[:, 0] = 0.0
    for h in range(fan_in):
        for i in range(out.shape[0]):
            u, v = uniform2(stream, first + i, h)
            out[i, 0] += sigmoid(r * (2 * u - 1)) * log(magnitude(a + (b - a) * v) + eps)
    for i in range(out.shape[0]):
        out[i, 0] = exp(out[i, 0])


@kernel
def lognormal_unit(stream, first, r_w, location, scale, fan_in: int, out):
    """W ~ U[-r_w, r_w], log z ~ N(location, scale^2), eps = 0."""
    out[:, 0] = 0.0
    for h in range(0, fan_in, 2):
        last = 0.0 if h + 1 == fan_in else r_w
        for i in range(out.shape[0]):
            x, y, u, v = normal2_uniform2(stream, first + i, h)
            one = r_w * (2 * u - 1) * (location + scale * x)
            out[i, 0] += one + last * (2 * v - 1) * (location + scale * y)
    for i in range(out.shape[0]):
        out[i, 0] = exp(out[i, 0])


@kernel
def equal_inputs(stream, first, r_w, a, b, eps, fan_in: int, out):
    """All inputs are one and the same z ~ U[a, b]; the weights are independent U[-r_w, r_w]."""
    out[:, 0] = 0.0
    for h in range(fan_in):
        for i in range(out.shape[0]):
            u, _ = uniform2(stream, first + i, h)
            out[i, 0] += r_w * (2 * u - 1)
    for i in range(out.shape[0]):
        u, _ = uniform2(stream, first + i, fan_in)
        out[i, 0] = exp(out[i, 0] * log(a + (b - a) * u + eps))


@kernel
def shared_magnitude(stream, first, r_w, c, fan_in: int, out):
    """All |z_h| are together 1 or c with probability 1/2, with signs of their own; W ~ U[-r_w, r_w], eps = 0."""
    size = math.log(c)
    out[:, 0] = 0.0
    for h in range(0, fan_in, 2):
        last = 0.0 if h + 1 == fan_in else r_w
        for i in range(out.shape[0]):
            u, v = uniform2(stream, first + i, h)
            out[i, 0] += r_w * (2 * u - 1) + last * (2 * v - 1)
    for i in range(out.shape[0]):
        m, _ = uniform2(stream, first + i, fan_in)
        out[i, 0] = exp(out[i, 0] * select(m < 0.5, 0.0, size))


@kernel
def network(stream, first, r, a, b, eps, inputs: int, fan_in: int, out):
    """A NAC addition layer before the unit: x ~ U[a, b] shared by all hidden sums, all weights as in NAC.

    Hidden sums z_h = sum_j W_hj x_j share the x_j, so they are uncorrelated but not independent, and have
    either sign; weights of both layers are tanh(W_hat) sigmoid(M_hat) with both on U[-r, r].
    """
    for i in range(out.shape[0]):
        total = 0.0
        for h in range(fan_in):
            z = 0.0
            for j in range(inputs):
                x, _ = uniform2(stream, first + i, j)
                z += nac_weight(stream, first + i, inputs + h * (inputs + 1) + j, r) * (a + (b - a) * x)
            total += nac_weight(stream, first + i, inputs + h * (inputs + 1) + inputs, r) * log(abs(z) + eps)
        out[i, 0] = exp(total)
