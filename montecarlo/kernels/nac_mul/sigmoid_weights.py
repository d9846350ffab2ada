"""The multiplication unit whose weights cannot divide: z_out = exp(sum_h sigmoid(W_hat_h) log(|z_h| + eps))."""

from montecarlo.engine.models import kernel
from montecarlo.streams.draws import uniform2
from montecarlo.streams.instructions import magnitude
from montecarlo.streams.vector_math import exp, log, sigmoid


@kernel
def unit(stream, first, r, a, b, eps, fan_in: int, out):
    """W_hat ~ U[-r, r], z ~ U[a, b], all independent."""
    out[:, 0] = 0.0
    for h in range(fan_in):
        for i in range(out.shape[0]):
            u, v = uniform2(stream, first + i, h)
            out[i, 0] += sigmoid(r * (2 * u - 1)) * log(magnitude(a + (b - a) * v) + eps)
    for i in range(out.shape[0]):
        out[i, 0] = exp(out[i, 0])
