"""The engine: blocks of samples on any executor, merged in index order, looked at while they grow.

A job is a statistic at a parameter point. Its samples are taken in looks at counts that grow by half or by a third;
after each look the caller says whether to stop. Which worker computes which block, in what order, in which
run, has no influence on any bit of the result: every sample owns its draws, and blocks are merged along a
fixed tree.
"""

from __future__ import annotations

import hashlib
import os
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ThreadPoolExecutor,
    wait,
)
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from montecarlo.histogram import Histogram
from montecarlo.kernel import Kernel
from montecarlo.moments import Moments, merge_tree
from montecarlo.philox import stream
from montecarlo.statistics import Statistic
from montecarlo.store import COMMIT_INTERVAL, Store

__all__ = ["FIRST_LOOK", "Job", "WorkerLost", "looks_up_to", "measure", "simulate"]

VERSION = 1
FIRST_LOOK = 2**17
# Rows of one call of a kernel: one column fits in the L2 cache, and the call costs little against its work.
CHUNK = 2**14


class WorkerLost(Exception):
    """A worker died; what it had finished is stored."""


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
        Growing numbers of samples after which the caller decides.
    """

    statistic: Statistic
    point: Mapping[str, Any]
    claim: str
    index: int = 0
    seed: int = 0
    looks: tuple[int, ...] = field(default=(FIRST_LOOK,))

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
    def parameter(self) -> float:
        """Order or threshold of the statistic at this point."""
        return self.statistic.parameter_at(self.point)

    def key(self) -> bytes:
        """What the stored blocks are known by: everything that their bits depend on."""
        arguments = self.kernel.arguments(self.point)
        text = repr((
            VERSION, self.kernel.digest, str(self.statistic), arguments, self.parameter,
            self.claim, self.index, self.seed,
        ))  # fmt: skip
        return hashlib.blake2b(text.encode(), digest_size=16).digest()

    def tasks(self, look: int) -> list[tuple]:
        """The blocks of one look, as arguments of :func:`simulate`."""
        start = self.looks[look - 1] if look else 0
        key = stream(self.seed, self.claim, self.index, VERSION)
        arguments = self.kernel.arguments(self.point)
        stop, block = self.looks[look], self.kernel.block
        return [
            (self.statistic, self.parameter, key, arguments, first, min(block, stop - first))
            for first in range(start, stop, block)
        ]


def looks_up_to(budget: int, first: int = FIRST_LOOK) -> tuple[int, ...]:
    """Numbers of samples within ``budget``: ``first`` times 1, 3/2, 2, 3, 4, 6, 8, ...

    A job that needs n samples takes 1.20 n on average; with doubled numbers it would take 1.44 n.

    Examples
    --------
    >>> looks_up_to(1000, first=128)
    (128, 192, 256, 384, 512, 768)
    """
    counts = {first}
    for k in range(budget.bit_length()):
        counts |= {first << k, 3 * (first << k) // 2}
    return tuple(sorted(n for n in counts if n <= max(budget, first)))


def simulate(task: tuple) -> bytes:
    """Play one block and return its moments or counts as bytes; runs in any thread, process or machine."""
    statistic, parameter, key, arguments, first, count = task
    kernel = statistic.kernel
    rows = min(CHUNK, count)
    out = kernel.rows(rows)
    buffer = np.empty(rows)
    collect = statistic.record.collector()
    for start in range(first, first + count, rows):
        here = out[: min(rows, first + count - start)]
        kernel.function(key, start, *arguments, here)
        collect.add(statistic.values(here, buffer, parameter))
    return collect.result().to_bytes()


def measure(
    jobs: Sequence[Job],
    needed: Callable[[int, Moments | Histogram], int] | None = None,
    *,
    executor: Executor | None = None,
    store: Store | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> list[Moments | Histogram]:
    """Run jobs until each is decided or has used its last look.

    Parameters
    ----------
    jobs : sequence of Job
    needed : callable (index of job, moments or counts so far) -> int
        Asked after every look: 0 to stop, else about how many samples will be needed. Default: never stop
        before the last look.
    executor : concurrent.futures.Executor, optional
        Anything with a ``submit`` that returns ``concurrent.futures`` futures: threads (default, one per
        core), processes, or ``dask.distributed.Client.get_executor()``.
    store : Store, optional
        Blocks found in it are not computed again; new ones are added.
    progress : callable (samples done, samples expected), optional

    Returns
    -------
    list of Moments, in the order of ``jobs``; a Histogram where the statistic is a law.

    Raises
    ------
    WorkerLost
        When a worker process died.
    """
    if executor is None:
        with ThreadPoolExecutor(os.cpu_count()) as threads:
            return measure(jobs, needed, executor=threads, store=store, progress=progress)
    run = _Run(jobs, needed or (lambda *_: 1), executor, store, progress)
    try:
        return run.loop()
    except Exception as error:
        if not _is_loss(error):
            raise
        raise WorkerLost(
            "a worker process died or cannot be reached (killed, or out of memory); "
            "finished blocks are stored, run the same command again to go on"
        ) from error
    finally:
        run.close()


def _is_loss(error: Exception) -> bool:
    """Whether the executor failed, rather than a kernel. Dask has its own exceptions for it, and is not imported."""
    return isinstance(error, BrokenExecutor | CancelledError) or type(error).__module__.startswith("distributed.")


class _Run:
    """The state of one call of :func:`measure`."""

    def __init__(self, jobs, needed, executor, store, progress):
        self.jobs = jobs
        self.needed = needed
        self.executor = executor
        self.store = store
        self.progress = progress or (lambda *_: None)
        self.keys = [job.key() for job in jobs]
        self.look = [0] * len(jobs)
        self.total: list[Moments | None] = [None] * len(jobs)
        self.parts: list[dict[int, Moments]] = [{} for _ in jobs]
        self.missing = [0] * len(jobs)
        self.known: list[dict] = [
            store.load(key, job.statistic.record) if store else {} for key, job in zip(self.keys, jobs, strict=True)
        ]
        self.waiting: deque[tuple[int, tuple]] = deque()
        self.flying: dict[Future, tuple[int, tuple]] = {}
        self.done = 0
        self.expected = [job.looks[0] for job in jobs]
        self.all_expected = sum(self.expected)
        # Enough work in flight that no worker waits for this thread.
        self.limit = 4 * (getattr(executor, "_max_workers", None) or 8)

    def loop(self) -> list[Moments | Histogram]:
        for index in range(len(self.jobs)):
            self._begin(index)
        while self.waiting or self.flying:
            while self.waiting and len(self.flying) < self.limit:
                index, task = self.waiting.popleft()
                self.flying[self.executor.submit(simulate, task)] = index, task
            finished, _ = wait(self.flying, timeout=COMMIT_INTERVAL, return_when=FIRST_COMPLETED)
            if not finished and self.store:
                self.store.commit()  # slow blocks: what came before them must not wait for them
            for future in finished:
                index, task = self.flying[future]
                moments = self._read(index, future)
                self._keep(index, task, moments)
                del self.flying[future]
                self._receive(index, task, moments)
        return self.total

    def close(self) -> None:
        """Give up what was not begun, keep what was finished meanwhile."""
        for future, (index, task) in self.flying.items():
            if not future.cancel() and future.done() and future.exception() is None:
                self._keep(index, task, self._read(index, future))
        if self.store:
            self.store.commit()

    def _read(self, index: int, future: Future) -> Moments | Histogram:
        return self.jobs[index].statistic.record.from_bytes(future.result())

    def _keep(self, index: int, task: tuple, moments: Moments | Histogram) -> None:
        if self.store:
            self.store.put(self.keys[index], task[-2], task[-1], moments)

    def _begin(self, index: int) -> None:
        """Queue the blocks of a job's current look, or take them from the store."""
        stored = []
        tasks = self.jobs[index].tasks(self.look[index])
        self.missing[index] = len(tasks)
        for task in tasks:
            if task[-2:] in self.known[index]:
                stored.append(task)
            else:
                self.waiting.append((index, task))
        for task in stored:
            self._receive(index, task, self.known[index][task[-2:]])

    def _receive(self, index: int, task: tuple, moments: Moments | Histogram) -> None:
        self.parts[index][task[-2]] = moments
        self.done += task[-1]
        self.missing[index] -= 1
        if not self.missing[index]:
            self._end_of_look(index)
        self.progress(self.done, max(self.done, self.all_expected))

    def _end_of_look(self, index: int) -> None:
        job, parts = self.jobs[index], self.parts[index]
        new = merge_tree([parts[first] for first in sorted(parts)])
        before = self.total[index]
        self.total[index] = new if before is None else before.merge(new)
        self.parts[index] = {}
        needed = self.needed(index, self.total[index])
        last = self.look[index] + 1 == len(job.looks)
        if last or not needed:
            self._expect(index, job.looks[self.look[index]])
            return
        self._expect(index, min(max(needed, job.looks[self.look[index] + 1]), job.looks[-1]))
        self.look[index] += 1
        self._begin(index)

    def _expect(self, index: int, samples: int) -> None:
        self.all_expected += samples - self.expected[index]
        self.expected[index] = samples
