"""The weight of the NAC units: W = tanh(W_hat) sigmoid(M_hat)."""

from montecarlo.engine.models import kernel
from montecarlo.streams.draws import uniform2
from montecarlo.streams.instructions import inlined, magnitude, select
from montecarlo.streams.vector_math import exp, expm1, sigmoid, tanh


@inlined
def nac_weight_of(w_hat, m_hat):
    """W of its parameters, with one division for both functions: (1 - E)/(1 + E)/(1 + exp(-m)), E = exp(-2 |w|)."""
    less = expm1(-2.0 * magnitude(w_hat))
    size = -less / ((2.0 + less) * (1.0 + exp(-m_hat)))
    return select(w_hat < 0.0, -size, size)


@inlined
def nac_weight(stream, sample, draw, r):
    """W of one draw, both parameters uniform on [-r, r] and independent."""
    u, v = uniform2(stream, sample, draw)
    return nac_weight_of(r * (2 * u - 1), r * (2 * v - 1))


@kernel
def weight(stream, first, r, out):
    """Weight W of a NAC."""
    for i in range(out.shape[0]):
        out[i, 0] = nac_weight(stream, first + i, 0, r)


@kernel(columns=2)
def weight_parts(stream, first, r, out):
    """The two factors of W, tanh(W_hat) and sigmoid(M_hat)."""
    for i in range(out.shape[0]):
        u, v = uniform2(stream, first + i, 0)
        out[i, 0] = tanh(r * (2 * u - 1))
        out[i, 1] = sigmoid(r * (2 * v - 1))
