"""Linear systems of many samples at once, made triangular by reflections; the sample is the last axis of every array.

X, or its transpose with fewer samples than inputs, is decomposed itself: the solution is the one of least norm, and no
digits are lost to a product X^T X.
"""

import math

import numpy as np

from montecarlo.engine.compiled import compiled_helper

# Samples that are worked on together, the last axis of every array.
TILE = 64


@compiled_helper
def copy(row, into):
    """One number of every sample. A loop: to assign a slice takes the compiler as long as all else here."""
    for s in range(into.shape[0]):
        into[s] = row[s]


@compiled_helper
def fill(row, value):
    """Fill a column with one number for all samples."""
    for s in range(row.shape[0]):
        row[s] = value


@compiled_helper
def reflector(q, j, diagonal, scale):
    """Column j of Q to the vector v of the reflection that empties it below row j; R's entry there; 2/|v|^2."""
    rows, _, count = q.shape
    head = q[j, j]
    fill(scale, 0.0)
    for i in range(j, rows):
        column = q[i, j]
        for s in range(count):
            scale[s] += column[s] * column[s]
    for s in range(count):
        norm = math.sqrt(scale[s])
        diagonal[s] = -math.copysign(norm, head[s])
        scale[s] = 1.0 / (norm * (norm + abs(head[s])))
        head[s] -= diagonal[s]


@compiled_helper
def reflect(q, j, scale, vector, dot):
    """Apply reflection j to a vector (rows, samples), in place."""
    rows, _, count = q.shape
    fill(dot, 0.0)
    for i in range(j, rows):
        left, right = q[i, j], vector[i]
        for s in range(count):
            dot[s] += left[s] * right[s]
    for s in range(count):
        dot[s] *= scale[s]
    for i in range(j, rows):
        left, right = q[i, j], vector[i]
        for s in range(count):
            right[s] -= dot[s] * left[s]


@compiled_helper
def triangular(q, diagonal, scale, dot):
    """Householder's QR of (rows, columns, samples), in place: R above the diagonal, reflections on it and below."""
    columns = q.shape[1]
    for j in range(columns):
        reflector(q, j, diagonal[j], scale[j])
        for c in range(j + 1, columns):
            reflect(q, j, scale[j], q[:, c], dot)


@compiled_helper
def solve_upper(q, diagonal, b):
    """R^-1 b, in place."""
    size, count = q.shape[1], q.shape[2]
    for back in range(size):
        i = size - 1 - back
        for k in range(i + 1, size):
            for s in range(count):
                b[i, s] -= q[i, k, s] * b[k, s]
        for s in range(count):
            b[i, s] /= diagonal[i, s]


@compiled_helper
def solve_lower(q, diagonal, b):
    """R^-T b, in place."""
    size, count = q.shape[1], q.shape[2]
    for i in range(size):
        for k in range(i):
            for s in range(count):
                b[i, s] -= q[k, i, s] * b[k, s]
        for s in range(count):
            b[i, s] /= diagonal[i, s]


@compiled_helper
def penalised(x, ridge):
    """X with the rows sqrt(ridge) I below it; X alone without a ridge."""
    m, d, count = x.shape
    rows = m + d if ridge > 0.0 else m
    q = np.empty((rows, d, count))
    for j in range(d):
        for i in range(m):
            copy(x[i, j], q[i, j])
        for i in range(m, rows):
            fill(q[i, j], math.sqrt(ridge) if i == m + j else 0.0)
    return q


@compiled_helper
def transposed(x):
    """Transposed matrix X^T of each sample."""
    m, d, count = x.shape
    q = np.empty((d, m, count))
    for i in range(m):
        for j in range(d):
            copy(x[i, j], q[j, i])
    return q


@compiled_helper
def weights(x, y, ridge, w):
    """The minimiser of |X w - y|^2 + ridge |w|^2; of least norm where there are several."""
    m, d, count = x.shape
    across = ridge == 0.0 and m < d
    q = transposed(x) if across else penalised(x, ridge)
    rows, columns, _ = q.shape
    diagonal, scale, dot = np.empty((columns, count)), np.empty((columns, count)), np.empty(count)
    triangular(q, diagonal, scale, dot)
    b = np.empty((rows, count))
    for i in range(rows):
        fill(b[i], 0.0)
    for i in range(m):
        copy(y[i], b[i])
    if across:
        # X = R^T Q^T: w = Q R^-T y.
        solve_lower(q, diagonal, b)
        for back in range(m):
            j = m - 1 - back
            reflect(q, j, scale[j], b, dot)
    else:
        for j in range(d):
            reflect(q, j, scale[j], b, dot)
        solve_upper(q, diagonal, b)
    for j in range(d):
        copy(b[j], w[j])
