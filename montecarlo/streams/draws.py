"""Random variables for kernels, each a pure function of (stream, sample, draw).

Every function but `coin` makes exactly one Philox call, at counter (sample, draw): a kernel that uses draw indices 0,
1, 2, ... once each per sample has independent values throughout. Two functions called with the same three arguments see
the same random words. All are straight-line code and vectorise in a loop over samples:

>>> import numba, numpy as np
>>> from montecarlo.streams.draws import uniform2
>>> from montecarlo.streams.philox import stream
>>> @numba.njit(error_model="numpy", nogil=True)
... def product(stream, first, out):
...     for i in range(out.shape[0]):
...         u, v = uniform2(stream, first + i, 0)
...         out[i, 0] = u * v
>>> out = np.empty((1000, 1), order="F")
>>> product(stream(1, "example", 0), 0, out)
>>> bool(0.2 < out.mean() < 0.3)
True

Arguments common to all: `stream` is a `montecarlo.streams.philox.Stream`; `sample` and `draw` are integers in
[0, 2**63). Parameters of a distribution are not checked here, because a kernel cannot raise without losing its vector
form: check them once, where the kernel is called.
"""

import math

import numpy as np

from montecarlo.streams.instructions import ONE_BITS, fma, from_bits, inlined, magnitude, select
from montecarlo.streams.philox import random_bits
from montecarlo.streams.vector_math import exp, expm1, log, sincos_turns

_U12 = np.uint64(12)
_U20, _U32 = np.uint64(20), np.uint64(32)


@inlined
def _centred(word):
    """(k + 1/2) 2**-52 with k the upper 52 of 64 random bits."""
    # The bits of k behind the exponent of 1 are the number 1 + k 2**-52; the difference is exact.
    return from_bits((word >> _U12) | ONE_BITS) - (1.0 - 2.0**-53)


@inlined
def uniform2(stream, sample, draw):
    """Two independent uniform values strictly inside (0, 1).

    Each is (k + 1/2) 2**-52 with k uniform on 0, ..., 2**52 - 1, exactly: u and 1 - u have the same distribution, the
    mean is exactly 1/2, and the extremes are 2**-53 and 1 - 2**-53.

    Returns
    -------
    tuple of two float64
    """
    first, second = random_bits(stream, sample, draw)
    return _centred(first), _centred(second)


@inlined
def _short(word):
    """(k + 1/2) 2**-32 with k the upper 32 of 64 random bits."""
    return from_bits(((word >> _U32) << _U20) | ONE_BITS) - (1.0 - 2.0**-33)


@inlined
def uniform4(stream, sample, draw):
    """Four independent uniform values strictly inside (0, 1), of 32 bits each, at the cost of `uniform2`.

    Each is (k + 1/2) 2**-32 with k uniform on 0, ..., 2**32 - 1, exactly: the mean is exactly 1/2, the variance
    2**-64/12 short of 1/12, and the extremes are 2**-33 and 1 - 2**-33. Not for what is steep next to 0 or 1.

    Returns
    -------
    tuple of four float64
    """
    first, second = random_bits(stream, sample, draw)
    return _short(first), _short(first << _U32), _short(second), _short(second << _U32)


@inlined
def normal2(stream, sample, draw):
    """Two independent standard normal values, by the Box-Muller transform of `uniform2`.

    sqrt(-2 ln U) (cos 2 pi V, sin 2 pi V), each within 3 ulp given U and V. As U is at least 2**-53, no value exceeds
    8.58 in magnitude; the normal distribution has 1e-17 above.

    Returns
    -------
    tuple of two float64
    """
    u, v = uniform2(stream, sample, draw)
    radius = math.sqrt(-2.0 * log(u))
    sine, cosine = sincos_turns(v)
    return radius * cosine, radius * sine


@inlined
def normal4(stream, sample, draw):
    """Four independent standard normal values of the four of `uniform4`, for three quarters of two `normal2`.

    As U is at least 2**-33, no value exceeds 6.77 in magnitude; the normal distribution has 1e-11 above.

    Returns
    -------
    tuple of four float64
    """
    u, v, s, t = uniform4(stream, sample, draw)
    radius, other = math.sqrt(-2.0 * log(u)), math.sqrt(-2.0 * log(s))
    sine, cosine = sincos_turns(v)
    other_sine, other_cosine = sincos_turns(t)
    return radius * cosine, radius * sine, other * other_cosine, other * other_sine


@inlined
def normal2_uniform2(stream, sample, draw):
    """Two independent standard normal and two uniform values, all independent, of the four of `uniform4`.

    As U is at least 2**-33, no normal value exceeds 6.77 in magnitude; the normal distribution has 1e-11 above.

    Returns
    -------
    tuple of four float64
        Both normal values, both uniform ones.
    """
    u, v, s, t = uniform4(stream, sample, draw)
    radius = math.sqrt(-2.0 * log(u))
    sine, cosine = sincos_turns(v)
    return radius * cosine, radius * sine, s, t


@inlined
def bernoulli2(stream, sample, draw, p):
    """Two independent values that are 1.0 with probability `p`, else 0.0.

    Parameters
    ----------
    p : float64
        In [0, 1]; 0 and 1 are exact, any other is realised to within 2**-53.

    Returns
    -------
    tuple of two float64
    """
    u, v = uniform2(stream, sample, draw)
    return select(u < p, 1.0, 0.0), select(v < p, 1.0, 0.0)


@inlined
def coin(word, toss):
    """1.0 or -1.0 with probability 1/2 each: bit number `toss` of 64 random bits."""
    return select((word >> np.uint64(toss)) & np.uint64(1) == np.uint64(0), 1.0, -1.0)


@inlined
def beta_symmetric(stream, sample, draw, a):
    r"""One Beta(a, a) value: mean 1/2, variance 1 / (4 (2 a + 1)).

    With U, V uniform, Bailey's polar method gives T = sqrt(n (U**(-2/n) - 1)) cos(2 pi V), a Student t value with n
    degrees of freedom, and (1 + T / sqrt(n + T**2)) / 2 is Beta(n/2, n/2). Put n = 2 a, q = U**(1/a) and
    c = cos(2 pi V): T**2 / n = c**2 (1 - q) / q, so

    .. math:: X = \frac12 + \frac{c}{2} \sqrt{\frac{1 - q}{q + c^2 (1 - q)}} .

    For c < 0 the two terms nearly cancel when q is small. With d = q + c**2 (1 - q) the smaller one of X and 1 - X is

    .. math:: \frac{q / 2}{d + |c| \sqrt{(1 - q) d}} ,

    which has no cancellation and needs a single division. Given U and V the relative error is below
    (10 + 4 ln(1/q)) 2**-53, the logarithm being the condition of the power. `expm1` gives 1 - q when `a` is large.

    Parameters
    ----------
    a : float64
        Positive. For small `a` values come out exactly 0 or 1 where the nearest float64 is.

    Returns
    -------
    float64
        In [0, 1]. One value, not two: the second coordinate of the polar method is not independent of the first.

    References
    ----------
    R. W. Bailey, "Polar generation of random variates with the t-distribution", Mathematics of Computation 62 (1994).
    """
    u, v = uniform2(stream, sample, draw)
    exponent = log(u) * (1.0 / a)  # the division leaves the loop over samples
    q = exp(exponent)
    complement = -expm1(exponent)
    c = sincos_turns(v)[1]
    d = fma(c * c, complement, q)
    smaller = 0.5 * q / fma(magnitude(c), math.sqrt(complement * d), d)
    return select(c < 0.0, smaller, 1.0 - smaller)
