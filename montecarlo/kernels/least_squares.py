"""Least squares with normal inputs: x ~ N(0, I_d), y = x . beta + sigma eps, m training pairs.

``beta`` has equal components and the norm ``norm_beta``. The samples of a tile are worked on together: every array has
the sample as its last axis.
"""

import math

import numpy as np

from montecarlo.engine.compiled import compiled_helper
from montecarlo.engine.models import kernel
from montecarlo.kernels.reflections import TILE, copy, fill, weights
from montecarlo.streams.draws import normal2, uniform2
from montecarlo.streams.vector_math import log

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
    fill(out, 0.0)
    for k in range(m):
        error = y[k]
        for j in range(d):
            input_, weight = x[k, j], w[j]
            for s in range(count):
                error[s] -= input_[s] * weight[s]
        for s in range(count):
            out[s] += error[s] * error[s] / m


@compiled_helper
def targets(sigma, norm_beta, x, y):
    """y = X beta + sigma eps, in place of eps."""
    m, d, count = x.shape
    each = norm_beta / math.sqrt(d)
    for k in range(m):
        target = y[k]
        for s in range(count):
            target[s] *= sigma
        for j in range(d):
            input_ = x[k, j]
            for s in range(count):
                target[s] += input_[s] * each


@compiled_helper
def trained(sigma, norm_beta, ridge, x, y, loss, deviation):
    """Targets for inputs X in place of normal values, and the fit: L_S and w - beta."""
    d, count = deviation.shape
    targets(sigma, norm_beta, x, y)
    weights(x, y, ridge, deviation)
    squared_errors(x, y, deviation, loss)
    for j in range(d):
        for s in range(count):
            deviation[j, s] -= norm_beta / math.sqrt(d)


@compiled_helper
def errors_at_new_pairs(sigma, deviation, pairs, loss):
    """Mean of (x . w - y)^2 over pairs (x, eps) of normal values, by w - beta."""
    d, count = deviation.shape
    fill(loss, 0.0)
    number = pairs.shape[0] // (d + 1)
    for p in range(number):
        error = pairs[p * (d + 1) + d]
        for s in range(count):
            error[s] *= -sigma
        for j in range(d):
            new, weight = pairs[p * (d + 1) + j], deviation[j]
            for s in range(count):
                error[s] += new[s] * weight[s]
        for s in range(count):
            loss[s] += error[s] * error[s] / number


@compiled_helper
def uniforms_of_variance_one(stream, first, start, values):
    """Fill rows of independent values uniform on [-sqrt 3, sqrt 3]."""
    width = math.sqrt(12.0)
    for k in range(values.shape[0]):
        for s in range(values.shape[1]):
            u, _ = uniform2(stream, first + s, start + k)
            values[k, s] = width * (u - 0.5)


@compiled_helper
def inner_products(one, other, total):
    """Of two vectors (size, samples) of each sample."""
    fill(total, 0.0)
    for j in range(one.shape[0]):
        left, right = one[j], other[j]
        for s in range(total.shape[0]):
            total[s] += left[s] * right[s]


@kernel(columns=6, block=BLOCK)
def fit(stream, first, sigma, norm_beta, ridge, cap, d: int, m: int, pairs: int, uniform: int, out):
    """Train loss L_S; |w - beta|^2; its logarithm; it again, cut off at cap sigma^2; the test loss L_D; that played.

    L_D is the mean of (x . w - y)^2 over a new pair, given w: sigma^2 + |w - beta|^2. The last column is the mean over
    so many new pairs, 0 without any. With uniform = 1 inputs of the training set are uniform on [-sqrt 3, sqrt 3], of
    mean and covariance as normal ones.
    """
    for begin in range(0, out.shape[0], TILE):
        tile = out[begin : begin + TILE]
        count = tile.shape[0]
        rows, deviation = np.empty((m * d + m + pairs * (d + 1), count)), np.empty((d, count))
        loss, excess, played = np.empty(count), np.empty(count), np.empty(count)
        draw = normals(stream, first + begin, 0, rows)
        if uniform == 1:
            uniforms_of_variance_one(stream, first + begin, draw, rows[: m * d])
        x, y = rows[: m * d].reshape((m, d, count)), rows[m * d : m * d + m]
        trained(sigma, norm_beta, ridge, x, y, loss, deviation)
        inner_products(deviation, deviation, excess)
        errors_at_new_pairs(sigma, deviation, rows[m * d + m :], played)
        for s in range(count):
            tile[s, 0] = loss[s]
            tile[s, 1] = excess[s]
            tile[s, 2] = log(excess[s])
            tile[s, 3] = min(excess[s], cap * sigma * sigma)
            tile[s, 4] = sigma * sigma + excess[s]
            tile[s, 5] = played[s]


@kernel(block=BLOCK // 8)
def average(stream, first, draws: int, d: int, m: int, out):
    """The average of |w - beta|^2 over independent training sets with sigma = 1 and beta = 0."""
    for begin in range(0, out.shape[0], TILE):
        tile = out[begin : begin + TILE]
        count = tile.shape[0]
        rows, deviation = np.empty((m * d + m, count)), np.empty((d, count))
        loss, square, total = np.empty(count), np.empty(count), np.zeros(count)
        x, y, draw = rows[: m * d].reshape((m, d, count)), rows[m * d :], 0
        for _ in range(draws):
            draw = normals(stream, first + begin, draw, rows)
            trained(1.0, 0.0, 0.0, x, y, loss, deviation)
            inner_products(deviation, deviation, square)
            for s in range(count):
                total[s] += square[s] / draws
        copy(total, tile[:, 0])
