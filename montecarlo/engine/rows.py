"""Rows of all samples, in the order of the samples, where each sample counts.

A training run is a sample whose row says how it ended; runs are compared pair by pair, so that nothing is summed up.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class Rows:
    """Rows of observables, one per sample.

    Attributes
    ----------
    values : array (n, columns)

    Examples
    --------
    >>> first, second = Rows(np.array([[1.0, 2.0]])), Rows(np.array([[3.0, 4.0]]))
    >>> first.merge(second).values.tolist()
    [[1.0, 2.0], [3.0, 4.0]]
    """

    values: np.ndarray

    @classmethod
    def of(cls, chunks: Iterable[np.ndarray]) -> Rows:
        """Rows that come chunk by chunk, copied, as their memory is used again."""
        return cls(np.concatenate([np.array(values, order="C") for values in chunks]))

    @property
    def n(self) -> int:
        """Number of samples."""
        return len(self.values)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Rows):
            return NotImplemented
        return self.to_bytes() == other.to_bytes()

    __hash__ = None

    def merge(self, other: Rows) -> Rows:
        """The rows of both sets of samples, this one's first."""
        return Rows(np.concatenate([self.values, other.values]))

    def to_bytes(self) -> bytes:
        """The number of columns, then little-endian float64 numbers row by row."""
        return np.array([self.values.shape[1]], dtype="<u8").tobytes() + self.values.astype("<f8").tobytes()

    @classmethod
    def from_bytes(cls, data: bytes) -> Rows:
        """The inverse of :meth:`to_bytes`."""
        columns = int(np.frombuffer(data, dtype="<u8", count=1)[0])
        return cls(np.frombuffer(data, dtype="<f8", offset=8).astype(np.float64).reshape(-1, columns))

    def estimate(self) -> np.ndarray:
        """The rows (n, columns)."""
        return self.values
