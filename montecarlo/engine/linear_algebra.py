"""Linear algebra by one thread in each worker.

Threads of a BLAS library beside those of the engine wait for each other most of the time, and how many there are
determines the last bits of a product.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

_here = threading.Lock()
# How many runs of the engine have limited this process, and what does it.
_runs = 0
_limit = None


def _limited():
    import scipy.linalg  # noqa: F401 - what is not loaded cannot be limited
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController().limit(limits=1, user_api="blas")


@contextmanager
def one_thread() -> Iterator[None]:
    """Let BLAS use one thread for each call, in a ``with`` block and all threads of this process."""
    global _runs, _limit
    with _here:
        _runs += 1
        if _runs == 1:
            _limit = _limited()
    try:
        yield
    finally:
        with _here:
            _runs -= 1
            if not _runs and _limit is not None:
                _limit.restore_original_limits()
                _limit = None


def limit_worker() -> None:
    """Let BLAS use one thread for each call, to the end of a worker process."""
    global _runs, _limit
    with _here:
        if not _runs:
            _runs, _limit = 1, _limited()
