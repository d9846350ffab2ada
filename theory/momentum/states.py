r"""Momentum and deviation after any number of steps, from sequences that keep their digits beside a double root.

V_t = l1^t + l2^t and U_t = (l1^t - l2^t)/(l1 - l2) for the eigenvalues l1, l2, doubled along the bits of t in about 32
digits: c_t = (V_t + (1 - beta - h) U_t)/2.
"""

from typing import Any

import numpy as np

from theory.momentum.conventions import System
from theory.momentum.spectrum import discriminant_pair, trace_pair, value
from theory.numerics.pairs import Pair


def _lucas(s: System, steps: np.ndarray) -> tuple[Pair, Pair, np.ndarray]:
    """U_t, V_t and a common exponent of two, doubled along the bits of t from the highest."""
    trace, discriminant = trace_pair(s.h, s.beta), discriminant_pair(s.h, s.beta)
    zero = np.zeros(steps.shape)
    u, v, product = Pair(zero), Pair(zero + 2), Pair(zero + 1)  # of index 0; product = beta^index
    exponent = zero.astype(np.int64)
    for bit in range(int(steps.max(initial=0)).bit_length() - 1, -1, -1):
        u, v, product, exponent = u * v, v * v - 2 * product, product * product, 2 * exponent
        odd = (steps >> bit) & 1 == 1
        u, v = (
            _where(odd, (trace * u + v) * 0.5, u),
            _where(odd, (discriminant * u + trace * v) * 0.5, v),
        )
        product = _where(odd, product * s.beta, product)
        # Both may leave float64 long before their ratio does.
        _, shift = np.frexp(np.maximum(np.abs(u.high), np.abs(v.high)))
        u, v, product = _scaled(u, -shift), _scaled(v, -shift), _scaled(product, -2 * shift)
        exponent = exponent + shift
    return u, v, exponent


def _where(condition: np.ndarray, yes: Pair, no: Pair) -> Pair:
    return Pair(np.where(condition, yes.high, no.high), np.where(condition, yes.low, no.low))


def _scaled(pair: Pair, exponent: np.ndarray) -> Pair:
    return Pair(np.ldexp(pair.high, exponent), np.ldexp(pair.low, exponent))


def states(s: System, steps: np.ndarray, first_momentum: Any) -> tuple[np.ndarray, np.ndarray]:
    """eta m_t/e_0 and e_t/e_0: A^t applied to the initial state, see :func:`theory.momentum.state`."""
    u, v, exponent = _lucas(s, np.asarray(steps).astype(np.int64))
    half_gap = ((1 - Pair(s.beta)) - s.h) * 0.5
    half_v = v * 0.5
    start = Pair.of(s.eta) * s.mu * first_momentum
    e = half_v + half_gap * u - start * s.beta * u
    momentum = s.h * u + start * (half_v - half_gap * u)
    with np.errstate(over="ignore", under="ignore"):
        return np.ldexp(value(momentum), exponent), np.ldexp(value(e), exponent)
