"""A job: a statistic at a parameter point, the looks at it, and the tree along which blocks of samples are merged."""

from __future__ import annotations

import bisect
import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any

from montecarlo.engine.fingerprint import fingerprint
from montecarlo.engine.histogram import Histogram
from montecarlo.engine.models import Kernel
from montecarlo.engine.moments import Moments
from montecarlo.engine.rows import Rows
from montecarlo.engine.statistics import Statistic
from montecarlo.streams.philox import Stream, stream

VERSION = 1
# Rows of one call of a kernel: one column fits in the L2 cache, and the call costs little against its work.
CHUNK = 2**14
FIRST_LOOK = 2**17
# From here on a look costs little against the samples that it may save.
FINE = 2**23

Record = Moments | Histogram | Rows
"""What is kept of samples."""

Piece = tuple[int, int]
"""First sample, number of samples."""


@dataclass(frozen=True)
class Job:
    """A statistic at a parameter point, with the identity of its random stream.

    Attributes
    ----------
    statistic : Statistic
    point : mapping of str to number
        Values of the kernel's parameters (others are ignored).
    claim, index, seed : str, int, int
        With the seed they select the random stream.
    looks : tuple of int
        Growing numbers of samples after which the caller may stop.
    tested : mapping of str to value
        In place of those of the point, where the kernel is tested before its first sample: a test simulates some
        samples several times, which must not take hours.
    seconds : float
        About how many processor seconds a sample takes; 0 where nobody has said so.
    """

    statistic: Statistic
    point: Mapping[str, Any]
    claim: str
    index: int = 0
    seed: int = 0
    looks: tuple[int, ...] = field(default=(FIRST_LOOK,))
    tested: Mapping[str, Any] = field(default_factory=dict)
    seconds: float = 0.0

    def __post_init__(self):
        before = 0
        for look in self.looks:
            if look <= before:
                raise ValueError(f"Job: looks must grow from at least 1, got {self.looks}; sort them")
            before = look
        if not self.looks:
            raise ValueError("Job: looks must name at least one number of samples, got none; give one")

    @property
    def kernel(self) -> Kernel:
        return self.statistic.kernel

    @property
    def unit(self) -> str:
        """Name of its samples in progress messages: samples, or runs."""
        return "run" if self.statistic.record is Rows else "sample"

    @property
    def parameter(self) -> float:
        """Order or threshold of the statistic at this point."""
        return self.statistic.parameter_at(self.point)

    @cached_property
    def arguments(self) -> tuple:
        """Arguments of the kernel, in order."""
        return self.kernel.arguments(self.point)

    @cached_property
    def tested_arguments(self) -> tuple:
        """Arguments of the kernel where it is tested."""
        return self.kernel.arguments({**self.point, **self.tested})

    def key(self) -> bytes:
        """Key of the stored blocks: everything on which their bits depend."""
        text = repr((
            VERSION, self.kernel.digest, numerics_digest(self.statistic.record), str(self.statistic), self.arguments,
            self.parameter, self.claim, self.index, self.seed,
        ))  # fmt: skip
        return hashlib.blake2b(text.encode(), digest_size=16).digest()

    @property
    def identity(self) -> tuple:
        """Identity of its samples within a process: the kernel object, the record, and the stream."""
        return (
            self.kernel, str(self.statistic), self.arguments, self.parameter, self.claim, self.index, self.seed,
            self.looks,
        )  # fmt: skip

    def task(self, first: int = 0, count: int = 1) -> tuple:
        """Samples [first, first + count) as the argument of :func:`montecarlo.simulate`, which tests the kernel first.

        The test has its own arguments, and asks of a kernel what is needed for so many samples as the first look has.
        """
        test = self.tested_arguments, self.looks[0]
        return self.statistic, self.parameter, self._stream, self.arguments, first, count, test

    @cached_property
    def _stream(self) -> Stream:
        return stream(self.seed, self.claim, self.index, VERSION)

    def look(self, number: int) -> Look:
        """The samples between two looks."""
        return Look(self.looks[number - 1] if number else 0, self.looks[number], self.kernel.block)


@cache
def numerics_digest(record: type[Record]) -> str:
    """The digest of what makes a record of a kernel's rows; of rows that are kept as they are no numbers are made."""
    return fingerprint(record) if record is Rows else fingerprint(record, Statistic, CHUNK)


class Look:
    """The samples [start, stop) of one look, in blocks: the leaves of a binary tree.

    Level 0 of the tree has the blocks, level n + 1 the pairs of level n. What two nodes leave behind is merged into
    what their parent does, so that the order of merging is the same whichever worker simulated a node.
    """

    def __init__(self, start: int, stop: int, block: int):
        self.start, self.stop, self.block = start, stop, block
        self.height = (-(-(stop - start) // block) - 1).bit_length()
        self.parts: dict[Piece, Record] = {}
        self.missing = 0

    def pieces(self, known: Mapping[Piece, Record], level: int = 0) -> list[Piece]:
        """Samples that are still to be simulated, in nodes of at most the given level; keeps known ones."""
        firsts = sorted(first for first, _ in known if self.start <= first < self.stop)
        found = list(self._cover(known, firsts, min(level, self.height), self.height, 0))
        self.missing = len(found)
        return found

    def _cover(
        self, known: Mapping[Piece, Record], firsts: list[int], most: int, level: int, i: int
    ) -> Iterator[Piece]:
        piece = self._node(level, i)
        first, count = piece
        if count <= 0:
            return
        if piece in known:
            self.parts[piece] = known[piece]
            return
        untouched = bisect.bisect_left(firsts, first) == bisect.bisect_left(firsts, first + count)
        if level == 0 or (level <= most and untouched):
            yield piece
            return
        yield from self._cover(known, firsts, most, level - 1, 2 * i)
        yield from self._cover(known, firsts, most, level - 1, 2 * i + 1)

    def _node(self, level: int, i: int) -> Piece:
        width = self.block << level
        first = self.start + i * width
        return first, min(width, self.stop - first)

    def receive(self, piece: Piece, record: Record) -> None:
        """Add the result of a piece."""
        self.parts[piece] = record
        self.missing -= 1

    def merged(self) -> Record:
        """All parts as one, along the tree."""
        return self._merged(self.height, 0)

    def _merged(self, level: int, i: int) -> Record:
        piece = self._node(level, i)
        if piece in self.parts:
            return self.parts.pop(piece)
        left = self._merged(level - 1, 2 * i)
        return left if self._node(level - 1, 2 * i + 1)[1] <= 0 else left.merge(self._merged(level - 1, 2 * i + 1))


def looks_up_to(budget: int, first: int = FIRST_LOOK) -> tuple[int, ...]:
    """Numbers of samples within ``budget``: ``first`` times 1, 3/2, 2, 3, 4, 6, 8, ..., from ``FINE`` on by quarters.

    A job that needs n samples takes 1.20 n on average, above ``FINE`` 1.10 n; doubled numbers would make it 1.44 n.

    Examples
    --------
    >>> looks_up_to(1000, first=128)
    (128, 192, 256, 384, 512, 768)
    >>> [n / FINE for n in looks_up_to(4 * FINE) if n >= FINE]
    [1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 3.5, 4.0]
    """
    counts = {first}
    for k in range(budget.bit_length()):
        quarters = (4, 5, 6, 7) if first << k >= FINE else (4, 6)
        counts |= {q * (first << k) // 4 for q in quarters}
    return tuple(sorted(n for n in counts if n <= max(budget, first)))
