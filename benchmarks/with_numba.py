"""What a user would write with Numba: parallel chunks, ``np.random``, the formula as it stands."""

# ruff: noqa: NPY002 - what Numba has for random numbers inside prange

from collections.abc import Callable

import numba
import numpy as np

from benchmarks.timing import Sums

CHUNK = 2**16


@numba.njit(parallel=True)
def _factor(chunks, length, seed, r_w, r_z, eps):
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


def factor(r_w: float, r_z: float, eps: float, threads: int) -> Callable[[int, int], Sums]:
    """Four moments of (z + eps)^w."""

    def run(samples: int, seed: int) -> Sums:
        numba.set_num_threads(threads)
        totals = _factor(samples // CHUNK, CHUNK, 1_000_000 * seed, r_w, r_z, eps)
        n = samples // CHUNK * CHUNK
        return Sums(n, totals[0] / n, totals[1] / n)

    return run
