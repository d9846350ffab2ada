"""The arms under test: the engine of this project as any caller uses it, with every moment that it keeps."""

from collections.abc import Callable, Mapping
from concurrent.futures import Executor

from benchmarks.timing import Sums
from montecarlo import Job, Kernel, mean, measure


def engine(
    kernel: Kernel, point: Mapping[str, float], executor: Executor, column: int = 0
) -> Callable[[int, int], Sums]:
    """Mean and central moments to order 4 of a kernel's observable, by :func:`montecarlo.measure`."""

    def run(samples: int, seed: int) -> Sums:
        job = Job(mean(kernel, column), point, f"benchmarks/{kernel.name}", seed=seed, looks=(samples,))
        (moments,) = measure([job], executor=executor)
        return Sums(moments.n, moments.mean, moments.mean**2 + moments.m2 / moments.n)

    return run
