"""Published numbers: their rounding, and the number of runs behind them."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np
import scipy

WHAT = ("count", "mean", "median", "half width", "standard error")
MOST_DIGITS = 17  # Of a number in double precision.
CUSTOMARY = 0.95
"""Confidence level of the intervals that papers publish."""


@dataclass(frozen=True)
class Published:
    """A published number.

    Parameters
    ----------
    value : str or number
        As published: the digits of a text show how it is rounded. A number needs ``digits``, unless it is a count.
    n : int
        Number of runs behind it; for a count, the number of all runs.
    what : {"count", "mean", "median", "half width", "standard error"}
        Statistic of these runs. The half width is that of a 95 % interval of the mean by Student's t. The standard
        error of the mean has the divisor n, the smaller of the usual two, so that neither is falsely rejected.
    digits : int, optional
        Number of published significant digits.
    error : float, optional
        Standard error of a mean: the published standard deviation over the root of n, or :func:`standard_error` of
        the half width of an interval.
    possible : (float, float), optional
        The least and the largest possible value of the mean. If all of them are compatible with our runs, the
        comparison has too few runs. So it has if the least is 0 or more and a difference as large as the published mean
        would be missed.

    Raises
    ------
    ValueError
        If the value is not a finite number, n is missing, a count is negative or larger than n, or digits are unclear.

    Examples
    --------
    >>> Published("1.3e4", n=94, what="median").between
    (12500.0, 13500.0)
    >>> Published(13, n=100, what="count").between
    (13.0, 13.0)
    """

    value: Any
    n: int
    what: str = "mean"
    digits: int | None = None
    error: float | None = None
    possible: tuple[float, float] | None = None

    def __post_init__(self):
        for mistake in self._mistakes():
            raise ValueError(f"Published: {mistake}")

    def _mistakes(self) -> Iterator[str]:
        got, of_mean = f"got {self.value!r}", self.what == "mean"
        if self.what not in WHAT:
            yield f"what must be one of {', '.join(WHAT)}, got {self.what!r}; choose one"
        if not _is_count(self.n):
            yield f"n must be a number of runs, at least 1, got {self.n!r}; give n="
        if not math.isfinite(self.number):
            yield f"value must be finite, {got}; leave the cell out"
        if self.what == "count" and not (self.number == int(self.number) and 0 <= self.number <= self.n):
            hint = "a rate of 94 % of 100 runs is the count 94"
            yield f"a count must be a whole number from 0 to n = {self.n}, {got}; {hint}"
        if self.what != "count" and not isinstance(self.value, str) and self.digits is None:
            yield f"digits of {self.value!r} are unclear; give the number as a text, as in '0.50', or digits=2"
        # A number that is read off an axis may be rounded to more than its own size: no digit, or fewer.
        if self.digits is not None and not (isinstance(self.digits, int | np.integer) and self.digits <= MOST_DIGITS):
            yield f"digits must be a whole number, at most 17, got {self.digits!r}; count them"
        if self.what in ("half width", "standard error") and (self.number < 0 or self.n < 2):
            yield f"a {self.what} is at least 0 and of 2 runs or more, {got}, {self.n}"
        if self.possible is not None and not _is_interval(self.possible):
            yield f"possible must be two numbers, the least first, got {self.possible!r}; swap them"
        if self.error is not None and not (of_mean and _is_interval((0, self.error)) and self.error < math.inf):
            yield f"error is the standard error of a mean, at least 0, got {self.error!r}"

    @property
    def number(self) -> float:
        """The value as a number."""
        try:
            return float(self.value)
        except (TypeError, ValueError):
            raise ValueError(f"Published: value must be a number, got {self.value!r}; give digits only") from None

    @property
    def between(self) -> tuple[float, float]:
        """Least and largest number that round to the published one."""
        if self.what == "count":
            return self.number, self.number
        if isinstance(self.value, str) and self.digits is None:
            exponent = Decimal(self.value.strip()).as_tuple().exponent
        else:
            exponent = math.floor(math.log10(abs(self.number))) - self.digits + 1 if self.number else 0
        half = Decimal(10) ** exponent / 2
        return float(Decimal(repr(self.number)) - half), float(Decimal(repr(self.number)) + half)


def _is_count(value: Any) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool) and value >= 1


def _is_interval(pair: Any) -> bool:
    """Whether it is two real numbers, the first one not the larger."""
    try:
        low, high = map(float, pair)
    except (TypeError, ValueError):
        return False
    return low <= high


def standard_error(half_width: float, n: int) -> float:
    """Standard error of a mean of n runs from the half width of its 95 % interval by Student's t.

    Examples
    --------
    >>> round(standard_error(2.262, 10), 3)
    1.0
    """
    if not _is_interval((0, half_width)) or half_width == math.inf:
        raise ValueError(
            f"standard_error: half_width must be a number of at least 0, got {half_width!r}; give it positive"
        )
    if not _is_count(n) or n < 2:
        raise ValueError(f"standard_error: n must be a number of runs, at least 2, got {n!r}; give n=")
    return half_width / float(scipy.stats.t.isf((1 - CUSTOMARY) / 2, n - 1))
