"""Polynomials of the kernels are the Chebyshev fits that they claim to be; what is made of them has its own tests."""

import mpmath
import pytest
from mpmath import cospi, erfc, exp, log, mp, mpf, pi, sinpi, sqrt

from montecarlo.descent.fields import MILLS_COEFFICIENTS, MILLS_SHIFT
from montecarlo.streams import coefficients, error_function

EDGE = 1 + mpf(2) ** -20  # the reductions overshoot by less than this
SHIFT = mpf(MILLS_SHIFT)


def scaled_erfc(s):
    x = 3 * (2 + 3 * s) / (4 - 3 * s)
    return exp(x * x) * erfc(x)


def scaled_mills_ratio(t):
    k = SHIFT * (1 + t) / (1 - t)
    return (k + SHIFT) * sqrt(pi / 2) * erfc(k / sqrt(2)) * exp(k * k / 2)


# Coefficients, the constant term first, their function and its interval.
FITS = {
    "exp": (coefficients.EXP_COEFFICIENTS, lambda r: (exp(r) - 1 - r - r * r / 2) / r**3,
            lambda: [-log(2) / 2 * EDGE, log(2) / 2 * EDGE]),
    "log": (coefficients.LOG_COEFFICIENTS, lambda z: (2 * mpmath.atanh(sqrt(z)) / sqrt(z) - 2) / z,
            lambda: [0, (3 - 2 * sqrt(2)) ** 2 * EDGE]),
    "sine": (coefficients.SIN_COEFFICIENTS, lambda z: (sinpi(2 * sqrt(z)) / sqrt(z) - 2 * pi) / z,
             lambda: [0, mpf(1) / 64]),
    "cosine": (coefficients.COS_COEFFICIENTS, lambda z: (cospi(2 * sqrt(z)) - 1 + 2 * pi**2 * z) / z**2,
               lambda: [0, mpf(1) / 64]),
    "erfc": (error_function.COEFFICIENTS, scaled_erfc, lambda: [-mpf(2) / 3, mpf(2) / 3]),
    "Mills": (MILLS_COEFFICIENTS[::-1], scaled_mills_ratio, lambda: [-1, (40 - SHIFT) / (40 + SHIFT)]),
}  # fmt: skip


@pytest.mark.parametrize(("stored", "function", "interval"), FITS.values(), ids=FITS)
def test_coefficients_are_the_fit_of_their_function(stored, function, interval):
    with mp.workdps(80):
        fitted = mpmath.chebyfit(function, interval(), len(stored))
    assert [float(c).hex() for c in reversed(fitted)] == [c.hex() for c in stored]
