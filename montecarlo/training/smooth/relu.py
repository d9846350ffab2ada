"""Networks f(x) = sum_j v_j max(a_j x_1 + b_j x_2 + c_j, 0) + d in float32: values, gradients, and how they start.

Parameters are one vector (4 H + 1): all a_j, then all b_j, c_j, v_j, and d; H is a multiple of four. Data are columns
(2, number), of a multiple of four. The order of every sum is written out, so that its bits do not depend on the width
of the processor's vectors.
"""

import math

import numpy as np

from montecarlo.engine.compiled import compiled_helper
from montecarlo.streams.draws import uniform2
from montecarlo.streams.instructions import inlined

GROUP = 4
# Units whose weights and sums fit in the first cache together.
UNITS = 512
POINTS = 256
ZERO = np.float32(0)


def draws_of_start(width: int) -> int:
    """Draws that :func:`start` takes of a sample."""
    return 2 * width + 1


@compiled_helper
def start(stream, sample, theta):
    """The default of PyTorch's linear layers: all parameters of a layer uniform within 1/sqrt(fan_in)."""
    width = theta.size // 4
    first, second = 1 / math.sqrt(2.0), 1 / math.sqrt(1.0 * width)
    for j in range(2 * width):
        u, v = uniform2(stream, sample, j)
        bound = first if 2 * j < 3 * width else second
        theta[2 * j], theta[2 * j + 1] = bound * (2 * u - 1), bound * (2 * v - 1)
    theta[4 * width] = second * (2 * uniform2(stream, sample, 2 * width)[0] - 1)


@inlined
def _positive(u):
    return u if u > ZERO else ZERO


@compiled_helper
def values(theta, x, out):
    """Fill out with f at the columns of x, four units at a time."""
    n = theta.size // 4
    a, b, c, v = theta[:n], theta[n : 2 * n], theta[2 * n : 3 * n], theta[3 * n : 4 * n]
    for i in range(out.size):
        out[i] = theta[4 * n]
    for j in range(0, n, GROUP):
        a_0, a_1, a_2, a_3 = a[j], a[j + 1], a[j + 2], a[j + 3]
        b_0, b_1, b_2, b_3 = b[j], b[j + 1], b[j + 2], b[j + 3]
        c_0, c_1, c_2, c_3 = c[j], c[j + 1], c[j + 2], c[j + 3]
        v_0, v_1, v_2, v_3 = v[j], v[j + 1], v[j + 2], v[j + 3]
        for i in range(out.size):
            p, q = x[0, i], x[1, i]
            one = v_0 * _positive(a_0 * p + b_0 * q + c_0) + v_1 * _positive(a_1 * p + b_1 * q + c_1)
            two = v_2 * _positive(a_2 * p + b_2 * q + c_2) + v_3 * _positive(a_3 * p + b_3 * q + c_3)
            out[i] += one + two


@inlined
def _open(a, b, c, p, q, e):
    """The slope at the output where the unit is active."""
    return e if a * p + b * q + c > ZERO else ZERO


@compiled_helper
def _add_slopes(a, b, c, x, e, to_a, to_b, to_c):
    """Add the sums of e, e x_1 and e x_2 over the data at which a unit is active to to_c, to_a and to_b."""
    for i in range(0, e.size, GROUP):
        p_0, p_1, p_2, p_3 = x[0, i], x[0, i + 1], x[0, i + 2], x[0, i + 3]
        q_0, q_1, q_2, q_3 = x[1, i], x[1, i + 1], x[1, i + 2], x[1, i + 3]
        e_0, e_1, e_2, e_3 = e[i], e[i + 1], e[i + 2], e[i + 3]
        for j in range(a.size):
            m_0, m_1 = _open(a[j], b[j], c[j], p_0, q_0, e_0), _open(a[j], b[j], c[j], p_1, q_1, e_1)
            m_2, m_3 = _open(a[j], b[j], c[j], p_2, q_2, e_2), _open(a[j], b[j], c[j], p_3, q_3, e_3)
            to_c[j] += (m_0 + m_1) + (m_2 + m_3)
            to_a[j] += (m_0 * p_0 + m_1 * p_1) + (m_2 * p_2 + m_3 * p_3)
            to_b[j] += (m_0 * q_0 + m_1 * q_1) + (m_2 * q_2 + m_3 * q_3)


@compiled_helper
def gradient(theta, x, e, out):
    """Fill out with the gradient of sum_i e_i f(x_i).

    With s = sum e over the data where unit j is active, and s_1, s_2 the sums of e x_1 and e x_2 there, the slopes of
    a, b, c are v s_1, v s_2, v s, and that of v is a s_1 + b s_2 + c s.
    """
    n = theta.size // 4
    for k in range(out.size):
        out[k] = ZERO
    for first in range(0, n, UNITS):
        j, k = first, min(first + UNITS, n)
        a, b, c = theta[j:k], theta[n + j : n + k], theta[2 * n + j : 2 * n + k]
        _add_slopes(a, b, c, x, e, out[j:k], out[n + j : n + k], out[2 * n + j : 2 * n + k])
    for j in range(n):
        s_1, s_2, s, v = out[j], out[n + j], out[2 * n + j], theta[3 * n + j]
        out[j], out[n + j], out[2 * n + j] = v * s_1, v * s_2, v * s
        out[3 * n + j] = theta[j] * s_1 + theta[n + j] * s_2 + theta[2 * n + j] * s
    for i in range(e.size):
        out[4 * n] += e[i]


@compiled_helper
def _fill(theta, x, out):
    """Values at many points, block by block; the last block may reach back."""
    for first in range(0, out.size, POINTS):
        i = max(0, min(first, out.size - POINTS))
        values(theta, x[:, i : i + POINTS], out[i : i + POINTS])


def outputs(theta: np.ndarray, x: np.ndarray) -> np.ndarray:
    """f at the columns of x (2, number), of the type of the parameters.

    Examples
    --------
    >>> exact = np.array([1, -1, 0, 0, 0, 0, 1, -1, 0, 0, 0, 0, 1, -1, 1, -1, 0], dtype=np.float32)
    >>> outputs(exact, np.array([[0.5, -1.0], [0.25, 3.0]], dtype=np.float32))
    array([0.75, 2.  ], dtype=float32)
    """
    out = np.empty(x.shape[1], dtype=theta.dtype)
    _fill(theta, x.astype(theta.dtype, copy=False), out)
    return out
