"""How much work makes a task: a block where workers are threads, more where a message to a worker takes its time.

What is packed together has no influence on any bit of a result.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from concurrent.futures import Executor
from typing import Any

from montecarlo.engine.cluster import is_cluster, worker_count
from montecarlo.engine.job import Job, Look

__all__ = ["Packing"]

# Seconds of a task on a cluster: long against the milliseconds of its way there and back.
GRAIN = 0.25
# Of the grain, that a task has at least if there is work for it.
LEAST = 0.1
# Of a block of samples whose kernel has not been timed yet. A training run is a task until it has.
FIRST_GUESS = 0.005
# Seconds to test a kernel.
TEST = 0.01


class Packing:
    """Puts pieces of work into tasks of about equal length, by what it has learned of each kernel's pace."""

    def __init__(self, executor: Executor, grain: float | None = None):
        self.grain = (GRAIN if is_cluster(executor) else 0.0) if grain is None else grain
        self.workers = max(1, worker_count(executor) or 1)
        self._paces: dict[Any, float] = {}

    def learn(self, job: Job, count: int, seconds: float) -> None:
        """Take note of how long samples took."""
        if count:
            key = job.kernel.label, job.arguments
            pace = seconds / count
            before = self._paces.get(key)
            self._paces[key] = pace if before is None else 0.5 * (before + pace)

    def level(self, job: Job, look: Look) -> int:
        """The level of the tree whose nodes are played as one piece: short of the grain, and several per worker."""
        if not self.grain:
            return 0
        seconds = self._pace(job) * look.block
        wanted = min(self.grain / seconds, (look.stop - look.start) / look.block / (2 * self.workers))
        return max(0, int(wanted).bit_length() - 1)

    def next(self, waiting: deque[tuple[int, int, int]], jobs: Sequence[Job]) -> list[tuple[int, int, int]]:
        """Take the pieces of one task from those that wait."""
        enough = self._enough(waiting, jobs)
        pieces = [waiting.popleft()]
        seconds = self._seconds(pieces[0], jobs)
        while waiting and seconds < enough:
            pieces.append(waiting.popleft())
            seconds += self._seconds(pieces[-1], jobs)
        return pieces

    def _enough(self, waiting: deque[tuple[int, int, int]], jobs: Sequence[Job]) -> float:
        """Seconds of the next task: the grain, or less where little waits, so that there is some for every worker."""
        if not self.grain:
            return 0.0
        shares, work = 2 * self.workers, 0.0
        for piece in waiting:
            work += self._seconds(piece, jobs)
            if work >= shares * self.grain:
                return self.grain
        return max(work / shares, self.grain * LEAST)

    def _seconds(self, piece: tuple[int, int, int], jobs: Sequence[Job]) -> float:
        index, _, count = piece
        return count * self._pace(jobs[index]) if count else TEST

    def _pace(self, job: Job) -> float:
        timed = self._paces.get((job.kernel.label, job.arguments)) or job.seconds
        return timed or (GRAIN if job.unit == "run" else FIRST_GUESS / job.kernel.block)
