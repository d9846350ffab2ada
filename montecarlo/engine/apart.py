"""Tests of users' kernels in a separate process, with all array bounds checked.

Compiled code that writes out of bounds ends its process, and a loop without an end never gives it back. Here that
befalls a child, which says which index it was; what has passed once is known by the kernel's digest. A kernel that was
typed into a notebook goes to the child by value.
"""

from __future__ import annotations

import atexit
import contextlib
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
from dataclasses import fields
from pathlib import Path
from typing import Any

import numba
from numba import cloudpickle

import montecarlo
from montecarlo.engine.compiled import cache_folder
from montecarlo.engine.examination import BrokenKernel, examine
from montecarlo.engine.models import Kernel

SECONDS = 60.0
"""For one kernel at one point; as much to begin, and to compile it."""

Test = tuple[Kernel, Any, Sequence[Any], int]
"""A kernel, the key of its stream, its arguments, and how many samples are wanted first."""

TOO_LATE = None
ROOMS = ("montecarlo", "paper_checks", "theory", "figures")
HOME = Path(montecarlo.__file__).resolve().parents[1]
_PASSED: set[Path] = set()
"""Marks of this process."""


def is_foreign(kernel: Kernel) -> bool:
    """Whether a kernel comes from a file outside of this project."""
    path = Path(kernel.file)
    ours = any(path.resolve().is_relative_to(HOME / room) for room in ROOMS)
    return kernel.compiles and path.is_file() and not ours


def is_typed(kernel: Kernel) -> bool:
    """Whether a kernel comes from a notebook or an interactive session."""
    return kernel.compiles and kernel.module == "__main__" and not Path(kernel.file).is_file()


def failures(tests: Sequence[Test], seconds: float = SECONDS) -> dict[int, str]:
    """Errors of kernels, by the place of their tests; kernels that passed before are not tested again.

    Parameters
    ----------
    tests : sequence of (kernel, stream, arguments, samples)
    seconds : float
        After which a test has not returned. Where a sample is a unit of work, ``block=1``, it may take longer: such a
        test is broken off, and says nothing.
    """
    found: dict[int, str] = {}
    marks = [_mark(test) for test in tests]
    left = [i for i, mark in enumerate(marks) if not (mark in _PASSED or mark.exists())]
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
    _PASSED.add(mark)
    try:
        mark.parent.mkdir(parents=True, exist_ok=True)
        mark.touch()
    except OSError:
        return  # A read-only home means testing anew in each process, nothing worse.


def _played(tests: Sequence[Test], seconds: float) -> Iterator[str]:
    """What a child says of each test, an empty text where nothing is wrong; ends where the child does."""
    # One that has found a file by its name would not see that it has changed.
    again = all(is_typed(kernel) for kernel, *_ in tests)
    child = _idle() if again else _Child()
    try:
        for test in tests:
            says = child.says_of(test, seconds)
            if says is not None:
                yield says
            if not child.answers:
                return
    finally:
        if again and child.answers:
            _IDLE.append(child)
        else:
            child.end()


def _idle() -> _Child:
    """A child that waits for the next kernel that is typed: to begin one takes longer than to test."""
    while _IDLE:
        child = _IDLE.pop()
        if child.process.poll() is None:
            return child
        child.end()
    return _Child()


