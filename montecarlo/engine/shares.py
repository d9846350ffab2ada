"""Further statistics: exact probabilities, means on an interval, quantiles, ratios of means, correlations.

Each is a statistic that carries its own behaviour: which values it takes from the rows, and what is kept of them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from montecarlo.engine.histogram import Histogram
from montecarlo.engine.joint import JointMoments
from montecarlo.engine.models import Kernel
from montecarlo.engine.statistics import GROUP, Statistic


@dataclass(frozen=True)
class Probability(Statistic):
    """The probability of an event whose observable is 1 where it happens and 0 where it does not."""

    def values(self, out: np.ndarray, _buffer: np.ndarray, _parameter: float) -> np.ndarray:
        x = out[:, self.columns[0]]
        others = x[(x != 0) & (x != 1)]
        if len(others):
            raise ValueError(
                f"{self}: every value must be 0 or 1, got {others[0]:g}; write 1.0 where the event happens, else 0.0"
            )
        return x


@dataclass(frozen=True)
class BoundedMean(Statistic):
    """The mean of an observable that lies between two numbers."""

    low: float = 0.0
    high: float = 1.0

    def __post_init__(self):
        super().__post_init__()
        if not -np.inf < self.low < self.high < np.inf:
            raise ValueError(
                f"bounded_mean: low must be below high and both finite, got low = {self.low:g} and high = "
                f"{self.high:g}; give the range of the observable"
            )

    @property
    def width(self) -> float:
        """Length of the interval."""
        return self.high - self.low

    def values(self, out: np.ndarray, _buffer: np.ndarray, _parameter: float) -> np.ndarray:
        x = out[:, self.columns[0]]
        others = x[(x < self.low) | (x > self.high)]
        if len(others):
            raise ValueError(
                f"{self}: every value must be from {self.low:g} to {self.high:g}, got {others[0]:g}; declare a wider "
                "range"
            )
        return x


@dataclass(frozen=True)
class Quantile(Statistic):
    """A quantile of an observable."""

    def parameter_at(self, point: Mapping[str, Any]) -> float:
        p = super().parameter_at(point)
        if not 0 < p < 1:
            raise ValueError(f"quantile: p must be in (0, 1), got {p:g}; the median is quantile(kernel, 0.5)")
        return p

    record = Histogram

    def values(self, out: np.ndarray, _buffer: np.ndarray, _parameter: float) -> np.ndarray:
        return out[:, self.columns[0]]


@dataclass(frozen=True)
class Ratio(Statistic):
    """The ratio of the means of two observables."""

    record = JointMoments

    def values(self, out: np.ndarray, _buffer: np.ndarray, _parameter: float) -> np.ndarray:
        return out[:, list(self.columns)]


@dataclass(frozen=True)
class Correlation(Statistic):
    """The correlation of two observables, by the covariance and both variances of groups of samples."""

    record = JointMoments

    def values(self, out: np.ndarray, _buffer: np.ndarray, _parameter: float) -> np.ndarray:
        groups = len(out) // GROUP
        rows = out[: groups * GROUP, list(self.columns)].reshape(groups, GROUP, 2)
        x, y = np.moveaxis(rows - rows.mean(axis=1, keepdims=True), -1, 0)
        return np.stack([(x * y).sum(axis=1), (x * x).sum(axis=1), (y * y).sum(axis=1)], axis=1) / (GROUP - 1)


def probability(kernel: Kernel, column: int = 0) -> Statistic:
    """Probability of an event: the mean of an observable that is 0 or 1, judged by an exact binomial interval.

    That all values are 0 or 1 is declared by this statistic, and looked at in every row: another value is an error.

    Examples
    --------
    >>> from montecarlo import kernel, uniform2
    >>> @kernel
    ... def rare(stream, first, p, out):
    ...     for i in range(out.shape[0]):
    ...         u, _ = uniform2(stream, first + i, 0)
    ...         out[i, 0] = 1.0 if u < p else 0.0
    >>> probability(rare).kind
    'probability'
    """
    return Probability(kernel, "probability", (column,))


def bounded_mean(kernel: Kernel, low: float, high: float, column: int = 0) -> Statistic:
    """Mean of an observable that lies between two numbers, judged by an interval that holds for every distribution.

    For observables with rare large values, which a sample may not contain. The range is declared by this statistic and
    looked at in every row. Values from ``low`` to ``high`` need at least about 7e4 (high - low) / scale samples for a
    tolerance of 0.1 % of the scale.

    Raises
    ------
    ValueError
        When ``low`` is not below ``high``, or one of them is not finite.

    Examples
    --------
    >>> from montecarlo import kernel, uniform2
    >>> @kernel
    ... def jump(stream, first, p, out):
    ...     for i in range(out.shape[0]):
    ...         u, v = uniform2(stream, first + i, 0)
    ...         out[i, 0] = 1000.0 if u < p else v
    >>> str(bounded_mean(jump, 0, 1000)).rpartition(".")[2]
    'jump[0])'
    """
    return BoundedMean(kernel, "bounded_mean", (column,), low=float(low), high=float(high))


def quantile(kernel: Kernel, p: float | str, column: int = 0) -> Statistic:
    """Quantile of an observable, the least value with at least the probability ``p`` at or below it.

    A name takes ``p`` from the parameter point. Judged by order statistics, for every law.
    """
    return Quantile(kernel, "quantile", (column,), p)


def ratio(kernel: Kernel, first: int = 0, second: int = 1) -> Statistic:
    """The mean of one observable over the mean of another."""
    return Ratio(kernel, "ratio", (first, second))


def correlation(kernel: Kernel, first: int = 0, second: int = 1) -> Statistic:
    """Pearson's correlation of two observables."""
    return Correlation(kernel, "correlation", (first, second))
