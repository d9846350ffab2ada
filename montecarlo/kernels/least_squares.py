"""Least squares with normal inputs: x ~ N(0, I_d), y = x . beta + sigma eps, m training pairs.

``beta`` has equal components and the norm ``norm_beta``. The samples of a tile are worked on together: every array has
the sample as its last axis.
"""

import math

import numpy as np

from montecarlo.engine.compiled import compiled_helper
from montecarlo.engine.models import kernel
from montecarlo.kernels.reflections import copy, penalised, trace_of_inverse, triangular, weights
from montecarlo.streams.draws import normal2, uniform2
from montecarlo.streams.vector_math import log

TILE = 64
# A sample is up to a thousand normal values: blocks of seconds would lose too much at an interruption.
BLOCK = 2**17


@compiled_helper
def normals(stream, first, draw, values):
    """Fill rows of independent standard normal values, from draw index ``draw`` on; the next free index."""
    rows = values.shape[0]
    for k in range((rows + 1) // 2):
        even = values[2 * k]
        odd = values[min(2 * k + 1, rows - 1)]
        if 2 * k + 1 < rows:
            for s in range(values.shape[1]):
                even[s], odd[s] = normal2(stream, first + s, draw + k)
        else:
            for s in range(values.shape[1]):
                even[s], _ = normal2(stream, first + s, draw + k)
    return draw + (rows + 1) // 2


@compiled_helper
def squared_errors(x, y, w, out):
    """Mean of (x_i . w - y_i)^2 over the pairs; ``y`` is used up."""
    m, d, count = x.shape
    out[:] = 0.0
    for k in range(m):
        error = y[k]
        for j in range(d):
            input_, weight = x[k, j], w[j]
            for s in range(count):
                error[s] -= input_[s] * weight[s]
        for s in range(count):
            out[s] += error[s] * error[s] / m


@compiled_helper
def targets(stream, first, draw, sigma, norm_beta, x, y):
    """y = X beta + sigma eps; the next free draw index."""
    m, d, count = x.shape
    after = normals(stream, first, draw, y)
    each = norm_beta / math.sqrt(d)
    for k in range(m):
        target = y[k]
        for s in range(count):
            target[s] *= sigma
        for j in range(d):
            input_ = x[k, j]
            for s in range(count):
                target[s] += input_[s] * each
    return after


@compiled_helper
def trained(stream, first, start, x, sigma, norm_beta, ridge, loss, deviation):
    """Targets for inputs X, from draw index ``start`` on, and the fit: L_S and w - beta; the next free draw index."""
    m, d, count = x.shape
    y = np.empty((m, count))
    draw = targets(stream, first, start, sigma, norm_beta, x, y)
    weights(x, y, ridge, deviation)
    squared_errors(x, y, deviation, loss)
    for j in range(d):
        for s in range(count):
            deviation[j, s] -= norm_beta / math.sqrt(d)
    return draw


@compiled_helper
def uniforms_of_variance_one(stream, first, start, values):
    """Fill rows of independent values uniform on [-sqrt 3, sqrt 3]; the next free draw index."""
    width = math.sqrt(12.0)
    for k in range(values.shape[0]):
        for s in range(values.shape[1]):
            u, _ = uniform2(stream, first + s, start + k)
            values[k, s] = width * (u - 0.5)
    return start + values.shape[0]


@compiled_helper
def squared_norm(vectors, out):
    """Squared norms of vectors (size, samples)."""
    out[:] = 0.0
    for j in range(vectors.shape[0]):
        for s in range(vectors.shape[1]):
            out[s] += vectors[j, s] * vectors[j, s]


@kernel(columns=5, block=BLOCK)
def fit(stream, first, sigma, norm_beta, ridge, cap, d: int, m: int, out):
    """Train loss L_S; |w - beta|^2; its logarithm; it again, cut off at cap sigma^2; the test loss L_D.

    L_D is the mean of (x . w - y)^2 over a new pair, given w: sigma^2 + |w - beta|^2.
    """
    for begin in range(0, out.shape[0], TILE):
        tile = out[begin : begin + TILE]
        count = tile.shape[0]
        x, deviation, loss, excess = np.empty((m, d, count)), np.empty((d, count)), np.empty(count), np.empty(count)
        draw = normals(stream, first + begin, 0, x.reshape((m * d, count)))
        trained(stream, first + begin, draw, x, sigma, norm_beta, ridge, loss, deviation)
        squared_norm(deviation, excess)
        for s in range(count):
            tile[s, 0] = loss[s]
            tile[s, 1] = excess[s]
            tile[s, 2] = log(excess[s])
            tile[s, 3] = min(excess[s], cap * sigma * sigma)
            tile[s, 4] = sigma * sigma + excess[s]


@kernel(block=BLOCK)
def new_pairs(stream, first, sigma, norm_beta, pairs: int, d: int, m: int, out):
    """Mean of (x . w - y)^2 over pairs (x, y) that are not in the training set."""
    for begin in range(0, out.shape[0], TILE):
        tile = out[begin : begin + TILE]
        count = tile.shape[0]
        x, new = np.empty((m, d, count)), np.empty((d + 1, count))
        deviation, loss = np.empty((d, count)), np.empty(count)
        draw = normals(stream, first + begin, 0, x.reshape((m * d, count)))
        draw = trained(stream, first + begin, draw, x, sigma, norm_beta, 0.0, loss, deviation)
        tile[:, 0] = 0.0
        for _ in range(pairs):
            draw = normals(stream, first + begin, draw, new)
            error = new[d]
            for s in range(tile.shape[0]):
                error[s] *= -sigma
            for j in range(d):
                for s in range(tile.shape[0]):
                    error[s] += new[j, s] * deviation[j, s]
            for s in range(tile.shape[0]):
                tile[s, 0] += error[s] * error[s] / pairs


@kernel(columns=2, block=BLOCK)
def uniform_fit(stream, first, sigma, norm_beta, d: int, m: int, out):
    """L_S and L_D for inputs uniform on [-sqrt 3, sqrt 3], of mean and covariance as normal ones."""
    for begin in range(0, out.shape[0], TILE):
        tile = out[begin : begin + TILE]
        count = tile.shape[0]
        x, deviation, loss, excess = np.empty((m, d, count)), np.empty((d, count)), np.empty(count), np.empty(count)
        draw = uniforms_of_variance_one(stream, first + begin, 0, x.reshape((m * d, count)))
        trained(stream, first + begin, draw, x, sigma, norm_beta, 0.0, loss, deviation)
        squared_norm(deviation, excess)
        for s in range(count):
            tile[s, 0] = loss[s]
            tile[s, 1] = sigma * sigma + excess[s]


@kernel(columns=2, block=BLOCK)
def ridge_identity(stream, first, sigma, norm_beta, ridge, d: int, m: int, out):
    """|w - beta|^2 of the penalised fit, and the trace of (X^T X + ridge I)^-1 for the same inputs."""
    for begin in range(0, out.shape[0], TILE):
        tile = out[begin : begin + TILE]
        count = tile.shape[0]
        x, deviation, loss, trace = np.empty((m, d, count)), np.empty((d, count)), np.empty(count), np.empty(count)
        draw = normals(stream, first + begin, 0, x.reshape((m * d, count)))
        trained(stream, first + begin, draw, x, sigma, norm_beta, ridge, loss, deviation)
        squared_norm(deviation, loss)
        copy(loss, tile[:, 0])
        q = penalised(x, ridge)
        column, diagonal, scale = np.empty((d, count)), np.empty((d, count)), np.empty((d, count))
        triangular(q, diagonal, scale, trace)
        trace_of_inverse(q, diagonal, column, trace)
        copy(trace, tile[:, 1])


@kernel(block=BLOCK // 8)
def average(stream, first, draws: int, d: int, m: int, out):
    """The average of |w - beta|^2 over independent training sets with sigma = 1 and beta = 0."""
    for begin in range(0, out.shape[0], TILE):
        tile = out[begin : begin + TILE]
        count = tile.shape[0]
        x, deviation, loss, square = np.empty((m, d, count)), np.empty((d, count)), np.empty(count), np.empty(count)
        tile[:, 0] = 0.0
        draw = 0
        for _ in range(draws):
            draw = normals(stream, first + begin, draw, x.reshape((m * d, count)))
            draw = trained(stream, first + begin, draw, x, 1.0, 0.0, 0.0, loss, deviation)
            squared_norm(deviation, square)
            for s in range(count):
                tile[s, 0] += square[s] / draws
