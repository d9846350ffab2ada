"""Somebody's kernels are tested in a process of their own first, with all array bounds checked.

Compiled code that writes out of bounds ends its process, and a loop without an end never gives it back. Here that
befalls a child, which says which index it was; what has passed once is known by the kernel's digest.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Any

import numba

import montecarlo
from montecarlo.engine.compiled import cache_folder
from montecarlo.engine.examination import BrokenKernel, examine
from montecarlo.engine.models import Kernel

__all__ = ["Test", "failures", "is_foreign"]

SECONDS = 60.0
"""For one kernel at one point; as much to begin, and to compile it."""

Test = tuple[Kernel, Any, Sequence[Any], int]
"""A kernel, the key of its stream, its arguments, and how many samples are wanted first."""

TOO_LATE = None
ROOMS = ("montecarlo", "paper_checks", "theory", "figures")
HOME = Path(montecarlo.__file__).resolve().parents[1]


def is_foreign(kernel: Kernel) -> bool:
    """Whether a kernel is compiled from a file that is none of this project's."""
    path = Path(kernel.file)
    ours = any(path.resolve().is_relative_to(HOME / room) for room in ROOMS)
    return kernel.compiles and path.is_file() and not ours


def failures(tests: Sequence[Test], seconds: float = SECONDS) -> dict[int, str]:
    """What is wrong with kernels, by the place of their tests; those that have passed before are not played again.

    Parameters
    ----------
    tests : sequence of (kernel, stream, arguments, samples)
    seconds : float
        After which a test has not returned. Where a sample is a unit of work, ``block=1``, it may take longer: such a
        test is broken off, and says nothing.
    """
    found: dict[int, str] = {}
    marks = [_mark(test) for test in tests]
    left = [i for i, mark in enumerate(marks) if not mark.exists()]
    while left:
        done = 0
        for i, says in zip(left, _played([tests[i] for i in left], seconds), strict=False):
            done += 1
            if says:
                found[i] = says
            else:
                _keep(marks[i])
        if not done:
            break  # None began.
        left = left[done:]
    return found


def _mark(test: Test) -> Path:
    kernel, _, arguments, samples = test
    text = repr((kernel.label, kernel.digest, tuple(arguments), samples > 1))
    return cache_folder().parent / "examined" / hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def _keep(mark: Path) -> None:
    try:
        mark.parent.mkdir(parents=True, exist_ok=True)
        mark.touch()
    except OSError:
        return  # A read-only home means testing anew in each process, nothing worse.


def _played(tests: Sequence[Test], seconds: float) -> Iterator[str]:
    """What the child says of each test, an empty text where nothing is wrong; ends where the child does."""
    with _started(tests) as child:
        lines = _lines(child.stdout)
        try:
            if _next(lines, SECONDS) != "ready":
                return
            for kernel, _, arguments, _ in tests:
                where = f"{kernel.label} at {dict(zip(kernel.parameters, arguments, strict=True))}"
                line = _next(lines, SECONDS)
                if line is TOO_LATE:
                    return  # To load or to compile it takes long, which is no fault of a kernel.
                detail, line = "", _next(lines, seconds) if line else line
                while line and line.startswith("debug: "):
                    detail, line = line.removeprefix("debug: IndexError: "), _next(lines, seconds)
                if not line:
                    late = "" if kernel.block == 1 else _never(where, seconds)
                    yield late if line is TOO_LATE else _ended(where, child.wait())
                    return
                yield _out_of_bounds(kernel, where, detail) if detail else json.loads(line)
        finally:
            child.kill()


def _never(where: str, seconds: float) -> str:
    return (
        f"{where}: must return, got nothing within {seconds:.0f} s; look for a loop without an end, or declare block=1"
    )


def _out_of_bounds(kernel: Kernel, where: str, detail: str) -> str:
    wanted = f"axis 0 of out are its rows, out.shape[0], axis 1 its {kernel.columns + kernel.work} columns"
    return f"{where}: must keep within its arrays, got {detail}; {wanted}"


def _ended(where: str, status: int) -> str:
    by = f"signal {-status} ({signal.Signals(-status).name})" if status < 0 else f"exit status {status}"
    return (
        f"{where}: must return, got the end of its process by {by}; look for recursion, or memory that it does not own"
    )


def _started(tests: Sequence[Test]) -> subprocess.Popen:
    home = cache_folder().parent.parent / "bounds"  # What is compiled with bounds is kept apart.
    variables = os.environ | {
        "NUMBA_BOUNDSCHECK": "1", "NUMBA_FULL_TRACEBACKS": "1", "PAPER_CHECKS_CACHE": str(home),
        "PYTHONPATH": os.pathsep.join([str(HOME), *filter(None, sys.path)]),
    }  # fmt: skip
    command = [sys.executable, "-c", "from montecarlo.engine.apart import answer; answer()"]
    child = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=variables
    )
    try:
        with child.stdin as pipe:
            pickle.dump([pickle.dumps(test) for test in tests], pipe)
    except BrokenPipeError:
        pass  # Its lines end at once.
    return child


def _lines(stream: IO[bytes]) -> queue.SimpleQueue[str]:
    """Lines as they come, and an empty one at their end."""
    found: queue.SimpleQueue[str] = queue.SimpleQueue()

    def read() -> None:
        for line in stream:
            found.put(line.decode(errors="replace").rstrip("\n"))
        found.put("")

    threading.Thread(target=read, daemon=True).start()
    return found


def _next(lines: queue.SimpleQueue[str], seconds: float) -> str | None:
    try:
        return lines.get(timeout=seconds)
    except queue.Empty:
        return TOO_LATE


def answer() -> None:
    """In the child: of each test that comes by standard input "compiled", then a line of JSON with what is wrong."""
    tests = pickle.load(sys.stdin.buffer)
    print("ready", flush=True)
    for test in tests:
        compiled = _compiled(test)
        print("compiled", flush=True)
        says = _tested(*compiled) if compiled else ""
        ctypes.CDLL(None).fflush(None)  # What compiled code has printed comes first.
        print(json.dumps(says), flush=True)


def _compiled(test: bytes) -> Test | None:
    """None where something else is wrong: it is found where the kernel is played."""
    try:
        kernel, stream, arguments, samples = pickle.loads(test)
        kernel.function.compile(tuple(map(numba.typeof, (stream, 0, *arguments, kernel.rows(2)))))
    except Exception:
        return None
    return kernel, stream, arguments, samples


def _tested(kernel: Kernel, stream: Any, arguments: Sequence[Any], samples: int) -> str:
    try:
        examine(kernel, stream, arguments, samples)
    except BrokenKernel as error:
        return str(error)
    except Exception:
        return ""  # As above.
    return ""
