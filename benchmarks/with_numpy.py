"""What a user would write with NumPy.

The ``expressions`` arms say the model as one would on paper, on blocks that stay in the cache. The ``tuned`` arms reuse
their buffers, work in place and spell the power as exp(w log z), which NumPy has vector code for.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import Executor

import numpy as np

from benchmarks.timing import Sums

# Fastest on one thread; threads want longer calls, since each call takes and releases the interpreter lock.
BLOCK = 2**14
TWO_THREAD_BLOCK = 2**16

PowerSums = np.ndarray
"""Sums over the samples of x, x^2, ..."""


def _blocks(samples: int, block: int) -> Iterator[int]:
    for start in range(0, samples, block):
        yield min(block, samples - start)


def as_sums(run: Callable[[np.random.Generator, int], PowerSums]) -> Callable[[int, int], Sums]:
    """An arm of one thread."""

    def arm(samples: int, seed: int) -> Sums:
        return _sums(samples, run(np.random.default_rng(seed), samples))

    return arm


def split(
    run: Callable[[np.random.Generator, int], PowerSums], executor: Executor, threads: int
) -> Callable[[int, int], Sums]:
    """An arm of several threads, each with a generator of its own and an equal share of the samples."""

    def arm(samples: int, seed: int) -> Sums:
        generators = [np.random.default_rng(s) for s in np.random.SeedSequence(seed).spawn(threads)]
        shares = [samples // threads] * (threads - 1)
        shares.append(samples - sum(shares))
        return _sums(samples, np.sum(list(executor.map(run, generators, shares)), axis=0))

    return arm


def _sums(samples: int, totals: PowerSums) -> Sums:
    return Sums(samples, totals[0] / samples, totals[1] / samples)


def factor_expressions(r_w: float, r_z: float, eps: float) -> Callable[[np.random.Generator, int], PowerSums]:
    """Four moments of (z + eps)^w, in expressions."""

    def run(rng: np.random.Generator, samples: int) -> PowerSums:
        totals = np.zeros(4)
        for n in _blocks(samples, BLOCK):
            w = r_w * (2 * rng.random(n) - 1)
            z = r_z * rng.random(n)
            x = (z + eps) ** w
            x2 = x * x
            totals += x.sum(), x2.sum(), (x2 * x).sum(), (x2 * x2).sum()
        return totals

    return run


def factor_tuned(r_w: float, r_z: float, eps: float, block: int) -> Callable[[np.random.Generator, int], PowerSums]:
    """Four moments of (z + eps)^w, in place."""

    def run(rng: np.random.Generator, samples: int) -> PowerSums:
        totals = np.zeros(4)
        buffers = np.empty((2, block))
        for n in _blocks(samples, block):
            w, x = buffers[:, :n]
            rng.random(out=w)
            w *= 2 * r_w
            w -= r_w
            rng.random(out=x)
            x *= r_z
            x += eps
            np.log(x, out=x)
            x *= w
            np.exp(x, out=x)
            totals[0] += x.sum()
            np.multiply(x, x, out=w)
            totals[1] += w.sum()
            x *= w
            totals[2] += x.sum()
            w *= w
            totals[3] += w.sum()
        return totals

    return run


def nmu_expressions(
    mean_w: float, half_w: float, mean_z: float, half_z: float, fan_in: int
) -> Callable[[np.random.Generator, int], PowerSums]:
    """Two moments of prod_h (w_h z_h + 1 - w_h), in expressions on blocks of the same size in memory."""

    def run(rng: np.random.Generator, samples: int) -> PowerSums:
        totals = np.zeros(2)
        for n in _blocks(samples, BLOCK // fan_in):
            w = mean_w + half_w * (2 * rng.random((fan_in, n)) - 1)
            z = mean_z + half_z * (2 * rng.random((fan_in, n)) - 1)
            x = (w * z + 1 - w).prod(axis=0)
            totals += x.sum(), (x * x).sum()
        return totals

    return run


def nmu_tuned(
    mean_w: float, half_w: float, mean_z: float, half_z: float, fan_in: int, block: int
) -> Callable[[np.random.Generator, int], PowerSums]:
    """Two moments of prod_h (1 + w_h (z_h - 1)), in place."""

    def run(rng: np.random.Generator, samples: int) -> PowerSums:
        totals = np.zeros(2)
        buffers = np.empty((3, block))
        for n in _blocks(samples, block):
            w, z, x = buffers[:, :n]
            x.fill(1)
            for _ in range(fan_in):
                rng.random(out=w)
                w *= 2 * half_w
                w += mean_w - half_w
                rng.random(out=z)
                z *= 2 * half_z
                z += mean_z - half_z - 1
                z *= w
                z += 1
                x *= z
            totals[0] += x.sum()
            x *= x
            totals[1] += x.sum()
        return totals

    return run


def least_squares(d: int, m: int, block: int) -> Callable[[np.random.Generator, int], PowerSums]:
    """Two moments of 1 + |w|^2 for w = argmin |X w - y|^2 with X and y standard normal, by batched normal equations."""

    def run(rng: np.random.Generator, samples: int) -> PowerSums:
        totals = np.zeros(2)
        for count in _blocks(samples, block):
            x, y = rng.standard_normal((count, m, d)), rng.standard_normal((count, m, 1))
            across = x.transpose(0, 2, 1)
            w = np.linalg.solve(across @ x, across @ y)[:, :, 0]
            loss = 1 + np.sum(w * w, axis=1)
            totals += loss.sum(), (loss * loss).sum()
        return totals

    return run
