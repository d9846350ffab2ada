"""The process around a command: where its text goes, and how it ends when a worker does not."""

from __future__ import annotations

import contextlib
import io
import os
import sys
import threading
import time
from typing import NoReturn

__all__ = ["leave", "show_anything"]

# Seconds that workers have to come to an end after an interruption.
GRACE = 3.0


def show_anything() -> None:
    """Give closed streams a place to go, and let those that know few letters show the others as escapes."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, io.StringIO())
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def leave(status: int) -> NoReturn:
    """End the process with this status, even where a worker does not end: a kernel may never return.

    An interruption while Python runs a text would otherwise end it by the signal, though it was dealt with.
    """
    end = time.monotonic() + GRACE
    for thread in threading.enumerate():
        if thread is not threading.current_thread():
            thread.join(max(0.0, end - time.monotonic()))
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    os._exit(status)
