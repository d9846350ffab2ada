"""Further random variables for kernels: exponential, gamma, Poisson, integers, categories, vectors, permutations.

As in :mod:`montecarlo.streams.draws` each is a pure function of (stream, sample, draw), so that draw indices 0, 1, ...
once each per sample are independent throughout. What needs more than one Philox call takes the others at draw indices
beyond 2**40, at which no kernel draws: kernels stay below.

Loops over attempts or terms do not vectorise: a sample costs 10 to 100 ns here, where a uniform one costs 1.

>>> import numba, numpy as np
>>> from montecarlo.streams.philox import stream
>>> @numba.njit(error_model="numpy", nogil=True)
... def waiting(stream, first, out):
...     for i in range(out.shape[0]):
...         out[i, 0], _ = exponential2(stream, first + i, 0)
>>> out = np.empty((1000, 1), order="F")
>>> waiting(stream(1, "example", 0), 0, out)
>>> bool(0.9 < out.mean() < 1.1)
True
"""

import math

import numpy as np

from montecarlo.streams.draws import normal2, uniform2
from montecarlo.streams.instructions import inlined
from montecarlo.streams.vector_math import exp, log

_FURTHER = 40
# exp(-mean) and the terms after it keep all their digits up to here; a larger mean is a sum of such.
_LARGEST_MEAN = 64.0


@inlined
def further(draw, number):
    """The draw index of call number 0, 1, ... of a function that makes several."""
    return draw + (number << _FURTHER)


@inlined
def exponential2(stream, sample, draw):
    """Two independent exponential values of mean 1, -ln U: between 1.1e-16 and 36.8.

    Returns
    -------
    tuple of two float64
    """
    u, v = uniform2(stream, sample, draw)
    return -log(u), -log(v)


@inlined
def integers2(stream, sample, draw, low, high):
    """Two independent integers, uniform on low, ..., high - 1.

    Parameters
    ----------
    low, high : int
        With low < high; each integer has its probability to within 2**-52.

    Returns
    -------
    tuple of two int64
    """
    u, v = uniform2(stream, sample, draw)
    count = high - low
    return low + np.int64(u * count), low + np.int64(v * count)


@inlined
def _category(u, weights):
    total = 0.0
    for k in range(len(weights)):
        total += weights[k]
    level, chosen = u * total, 0
    for k in range(len(weights) - 1):
        level -= weights[k]
        if level < 0.0:
            break
        chosen = k + 1
    return chosen


@inlined
def categorical2(stream, sample, draw, weights):
    """Two independent indices, each with probability in proportion to its weight.

    Parameters
    ----------
    weights : array or tuple of float64
        Not negative, not all 0; they need not have the sum 1.

    Returns
    -------
    tuple of two int64
    """
    u, v = uniform2(stream, sample, draw)
    return _category(u, weights), _category(v, weights)


@inlined
def poisson1(stream, sample, draw, mean):
    """One Poisson value, by inversion; a mean above 64 is a sum of Poisson values.

    Parameters
    ----------
    mean : float64
        Not negative; the time grows with it.

    Returns
    -------
    int64
    """
    parts = max(1, math.ceil(mean / _LARGEST_MEAN))
    least = exp(-mean / parts)
    total = 0
    for part in range(parts):
        u, _ = uniform2(stream, sample, further(draw, part))
        k, term, below = 0, least, least
        while u > below and term > 0.0:
            k += 1
            term *= mean / parts / k
            below += term
        total += k
    return total


@inlined
def gamma1(stream, sample, draw, shape):
    """One gamma value of scale 1, by the rejection of Marsaglia and Tsang; the mean is the shape.

    Parameters
    ----------
    shape : float64
        Positive. Below 1 it is a gamma value of shape + 1 times a power of a uniform one.

    Returns
    -------
    float64

    References
    ----------
    G. Marsaglia, W. W. Tsang, "A simple method for generating gamma variables", ACM Transactions on Mathematical
    Software 26 (2000).
    """
    d = (shape if shape >= 1.0 else shape + 1.0) - 1.0 / 3.0
    c = 1.0 / math.sqrt(9.0 * d)
    factor, v, attempt = 1.0, 0.0, 0
    while v == 0.0:
        x, _ = normal2(stream, sample, further(draw, 2 * attempt))
        u, power = uniform2(stream, sample, further(draw, 2 * attempt + 1))
        t = 1.0 + c * x
        cube = t * t * t
        if t > 0.0 and log(u) < 0.5 * x * x + d - d * cube + d * log(cube):
            v = cube
            factor = 1.0 if shape >= 1.0 else exp(log(power) / shape)
        attempt += 1
    return d * v * factor


@inlined
def normal_vector(stream, sample, draw, factor, out):
    """A normal vector with mean 0 and the covariance factor factor', into ``out``.

    Parameters
    ----------
    factor : array (n, n)
        Lower triangular: ``numpy.linalg.cholesky(covariance)``.
    out : array (n,)
        What it has held is lost.
    """
    n = len(out)
    for k in range((n + 1) // 2):
        x, y = normal2(stream, sample, further(draw, k))
        out[2 * k] = x
        if 2 * k + 1 < n:
            out[2 * k + 1] = y
    for i in range(n - 1, -1, -1):
        total = 0.0
        for j in range(i + 1):
            total += factor[i, j] * out[j]
        out[i] = total


@inlined
def permutation(stream, sample, draw, out):
    """A permutation of 0, ..., n - 1 into ``out``, each equally likely (Fisher and Yates).

    Parameters
    ----------
    out : array (n,) of integers or floats
        What it has held is lost.
    """
    n = len(out)
    for i in range(n):
        out[i] = i
    for i in range(n - 1, 0, -1):
        j, _ = integers2(stream, sample, further(draw, i), 0, i + 1)
        kept = out[i]
        out[i] = out[j]
        out[j] = kept
