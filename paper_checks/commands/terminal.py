"""The process around a command: where its text goes, and how it ends when a worker does not."""

from __future__ import annotations

import io
import os
import sys
import threading
import time

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


def leave(status: int) -> None:
    """End the process where a worker does not end: a kernel that never returns cannot be stopped otherwise."""
    end = time.monotonic() + GRACE
    for thread in threading.enumerate():
        if thread is not threading.current_thread():
            thread.join(max(0.0, end - time.monotonic()))
    if threading.active_count() > 1:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