class _Child:
    """A process that tests kernels, one after the other, until its input ends."""

    def __init__(self):
        home = cache_folder().parent.parent / "bounds"  # What is compiled with bounds is kept apart.
        variables = os.environ | {
            "NUMBA_BOUNDSCHECK": "1", "NUMBA_FULL_TRACEBACKS": "1", "PAPER_CHECKS_CACHE": str(home),
            "PYTHONPATH": os.pathsep.join([str(HOME), *filter(None, sys.path)]),
        }  # fmt: skip
        command = [sys.executable, "-c", "from montecarlo.engine.apart import answer; answer()"]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, env=variables,
            process_group=0,  # Ctrl-C is for this process alone, which ends its child.
        )  # fmt: skip
        self._lines = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self.answers = self._next(SECONDS) == "ready"

    def _read(self) -> None:
        """Lines as they come, and an empty one at their end."""
        for line in self.process.stdout:
            self._lines.put(line.decode(errors="replace").rstrip("\n"))
        self._lines.put("")

    def end(self) -> None:
        """Kill it, if it has not ended."""
        self.answers = False
        self.process.kill()
        self.process.wait()
        self._reader.join()
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        self.process.stdout.close()

    def _next(self, seconds: float) -> str | None:
        try:
            return self._lines.get(timeout=seconds)
        except queue.Empty:
            return TOO_LATE

    def says_of(self, test: Test, seconds: float) -> str | None:
        """Error of a kernel; empty where there is none, None where the child did not test it."""
        if not self.answers or not self._takes(test):
            return None
        kernel, _, arguments, _ = test
        where = f"{kernel.label} at {dict(zip(kernel.parameters, arguments, strict=True))}"
        line = self._next(SECONDS)
        if line is TOO_LATE:
            self.answers = False
            return None  # To load or to compile it takes long, which is no fault of a kernel.
        detail, line = "", self._next(seconds) if line else line
        while line and line.startswith("debug: "):
            detail, line = line.removeprefix("debug: IndexError: "), self._next(seconds)
        if not line:
            self.answers = False
            if line is not TOO_LATE:
                return _ended(where, self.process.wait())
            if kernel.block == 1:
                return ""
            hint = "look for a loop without an end, or declare block=1"
            return f"{where}: must return, got nothing within {seconds:.0f} s; {hint}"
        if not detail:
            return json.loads(line)
        axes = f"axis 0 of out are its rows, out.shape[0], axis 1 its {kernel.columns + kernel.work} columns"
        return f"{where}: must keep within its arrays, got {detail}; {axes}"

    def _takes(self, test: Test) -> bool:
        try:
            pickle.dump(_parcel(test), self.process.stdin)
            self.process.stdin.flush()
        except BrokenPipeError:
            self.answers = False
        return self.answers


_IDLE: list[_Child] = []


@atexit.register
def _end_idle() -> None:
    while _IDLE:
        _IDLE.pop().end()


def _ended(where: str, status: int) -> str:
    by = f"signal {-status} ({signal.Signals(-status).name})" if status < 0 else f"exit status {status}"
    return (
        f"{where}: must return, got the end of its process by {by}; look for recursion, or memory that it does not own"
    )


def _parcel(test: Test) -> bytes:
    kernel, *rest = test
    if not is_typed(kernel):
        return pickle.dumps(test)
    with contextlib.suppress(Exception):
        return cloudpickle.dumps((_ByValue(kernel), *rest))
    return b""  # What cannot be sent is not tested: it is found where it is played, as all that is not compiled.


class _ByValue:
    """A kernel that no other process can find by its name: its function is sent, with what that uses."""

    def __init__(self, kernel: Kernel):
        self._kernel = kernel

    def __reduce__(self):
        return Kernel, tuple(getattr(self._kernel, field.name) for field in fields(Kernel))


def answer() -> None:
    """Loop of the child process: for each test on standard input "compiled", then a line of JSON with errors."""
    out, sys.stdout = sys.stdout, sys.stderr  # What a file of kernels prints is no answer.
    print("ready", file=out, flush=True)
    while True:
        try:
            test = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        compiled = _compiled(test)
        print("compiled", file=out, flush=True)
        says = _tested(*compiled) if compiled else ""
        ctypes.CDLL(None).fflush(None)  # What compiled code has printed comes first.
        print(json.dumps(says), file=out, flush=True)


def _compiled(test: bytes) -> Test | None:
    """None for other errors, which appear when the kernel is simulated."""
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
