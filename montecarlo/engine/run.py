"""The engine: blocks of samples on any executor, merged in index order, looked at while they grow.

A job is a statistic at a parameter point. Its samples are taken in looks at counts that grow by half or by a third,
by a quarter or less where there are many; after each look the caller says whether to stop. Which worker computes which
block, in what order, in which run, has no influence on any bit of the result: every sample owns its draws, and blocks
are merged along a fixed tree.
"""

from __future__ import annotations

import os
import pickle
import queue
from collections import Counter, deque
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ThreadPoolExecutor

from montecarlo.engine.cluster import Patience, is_cluster, killed_its_workers, tasks_in_flight
from montecarlo.engine.job import FIRST_LOOK, Job, Look, Record, looks_up_to
from montecarlo.engine.linear_algebra import one_thread
from montecarlo.engine.packing import Packing
from montecarlo.engine.store import COMMIT_INTERVAL, Store
from montecarlo.engine.turns import short_turns
from montecarlo.engine.work import Failed, play, play_packed, simulate

__all__ = ["FIRST_LOOK", "Failed", "Job", "WorkerLost", "looks_up_to", "measure", "simulate"]

Piece = tuple[int, int, int]
"""Index of a job, first sample, number of samples. A test of a kernel has none, but says how many are wanted first."""

# Looks within this share of what will be needed are played at once, though each is judged.
FORESIGHT = 0.75
# Pieces that wait, before further jobs are begun: thousands of long jobs at once would fill the memory.
AHEAD = 10_000
# Tests of kernels, at parameters, that were passed in this process.
_sound: set[tuple] = set()


class WorkerLost(Exception):
    """A worker died, or there is none; what was finished is stored."""


def measure(
    jobs: Sequence[Job],
    needed: Callable[[int, Record], int] | None = None,
    *,
    executor: Executor | None = None,
    store: Store | None = None,
    progress: Callable[[int, int, str], None] | None = None,
    keep_failures: bool = False,
) -> list[Record | Failed]:
    """Run jobs until each is decided or has used its last look.

    Parameters
    ----------
    jobs : sequence of Job
    needed : callable (index of job, moments, counts or rows so far) -> int
        Asked after every look: 0 to stop, else about how many samples will be needed. Default: never stop
        before the last look.
    executor : concurrent.futures.Executor, optional
        Anything with a ``submit`` that returns ``concurrent.futures`` futures: threads (default, one per
        core), processes, or ``dask.distributed.Client.get_executor()``.
    store : Store, optional
        Blocks found in it are not computed again; new ones are added.
    progress : callable (done, expected, unit), optional
        Told how much of the work is done, apart for what is counted in samples and for what is counted in runs: the
        unit is ``"sample"`` or ``"run"``, see :attr:`montecarlo.Job.unit`.
    keep_failures : bool
        Whether an exception of one job, in its kernel or in ``needed``, is that job's result, as ``Failed``, while
        the others go on; else it is raised.

    Returns
    -------
    list of Moments, in the order of ``jobs``; a Histogram where the statistic is a law, Rows where it is every row.

    Raises
    ------
    BrokenKernel
        When a kernel fails the test before its first sample; see :mod:`montecarlo.engine.examination`.
    WorkerLost
        When a worker process died, or a cluster has had no worker for half a minute. Where the cluster has started
        its workers anew, the task that they died of is played alone, and its failure is one of its job.
    """
    if executor is None:
        with ThreadPoolExecutor(os.cpu_count()) as threads:
            return measure(jobs, needed, executor=threads, store=store, progress=progress, keep_failures=keep_failures)
    run = _Run(jobs, needed or (lambda *_: 1), executor, store, progress, keep_failures)
    try:
        with one_thread(), short_turns():
            try:
                return run.loop()
            finally:  # here, so that no task begins when the limit is gone
                run.close()
    except Exception as error:
        if not _is_loss(error):
            raise
        raise WorkerLost(
            "a worker process died or cannot be reached (killed, or out of memory); "
            "finished blocks are stored, run the same command again to go on"
        ) from error


def _is_loss(error: BaseException) -> bool:
    """Whether the executor failed, rather than a kernel. Dask has its own exceptions for it, and is not imported."""
    return isinstance(error, BrokenExecutor | CancelledError) or type(error).__module__.startswith("distributed.")


def _test_of(job: Job) -> tuple:
    """What a kernel's test is known by: what is asked of a single sample is not enough for several."""
    return job.kernel.label, job.kernel.digest, job.tested_arguments, job.looks[0] > 1


