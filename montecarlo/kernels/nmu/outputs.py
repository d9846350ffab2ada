"""The neural multiplication unit: z_out = prod_h (W_h z_h + 1 - W_h).

Weights are uniform with a given mean and half width, inputs uniform with a given mean and half width, all
independent unless a kernel says otherwise.
"""

import numpy as np

from montecarlo.engine.models import kernel
from montecarlo.streams.draws import uniform2, uniform4
from montecarlo.streams.instructions import inlined


@inlined
def factor(w, z):
    """Factor of one input in an output."""
    return w * z + 1 - w


@kernel
def unit(stream, first, mean_w, half_w, mean_z, half_z, fan_in: int, out):
    """Output of an NMU layer with one unit."""
    out[:, 0] = 1.0
    low_w, low_z = mean_w - half_w, mean_z - half_z
    for h in range(0, fan_in - 1, 2):
        for i in range(out.shape[0]):
            u, v, s, t = uniform4(stream, first + i, h)
            one = factor(low_w + 2 * half_w * u, low_z + 2 * half_z * v)
            out[i, 0] *= one * factor(low_w + 2 * half_w * s, low_z + 2 * half_z * t)
    if fan_in % 2:
        for i in range(out.shape[0]):
            u, v, _, _ = uniform4(stream, first + i, fan_in - 1)
            out[i, 0] *= factor(low_w + 2 * half_w * u, low_z + 2 * half_z * v)


@kernel(columns=2)
def two_outputs(stream, first, mean_w, half_w, mean_z, half_z, fan_in: int, out):
    """Two outputs of a layer: the same inputs, weights of their own."""
    out[:, :2] = 1.0
    for h in range(fan_in):
        for i in range(out.shape[0]):
            u, v, s, _ = uniform4(stream, first + i, h)
            z = mean_z + half_z * (2 * v - 1)
            out[i, 0] *= factor(mean_w + half_w * (2 * u - 1), z)
            out[i, 1] *= factor(mean_w + half_w * (2 * s - 1), z)


@kernel
def shared_magnitude(stream, first, half_w, half_z, fan_in: int, out):
    """Inputs z_h = s_h half_z m with independent signs s_h and one magnitude m = 1/2 or 3/2 for all; E[W] = 1/2."""
    out[:, 0] = 1.0
    for h in range(fan_in):
        for i in range(out.shape[0]):
            m, _ = uniform2(stream, first + i, fan_in)
            u, v = uniform2(stream, first + i, h)
            magnitude = 0.5 if m < 0.5 else 1.5
            w = 0.5 + half_w * (2 * u - 1)
            z = half_z * (magnitude if v < 0.5 else -magnitude)
            out[i, 0] *= w * z + 1 - w


@kernel
def network(stream, first, r, half_w, a, b, inputs: int, fan_in: int, out):
    """A NAU layer before the unit: x ~ U[a, b] shared by all hidden sums, NAU weights U[-r, r].

    Hidden sums z_h = sum_j W_hj x_j share the x_j: uncorrelated, not independent. NMU weights are uniform
    around 1/2.
    """
    x = np.empty(inputs)
    for i in range(out.shape[0]):
        for j in range(inputs):
            x[j], _ = uniform2(stream, first + i, j)
        product = 1.0
        for h in range(fan_in):
            z = 0.0
            for j in range(inputs):
                u, _ = uniform2(stream, first + i, inputs + h * (inputs + 1) + j)
                z += r * (2 * u - 1) * (a + (b - a) * x[j])
            u, _ = uniform2(stream, first + i, inputs + h * (inputs + 1) + inputs)
            w = 0.5 + half_w * (2 * u - 1)
            product *= w * z + 1 - w
        out[i, 0] = product
