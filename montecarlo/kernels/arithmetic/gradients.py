"""Gradients of one weight or input, from the definition of the unit alone: the loss is played at two places.

An NMU is affine in each weight and each input, so that its difference quotient is its derivative for any step. For the
other units it is a central one, whose relative error is about STEP^2/6 times a third derivative: below 1e-7
where these kernels are used. The loss is linear in the outputs, with coefficients delta.
"""

from montecarlo.engine.models import kernel
from montecarlo.streams.draws import uniform2
from montecarlo.streams.instructions import inlined, magnitude
from montecarlo.streams.vector_math import exp, log, sigmoid, tanh

STEP = 2.0**-14


@kernel(columns=2)
def nac_parameters(stream, first, w_hat, m_hat, mean_g, out):
    """L = g tanh(W_hat) sigmoid(M_hat) by W_hat and by M_hat; g is uniform on mean_g +- 1/2."""
    for i in range(out.shape[0]):
        u, _ = uniform2(stream, first + i, 0)
        g = mean_g + u - 0.5
        out[i, 0] = g * (tanh(w_hat + STEP) - tanh(w_hat - STEP)) * sigmoid(m_hat) / (2 * STEP)
        out[i, 1] = g * tanh(w_hat) * (sigmoid(m_hat + STEP) - sigmoid(m_hat - STEP)) / (2 * STEP)


@inlined
def _two_powers(delta_1, delta_2, w_1, w_2, z, eps, rest):
    x = log(magnitude(z) + eps)
    return delta_1 * exp(w_1 * x + rest) + delta_2 * exp(w_2 * x + rest)


@kernel(columns=2)
def nac_mul_layer(stream, first, w_1, w_2, z, eps, mean_delta_1, mean_delta_2, out):
    """A NAC multiplication layer of two inputs and two outputs; dL/dz of the first input, dz_1/dW_1.

    The first input is z, with weights w_1 and w_2; the second is uniform on [1, 2], with weight 1 for both outputs.
    Each delta is uniform around its mean, +- 1/2.
    """
    for i in range(out.shape[0]):
        u, v = uniform2(stream, first + i, 0)
        second, _ = uniform2(stream, first + i, 1)
        rest = log(1 + second + eps)
        d_1, d_2 = mean_delta_1 + u - 0.5, mean_delta_2 + v - 0.5
        up = _two_powers(d_1, d_2, w_1, w_2, z + STEP, eps, rest)
        down = _two_powers(d_1, d_2, w_1, w_2, z - STEP, eps, rest)
        out[i, 0] = (up - down) / (2 * STEP)
        up = _two_powers(1.0, 0.0, w_1 + STEP, w_2, z, eps, rest)
        down = _two_powers(1.0, 0.0, w_1 - STEP, w_2, z, eps, rest)
        out[i, 1] = (up - down) / (2 * STEP)


@inlined
def _two_products(delta_1, delta_2, w_1, w_2, z, rest_1, rest_2):
    return delta_1 * (w_1 * z + 1 - w_1) * rest_1 + delta_2 * (w_2 * z + 1 - w_2) * rest_2


@kernel(columns=2)
def nmu_layer(stream, first, w_1, w_2, z, mean_delta_1, mean_delta_2, out):
    """An NMU layer of two inputs and two outputs; dL/dz of the first input, dL/dW_1 of its weight to the first output.

    The first input is z, with weights w_1 and w_2; the second is uniform on [1, 2], with weights 1/2 and 1. Each
    delta is uniform around its mean, +- 1/2.
    """
    for i in range(out.shape[0]):
        u, v = uniform2(stream, first + i, 0)
        second, _ = uniform2(stream, first + i, 1)
        rest_1, rest_2 = 0.5 * (1 + second) + 0.5, 1 + second
        d_1, d_2 = mean_delta_1 + u - 0.5, mean_delta_2 + v - 0.5
        up = _two_products(d_1, d_2, w_1, w_2, z + 1, rest_1, rest_2)
        out[i, 0] = up - _two_products(d_1, d_2, w_1, w_2, z, rest_1, rest_2)
        up = _two_products(d_1, d_2, w_1 + 1, w_2, z, rest_1, rest_2)
        out[i, 1] = up - _two_products(d_1, d_2, w_1, w_2, z, rest_1, rest_2)
