"""Accurate float64 arithmetic where plain formulas cancel or leave the range: exact sums, powers, scaled products.

``x**n`` amplifies the relative error of ``x`` by ``n``; a layer with a million inputs would keep ten digits of
sixteen. The remedy is the same everywhere: carry the base as an unevaluated sum of two float64, take its logarithm
with full *relative* accuracy, and multiply that by ``n``.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

SPLITTER = 134217729.0  # 2**27 + 1: splits 53 bits into two halves whose products are exact


def two_sum(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The rounded sum and its exact rounding error."""
    total = x + y
    part = total - x
    return total, (x - (total - part)) + (y - part)


def two_product(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The rounded product and its exact rounding error (for factors below 1e300)."""
    product = x * y
    x_high, x_low = _halves(x)
    y_high, y_low = _halves(y)
    return product, ((x_high * y_high - product) + x_high * y_low + x_low * y_high) + x_low * y_low


def _halves(x):
    shifted = SPLITTER * x
    high = shifted - (shifted - x)
    return high, x - high


class Pair:
    """Arrays held as an unevaluated sum ``high + low``: about 32 digits under +, - and *.

    Examples
    --------
    >>> one_third = np.float64(1 / 3)
    >>> float(1 - 3 * one_third), float((1 - 3 * Pair(one_third)).high)
    (0.0, 5.551115123125783e-17)
    """

    def __init__(self, high, low=0.0):
        self.high = np.asarray(high, dtype=np.float64)
        self.low = np.asarray(low, dtype=np.float64)

    @staticmethod
    def of(value) -> Pair:
        return value if isinstance(value, Pair) else Pair(value)

    def __add__(self, other) -> Pair:
        other = Pair.of(other)
        total, error = two_sum(self.high, other.high)
        low, low_error = two_sum(self.low, other.low)
        total, error = two_sum(total, error + low)
        return Pair(*two_sum(total, error + low_error))

    def __mul__(self, other) -> Pair:
        other = Pair.of(other)
        product, error = two_product(self.high, other.high)
        return Pair(*two_sum(product, error + (self.high * other.low + self.low * other.high)))

    def __neg__(self) -> Pair:
        return Pair(-self.high, -self.low)

    def __sub__(self, other) -> Pair:
        return self + -Pair.of(other)

    def __rsub__(self, other) -> Pair:
        return Pair.of(other) - self

    def __truediv__(self, other) -> Pair:
        other = Pair.of(other)
        quotient = self.high / other.high
        return Pair(*two_sum(quotient, (self - other * quotient).high / other.high))

    def __pow__(self, exponent: int) -> Pair:
        result = Pair(np.ones_like(self.high))
        for _ in range(exponent):
            result = result * self
        return result

    __radd__ = __add__
    __rmul__ = __mul__

    def log_abs(self) -> np.ndarray:
        """log|high + low|, with full relative accuracy also where the sum is close to 1; -inf at zero."""
        with np.errstate(divide="ignore"):
            at_zero = np.log(np.abs(self.high))
        return at_zero + np.log1p(self.low / np.where(self.high == 0, 1.0, self.high))


def log_of_sum(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """log(x + y) for x, y >= 0 with full relative accuracy, also where x + y is close to 1.

    >>> float(log_of_sum(np.float64(1), np.float64(1e-20)))
    1e-20
    """
    return Pair(*two_sum(np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64))).log_abs()


EXPONENT_OF_PLAIN_POWERS = 16


def power(base: Pair, exponent: np.ndarray) -> np.ndarray:
    """base**exponent for positive integers; the relative error stays near 1e-13 for every exponent."""
    sign = np.where((base.high < 0) & (exponent % 2 == 1), -1.0, 1.0)
    with np.errstate(over="ignore", under="ignore"):
        # Few factors amplify little, and powers of small integers come out exact.
        small = (base.high + base.low) ** np.minimum(exponent, EXPONENT_OF_PLAIN_POWERS)
        return np.where(exponent <= EXPONENT_OF_PLAIN_POWERS, small, sign * np.exp(exponent * base.log_abs()))


def difference_of_powers(first: Pair, second: Pair, difference: Pair, exponent: np.ndarray) -> np.ndarray:
    """first**n - second**n for nonnegative bases, given ``difference = first - second`` without cancellation."""
    positive = difference.high >= 0
    size = np.abs(difference.high)
    smaller = np.where(positive, second.high, first.high)
    larger = np.where(positive, first.log_abs(), second.log_abs())
    with np.errstate(divide="ignore", invalid="ignore", over="ignore", under="ignore"):
        ratio = np.where(size == 0, 0.0, size / smaller)
        size_of_gap = np.where(
            ratio > TINY,
            log_of_gap(exponent * np.log1p(ratio)),
            np.log(exponent) + np.log(size) - np.log(smaller),  # the ratio itself may leave float64
        )
        size_of_gap = np.where(size == 0, -np.inf, size_of_gap)
        return np.where(positive, 1.0, -1.0) * np.exp(exponent * larger + size_of_gap)


# Far below, log1p(x) = x and expm1(x) = x even for a million factors.
TINY = 1e-100


def log_of_gap(gap: np.ndarray) -> np.ndarray:
    """log(1 - e^-gap) for gap >= 0, so that e^x - e^(x - gap) = e^(x + log_of_gap(gap)).

    Relatively accurate for small gaps, and free of overflow before the last step.
    """
    with np.errstate(divide="ignore"):
        return np.log(-np.expm1(-gap))


# A sum this much smaller than its terms has lost digits that matter: the terms are right to about 1e-15.
CANCELLED = 1 / 300


def refined(terms: Callable, cancelled: float = CANCELLED) -> Callable:
    """A float64 form that adds up terms, and says where they nearly cancel, as ``numeric`` of a Formula may.

    Parameters
    ----------
    terms : callable (*columns) -> list of arrays
    cancelled : float
        The size of the sum in units of its largest term below which many digits stand in; larger where terms are less
        exact.
    """

    def numeric(*columns):
        parts = terms(*columns)
        value, size = sum(parts), np.maximum.reduce([np.abs(part) for part in parts])
        return value, np.abs(value) < cancelled * size

    return numeric


def scaled_product(*factors: np.ndarray) -> np.ndarray:
    """A product with fractions and exponents multiplied separately, so that only the result can over- or underflow.

    Parameters
    ----------
    *factors : float or array

    Returns
    -------
    array of the broadcast shape

    Examples
    --------
    >>> small, large = 2.0**-600, 2.0**600
    >>> small * small * large * large, float(scaled_product(small, small, large, large))
    (0.0, 1.0)
    """
    fraction, exponent = 1.0, 0
    for factor in factors:
        part, power = np.frexp(factor)
        fraction, exponent = fraction * part, exponent + power
    with np.errstate(over="ignore", under="ignore"):
        return np.ldexp(fraction, exponent)
