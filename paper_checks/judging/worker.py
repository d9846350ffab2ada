"""A worker process, which judges the claims that it receives, and ends with its parent."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
import time
from multiprocessing.connection import Connection
from typing import Any

try:
    import resource
except ImportError:  # on Windows
    resource = None

from montecarlo.engine.run import WorkerLost
from paper_checks.claims.claim import Claim
from paper_checks.judging.forking import CONTEXT, start
from paper_checks.judging.order import Order, judged, load
from paper_checks.judging.verdict import Verdict
from paper_checks.values import patience

# Bytes by which a process may grow, through caches mostly, before a new one judges the next group of claims.
GROWTH = 250e6
# Processes that may die of one claim.
TRIES = 2
# Exit status of a process that its timer has ended.
OVERDUE = -getattr(signal, "SIGALRM", 0) or None
ENDLESS_CALL = (
    "the exact evidence was not found in time, and its process was ended: one call of compiled code takes too long, "
    "such as a huge power or factorial; write it with logarithms or with mpmath, or for smaller numbers"
)


class Worker:
    """One process that judges one claim after the other; a new one where it has died.

    Attributes
    ----------
    claim : Claim or None
        In hand.
    group : list of Claim
        Those that come next.
    """

    def __init__(self):
        self.claim: Claim | None = None
        self.group: list[Claim] = []
        self._begun = 0.0
        self._deaths = 0
        self._start()

    def _start(self) -> None:
        ours, theirs = CONTEXT.Pipe()
        process = CONTEXT.Process(target=_work, args=(theirs, dict(os.environ)))
        try:
            start(process)
        except (OSError, EOFError) as error:
            raise WorkerLost(f"no worker process can be started ({error}); give --workers 1") from error
        theirs.close()
        self._pipe, self._process, self._ready, self._grown = ours, process, False, 0.0

    def renew(self) -> None:
        """Replace the process where it has grown large."""
        if self._grown > GROWTH:
            self.end()
            self._start()

    @property
    def handles(self) -> tuple[Any, Any]:
        """Handles on which to wait."""
        return self._pipe, self._process.sentinel

    @property
    def seconds(self) -> float:
        """How long the process has judged its claim; 0 while it starts."""
        return time.monotonic() - self._begun if self._ready else 0.0

    def begin(self, order: Order, threads: int = 1) -> None:
        """Send the current claim to the process."""
        self._begun = time.monotonic()
        # Where it has died, its next answer says so.
        with contextlib.suppress(OSError):
            self._pipe.send((self.claim.id, order, threads))

    def answer(self, order: Order) -> list[Verdict] | None:
        """Verdicts on the current claim, once one of the handles is ready.

        None where the worker has only started, or has died and a new one tries again.
        """
        try:
            if not self._pipe.poll():
                raise EOFError
            found, self._grown = self._pipe.recv()
        except (EOFError, OSError):
            return self._died(order)
        except Exception as error:
            found = error
        if found is None:
            self._ready, self._begun = True, time.monotonic()
            return None
        self._deaths = 0
        return order.not_judged(self.claim, found) if isinstance(found, Exception) else found

    def _died(self, order: Order) -> list[Verdict] | None:
        self._deaths += 1
        self._process.join()
        status = self._process.exitcode
        if status != OVERDUE and self._deaths == TRIES and not self._ready:
            raise WorkerLost(
                f"a worker process ended twice before it had begun, with status {status}; finished verdicts are kept, "
                "run the same command again to go on, perhaps with --workers 1"
            )
        self.end()
        self._start()
        if status != OVERDUE and self._deaths < TRIES:
            self.begin(order)
            return None
        self._deaths = 0
        lost = WorkerLost(f"{TRIES} worker processes died while judging it (killed, or out of memory); see its kernels")
        return order.not_judged(self.claim, TimeoutError(ENDLESS_CALL) if status == OVERDUE else lost)

    def end(self) -> None:
        """Kill the process."""
        self._process.kill()
        self._process.join()
        self._pipe.close()

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()


def _work(pipe: Connection, environment: dict[str, str]) -> None:
    """Loop of a worker: judge claims from the pipe, and end with the parent process."""
    os.environ.clear()
    os.environ.update(environment)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    patience.MAY_END = True
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with contextlib.suppress(OSError):
        os.dup2(2, 1)  # What a file of claims prints is none of the command's output.
    with contextlib.suppress(EOFError, OSError):
        pipe.send((None, 0.0))
        small = 0.0  # Bytes with the claims loaded, before the first is judged.
        while True:
            name, order, threads = pipe.recv()
            try:
                load(order)
                small = small or _memory()
                found = judged(name, order, threads)
            except Exception as error:
                found = error
            grown = _memory() - small
            try:
                pipe.send((found, grown))
            except OSError:
                raise
            except Exception as error:  # A finding with something in it that only this process has.
                pipe.send((TypeError(f"its findings must be plain data, got what cannot be sent: {error}"), grown))


def _memory() -> float:
    """Most bytes that this process has had in memory; 0 where the system does not say."""
    unit = 1 if sys.platform == "darwin" else 1024
    return unit * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss if resource else 0.0


def _end_with_parent() -> None:
    multiprocessing.parent_process().join()
    os._exit(1)
