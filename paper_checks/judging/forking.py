"""The process from which workers are forked; where there is none, each worker is a new Python.

Nothing here imports what takes time: the process begins before the command itself imports what it needs.
"""

import contextlib
import multiprocessing
import os
import signal
from collections.abc import Iterable, Iterator
from multiprocessing import resource_tracker

METHOD = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
CONTEXT = multiprocessing.get_context(METHOD)
PRELOAD = "PAPER_CHECKS_PRELOAD"
SAFE_PATH = "PYTHONSAFEPATH"


@contextlib.contextmanager
def _sheltered() -> Iterator[None]:
    """Start processes that ignore Ctrl-C and the modules of the current folder, in a ``with`` block.

    A file called random.py there must not stand in for Python's own.
    """
    safe, can_block = os.environ.get(SAFE_PATH), hasattr(signal, "pthread_sigmask")
    if can_block:
        resource_tracker.ensure_running()  # It would let signals through again when it starts later.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}) if can_block else None
    os.environ[SAFE_PATH] = "1"
    try:
        yield
    finally:
        if safe is None:
            del os.environ[SAFE_PATH]
        else:
            os.environ[SAFE_PATH] = safe
        if can_block:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def start_early(papers: Iterable[str]) -> None:
    """Let the process from which workers are forked import papers at the same time as this one."""
    if METHOD != "forkserver":
        return
    os.environ[PRELOAD] = " ".join(papers)
    CONTEXT.set_forkserver_preload(["paper_checks.judging.preload"])
    _ensure_server()


def _ensure_server() -> None:
    from multiprocessing import forkserver

    with _sheltered():
        forkserver.ensure_running()


def start(process: multiprocessing.process.BaseProcess) -> None:
    """Start a process that ignores Ctrl-C."""
    if METHOD == "forkserver":
        # Its children are as it is. To wait for one, which waits for what it imports, can be interrupted.
        _ensure_server()
        process.start()
        return
    with _sheltered():
        process.start()
