"""GaLU neurons: layers of them at their start, their least training loss on random labels, Rademacher complexity."""

import math

import numpy as np

from montecarlo.engine.compiled import compiled_helper
from montecarlo.engine.models import kernel
from montecarlo.kernels.galu.ranks import fill_features, inner
from montecarlo.kernels.modular import rank_modular
from montecarlo.streams.draws import normal2, uniform2
from montecarlo.streams.instructions import select
from montecarlo.streams.philox import stream as stream_of
from montecarlo.streams.vector_math import sigmoid

_LARGEST = 3.0
_DESIGN = stream_of(0, "galu/design", 0)


@kernel(columns=5)
def neurons(stream, first, w_1, w_2, u_1, u_2, out):
    """f_w, g_{w,u}, g_{w,w}, the logistic g_{w,u}, and the gate of g_{w,u}, of two inputs uniform on (-1, 1)."""
    for i in range(out.shape[0]):
        a, b = uniform2(stream, first + i, 0)
        x_1, x_2 = 2 * a - 1, 2 * b - 1
        x_w, x_u = x_1 * w_1 + x_2 * w_2, x_1 * u_1 + x_2 * u_2
        out[i, 0] = max(x_w, 0.0)
        out[i, 1] = x_w if x_u > 0.0 else 0.0
        out[i, 2] = x_w if x_w > 0.0 else 0.0
        out[i, 3] = sigmoid(x_u) * x_w
        out[i, 4] = 1.0 if x_u > 0.0 else 0.0


@kernel(columns=2)
def layer(stream, first, sd_w, mean_z, sd_z, fan_in: int, fan_out: int, out):
    """A layer at its start: an output s(x.u) (x.w), and the gradient of an input for normal gradients of the outputs.

    Inputs, filters and weights are normal; the gradient passes each neuron through its own gate, which is open or not
    by the same inputs for all.
    """
    n = out.shape[0]
    z, gate, linear, weight = np.empty((fan_in, n)), np.empty(n), np.empty(n), np.empty(n)
    for h in range(fan_in):
        for i in range(n):
            z[h, i] = mean_z + sd_z * normal2(stream, first + i, h)[0]
    out[:, 1] = 0.0
    for o in range(fan_out):
        gate[:] = 0.0
        linear[:] = 0.0
        for h in range(fan_in):
            for i in range(n):
                u, w = normal2(stream, first + i, fan_in + o * fan_in + h)
                gate[i] += u * z[h, i]
                linear[i] += sd_w * w * z[h, i]
                weight[i] = sd_w * w if h == 0 else weight[i]
        for i in range(n):
            is_open = 1.0 if gate[i] > 0.0 else 0.0
            if o == 0:
                out[i, 0] = is_open * linear[i]
            slope, _ = normal2(stream, first + i, fan_in + fan_out * fan_in + o)
            out[i, 1] += is_open * slope * weight[i]


@compiled_helper
def design(number, m, d, k, x, u):
    """Inputs (m, d) and filters (k, d) of small whole numbers: many gates on the edge, repeated and zero vectors."""
    draw = 0
    for matrix, rows in ((x, m), (u, k)):
        for i in range(rows):
            for a in range(d):
                v, _ = uniform2(_DESIGN, number, draw)
                matrix[i, a] = math.floor((2 * _LARGEST + 1) * v) - _LARGEST
                draw += 1
    if m > 2:
        for a in range(d):  # a slice that is assigned takes the compiler as long as all else here
            x[m - 1, a] = x[0, a]
    if k > 2:
        u[k - 1, :] = 0.0


@compiled_helper
def take_away(unit, vector):
    """The component along a unit vector, in place."""
    dot = inner(unit, vector)
    for i in range(vector.shape[0]):
        vector[i] -= dot * unit[i]


@compiled_helper
def orthonormal_columns(x, u, m, d, k):
    """An orthonormal basis of the columns of X-bar, as rows. Which columns are independent is decided exactly."""
    columns = np.empty((k * d, m))
    for j in range(k):
        for i in range(m):
            is_open = inner(x[i], u[j]) > 0.0
            for a in range(d):
                columns[j * d + a, i] = x[i, a] if is_open else 0.0
    whole = np.empty((m, k * d), dtype=np.uint64)
    fill_features(x, u, m, d, k, whole)
    work = np.empty((m, k * d), dtype=np.uint64)
    basis = np.empty((min(m, k * d), m))
    size = 0
    for c in range(k * d):
        for i in range(m):
            for a in range(c + 1):
                work[i, a] = whole[i, a]
        if rank_modular(work, m, c + 1) == size:
            continue
        column = columns[c]
        for _ in range(2):  # twice is enough
            for b in range(size):
                take_away(basis[b], column)
        norm = inner(column, column)
        for i in range(m):
            basis[size, i] = column[i] / math.sqrt(norm)
        size += 1
    return basis[:size]


@kernel(block=2**17)
def least_loss(stream, first, number: int, m: int, d: int, k: int, noise: int, sigma, out):
    """min over w of |X-bar w - y|^2/m for fixed X-bar and random labels of mean 0.

    Labels are sigma times: normal (noise 0) or a fair sign (1), both of variance 1.
    """
    x, u = np.empty((m, d)), np.empty((k, d))
    design(number, m, d, k, x, u)
    basis = orthonormal_columns(x, u, m, d, k)
    y = np.empty(m)
    for i in range(out.shape[0]):
        for row in range(0, m, 2):
            if noise == 0:
                a, b = normal2(stream, first + i, row)
            else:
                a, b = uniform2(stream, first + i, row)
                a, b = 1.0 if a < 0.5 else -1.0, 1.0 if b < 0.5 else -1.0
            y[row] = sigma * a
            if row + 1 < m:
                y[row + 1] = sigma * b
        for b in range(basis.shape[0]):
            take_away(basis[b], y)
        out[i, 0] = inner(y, y) / m


@kernel(columns=2, block=2**14)
def complexity(stream, first, gates: int, inputs: int, m: int, out):
    """|sum_i e_i x_i| / m in the Euclidean and in the largest-entry norm, for independent signs e_i; x_i of 1 and -1.

    It is the Rademacher complexity of linear predictors of norm 1.
    With gates > 0 the features of a 0-1 GaLU layer are taken: g_ij x_i with g_ij = 1 where x_i . u_j > 0, u_j normal.
    """
    units = max(gates, 1)
    total, x, u = np.empty((units, inputs)), np.empty(inputs), np.empty((units, inputs))
    for s in range(out.shape[0]):
        sample, draw = first + s, 0
        for j in range(gates):
            for a in range(inputs):
                u[j, a], _ = normal2(stream, sample, draw)
                draw += 1
        total[:] = 0.0
        for _ in range(m):
            v, _ = uniform2(stream, sample, draw)
            draw += 1
            sign = select(v < 0.5, 1.0, -1.0)
            for a in range(inputs):
                v, _ = uniform2(stream, sample, draw)
                draw += 1
                x[a] = select(v < 0.5, 1.0, -1.0)
            for j in range(units):
                if gates < 1 or inner(x, u[j]) > 0.0:
                    for a in range(inputs):
                        total[j, a] += sign * x[a]
        square, largest = 0.0, 0.0
        for j in range(units):
            for a in range(inputs):
                square += total[j, a] * total[j, a]
                largest = max(largest, abs(total[j, a]))
        out[s, 0] = math.sqrt(square) / m
        out[s, 1] = largest / m
