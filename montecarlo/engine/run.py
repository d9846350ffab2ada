"""The engine: blocks of samples on any executor, merged in index order, and judged while they grow.

A job is a statistic at a parameter point. Its samples are taken in looks at counts that grow by half or by a third,
by a quarter or less where there are many; after each look the caller says whether to stop. Which worker computes which
block, in what order, in which run, has no influence on any bit of the result: every sample owns its draws, and blocks
are merged along a fixed tree.
"""

import contextlib
import os
import pickle
import queue
import time
from collections import Counter, deque
from collections.abc import Callable, MutableMapping, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ThreadPoolExecutor

from montecarlo.engine.job import Job, Look, Record
from montecarlo.engine.linear_algebra import one_thread
from montecarlo.engine.store import COMMIT_INTERVAL, Store
from montecarlo.engine.work import Failed, play, play_pickled

Piece = tuple[int, int, int]
"""Index of a job, first sample, number of samples."""

# Pieces that wait, before further jobs are begun: thousands of long jobs at once would fill the memory.
AHEAD = 10_000
# Pieces on their way for each worker, so that none waits for the thread that hands them out.
PER_WORKER = 4
# Seconds after which the workers are counted again.
RECOUNT = 2.0
# Blocks of a piece, as a power of two: short against the interval at which results are stored.
LARGEST = 5


class WorkerLost(Exception):
    """A worker died, or there is none; what was finished is stored."""


