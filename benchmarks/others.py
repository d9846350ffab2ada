"""What a user would write for a Monte Carlo estimate with NumPy or Numba; all in double precision.

The ``expressions`` say the model as one would on paper, on blocks that stay in the cache. What is ``tuned`` reuses its
buffers, works in place and spells the power as exp(w log z), which NumPy has vector code for.
"""

# ruff: noqa: NPY002 - np.random is what Numba has for random numbers inside prange

from collections.abc import Callable, Iterator
from concurrent.futures import Executor

import numba
import numpy as np

from benchmarks.timing import Sums

# Fastest on one thread; threads want longer calls, since each call takes and releases the interpreter lock.
BLOCK, TWO_THREAD_BLOCK = 2**14, 2**16
NUMBA_CHUNK, MATRICES = 2**16, 2**10

PowerSums = np.ndarray
"""Sums over the samples of x, x^2, ..."""

Run = Callable[[np.random.Generator, int], PowerSums]
"""Of so many samples."""


def one_thread(run: Run, samples: int, seed: int) -> Sums:
    """An arm of one thread."""
    return _sums(samples, run(np.random.default_rng(seed), samples))


def split(run: Run, executor: Executor, threads: int, samples: int, seed: int) -> Sums:
    """An arm of several threads, each with a generator of its own and an equal share of the samples."""
    generators = [np.random.default_rng(s) for s in np.random.SeedSequence(seed).spawn(threads)]
    shares = [samples // threads] * (threads - 1)
    shares.append(samples - sum(shares))
    return _sums(samples, np.sum(list(executor.map(run, generators, shares)), axis=0))


def _sums(samples: int, totals: PowerSums) -> Sums:
    return Sums(samples, totals[0] / samples, totals[1] / samples)


def _blocks(samples: int, block: int) -> Iterator[int]:
    for start in range(0, samples, block):
        yield min(block, samples - start)


def factor_expressions(rng: np.random.Generator, samples: int, r_w: float, r_z: float, eps: float) -> PowerSums:
    """Four moments of (z + eps)^w, in expressions."""
    totals = np.zeros(4)
    for n in _blocks(samples, BLOCK):
        w = r_w * (2 * rng.random(n) - 1)
        z = r_z * rng.random(n)
        x = (z + eps) ** w
        x2 = x * x
        totals += x.sum(), x2.sum(), (x2 * x).sum(), (x2 * x2).sum()
    return totals


def factor_tuned(rng: np.random.Generator, samples: int, r_w: float, r_z: float, eps: float, block: int) -> PowerSums:
    """Four moments of (z + eps)^w, in place."""
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


@numba.njit(parallel=True)
def _factor_sums(chunks, length, seed, r_w, r_z, eps):
    totals = np.zeros((chunks, 4))
    for c in numba.prange(chunks):
        np.random.seed(seed + c)
        s1 = s2 = s3 = s4 = 0.0
        for _ in range(length):
            w = np.random.uniform(-r_w, r_w)
            z = np.random.uniform(0, r_z)
            x = (z + eps) ** w
            s1 += x
            s2 += x**2
            s3 += x**3
            s4 += x**4
        totals[c] = s1, s2, s3, s4
    return totals.sum(axis=0)


def factor_with_numba(samples: int, seed: int, r_w: float, r_z: float, eps: float, threads: int) -> Sums:
    """Four moments of (z + eps)^w by the formula as it stands, in parallel chunks."""
    numba.set_num_threads(threads)
    chunks = samples // NUMBA_CHUNK
    return _sums(chunks * NUMBA_CHUNK, _factor_sums(chunks, NUMBA_CHUNK, 1_000_000 * seed, r_w, r_z, eps))


def nmu_expressions(
    rng: np.random.Generator, samples: int, mean_w: float, half_w: float, mean_z: float, half_z: float, fan_in: int
) -> PowerSums:
    """Two moments of prod_h (w_h z_h + 1 - w_h), in expressions on blocks of the same size in memory."""
    totals = np.zeros(2)
    for n in _blocks(samples, BLOCK // fan_in):
        w = mean_w + half_w * (2 * rng.random((fan_in, n)) - 1)
        z = mean_z + half_z * (2 * rng.random((fan_in, n)) - 1)
        x = (w * z + 1 - w).prod(axis=0)
        totals += x.sum(), (x * x).sum()
    return totals


def nmu_tuned(
    rng: np.random.Generator, samples: int, mean_w: float, half_w: float, mean_z: float, half_z: float, fan_in: int,
    block: int,
) -> PowerSums:  # fmt: skip
    """Two moments of prod_h (1 + w_h (z_h - 1)), in place."""
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


def least_squares(rng: np.random.Generator, samples: int, d: int, m: int) -> PowerSums:
    """Two moments of 1 + |w|^2 for w = argmin |X w - y|^2 with X and y standard normal, by batched normal equations."""
    totals = np.zeros(2)
    for count in _blocks(samples, MATRICES):
        x, y = rng.standard_normal((count, m, d)), rng.standard_normal((count, m, 1))
        across = x.transpose(0, 2, 1)
        w = np.linalg.solve(across @ x, across @ y)[:, :, 0]
        loss = 1 + np.sum(w * w, axis=1)
        totals += loss.sum(), (loss * loss).sum()
    return totals


def full_ranks(rng: np.random.Generator, samples: int, m: int, d: int, k: int) -> PowerSums:
    """How many GaLU features are of full rank by singular values and NumPy's threshold, in stacks of matrices."""
    full = 0
    for n in _blocks(samples, MATRICES):
        x, u = rng.standard_normal((n, m, d)), rng.standard_normal((n, k, d))
        gates = x @ u.transpose(0, 2, 1) > 0
        bar = (gates[..., None] * x[:, :, None]).reshape(n, m, k * d)
        full += int(np.sum(np.linalg.matrix_rank(bar) == min(m, k * d)))
    return np.array([full, full])
