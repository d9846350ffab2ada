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
    thread, lock, done, rang = threading.get_ident(), threading.Lock(), False, False

    def ring() -> None:
        nonlocal rang
        with lock:
            if not done:
                rang = True
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(_Late))

    timer = threading.Timer(seconds, ring)
    timer.daemon = True
    try:
        timer.start()
        try:
            return compute()
        finally:
            with lock:
                done = True
            timer.cancel()
            if rang:
                time.sleep(0.01)  # The interruption is on its way: it comes before this returns.
    except _Late:
        if not rang:  # Of a limit around this one, which is over.
            raise
        raise TimeoutError(f"not computed within {seconds:g} s") from None


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