class Here(Executor):
    """Runs each task in the calling thread, when it is submitted."""

    _max_workers = 1

    def submit(self, function: Callable, /, *args: object, **kwargs: object) -> Future:
        """The result or the exception of a call, as a finished future."""
        future: Future = Future()
        try:
            future.set_result(function(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


def measure(
    jobs: Sequence[Job],
    needed: Callable[[int, Record], int] | None = None,
    *,
    executor: Executor | None = None,
    store: Store | None = None,
    progress: Callable[[int, int, str], None] | None = None,
    keep_failures: bool = False,
    shared: MutableMapping[tuple, list[Record]] | None = None,
) -> list[Record | Failed]:
    """Run jobs until each is settled or has used its last look.

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
        Called with how much of the work is done, separately for samples and for runs: the unit is ``"sample"`` or
        ``"run"``, see :attr:`montecarlo.Job.unit`.
    keep_failures : bool
        Whether an exception of one job, in its kernel or in ``needed``, is that job's result, as ``Failed``, while
        the others go on; else it is raised.
    shared : mutable mapping, optional
        Results of looks by :attr:`montecarlo.Job.identity`: looks that are found in it are not simulated again, new
        ones are added.

    Returns
    -------
    list of Moments, in the order of ``jobs``; a Histogram for a distribution, Rows for every row.

    Raises
    ------
    BrokenKernel
        When a kernel fails the test before its first sample; see :mod:`montecarlo.engine.examination`.
    WorkerLost
        When a worker process died. On a Dask cluster a task is tried again on other workers first.
    """
    if executor is None:
        with ThreadPoolExecutor(os.cpu_count()) as threads:
            return measure(
                jobs, needed, executor=threads, store=store, progress=progress, keep_failures=keep_failures,
                shared=shared,
            )  # fmt: skip
    run = _Run(jobs, needed or (lambda *_: 1), executor, store, progress, keep_failures, shared)
    try:
        with one_thread():
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
    return isinstance(error, BrokenExecutor | CancelledError) or _is_of_dask(error)


def _is_of_dask(thing: object) -> bool:
    return type(thing).__module__.startswith("distributed.")


def _workers(executor: Executor) -> int:
    """Threads that compute for an executor, as far as it says so."""
    if _is_of_dask(executor):
        return max(1, sum(executor._client.nthreads().values()))
    return getattr(executor, "_max_workers", None) or 8


class _Run:
    """The state of one call of :func:`measure`."""

    def __init__(self, jobs, needed, executor, store, progress, keep_failures, shared):
        self.jobs, self.needed, self.executor, self.store = jobs, needed, executor, store
        self.progress = progress or (lambda *_: None)
        self.keep_failures = keep_failures
        self.keys = [job.key() for job in jobs] if store else []
        self.known: list[dict] = (
            [store.load(key, job.statistic.record) for key, job in zip(self.keys, jobs, strict=True)]
            if store else [{} for _ in jobs]
        )  # fmt: skip
        # What is shared; without it nothing is kept of a look but its part in the next.
        self.past: list[list[Record] | tuple] = [
            () if shared is None else shared.setdefault(job.identity, []) for job in jobs
        ]
        self.number = [0] * len(jobs)
        self.looks: list[Look | None] = [None] * len(jobs)
        self.total: list[Record | Failed | None] = [None] * len(jobs)
        self.unbegun = deque(range(len(jobs)))
        self.undecided = len(jobs)
        self.waiting: deque[Piece] = deque()
        self.flying: dict[Future, Piece] = {}
        self.finished: queue.SimpleQueue[Future] = queue.SimpleQueue()
        self._count_workers()
        self.done: Counter[str] = Counter()
        self.expected = [job.looks[0] for job in jobs]
        self.all_expected: Counter[str] = Counter()
        for job in jobs:
            self.all_expected[job.unit] += job.looks[0]

    def loop(self) -> list[Record | Failed]:
        for unit, samples in self.all_expected.items():
            self.progress(0, samples, unit)
        while self.unbegun or self.waiting or self.flying:
            if time.monotonic() > self.counted + RECOUNT:
                with contextlib.suppress(OSError):  # No scheduler answers: its tasks will say so.
                    self._count_workers()
            while self.unbegun and len(self.waiting) < AHEAD:
                self._begin(self.unbegun.popleft())
            while self.waiting and len(self.flying) < self.limit:
                self._submit(self.waiting.popleft())
            if not self.flying:  # All that has been begun was stored.
                continue
            try:
                self._return(self.finished.get(timeout=COMMIT_INTERVAL))
            except queue.Empty:
                if self.store:
                    self.store.commit()  # slow blocks: what came before them must not wait for them
        return self.total

    def _count_workers(self) -> None:
        """Workers of a cluster come and go while it runs."""
        self.workers, self.counted = _workers(self.executor), time.monotonic()
        # What runs here has returned when it is handed out.
        self.limit = 1 if isinstance(self.executor, Here) else PER_WORKER * self.workers

    def close(self) -> None:
        """Give up what was not begun, keep what was finished meanwhile."""
        for future, piece in self.flying.items():
            if not future.cancel() and future.done() and future.exception() is None:
                self._keep(piece, future.result())
        if self.store:
            self.store.commit()

    def _submit(self, piece: Piece) -> None:
        index, first, count = piece
        if self.looks[index] is None:  # Its job has ended meanwhile.
            return
        task = self.jobs[index].task(first, count)
        if _is_of_dask(self.executor):  # which would look into every argument that is no plain data
            future = self.executor.submit(play_pickled, pickle.dumps(task))
        else:
            future = self.executor.submit(play, task)
        self.flying[future] = piece
        future.add_done_callback(self.finished.put)

    def _return(self, future: Future) -> None:
        """Take what a worker sends back: it is stored before anything is judged."""
        error, piece = future.exception(), self.flying[future]
        if type(error).__name__ == "KilledWorker":  # Dask's word for a task with which worker after worker has died.
            label = self.jobs[piece[0]].kernel.label
            error = WorkerLost(f"{label}: every worker that ran it died; {error}")
        elif error is not None and (_is_loss(error) or not isinstance(error, Exception)):
            raise error
        data = future.result() if error is None else Failed(error)
        self._keep(piece, data)
        del self.flying[future]  # not before: Ctrl-C may come at any moment
        self._receive(*piece, data)

    def _keep(self, piece: Piece, data: bytes | Failed) -> None:
        index, first, count = piece
        if self.store and isinstance(data, bytes):
            self.store.put(self.keys[index], first, count, data)

    def _begin(self, index: int) -> None:
        """Queue what is missing of a job's next look; looks that are known already are judged at once."""
        job = self.jobs[index]
        while self.total[index] is None or self._goes_on(index):
            number = self.number[index]
            if number < len(self.past[index]):
                self._count(index, job.looks[number] - (job.looks[number - 1] if number else 0))
                self.total[index] = self.past[index][number]
                continue
            look = self.looks[index] = job.look(number)
            pieces = look.pieces(self.known[index], self._level(job, look))
            self._count(index, look.stop - look.start - sum(count for _, count in pieces))
            if pieces:
                self.waiting.extend((index, first, count) for first, count in pieces)
                return
            self._complete(index)
        self.undecided -= 1

    def _level(self, job: Job, look: Look) -> int:
        """The level of the tree whose nodes are one piece: a few pieces for each worker, a training run is one."""
        if job.unit == "run":
            return 0
        blocks = self.undecided * (look.stop - look.start) // job.kernel.block
        return min(LARGEST, max(0, (blocks // (PER_WORKER * self.workers)).bit_length() - 1))

    def _receive(self, index: int, first: int, count: int, data: bytes | Failed) -> None:
        look = self.looks[index]
        if look is None:  # failed before
            return
        if isinstance(data, Failed):
            self._fail(index, data)
            self.undecided -= 1
            return
        look.receive((first, count), self.jobs[index].statistic.record.from_bytes(data))
        self._count(index, count)
        if not look.missing:
            self._complete(index)
            self._begin(index)

    def _complete(self, index: int) -> None:
        """All samples of a look are there."""
        new, before = self.looks[index].merged(), self.total[index]
        self.looks[index] = None
        self.total[index] = new if before is None else before.merge(new)
        past = self.past[index]
        # Jobs of one identity share a list: who comes second to a look has found the same.
        if isinstance(past, list) and len(past) == self.number[index]:
            past.append(self.total[index])

    def _goes_on(self, index: int) -> bool:
        """Judge a job at a look; whether there is another one."""
        job, number = self.jobs[index], self.number[index]
        if isinstance(self.total[index], Failed):
            return False
        try:
            needed = self.needed(index, self.total[index])
        except Exception as error:
            self._fail(index, Failed(error))
            return False
        if number + 1 == len(job.looks) or not needed:
            self._expect(index, job.looks[number])
            return False
        self.number[index] += 1
        self._expect(index, min(max(needed, job.looks[number + 1]), job.looks[-1]))
        return True

    def _fail(self, index: int, failed: Failed) -> None:
        if not self.keep_failures:
            raise failed.error
        self.total[index] = failed
        self.looks[index] = None
        self._expect(index, 0)

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
