"""Summaries of samples: count, mean, central moments to order 4 and the extremes; mergeable."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass

import numpy as np

from montecarlo.engine.compiled import compiled_helper

# Sums run in this many lanes, which the compiler maps to vector registers of any width: the order of
# additions, and so every bit of the result, is the same on all machines.
LANES = 256
FIELDS = 7


@dataclass(frozen=True)
class Moments:
    """Moments of observations.

    Attributes
    ----------
    n : int
        Number of observations.
    mean : float
    m2, m3, m4 : float
        Sums of powers of the deviations from the mean (not divided by ``n``).
    low, high : float
        Smallest and largest observation.
    """

    n: int
    mean: float
    m2: float
    m3: float
    m4: float
    low: float
    high: float

    @classmethod
    def of(cls, chunks: Iterable[np.ndarray]) -> Moments:
        """Moments of observations that come chunk by chunk."""
        lanes, total = new_scratch(), np.zeros(FIELDS)
        for values in chunks:
            accumulate(values, lanes, total)
        return cls.from_array(total)

    @classmethod
    def from_array(cls, values: np.ndarray) -> Moments:
        """Read the seven numbers that :func:`accumulate` leaves."""
        return cls(int(values[0]), *(float(v) for v in values[1:]))

    @classmethod
    def from_bytes(cls, data: bytes) -> Moments:
        """The inverse of :meth:`to_bytes`."""
        return cls.from_array(np.frombuffer(data, dtype="<f8", count=FIELDS))

    def to_bytes(self) -> bytes:
        """Seven little-endian float64 numbers."""
        return np.array(astuple(self), dtype="<f8").tobytes()

    def merge(self, other: Moments) -> Moments:
        """Moments of both sets of observations together (the pairwise update of Chan and of Pébay)."""
        array = np.array(astuple(self), dtype=np.float64)
        _merge(array, *astuple(other))
        return Moments.from_array(array)

    def estimate(self) -> Estimate:
        """The mean with its standard error and diagnostics of the tails."""
        if self.n < 2:
            raise ValueError(f"Moments.estimate: needs at least 2 observations, got {self.n}")
        se = math.sqrt(self.m2 / (self.n - 1) / self.n)
        if self.m2 <= 0 or self.low == self.high:  # the mean of equal values may be off by rounding, its m2 above 0
            return Estimate(self.mean, 0.0, self.n, 0.0, 0.0, 1.0)
        # Divisions one after the other: a power of m2 leaves the range of float64 long before the ratio does.
        skewness = math.sqrt(self.n) * (self.m3 / self.m2) / math.sqrt(self.m2)
        kurtosis = self.n * (self.m4 / self.m2) / self.m2 - 3
        if kurtosis < -2.001:  # impossible: the fourth powers have underflowed
            kurtosis = math.inf
        extreme = max(self.high - self.mean, self.mean - self.low)
        return Estimate(self.mean, se, self.n, skewness, kurtosis, extreme / self.m2 * extreme)


@dataclass(frozen=True)
class Estimate:
    """A mean with its standard error and diagnostics of the tails.

    Attributes
    ----------
    value, se : float
        Mean and its standard error.
    n : int
        Number of observations.
    skewness, excess_kurtosis : float
        Of one observation.
    largest_share : float
        The share of the most extreme observation in the sum of squared deviations: near 0 for light tails.
    """

    value: float
    se: float
    n: int
    skewness: float
    excess_kurtosis: float
    largest_share: float

    @property
    def is_finite(self) -> bool:
        """Whether value and standard error are numbers; one nan or infinity among the observations makes them none."""
        return math.isfinite(self.value) and math.isfinite(self.se)

    def tail_excess(self, z: float) -> float:
        """Error of the normal distribution at ``z`` standard errors: the Edgeworth terms in the exponent.

        The tail probability at ``z`` is about ``exp(tail_excess)`` times the normal one, from the leading terms
        skewness z^3 / (6 sqrt n) and excess kurtosis z^4 / (24 n).
        """
        return abs(self.skewness) * z**3 / (6 * math.sqrt(self.n)) + abs(self.excess_kurtosis) * z**4 / (24 * self.n)

    def __str__(self) -> str:
        return f"{self.value:.6g} ± {self.se:.2g} (n = {self.n:,})"

    def _repr_html_(self) -> str:
        """HTML for notebooks: the mean, and diagnostics."""
        tails = (self.skewness, self.excess_kurtosis, self.largest_share)
        cells = [f"{self.value:.10g}", f"{self.se:.2g}", f"{self.n:,}", *(f"{number:.3g}" for number in tails)]
        head = ["mean", "±", "n", "skewness", "excess kurtosis", "share of the largest"]
        rows = (f"<tr><{tag}>{f'</{tag}><{tag}>'.join(row)}</{tag}></tr>" for tag, row in (("th", head), ("td", cells)))
        return f"<table>{''.join(rows)}</table>"


def merge_tree(parts: Sequence[Moments]) -> Moments:
    """Merge in index order along a fixed binary tree, whatever order the parts were computed in."""
    if not parts:
        raise ValueError("merge_tree: needs at least one part, got none")
    level = list(parts)
    while len(level) > 1:
        level = [level[i].merge(level[i + 1]) if i + 1 < len(level) else level[i] for i in range(0, len(level), 2)]
    return level[0]


def new_scratch() -> np.ndarray:
    """Working memory of :func:`accumulate`."""
    return np.empty((6, LANES))


@compiled_helper
def _merge(a, n, mean, m2, m3, m4, low, high):
    if n == 0:
        return
    if a[0] == 0:
        a[0], a[1], a[2], a[3], a[4], a[5], a[6] = n, mean, m2, m3, m4, low, high
        return
    total = a[0] + n
    d = mean - a[1]
    p = a[0] / total
    q = n / total
    # Products of n_a n_b are formed from the shares p and q, so that no power of a count overflows.
    w = a[0] * q
    a[4] += (
        m4 + d**4 * w * (p * p - p * q + q * q) + 6 * d * d * (p * p * m2 + q * q * a[2]) + 4 * d * (p * m3 - q * a[3])
    )
    a[3] += m3 + d**3 * w * (p - q) + 3 * d * (p * m2 - q * a[2])
    a[2] += m2 + d * d * w
    a[1] += d * q
    a[0] = total
    a[5] = min(a[5], low)
    a[6] = max(a[6], high)


@compiled_helper
def _sum_four(x, s1, low, high):
    """Four rows of lanes, one after the other in each lane: a lane is loaded and stored once for four numbers."""
    one, two, three, four = x[:LANES], x[LANES : 2 * LANES], x[2 * LANES : 3 * LANES], x[3 * LANES :]
    for j in range(LANES):
        s1[j] = s1[j] + one[j] + two[j] + three[j] + four[j]
        low[j] = min(min(min(min(low[j], one[j]), two[j]), three[j]), four[j])
        high[j] = max(max(max(max(high[j], one[j]), two[j]), three[j]), four[j])


@compiled_helper
def _sum_four_powers(x, mean, s2, s3, s4):
    """Powers of the deviations of four rows, likewise."""
    one, two, three, four = x[:LANES], x[LANES : 2 * LANES], x[2 * LANES : 3 * LANES], x[3 * LANES :]
    for j in range(LANES):
        a, b, c, d = one[j] - mean, two[j] - mean, three[j] - mean, four[j] - mean
        p, q, r, s = a * a, b * b, c * c, d * d
        s2[j] = s2[j] + p + q + r + s
        s3[j] = s3[j] + p * a + q * b + r * c + s * d
        s4[j] = s4[j] + p * p + q * q + r * r + s * s


@compiled_helper
def accumulate(x, lanes, total):
    """Merge the moments of ``x`` (1-d, contiguous) into ``total``; two passes over data that is in cache."""
    n = x.shape[0]
    if n == 0:
        return
    rows = n // LANES
    fours = rows - rows % 4
    lanes[:4] = 0.0
    lanes[4] = np.inf
    lanes[5] = -np.inf
    s1, s2, s3, s4, low, high = lanes[0], lanes[1], lanes[2], lanes[3], lanes[4], lanes[5]
    for i in range(0, fours, 4):
        _sum_four(x[i * LANES : (i + 4) * LANES], s1, low, high)
    for i in range(fours, rows):
        row = x[i * LANES : (i + 1) * LANES]
        for j in range(LANES):
            s1[j] += row[j]
            low[j] = min(low[j], row[j])
            high[j] = max(high[j], row[j])
    mean = 0.0
    smallest = np.inf
    largest = -np.inf
    for j in range(LANES):
        mean += s1[j]
        smallest = min(smallest, low[j])
        largest = max(largest, high[j])
    for i in range(rows * LANES, n):
        mean += x[i]
        smallest = min(smallest, x[i])
        largest = max(largest, x[i])
    mean /= n
    for i in range(0, fours, 4):
        _sum_four_powers(x[i * LANES : (i + 4) * LANES], mean, s2, s3, s4)
    for i in range(fours, rows):
        row = x[i * LANES : (i + 1) * LANES]
        for j in range(LANES):
            d = row[j] - mean
            q = d * d
            s2[j] += q
            s3[j] += q * d
            s4[j] += q * q
    m2 = 0.0
    m3 = 0.0
    m4 = 0.0
    for j in range(LANES):
        m2 += s2[j]
        m3 += s3[j]
        m4 += s4[j]
    for i in range(rows * LANES, n):
        d = x[i] - mean
        q = d * d
        m2 += q
        m3 += q * d
        m4 += q * q
    _merge(total, n, mean, m2, m3, m4, smallest, largest)
