"""Time limits for computations in Python: SymPy's limits and simplifications may never end."""

import contextlib
import ctypes
import signal
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

# Whether this process is a worker, which another one replaces.
MAY_END = False
# Seconds from one interruption to the next, if the first one was caught by the function that it should end.
AGAIN = 1.0


class _Late(BaseException):
    """The interruption; not an Exception, so that ``except Exception`` does not catch it."""


def within(seconds: float, compute: Callable[[], Any]) -> Any:
    """Result of a function, if it returns in time.

    Parameters
    ----------
    seconds : float
    compute : callable () -> object
        In Python: compiled code is interrupted when it returns. What it holds must be released by ``finally``.

    Raises
    ------
    TimeoutError
        When it has not returned after so many seconds.

    Examples
    --------
    >>> within(60, lambda: 2**10)
    1024
    """
    thread, lock, done, rang = threading.get_ident(), threading.Lock(), threading.Event(), False

    def ring() -> None:
        nonlocal rang
        while True:
            with lock:
                if done.is_set():
                    return
                rang = True
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(_Late))
            done.wait(AGAIN)  # A bare ``except:``, of which mpmath and SymPy have some, may have caught it.

    timer = threading.Timer(seconds, ring)
    timer.daemon = True
    try:
        timer.start()
        try:
            result = compute()
        finally:
            with lock:
                done.set()
            timer.cancel()
            if rang:
                time.sleep(0.01)  # The interruption is on its way: it comes before this returns.
        if not rang:
            return result
    except (_Late, Exception):
        with lock:
            done.set()
        if not rang:  # Of a limit around this one, or an error of the function itself.
            raise
    # What an interrupted function returned, or raised, is of no use: where the interruption was caught it may be nan.
    raise TimeoutError(f"not computed within {seconds:g} s")


@contextlib.contextmanager
def ending_after(seconds: float) -> Iterator[None]:
    """End this process after so many seconds, in a ``with`` block, if it is a worker.

    One call of compiled code, such as the power of two large integers, cannot be interrupted in any other way.
    """
    if not MAY_END or not hasattr(signal, "setitimer"):
        yield
        return
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
