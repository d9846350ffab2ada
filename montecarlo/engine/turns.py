"""Short turns of threads at the interpreter.

Between two chunks of samples, of some 100 microseconds each, a worker needs the interpreter. A thread that computes in
Python meanwhile, or compiles, gives it up after the switch interval only: by default 5 ms, so that a worker would wait
most of the time.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["short_turns"]

SECONDS = 5e-4

_here = threading.Lock()
# How many runs of the engine ask for short turns, and how long they were before.
_runs = 0
_before = 0.0


@contextmanager
def short_turns() -> Iterator[None]:
    """Within it threads take turns of half a millisecond at most; afterwards as before."""
    global _runs, _before
    with _here:
        _runs += 1
        if _runs == 1:
            _before = sys.getswitchinterval()
            sys.setswitchinterval(min(SECONDS, _before))
    try:
        yield
    finally:
        with _here:
            _runs -= 1
            if not _runs:
                sys.setswitchinterval(_before)
