"""Proportions, signs and quantiles of independent runs: exact tests for any distribution of the results.

The probability of an error is at most ``RATE``, both sides together, for any number of runs. With few runs an interval
is wide; with too few it contains all values.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy

from paper_checks.rules.means import Status, told
from paper_checks.rules.rates import RATE


@dataclass(frozen=True)
class Interval:
    """An estimate with the values that the runs do not exclude.

    Examples
    --------
    >>> half = proportion(50, 100)
    >>> half.above(0.1), half.below(0.6), half.below(0.9)
    (<Status.CONFIRMED: 'CONFIRMED'>, <Status.INCONCLUSIVE: 'INCONCLUSIVE'>, <Status.CONFIRMED: 'CONFIRMED'>)
    """

    value: float
    low: float
    high: float
    n: int

    def above(self, limit: float) -> Status:
        """Whether the value is above a limit: CONFIRMED or REFUTED if all values in the interval agree."""
        return told(self.low > limit, self.high <= limit)

    def below(self, limit: float) -> Status:
        """Whether the value is below a limit."""
        return told(self.high < limit, self.low >= limit)

    def within(self, low: float, high: float) -> Status:
        """Whether the value lies between two limits, these included."""
        return told(low <= self.low and self.high <= high, self.high < low or self.low > high)

    def __str__(self) -> str:
        return f"{self.value:.4g} in [{self.low:.4g}, {self.high:.4g}], n = {self.n}"


def proportion(successes: int, n: int, rate: float = RATE) -> Interval:
    """Estimated probability from counts, with the exact interval of Clopper and Pearson.

    Examples
    --------
    >>> print(proportion(0, 1000))
    0 in [0, 0.02501], n = 1000
    """
    if n == 0:
        return Interval(np.nan, 0.0, 1.0, 0)
    limits = scipy.stats.binomtest(int(successes), int(n)).proportion_ci(1 - rate, "exact")
    return Interval(successes / n, float(limits.low), float(limits.high), int(n))


def quantile(values: np.ndarray, p: float, rate: float = RATE) -> Interval:
    """Quantile of the distribution of independent values, with an exact interval; infinite where n is too small.

    Examples
    --------
    >>> print(quantile(np.arange(200.0), 0.9))
    180 in [146, inf], n = 200
    """
    values = np.asarray(values, dtype=float)
    limits = scipy.stats.quantile_test(values, q=0, p=p).confidence_interval(1 - rate)
    low = -np.inf if np.isnan(limits.low) else float(limits.low)
    high = np.inf if np.isnan(limits.high) else float(limits.high)
    ordered = np.sort(values)
    return Interval(float(ordered[min(int(p * len(values)), len(values) - 1)]), low, high, len(values))


def median(values: np.ndarray, rate: float = RATE) -> Interval:
    """Median of the distribution of independent values, with an exact interval.

    Examples
    --------
    >>> median(np.arange(48.0)).low, median(np.arange(48.0)).high, median(np.arange(30.0)).high
    (2.0, 45.0, inf)
    """
    return quantile(values, 0.5, rate)


@dataclass(frozen=True)
class Sign:
    """Numbers of differences above and below 0, and the status of "more are above".

    CONFIRMED or REFUTED if a fair coin would show as many on one side with a probability of at most the rate of the
    test, both sides together. Differences of 0 are left out.
    """

    above: int
    below: int
    status: Status
    p: float

    def __str__(self) -> str:
        return f"{self.above} of {self.above + self.below} above 0"


def sign_test(differences: np.ndarray, rate: float = RATE) -> Sign:
    """The exact sign test.

    Examples
    --------
    >>> print(sign_test(np.ones(48)), sign_test(np.ones(48)).status)
    48 of 48 above 0 CONFIRMED
    >>> sign_test(np.arange(-10, 30)).status
    <Status.INCONCLUSIVE: 'INCONCLUSIVE'>
    """
    above, below = int((differences > 0).sum()), int((differences < 0).sum())
    p = float(scipy.stats.binomtest(above, above + below).pvalue) if above + below else 1.0
    if p > rate:
        return Sign(above, below, Status.INCONCLUSIVE, p)
    return Sign(above, below, Status.CONFIRMED if above > below else Status.REFUTED, p)


def compare_signs(
    differences: Mapping[str, np.ndarray], seed: int = 1, rate: float = RATE
) -> tuple[dict[str, Sign], dict[str, bool]]:
    """Sign tests by name, and for each mistake whether all tests would have detected it.

    The mistakes: labels that are swapped in every run, and in half of the runs.
    """
    rng = np.random.default_rng(seed)
    signs = {name: sign_test(d, rate) for name, d in differences.items()}
    swapped = all(sign_test(-d, rate).status is not Status.CONFIRMED for d in differences.values())
    mixed = all(
        sign_test(d * rng.permutation(np.resize([1, -1], len(d))), rate).status is not Status.CONFIRMED
        for d in differences.values()
    )
    return signs, {"labels swapped": swapped, "labels swapped in half of the runs": mixed}


def signs_text(signs: Mapping[str, Sign], with_p: bool = False) -> str:
    """Counts by name, and p-values. A difference is called "of what, A less B", or otherwise.

    Examples
    --------
    >>> signs_text({"loss, ReLU less tanh": sign_test(np.ones(48)), "gain": sign_test(-np.ones(48))})
    'loss, ReLU > tanh in 48 of 48; gain: 0 of 48 above 0'
    """

    def said(name: str, sign: Sign) -> str:
        one, less, other = name.rpartition(" less ")
        counts = f"{one} > {other} in {sign.above} of {sign.above + sign.below}" if less else f"{name}: {sign}"
        return f"{counts}, p = {sign.p:.2g}" if with_p else counts

    return listed(signs.items(), said)


def listed(items: Iterable[Any], text: Callable[..., str]) -> str:
    """Texts of items, separated by semicolons."""
    return "; ".join(text(*item) for item in items)
