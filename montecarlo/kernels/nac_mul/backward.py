"""The gradient by one input of a layer of NAC multiplication units, z_o = exp(sum_h W_oh log(|z_h| + eps)).

All outputs share the inputs and have weights of their own. The derivative of an output by the first input is carried
along with its value, step by step: logarithm, weighted sum, exponential. dL/dz is the sum over outputs of
delta_o dz_o/dz, where delta_o = dL/dz_o. Everything is independent unless a kernel says otherwise.

Draw indices: output o takes fan_in + 1 of them from o (fan_in + 1) on; the inputs are the second values of the first.
"""

from montecarlo.engine.compiled import compiled_helper
from montecarlo.engine.models import kernel
from montecarlo.streams.draws import uniform2
from montecarlo.streams.instructions import inlined, magnitude, select
from montecarlo.streams.vector_math import exp, log


@compiled_helper
def _play(stream, first, r_w, a, b, eps, fan_in, o, out):
    """Output o in column 1 and its derivative by the first input in column 2; W ~ U[-r_w, r_w], z ~ U[a, b], 0 <= a."""
    draw = o * (fan_in + 1)
    for i in range(out.shape[0]):
        w = r_w * (2 * uniform2(stream, first + i, draw)[0] - 1)
        z = a + (b - a) * uniform2(stream, first + i, 0)[1]
        out[i, 1] = w * log(z + eps)
        out[i, 2] = w / (z + eps)
    for h in range(1, fan_in):
        for i in range(out.shape[0]):
            w = r_w * (2 * uniform2(stream, first + i, draw + h)[0] - 1)
            z = a + (b - a) * uniform2(stream, first + i, h)[1]
            out[i, 1] += w * log(z + eps)
    for i in range(out.shape[0]):
        out[i, 1] = exp(out[i, 1])
        out[i, 2] *= out[i, 1]


@kernel(columns=3)
def layer(stream, first, r_w, a, b, eps, mean_delta, sd_delta, fan_in: int, fan_out: int, out):
    """dL/dz with delta = mean_delta +- sd_delta, either sign alike; then the last output and its derivative."""
    out[:, 0] = 0.0
    for o in range(fan_out):
        _play(stream, first, r_w, a, b, eps, fan_in, o, out)
        for i in range(out.shape[0]):
            u, _ = uniform2(stream, first + i, o * (fan_in + 1) + fan_in)
            out[i, 0] += (mean_delta + select(u < 0.5, sd_delta, -sd_delta)) * out[i, 2]


@kernel(columns=3)
def squared_loss(stream, first, r_w, a, b, eps, target, fan_in: int, fan_out: int, out):
    """dL/dz for the loss sum_o (z_o - target)^2/2, so delta_o = z_o - target; then the last output, its derivative."""
    out[:, 0] = 0.0
    for o in range(fan_out):
        _play(stream, first, r_w, a, b, eps, fan_in, o, out)
        for i in range(out.shape[0]):
            out[i, 0] += (out[i, 1] - target) * out[i, 2]


@kernel(columns=3)
def independent(stream, first, r_w, mean_w, a, b, eps, mean_delta, sd_delta, fan_in: int, fan_out: int, out):
    """As if z_out, W and z were independent in z_out W sign(z)/(|z| + eps); columns as of :func:`layer`.

    Each output is a unit with inputs of its own; W ~ U[mean_w - r_w, mean_w + r_w] and z ~ U[a, b] are drawn beside it.
    """
    span = 2 * fan_in + 1
    out[:, 0] = 0.0
    for o in range(fan_out):
        draw = 1 + o * span
        out[:, 1] = 0.0
        for h in range(fan_in):
            for i in range(out.shape[0]):
                u, v = uniform2(stream, first + i, draw + h)
                out[i, 1] += r_w * (2 * u - 1) * log(a + (b - a) * v + eps)
        for i in range(out.shape[0]):
            _, v = uniform2(stream, first + i, 0)
            u, x = uniform2(stream, first + i, draw + fan_in)
            out[i, 1] = exp(out[i, 1])
            out[i, 2] = out[i, 1] * (mean_w + r_w * (2 * u - 1)) / (a + (b - a) * v + eps)
            out[i, 0] += (mean_delta + select(x < 0.5, sd_delta, -sd_delta)) * out[i, 2]


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
