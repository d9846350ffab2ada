"""Summaries of samples for whole distributions: counts in cells that do not depend on a formula.

A cell holds the numbers that share sign, exponent and the first 12 bits of the fraction of a float64: about 1/4096 of
their size wide, wherever they are. Cells are the same for every kernel and every parameter point, so that the counts
of one run judge any number of laws, and merging blocks is adding integers.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from montecarlo.engine.compiled import compiled_helper
from montecarlo.streams.instructions import bits

FRACTION_BITS = 12
_SHIFT = np.uint64(52 - FRACTION_BITS)
# Beyond these powers of two, numbers of one sign share a cell.
_LEAST, _MOST = -64, 64
_BASE = np.int64((1023 + _LEAST) << FRACTION_BITS)
_SIDE = np.int64((_MOST - _LEAST) << FRACTION_BITS)
_MAGNITUDE = np.uint64((1 << 63) - 1)
_ONE = np.uint64(1)
_CENTRE = _SIDE + 1
_NOT_A_NUMBER = 2 * _SIDE + 3


@dataclass(frozen=True, eq=False)
class Law:
    """An empirical distribution function, known at the upper edges of cells.

    Attributes
    ----------
    n : int
        Number of observations.
    edges : array (cells,)
        Growing; the last one is at least the largest observation.
    share : array (cells,)
        The share of the observations that are at most ``edges``; the last one is 1.
    is_finite : bool
        Whether all observations are numbers.
    """

    n: int
    edges: np.ndarray
    share: np.ndarray
    is_finite: bool

    def quantile(self, p: float) -> float:
        """The upper edge of the cell that holds the quantile: at most 1/4096 above it.

        Raises
        ------
        ValueError
            When ``p`` is not in (0, 1).
        """
        if not 0 < p < 1:
            raise ValueError(f"Law.quantile: p must be in (0, 1), got {p}; choose a probability inside")
        return float(self.edges[np.searchsorted(self.share, p)])

    def thinned(self, most: int) -> Law:
        """The same distribution function at ``most`` edges or fewer, about equally spaced in probability."""
        wanted = np.searchsorted(self.share, np.arange(1, most + 1) / most)
        kept = np.unique(np.minimum(wanted, len(self.edges) - 1))
        return Law(self.n, self.edges[kept], self.share[kept], self.is_finite)


@dataclass(frozen=True, eq=False)
class Histogram:
    """Counts of observations by cell.

    Attributes
    ----------
    cells : array of int64
        Occupied cells in growing order: of growing numbers, and last the one for what is not a number.
    counts : array of int64

    Examples
    --------
    >>> law = Histogram.of([np.array([0.5, -3.0, 1e9, 0.5])]).estimate()
    >>> law.n, law.share.tolist(), law.quantile(0.6)
    (4, [0.25, 0.75, 1.0], 0.5)
    """

    cells: np.ndarray
    counts: np.ndarray

    @classmethod
    def of(cls, chunks: Iterable[np.ndarray]) -> Histogram:
        """Counts of observations that come chunk by chunk; the system gives memory to the cells that are touched."""
        counts = np.zeros(int(_NOT_A_NUMBER) + 1, dtype=np.uint32)
        for values in chunks:
            _tally(values, counts)
        # Places of truth values are found ten times faster than those of numbers.
        cells = np.flatnonzero(counts != 0)
        return cls(cells, counts[cells].astype(np.int64))

    @cached_property
    def n(self) -> int:
        """Number of observations."""
        return int(self.counts.sum())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Histogram):
            return NotImplemented
        return np.array_equal(self.cells, other.cells) and np.array_equal(self.counts, other.counts)

    def merge(self, other: Histogram) -> Histogram:
        """Counts of both sets of observations together."""
        cells = np.concatenate([self.cells, other.cells])
        order = np.argsort(cells, kind="stable")  # Two growing runs are merged in one pass.
        cells, counts = cells[order], np.concatenate([self.counts, other.counts])[order]
        first = np.flatnonzero(np.diff(cells, prepend=-1))
        return Histogram(cells[first], np.add.reduceat(counts, first))

    def to_bytes(self) -> bytes:
        """Distances between occupied cells and their counts, compressed."""
        gaps = np.diff(self.cells, prepend=0)
        return zlib.compress(np.concatenate([gaps, self.counts]).astype("<u4").tobytes(), 1)

    @classmethod
    def from_bytes(cls, data: bytes) -> Histogram:
        """The inverse of :meth:`to_bytes`."""
        values = np.frombuffer(zlib.decompress(data), dtype="<u4").astype(np.int64)
        half = len(values) // 2
        return cls(np.cumsum(values[:half]), values[half:])

    def estimate(self) -> Law:
        """The empirical distribution function."""
        is_finite = not len(self.cells) or bool(self.cells[-1] != _NOT_A_NUMBER)
        return Law(self.n, _upper_edges(self.cells), np.cumsum(self.counts) / max(self.n, 1), is_finite)


def _upper_edges(cells: np.ndarray) -> np.ndarray:
    """The largest number of each cell; infinity for the last ones."""
    steps = cells - _CENTRE
    # Cells are (low, high] on both sides of zero, so that the counts up to an edge include the edge itself.
    size = np.where(steps >= 0, _BASE + steps, _BASE - steps - 1).astype(np.uint64) << _SHIFT
    edges = np.where(steps >= 0, size.view(np.float64), -size.view(np.float64))
    return np.where(steps > _SIDE, np.inf, edges)


@compiled_helper
def _tally(x, counts):
    for i in range(x.shape[0]):
        value = x[i]
        word = bits(value) & _MAGNITUDE
        if value > 0:
            # One less, so that a power of two closes the cell below it.
            step = min(max(np.int64((word - _ONE) >> _SHIFT) - _BASE + 1, 0), _SIDE + 1)
            counts[_CENTRE + step] += 1
        elif value <= 0:
            step = min(max(np.int64(word >> _SHIFT) - _BASE + 1, 0), _SIDE + 1)
            counts[_CENTRE - step] += 1
        else:
            counts[_NOT_A_NUMBER] += 1
