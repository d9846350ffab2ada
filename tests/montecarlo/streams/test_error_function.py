"""The error function of the kernels: near mpmath's everywhere, and the polynomial that it is said to be."""

import mpmath
import numpy as np
import pytest
from mpmath import mp, mpf

from montecarlo.streams.error_function import COEFFICIENTS, erf


def test_error_is_below_the_stated_bound_everywhere():
    rng = np.random.default_rng(1)
    x = np.concatenate([rng.uniform(-6.5, 6.5, 3000), rng.uniform(-1, 1, 2000), 10.0 ** rng.uniform(-300, 300, 200)])
    errors = np.array([float(mpf(erf(u)) - mpmath.erf(mpf(u))) for u in x.tolist()])
    assert np.abs(errors).max() < 1e-15
    assert np.abs(errors + 1e-15).max() > 1e-15  # what is not as near is found out


def test_it_is_odd_and_reaches_one():
    assert [erf(-x) for x in (0.25, 3.0, 6.0, np.inf)] == [-erf(x) for x in (0.25, 3.0, 6.0, np.inf)]
    assert erf(6.0) == erf(np.inf) == 1.0


def test_the_polynomial_is_the_chebyshev_fit():
    def scaled(s):
        x = 3 * (2 + 3 * s) / (4 - 3 * s)
        return mpmath.exp(x * x) * mpmath.erfc(x)

    with mp.workdps(50):
        fitted, error = mpmath.chebyfit(scaled, [-mpf(2) / 3, mpf(2) / 3], len(COEFFICIENTS), error=True)
    assert [float(c) for c in reversed(fitted)] == list(COEFFICIENTS)
    assert error == pytest.approx(0, abs=2e-16)
