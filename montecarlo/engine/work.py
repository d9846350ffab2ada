"""Work of a worker: simulate samples in blocks and merge their summaries, in any thread, process or machine."""

from __future__ import annotations

import pickle
import threading
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from montecarlo.engine.examination import examine
from montecarlo.engine.job import CHUNK, Record
from montecarlo.engine.linear_algebra import limit_worker
from montecarlo.engine.models import Kernel
from montecarlo.engine.moments import merge_tree
from montecarlo.engine.statistics import Statistic


@dataclass(frozen=True)
class Failed:
    """The exception of a job that could not be finished."""

    error: Exception

    def __str__(self) -> str:
        return f"{type(self.error).__name__}: {self.error}"


# Tests of kernels that were passed in this process: the kernel, its arguments, whether several samples are wanted.
_sound: set[tuple] = set()
# Threads that begin with one kernel wait for its test: where a sample is a training run, a test takes as long as five.
_testing: dict[tuple, threading.Lock] = {}


def play(task: tuple) -> bytes | Failed:
    """The result of :func:`simulate` for a task, or its failure."""
    limit_worker()
    try:
        return simulate(task)
    except Exception as error:
        return Failed(_picklable(error))


def play_pickled(data: bytes) -> bytes | Failed:
    """:func:`play` of a pickled task."""
    return play(pickle.loads(data))


def simulate(task: tuple) -> bytes:
    """Simulate the samples of a task (``Job.task``) and return their summary.

    A kernel is tested before its first sample in a process, see :mod:`montecarlo.engine.examination`.
    """
    statistic, parameter, key, arguments, first, count, test = task
    kernel = statistic.kernel
    _test(kernel, key, *test)
    blocks = range(first, first + count, kernel.block)
    memory = _Memory(kernel, min(CHUNK, kernel.block, count))
    return merge_tree([
        _block(statistic, parameter, key, arguments, start, min(kernel.block, first + count - start), memory)
        for start in blocks
    ]).to_bytes()  # fmt: skip


def _test(kernel: Kernel, key: tuple, arguments: tuple, wanted: int) -> None:
    # What is asked of a single sample is not enough for several.
    mark = kernel, arguments, wanted > 1
    if mark in _sound:
        return
    with _testing.setdefault(mark, threading.Lock()):
        if mark not in _sound:
            examine(kernel, key, arguments, samples=wanted)
            _sound.add(mark)
    _testing.pop(mark, None)


def _block(
    statistic: Statistic, parameter: float, key: tuple, arguments: tuple, first: int, count: int, memory: _Memory
) -> Record:
    def chunks() -> Iterator[np.ndarray]:
        for start in range(first, first + count, memory.rows):
            out, buffer = memory.out(min(memory.rows, first + count - start))
            statistic.kernel.function(key, start, *arguments, out)
            yield statistic.values(out, buffer, parameter)

    return statistic.record.of(chunks())


class _Memory:
    """Memory of a worker, used for one chunk after the other."""

    def __init__(self, kernel: Kernel, rows: int):
        self.rows, self.width = rows, kernel.columns + kernel.work
        self._numbers, self._buffer = np.empty(rows * self.width), np.empty(rows)

    def out(self, count: int) -> tuple[np.ndarray, np.ndarray]:
        """For ``count`` rows; of one memory layout always, as a kernel is compiled for each layout."""
        return self._numbers[: count * self.width].reshape((count, self.width), order="F"), self._buffer[:count]


def _picklable(error: Exception) -> Exception:
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error
