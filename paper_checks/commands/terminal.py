"""Output streams and colours of a command, and the end of its process."""

import contextlib
import io
import os
import re
import sys
import threading
import time
from typing import NoReturn

GREEN, YELLOW, RED = 32, 33, 31
COLOURS = {
    "NOT REPRODUCED": RED, "REPRODUCED": GREEN, "CONFIRMED": GREEN, "REFUTED": RED, "INCONCLUSIVE": YELLOW,
    "TOO FEW": YELLOW, "correct": GREEN, "wrong": RED, "not reproduced": RED, "approximate": YELLOW, "open": YELLOW,
}  # fmt: skip
VERDICT = re.compile(rf"(?<= )({'|'.join(COLOURS)})(?= |$)")
# Seconds that workers have to end after an interruption.
GRACE = 3.0


def show_anything() -> None:
    """Replace closed streams, and let streams with a small character set show other characters as escapes."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, io.StringIO())
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def painted(line: str) -> str:
    """A line of text with its first verdict in colour, on a terminal with colours (see NO_COLOR and TERM=dumb)."""
    if not sys.stdout.isatty() or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return line
    return VERDICT.sub(lambda found: f"\x1b[{COLOURS[found[0]]}m{found[0]}\x1b[0m", line, count=1)


def leave(status: int) -> NoReturn:
    """End the process with this status, even if a worker does not end: a kernel may never return.

    Otherwise an interruption while Python runs a string would end the process by the signal, although it was handled.
    """
    end = time.monotonic() + GRACE
    for thread in threading.enumerate():
        if thread is not threading.current_thread():
            thread.join(max(0.0, end - time.monotonic()))
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    os._exit(status)
