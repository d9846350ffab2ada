"""Gradients with respect to the parameters of a NAC weight W = tanh(W_hat) sigmoid(M_hat), at the start of training.

Both parameters are uniform on [-r, r] and independent, unless a kernel says otherwise. A gradient is the central
difference quotient of the loss, played at two places that lie 2 STEP apart: its relative error is about STEP^2.
"""

from montecarlo.engine.models import kernel
from montecarlo.kernels.nac.weights import nac_weight
from montecarlo.streams.draws import uniform2
from montecarlo.streams.instructions import select
from montecarlo.streams.vector_math import exp, log, sigmoid, tanh

STEP = 2.0**-14


@kernel(columns=2)
def independent(stream, first, r, mean_g, half_g, out):
    """dL/dW_hat and dL/dM_hat where g = dL/dW is uniform with a mean and a half width, independent of everything."""
    for i in range(out.shape[0]):
        u, v = uniform2(stream, first + i, 0)
        x, _ = uniform2(stream, first + i, 1)
        g = mean_g + half_g * (2 * x - 1)
        w_hat, m_hat = r * (2 * u - 1), r * (2 * v - 1)
        out[i, 0] = g * (tanh(w_hat + STEP) - tanh(w_hat - STEP)) * sigmoid(m_hat) / (2 * STEP)
        out[i, 1] = g * tanh(w_hat) * (sigmoid(m_hat + STEP) - sigmoid(m_hat - STEP)) / (2 * STEP)


@kernel(columns=2)
def addition_layer(stream, first, r, a, b, slope, fan_in: int, out):
    """An addition layer with loss (z_out - t)^2/2; dL/dW_hat and dL/dM_hat of its first weight.

    z_out = sum_h W_h z_h with inputs U[a, b]; the target is t = slope sum_h z_h.
    """
    out[:, 0] = 0.0
    for h in range(1, fan_in):
        for i in range(out.shape[0]):
            x, _ = uniform2(stream, first + i, 2 * h + 1)
            z = a + (b - a) * x
            out[i, 0] += nac_weight(stream, first + i, 2 * h, r) * z - slope * z
    for i in range(out.shape[0]):
        u, v = uniform2(stream, first + i, 0)
        x, _ = uniform2(stream, first + i, 1)
        z = a + (b - a) * x
        w_hat, m_hat = r * (2 * u - 1), r * (2 * v - 1)
        others = out[i, 0] - slope * z
        t, s = tanh(w_hat), sigmoid(m_hat)
        up, down = others + tanh(w_hat + STEP) * s * z, others + tanh(w_hat - STEP) * s * z
        out[i, 0] = (up * up - down * down) / (4 * STEP)
        up, down = others + t * sigmoid(m_hat + STEP) * z, others + t * sigmoid(m_hat - STEP) * z
        out[i, 1] = (up * up - down * down) / (4 * STEP)


@kernel
def multiplication_unit(stream, first, r, a, b, eps, target, out):
    """A NAC multiplication unit of one input U[a, b], 0 <= a, with loss (z_out - t)^2/2; dL/dM_hat."""
    for i in range(out.shape[0]):
        u, v = uniform2(stream, first + i, 0)
        x, _ = uniform2(stream, first + i, 1)
        logarithm = log(a + (b - a) * x + eps)
        t, m_hat = tanh(r * (2 * u - 1)), r * (2 * v - 1)
        up = exp(t * sigmoid(m_hat + STEP) * logarithm) - target
        down = exp(t * sigmoid(m_hat - STEP) * logarithm) - target
        out[i, 0] = (up * up - down * down) / (4 * STEP)


@kernel
def off_centre_weight(stream, first, location, r, out):
    """W where W_hat is uniform on [location - r, location + r]."""
    for i in range(out.shape[0]):
        u, v = uniform2(stream, first + i, 0)
        out[i, 0] = tanh(location + r * (2 * u - 1)) * sigmoid(r * (2 * v - 1))


@kernel(columns=2)
def two_point_weight(stream, first, high, low, r, out):
    """W_hat is high or -low, with probabilities in the ratio tanh(low) to tanh(high); W_hat and W."""
    for i in range(out.shape[0]):
        u, v = uniform2(stream, first + i, 0)
        w_hat = select(u * (tanh(high) + tanh(low)) < tanh(low), high, -low)
        out[i, 0] = w_hat
        out[i, 1] = tanh(w_hat) * sigmoid(r * (2 * v - 1))
