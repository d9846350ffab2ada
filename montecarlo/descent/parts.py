"""Many starts in parts, on several workers or at once."""

import os
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor

import numpy as np

from montecarlo.engine.run import Here

# Calls at once: where the engine's own workers are busy with what calls it.
AT_ONCE = Here()


def in_parts(work: Callable[[int, int], None], size: int, parts: int, executor: Executor | None = None) -> None:
    """Have ``work(first, last)`` done for consecutive ranges of ``size`` starts; by a thread per core as a rule.

    Examples
    --------
    >>> done = []
    >>> in_parts(lambda *part: done.append(tuple(map(int, part))), 7, 2, AT_ONCE)
    >>> done
    [(0, 3), (3, 7)]
    """
    edges = np.linspace(0, size, parts + 1).astype(int)
    if executor is None:
        with ThreadPoolExecutor(os.cpu_count()) as own:
            list(own.map(work, edges[:-1], edges[1:]))
    else:
        list(executor.map(work, edges[:-1], edges[1:]))
