"""The moments of a weight and of a factor f = W z + 1 - W of an NMU, and products and powers of them in float64.

Every product is a sum of logarithms, so that one factor may overflow or vanish where the product does not; bases of
powers are carried as pairs, because a power with exponent H multiplies a relative error by H.
"""

import numpy as np

from theory.numerics.pairs import Pair

TINY = 1e-100
# Products of this size have full precision.
SMALLEST = 1e-280


def log_size(x) -> np.ndarray:
    """log|x|, -inf at zero."""
    return Pair.of(x).log_abs()


def log_power(base: Pair, exponent: np.ndarray) -> np.ndarray:
    """log|base**exponent|, with 0**0 = 1."""
    with np.errstate(invalid="ignore"):
        return np.where(exponent == 0, 0.0, exponent * base.log_abs())


def log_gap(
    larger: Pair, smaller: Pair, difference: Pair, log_difference: np.ndarray, exponent: np.ndarray
) -> np.ndarray:
    """log(larger**n - smaller**n) for nonnegative bases and their difference, whose log is given too: it may vanish."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore", under="ignore"):
        ratio = difference.high / smaller.high
        small = np.where(difference.high > SMALLEST, np.log(difference.high), log_difference)
        factor = np.where(
            ratio > TINY, np.log(-np.expm1(-exponent * np.log1p(ratio))), np.log(exponent) + small - smaller.log_abs()
        )
        return np.where((exponent == 0) | np.isneginf(small), -np.inf, exponent * larger.log_abs() + factor)


def sign(x: Pair, exponent=1) -> np.ndarray:
    return np.where((x.high < 0) & (exponent % 2 == 1), -1.0, 1.0)


class Moments:
    """Moments of a weight and of a factor f, as pairs: m = E[f], q = E[f^2], s = E[f_1 f_2] of two outputs."""

    def __init__(self, mean_w, var_w, mean_z, var_z):
        shifted = Pair(mean_z) - 1.0
        self.w, self.w_square = Pair(mean_w), Pair(mean_w) * mean_w
        self.w_second = self.w_square + var_w
        self.m = self.w * shifted + 1.0
        self.m_square = self.m * self.m
        self.shared = self.w_square * var_z
        self.spread = Pair(var_w) * (shifted * shifted + var_z) + self.shared
        self.q, self.s = self.m_square + self.spread, self.m_square + self.shared
        self.log_shared = 2 * log_size(mean_w) + log_size(var_z)
        self.log_spread = np.logaddexp(log_size(var_w) + log_size(shifted * shifted + var_z), self.log_shared)
        self.w_times_f = self.w + self.w_second * shifted

    def derivative_variance(self, var_w, n) -> np.ndarray:
        """Var[W] q^n + E[W]^2 (q^n - m^2n), which has no cancellation."""
        first = log_size(var_w) + log_power(self.q, n)
        return np.logaddexp(
            first, log_size(self.w_square) + log_gap(self.q, self.m_square, self.spread, self.log_spread, n)
        )

    def derivative_covariance(self, n) -> np.ndarray:
        """log of E[W]^2 (s^n - m^2n)."""
        return log_size(self.w_square) + log_gap(self.s, self.m_square, self.shared, self.log_shared, n)
