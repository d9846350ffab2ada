"""How many workers a run feeds: the engine itself, on a cluster of which only the times are played.

Samples take the time that was measured for them, a task's way to a worker and back the latency that was measured, and
handing it out the processor time of the process that does it, one task after the other. The engine decides as it
does on a real cluster what goes together and when; what it gets back is empty.
"""

from __future__ import annotations

import heapq
import pickle
import queue
from collections.abc import Sequence
from concurrent.futures import Executor, Future
from types import SimpleNamespace
from typing import Any

from montecarlo import Job, Moments
from montecarlo.engine.run import _Run

__all__ = ["speed"]


class _Times(Executor):
    """Workers that take the time of their tasks and give back no samples."""

    def __init__(self, workers: int, pace: float, latency: float, overhead: float):
        self._client = SimpleNamespace(nthreads=lambda: dict.fromkeys(range(workers), 1))
        self.pace, self.latency, self.overhead = pace, latency, overhead
        self.now, self.busy, self.tasks = 0.0, 0.0, 0
        self.free = [0.0] * workers
        self.events: list[tuple[float, int, Future, Any]] = []

    def submit(self, _function, /, *args):
        self.tasks += 1
        self.now += self.overhead
        found = [(_nothing(count), count * self.pace) for *_, count in pickle.loads(args[0])]
        seconds = sum(s for _, s in found)
        worker = min(range(len(self.free)), key=self.free.__getitem__)
        # A worker holds its next task before it ends the last: only an idle one waits for the way there.
        begun = max(self.now + self.latency / 2, self.free[worker])
        self.free[worker] = begun + seconds
        self.busy += seconds
        future: Future = Future()
        heapq.heappush(self.events, (self.free[worker] + self.latency / 2, self.tasks, future, found))
        return future

    def get(self, timeout: float | None = None) -> Future:  # noqa: ARG002 (as of a queue)
        """The task that ends next; the engine waits for nothing else."""
        if not self.events:
            raise queue.Empty
        end, _, future, found = heapq.heappop(self.events)
        self.now = max(self.now, end)
        future.set_result(found)
        return future

    def put(self, _future: Future) -> None:
        """Called when a result is set, which :meth:`get` did."""


_Times.__module__ = "distributed.times"


def _nothing(count: int) -> bytes:
    return Moments(count, 0.0, 1.0, 0.0, 1.0, -1.0, 1.0).to_bytes() if count else b""


def speed(jobs: Sequence[Job], workers: int, *, pace: float, latency: float, overhead: float) -> dict[str, float]:
    """The speed of a cluster in that of its workers if they never waited, and what they wait for.

    Parameters
    ----------
    jobs : sequence of Job
    workers : int
        Of one thread.
    pace, latency, overhead : float
        Seconds of a sample, of a task's way there and back, and of handing it out.

    Returns
    -------
    dict
        ``speed``; ``handing_out``, the share of the time in which tasks are handed out; ``tasks`` and their mean
        ``seconds``.
    """
    times = _Times(workers, pace, latency, overhead)
    run = _Run(jobs, lambda index, _: jobs[index].looks[-1], times, None, None, False)
    run.finished = times
    run.loop()
    return {
        "workers": workers,
        "speed": times.busy / workers / times.now,
        "handing_out": times.tasks * overhead / times.now,
        "tasks": times.tasks,
        "seconds": times.busy / times.tasks,
    }
