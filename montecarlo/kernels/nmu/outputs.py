"""The neural multiplication unit: z_out = prod_h (W_h z_h + 1 - W_h).

Weights are uniform with a given mean and half width, inputs uniform with a given mean and half width, all
independent unless a kernel says otherwise.
"""

from montecarlo.engine.models import kernel
from montecarlo.streams.draws import uniform2


@kernel
def unit(stream, first, mean_w, half_w, mean_z, half_z, fan_in: int, out):
    """One output."""
    out[:, 0] = 1.0
    for h in range(fan_in):
        for i in range(out.shape[0]):
            u, v = uniform2(stream, first + i, h)
            w = mean_w + half_w * (2 * u - 1)
            z = mean_z + half_z * (2 * v - 1)
            out[i, 0] *= w * z + 1 - w


@kernel(columns=2)
def two_outputs(stream, first, mean_w, half_w, mean_z, half_z, fan_in: int, out):
    """Two outputs of a layer: the same inputs, weights of their own."""
    out[:, 0] = 1.0
    out[:, 1] = 1.0
    for h in range(fan_in):
        for i in range(out.shape[0]):
            u, v = uniform2(stream, first + i, 2 * h)
            s, _ = uniform2(stream, first + i, 2 * h + 1)
            w = mean_w + half_w * (2 * u - 1)
            w2 = mean_w + half_w * (2 * s - 1)
            z = mean_z + half_z * (2 * v - 1)
            out[i, 0] *= w * z + 1 - w
            out[i, 1] *= w2 * z + 1 - w2


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
    for i in range(out.shape[0]):
        product = 1.0
        for h in range(fan_in):
            z = 0.0
            for j in range(inputs):
                x, _ = uniform2(stream, first + i, j)
                u, _ = uniform2(stream, first + i, inputs + h * (inputs + 1) + j)
                z += r * (2 * u - 1) * (a + (b - a) * x)
            u, _ = uniform2(stream, first + i, inputs + h * (inputs + 1) + inputs)
            w = 0.5 + half_w * (2 * u - 1)
            product *= w * z + 1 - w
        out[i, 0] = product
