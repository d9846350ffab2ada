"""The error of a whole network on the arithmetic task, for weights that are given."""

from montecarlo.engine.models import kernel
from montecarlo.streams.draws import uniform2


@kernel
def nmu_error(stream, first, w11, w12, w13, w14, w21, w22, w23, w24, v1, v2, lower, upper, out):
    """y - t of an NAU (weights w) and an NMU (weights v) on t = (x_1 + x_2)(x_1 + x_2 + x_3 + x_4).

    Inputs are uniform on [lower, upper].
    """
    for i in range(out.shape[0]):
        p, q = uniform2(stream, first + i, 0)
        r, s = uniform2(stream, first + i, 1)
        width = upper - lower
        x1, x2, x3, x4 = lower + width * p, lower + width * q, lower + width * r, lower + width * s
        z1 = w11 * x1 + w12 * x2 + w13 * x3 + w14 * x4
        z2 = w21 * x1 + w22 * x2 + w23 * x3 + w24 * x4
        t = (x1 + x2) * (x1 + x2 + x3 + x4)
        out[i, 0] = (v1 * z1 + 1.0 - v1) * (v2 * z2 + 1.0 - v2) - t
