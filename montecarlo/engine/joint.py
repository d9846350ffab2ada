"""Summaries of samples for functions of several means: joint moments to order 4; mergeable.

For a ratio of means these are the means of two observables. For a correlation they are the unbiased covariance and the
two variances of groups of samples. Whatever linear combination of the means is judged, its spread and its tails
follow from these sums.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from montecarlo.engine.moments import Estimate

ORDERS = 5
"""Powers 0 to 4 of each column."""


@dataclass(frozen=True, eq=False)
class JointMoments:
    """Joint moments of observations with several columns.

    Attributes
    ----------
    means : array (columns,)
    sums : array (5, ..., 5)
        Of the products of powers of the deviations, by the power of each column, to order 4 in all; the first is n.

    Examples
    --------
    >>> found = JointMoments.of([np.array([[1.0, 2.0], [3.0, 2.0], [2.0, 5.0]])])
    >>> found.n, found.means.tolist(), found.combined([1.0, 1.0]).value
    (3, [2.0, 3.0], 5.0)
    """

    means: np.ndarray
    sums: np.ndarray

    @classmethod
    def of(cls, chunks: Iterable[np.ndarray]) -> JointMoments:
        """Moments of observations (n, columns) that come chunk by chunk."""
        return functools.reduce(cls.merge, map(_of, chunks))

    @property
    def n(self) -> int:
        """Number of observations."""
        return int(self.sums.flat[0])

    def estimate(self) -> JointMoments:
        """The joint moments themselves."""
        return self

    def combined(self, weights: Sequence[float]) -> Estimate:
        """The mean of a linear combination of the columns, with the diagnostics of its tails."""
        columns, n = len(self.means), self.n
        m2, m3, m4 = (
            sum(
                _multinomial(powers) * math.prod(w**p for w, p in zip(weights, powers, strict=True)) * self.sums[powers]
                for powers in _powers(columns, order)
            )
            for order in (2, 3, 4)
        )
        value = float(np.dot(weights, self.means))
        if not m2 > 0:
            return Estimate(value, 0.0 if m2 == 0 else math.nan, n, 0.0, 0.0, 1.0)
        skewness, kurtosis = math.sqrt(n) * (m3 / m2) / math.sqrt(m2), n * (m4 / m2) / m2 - 3
        # No fourth power of one observation is more than the sum of all of them.
        share = min(1.0, math.sqrt(max(m4, 0.0)) / m2)
        return Estimate(value, math.sqrt(m2 / (n - 1) / n), n, skewness, kurtosis, share)

    def merge(self, other: JointMoments) -> JointMoments:
        """Moments of both sets of observations together."""
        if not self.n or not other.n:
            return self if self.n else other
        means = self.means + (other.means - self.means) * (other.n / (self.n + other.n))
        return JointMoments(means, _about(self, means) + _about(other, means))

    def to_bytes(self) -> bytes:
        """Little-endian float64 numbers."""
        return np.concatenate([self.means, self.sums.ravel()]).astype("<f8").tobytes()

    @classmethod
    def from_bytes(cls, data: bytes) -> JointMoments:
        """The inverse of :meth:`to_bytes`."""
        values = np.frombuffer(data, dtype="<f8").astype(float)
        columns = next(k for k in itertools.count(1) if k + ORDERS**k >= len(values))
        return cls(values[:columns], values[columns:].reshape((ORDERS,) * columns))


def _of(values: np.ndarray) -> JointMoments:
    columns = values.shape[1]
    means = values.mean(axis=0) if len(values) else np.zeros(columns)
    deviations = values - means
    powers = [[deviations[:, k] ** p for p in range(ORDERS)] for k in range(columns)]
    sums = np.zeros((ORDERS,) * columns)
    for order in range(ORDERS):
        for index in _powers(columns, order):
            sums[index] = math.prod(powers[k][p] for k, p in enumerate(index)).sum()
    return JointMoments(means, sums)


def _about(moments: JointMoments, means: np.ndarray) -> np.ndarray:
    """The sums about other means: a binomial in each column."""
    sums = moments.sums
    for axis, shift in enumerate(moments.means - means):
        binomial = np.array([[math.comb(p, q) * shift ** max(p - q, 0) for q in range(ORDERS)] for p in range(ORDERS)])
        sums = np.moveaxis(np.tensordot(binomial, sums, (1, axis)), 0, axis)
    kept = np.indices(sums.shape).sum(axis=0) < ORDERS
    return np.where(kept, sums, 0.0)


@functools.cache
def _powers(columns: int, order: int) -> tuple[tuple[int, ...], ...]:
    return tuple(p for p in itertools.product(range(order + 1), repeat=columns) if sum(p) == order)


def _multinomial(powers: Sequence[int]) -> int:
    return math.factorial(sum(powers)) // math.prod(map(math.factorial, powers))
