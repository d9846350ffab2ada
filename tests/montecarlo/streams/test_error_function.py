"""The error function of the kernels: near mpmath's everywhere, and the polynomial that it is said to be."""

import mpmath
import numba
import numpy as np
import pytest
from mpmath import mp, mpf

from montecarlo.kernels.wide_networks.error_function import COEFFICIENTS, erf


@numba.njit(error_model="numpy", nogil=True)
def evaluate(x, out):
    for i in range(x.shape[0]):
        out[i] = erf(x[i])


def test_error_is_below_the_stated_bound_everywhere():
    rng = np.random.default_rng(1)
    x = np.concatenate([rng.uniform(-6.5, 6.5, 3000), rng.uniform(-1, 1, 2000), 10.0 ** rng.uniform(-300, 300, 200)])
    out = np.empty(len(x))
    evaluate(x, out)
    errors = np.array([float(mpf(got) - mpmath.erf(mpf(u))) for u, got in zip(x.tolist(), out.tolist(), strict=True)])
    assert np.abs(errors).max() < 1e-15
    assert np.abs(errors + 1e-15).max() > 1e-15  # what is not as near is found out


def test_it_is_odd_and_reaches_one():
    x = np.array([0.25, 3.0, 6.0, np.inf])
    out, mirrored = np.empty(4), np.empty(4)
    evaluate(x, out)
    evaluate(-x, mirrored)
    np.testing.assert_array_equal(mirrored, -out)
    assert out[2] == out[3] == 1.0


def test_the_polynomial_is_the_chebyshev_fit():
    def scaled(s):
        x = 3 * (2 + 3 * s) / (4 - 3 * s)
        return mpmath.exp(x * x) * mpmath.erfc(x)

    with mp.workdps(50):
        fitted, error = mpmath.chebyfit(scaled, [-mpf(2) / 3, mpf(2) / 3], len(COEFFICIENTS), error=True)
    assert [float(c) for c in reversed(fitted)] == list(COEFFICIENTS)
    assert error == pytest.approx(0, abs=2e-16)
