"""Small models with known moments, and an executor that finishes in the worst order."""

import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor

import numpy as np

from montecarlo import Job, exp, generator, kernel, mean, measure, normal2, simulator, uniform2

BLOCK = 2**10

# A user's file with one claim, on a mean.
MINE = """
from sympy import Rational
from montecarlo import mean
from montecarlo.kernels.raw_draws import uniforms
from paper_checks import claim, grid, paper
from theory import Formula

paper("mine", "My paper", "A. Uthor")
half = Formula("one half", Rational(1, 2))
claim("mine/mean", at="eq. (1)", says="a mean", printed=half, points=grid(draw=0), measured=mean(uniforms))
"""


@kernel(block=BLOCK)
def uniform(stream, first, out):
    """U on (0, 1)."""
    for i in range(out.shape[0]):
        u, _ = uniform2(stream, first + i, 0)
        out[i, 0] = u


@kernel
def area(stream, first, side, out):
    """A rectangle with both sides uniform on (0, side): the mean is side^2 / 4."""
    for i in range(out.shape[0]):
        u, v = uniform2(stream, first + i, 0)
        out[i, 0] = side * u * side * v


@kernel(columns=3, block=BLOCK)
def triple(stream, first, slope, shift: int, out):
    """u, slope u + v, and a column that only counts: three observables of one sample."""
    for i in range(out.shape[0]):
        u, v = uniform2(stream, first + i, 0)
        out[i, 0] = u
        out[i, 1] = slope * u + v
        out[i, 2] = first + i + shift


@kernel
def spiked(stream, first, kind: int, out):
    """Uniform values, but the third sample is nan (kind 1), inf (kind 2) or -inf (kind 3)."""
    for i in range(out.shape[0]):
        u, _ = uniform2(stream, first + i, 0)
        out[i, 0] = u
        if first + i == 2:
            out[i, 0] = (u, np.nan, np.inf, -np.inf)[kind]


@kernel
def constant(stream, first, value, out):
    """No randomness at all."""
    for i in range(out.shape[0]):
        out[i, 0] = value


@kernel
def balanced(stream, first, value, out):
    """A weighted mean of equal values: the value, but for its last bits."""
    for i in range(out.shape[0]):
        u, v = uniform2(stream, first + i, 0)
        out[i, 0] = (u * value + v * value) / (u + v)


@kernel
def lognormal(stream, first, scale, out):
    """exp(scale N): its moments exist, and for a large scale no sample knows them."""
    for i in range(out.shape[0]):
        x, _ = normal2(stream, first + i, 0)
        out[i, 0] = exp(scale * x)


@kernel
def cauchy(stream, first, out):
    """A ratio of normal values: it has no mean."""
    for i in range(out.shape[0]):
        x, y = normal2(stream, first + i, 0)
        out[i, 0] = x / y


@kernel
def rare(stream, first, p, out):
    """1 with probability p, else 0."""
    for i in range(out.shape[0]):
        u, _ = uniform2(stream, first + i, 0)
        out[i, 0] = 1.0 if u < p else 0.0


@simulator(columns=("loss", "steps_down"))
def training(stream, first, step_size, steps: int, law: str, out):
    """Gradient descent on (w - 1)^2 from a random start, noise in the gradient: how it ended, how often it fell."""
    for i in range(out.shape[0]):
        rng = generator(stream, first + i)
        draw = getattr(rng, law)
        w, fell = draw(), 0
        for _ in range(steps):
            before = (w - 1) ** 2
            w -= step_size * (2 * (w - 1) + 0.1 * draw())
            fell += (w - 1) ** 2 < before
        out[i] = (w - 1) ** 2, fell


@kernel(columns=("end", "run"), block=256)
def recursion(stream, first, rate, out):
    """The logistic map from a random start: a run of 50 steps per sample."""
    for i in range(out.shape[0]):
        x, _ = uniform2(stream, first + i, 0)
        for _ in range(50):
            x = rate * x * (1.0 - x)
        out[i, 0] = x
        out[i, 1] = first + i


def rows_of(played, values: Mapping | Sequence, count: int = 1, *, first: int = 0, key=(0, 0)) -> np.ndarray:
    """Rows that a kernel or a simulator fills, for values by name or in order."""
    out = np.full_like(played.rows(count), np.nan)
    played(key, first, *(played.arguments(values) if isinstance(values, Mapping) else values), out)
    return out


def row_of(played, values: Mapping, **which) -> dict[str, float]:
    """What it observes of one sample, by name."""
    return dict(zip(played.observables, rows_of(played, values, **which)[0], strict=True))


def slopes(function, at: np.ndarray, step: float = 1e-6) -> np.ndarray:
    """Central differences of a function by each entry of an array (n,)."""
    return np.array([function(at + h) - function(at - h) for h in step * np.eye(at.size)]) / (2 * step)


def samples_of(task: tuple) -> tuple[int, int]:
    """First sample and number of samples of a task of the engine."""
    return task[4:6]


class Backwards(Executor):
    """Waits until ``batch`` tasks are there, then runs them from the last to the first."""

    def __init__(self, batch: int):
        self.batch = batch
        self._max_workers = batch
        self._held: list[tuple[Future, tuple]] = []
        self._thread = ThreadPoolExecutor(1)

    def submit(self, function, /, *args):
        future = Future()
        self._held.append((future, (function, *args)))
        if len(self._held) == self.batch:
            held, self._held = self._held, []
            self._thread.submit(self._run, held)
        return future

    def _run(self, held):
        for future, (function, task) in reversed(held):
            future.set_running_or_notify_cancel()
            future.set_result(function(task))

    def shutdown(self, wait=True, *, cancel_futures=False):
        self._thread.shutdown()


class Counting(Executor):
    """Threads that list the tasks they are given."""

    def __init__(self, threads: int = 1):
        self._threads = ThreadPoolExecutor(threads)
        self._max_workers = threads
        self.tasks: list[tuple] = []

    def submit(self, function, /, *args):
        self.tasks += args
        return self._threads.submit(function, *args)

    def shutdown(self, wait=True, *, cancel_futures=False):
        self._threads.shutdown(wait, cancel_futures=cancel_futures)

    @property
    def samples(self) -> int:
        """Samples of all tasks together."""
        return sum(samples_of(task)[1] for task in self.tasks)


def long_job(blocks: int = 600) -> Job:
    """A job of many quick blocks."""
    return Job(mean(uniform), {}, "tests/long", 0, 1, (blocks * BLOCK,))


def run_until_hung(store, blocks: int, last: int) -> None:
    """For a process that is to be killed: a job until some block, then nothing more, for ever."""

    def progress(done: int, _expected: int, _unit: str) -> None:
        if done >= last * BLOCK:
            threading.Event().wait()

    with ThreadPoolExecutor(1) as threads:
        measure([long_job(blocks)], executor=threads, store=store, progress=progress)
