"""Ranks of GaLU features: what a user would write with NumPy instead of an exact elimination."""

from collections.abc import Callable

import numpy as np

from benchmarks.timing import Sums

SIZES = {"m": 16, "d": 4, "k": 4}
BLOCK = 2**10


def with_matrix_rank(m: int, d: int, k: int) -> Callable[[int, int], Sums]:
    """The share of full rank by singular values and NumPy's threshold, in stacks of matrices."""

    def run(samples: int, seed: int) -> Sums:
        rng, full = np.random.default_rng(seed), 0
        for start in range(0, samples, BLOCK):
            n = min(BLOCK, samples - start)
            x, u = rng.standard_normal((n, m, d)), rng.standard_normal((n, k, d))
            gates = x @ u.transpose(0, 2, 1) > 0
            bar = (gates[..., None] * x[:, :, None]).reshape(n, m, k * d)
            full += int(np.sum(np.linalg.matrix_rank(bar) == min(m, k * d)))
        return Sums(samples, full / samples, full / samples)

    return run
