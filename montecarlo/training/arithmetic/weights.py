"""How a layer makes its weights of its parameters, and how gradients and regularisers come back to these.

All are pieces of vectors of one length. The parameters of a layer begin at ``at``: the n entries of W_hat row by row,
then, where the kind has them, those of M_hat. Its weights, and the slopes by them, lie where W_hat does.
"""

from montecarlo.engine.compiled import compiled_helper
from montecarlo.streams.instructions import clamp, inlined, magnitude, select
from montecarlo.streams.vector_math import sigmoid, tanh

# W = tanh(W_hat) sigmoid(M_hat); sigmoid(W_hat); W_hat clamped to [-1, 1]; to [0, 1]; W_hat as it is; so, with the
# regularisers of NMU.
NAC, SIGMOID, NAU, NMU, FREE, UNBOUND = range(6)


@compiled_helper
def make_weights(kind, at, n, theta, factors, w):
    """Fill w from theta; ``factors`` keeps tanh(W_hat) and sigmoid(M_hat)."""
    if kind == NAC:
        for j in range(at, at + n):
            factors[j] = tanh(theta[j])
        for j in range(at + n, at + 2 * n):
            factors[j] = sigmoid(theta[j])
        for j in range(at, at + n):
            w[j] = factors[j] * factors[j + n]
    elif kind == SIGMOID:
        for j in range(at, at + n):
            w[j] = sigmoid(theta[j])
    elif kind in (FREE, UNBOUND):
        for j in range(at, at + n):
            w[j] = theta[j]
    else:
        low = -1.0 if kind == NAU else 0.0
        for j in range(at, at + n):
            w[j] = clamp(theta[j], low, 1.0)


@compiled_helper
def pull_back(kind, at, n, theta, factors, w, gradient):
    """Turn the slopes by the weights into those by the parameters; a clamp stops them outside.

    Source: nau, eqs. (2), (5), (6), (8).
    """
    if kind == NAC:
        for j in range(at, at + n):
            t, s, slope = factors[j], factors[j + n], gradient[j]
            gradient[j] = slope * (1.0 - t * t) * s
            gradient[j + n] = slope * t * s * (1.0 - s)
    elif kind == SIGMOID:
        for j in range(at, at + n):
            gradient[j] *= w[j] * (1.0 - w[j])
    elif kind in (NAU, NMU):
        for j in range(at, at + n):
            gradient[j] = select(w[j] == theta[j], gradient[j], 0.0)


@inlined
def regularise(kind, at, n, theta, bias, oob, gradient):
    """Add the gradients of both regularisers, means over the n entries of W_hat, times their factors.

    NAU: w^2 (1 - |w|)^2 and max(|w| - 1, 0)^2; NMU, clamped or not: w^2 (1 - w)^2 and max(|w - 1/2| - 1/2, 0)^2;
    others: none.

    Source: nau, eqs. (6), (8).
    """
    if kind == NAU:
        for j in range(at, at + n):
            v = theta[j]
            size = magnitude(v)
            outside = select(size > 1.0, 2.0 * (size - 1.0), 0.0)
            outside = select(v < 0.0, -outside, outside)
            gradient[j] += (bias * 2.0 * v * (1.0 - size) * (1.0 - 2.0 * size) + oob * outside) / n
    elif kind in (NMU, UNBOUND):
        for j in range(at, at + n):
            v = theta[j]
            outside = select(v > 1.0, 2.0 * (v - 1.0), select(v < 0.0, 2.0 * v, 0.0))
            gradient[j] += (bias * 2.0 * v * (1.0 - v) * (1.0 - 2.0 * v) + oob * outside) / n