class _Run:
    """The state of one call of :func:`measure`."""

    def __init__(self, jobs, needed, executor, store, progress, keep_failures):
        self.jobs, self.needed, self.executor, self.store = jobs, needed, executor, store
        self.progress = progress or (lambda *_: None)
        self.keep_failures = keep_failures
        self.keys = [job.key() for job in jobs]
        self.number = [0] * len(jobs)
        # Those that have been begun, the one to be judged next in front.
        self.looks: list[deque[Look]] = [deque() for _ in jobs]
        self.total: list[Record | Failed | None] = [None] * len(jobs)
        self.known: list[dict] = [
            store.load(key, job.statistic.record) if store else {} for key, job in zip(self.keys, jobs, strict=True)
        ]
        self.unbegun = deque(range(len(jobs)))
        self.waiting: deque[Piece] = deque()
        self.tests: deque[Piece] = deque()
        # What was on its way when workers died: played one by one, so that it is known which of them is to blame.
        self.suspects: deque[Piece] = deque()
        self.alone: Future | None = None
        self.tested: dict[tuple, list[list[Piece]]] = {}
        self.flying: dict[Future, list[Piece]] = {}
        self.finished: queue.SimpleQueue[Future] = queue.SimpleQueue()
        self.done: Counter[str] = Counter()
        self.expected = [job.looks[0] for job in jobs]
        self.all_expected: Counter[str] = Counter()
        for job in jobs:
            self.all_expected[job.unit] += job.looks[0]
        self.limit = tasks_in_flight(executor)
        self.packing = Packing(executor)
        self.patience = Patience(executor)

    def loop(self) -> list[Record | Failed]:
        for unit, samples in self.all_expected.items():
            self.progress(0, samples, unit)
        while self.unbegun or self.tests or self.waiting or self.suspects or self.flying:
            while self.unbegun and len(self.waiting) + len(self.tests) < AHEAD:
                self._begin(self.unbegun.popleft())
            self._hand_out()
            if not self.flying:  # All that has been begun was stored.
                continue
            try:
                self._return(self.finished.get(timeout=COMMIT_INTERVAL))
            except queue.Empty:
                if self.store:
                    self.store.commit()  # slow blocks: what came before them must not wait for them
                if self.patience.is_over():
                    raise WorkerLost(
                        f"no worker has been there for {self.patience.seconds:.0f} seconds; start workers and run the "
                        "same command again, finished blocks are stored"
                    ) from None
        left = [self.jobs[i].kernel.label for i, looks in enumerate(self.looks) if looks]
        if left:
            raise RuntimeError(
                f"measure: every job must end, got {len(left)} that did not, of {left[0]}; a defect here"
            )
        return self.total

    def _hand_out(self) -> None:
        if self.suspects:
            if not self.flying:
                self.alone = self._submit([self.suspects.popleft()])
            return
        while (self.tests or self.waiting) and len(self.flying) < self.limit:
            pieces = self.packing.next(self.tests if self._is_time_to_test() else self.waiting, self.jobs)
            pieces = [piece for piece in pieces if self._is_wanted(piece)]
            if pieces:
                self._submit(pieces)

    def _is_time_to_test(self) -> bool:
        """Whether a test comes next: before what waits, one at a time where the workers are threads.

        A kernel is compiled when it is tested, by one thread at a time; the others sample meanwhile what is compiled.
        """
        if not self.tests or not self.waiting:
            return bool(self.tests)
        testing = any(not count for pieces in self.flying.values() for _, _, count in pieces)
        return not testing or not isinstance(self.executor, ThreadPoolExecutor)

    def _is_wanted(self, piece: Piece) -> bool:
        """Not where its job has ended meanwhile; a test always is, as other jobs may wait for it."""
        index, _, count = piece
        return not count or bool(self.looks[index])

    def close(self) -> None:
        """Give up what was not begun, keep what was finished meanwhile."""
        for future, pieces in self.flying.items():
            if not future.cancel() and future.done() and future.exception() is None:
                for piece, (found, _) in zip(pieces, future.result(), strict=True):
                    self._keep(*piece, found)
        if self.store:
            self.store.commit()

    def _submit(self, pieces: list[Piece]) -> Future:
        tasks = tuple(self.jobs[i].task(first, count) for i, first, count in pieces)
        if is_cluster(self.executor):
            future = self.executor.submit(play_packed, pickle.dumps(tasks))
        else:
            future = self.executor.submit(play, tasks)
        self.flying[future] = pieces
        future.add_done_callback(self.finished.put)
        return future

    def _suspect(self, future: Future, error: BaseException) -> None:
        """Workers died with a task: all of it is suspect, unless it was a single piece and alone on its way."""
        pieces = self.flying.pop(future)
        if future is not self.alone:
            self.suspects.extend(pieces)
            return
        label = self.jobs[pieces[0][0]].kernel.label
        self._receive(*pieces[0], Failed(WorkerLost(f"{label}: every worker that played it died; {error}")))

    def _return(self, future: Future) -> None:
        """Take what a worker sends back: all of it is stored before anything is judged."""
        self.patience.renew()
        error = future.exception()
        pieces = self.flying[future]
        if killed_its_workers(error):
            self._suspect(future, error)
            return
        if error is not None and (_is_loss(error) or not isinstance(error, Exception)):
            raise error
        found = future.result() if error is None else [(Failed(error), 0.0) for _ in pieces]
        for piece, (data, seconds) in zip(pieces, found, strict=True):
            self._keep(*piece, data)
            self.packing.learn(self.jobs[piece[0]], piece[2], seconds)
        del self.flying[future]
        for piece, (data, _) in zip(pieces, found, strict=True):
            self._receive(*piece, data)

    def _keep(self, index: int, first: int, count: int, data: bytes | Failed) -> None:
        if self.store and count and isinstance(data, bytes):
            self.store.put(self.keys[index], first, count, data)

    def _begin(self, index: int, needed: int = 0) -> None:
        """Queue a job's next look, and those after it that will hardly be the last; what is stored is not queued."""
        job, number = self.jobs[index], self.number[index]
        begun = [job.look(number)]
        while number + len(begun) < len(job.looks) and job.looks[number + len(begun)] <= FORESIGHT * needed:
            begun.append(job.look(number + len(begun)))
        waiting = []
        for look in begun:
            pieces = look.pieces(self.known[index], self.packing.level(job, look))
            self._count(index, look.stop - look.start - sum(count for _, count in pieces))
            waiting += [(index, first, count) for first, count in pieces]
        self.looks[index].extend(begun)
        if waiting:
            self._queue(job, waiting)
        self._judge(index)

    def _queue(self, job: Job, waiting: list[Piece]) -> None:
        """Have pieces played, once the job's kernel has passed its test at this point."""
        test = _test_of(job)
        if test in _sound:
            self.waiting.extend(waiting)
        elif test in self.tested:
            self.tested[test].append(waiting)
        else:
            self.tested[test] = [waiting]
            self.tests.append((waiting[0][0], job.looks[0], 0))

    def _receive(self, index: int, first: int, count: int, data: bytes | Failed) -> None:
        if not count:
            self._end_of_test(index, data)
            return
        look = next((k for k in self.looks[index] if k.start <= first < k.stop), None)
        if look is None:  # decided before, or failed
            return
        if isinstance(data, Failed):
            self._fail(index, data)
            return
        look.receive((first, count), self.jobs[index].statistic.record.from_bytes(data))
        self._count(index, count)
        self._judge(index)

    def _end_of_test(self, index: int, data: bytes | Failed) -> None:
        test = _test_of(self.jobs[index])
        held = self.tested.pop(test)
        if isinstance(data, Failed):
            for waiting in held:
                self._fail(waiting[0][0], data)
            return
        _sound.add(test)
        for waiting in held:
            if self.looks[waiting[0][0]]:  # not decided meanwhile by what was stored
                self.waiting.extend(waiting)

    def _judge(self, index: int) -> None:
        """Judge the looks that are complete, in their order."""
        job, looks = self.jobs[index], self.looks[index]
        while looks and not looks[0].missing:
            new, before = looks.popleft().merged(), self.total[index]
            self.total[index] = new if before is None else before.merge(new)
            try:
                needed = self.needed(index, self.total[index])
            except Exception as error:
                self._fail(index, Failed(error))
                return
            if self.number[index] + 1 == len(job.looks) or not needed:
                self._end(index)
                self._expect(index, job.looks[self.number[index]])
                return
            self.number[index] += 1
            self._expect(index, min(max(needed, job.looks[self.number[index]]), job.looks[-1]))
            if not looks:
                self._begin(index, needed)
                return

    def _fail(self, index: int, failed: Failed) -> None:
        if not self.keep_failures:
            raise failed.error
        self.total[index] = failed
        self._end(index)
        self._expect(index, 0)

    def _end(self, index: int) -> None:
        """Nothing more of this job is played: what it has queued is left out when its turn comes."""
        self.looks[index].clear()

    def _count(self, index: int, samples: int) -> None:
        if samples:
            self.done[self.jobs[index].unit] += samples
            self._report(index)

    def _expect(self, index: int, samples: int) -> None:
        self.all_expected[self.jobs[index].unit] += samples - self.expected[index]
        self.expected[index] = samples
        self._report(index)

    def _report(self, index: int) -> None:
        unit = self.jobs[index].unit
        self.progress(self.done[unit], max(self.done[unit], self.all_expected[unit]), unit)
