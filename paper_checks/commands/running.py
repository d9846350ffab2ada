"""What commands that take samples share: workers, the store, progress."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import Any

from montecarlo.engine.store import Store
from paper_checks.commands.options import UsageError
from paper_checks.commands.pace import Pace

# Seconds to wait for the first worker of a cluster.
PATIENCE = 30

__all__ = ["check_compiles", "client_of", "executor_of", "progress_of", "store_of"]


def store_of(options: argparse.Namespace) -> Store:
    """The file of ``--store``."""
    return Store(options.store)


@contextlib.contextmanager
def executor_of(options: argparse.Namespace) -> Iterator[Executor]:
    """Threads, or a Dask cluster.

    Raises
    ------
    UsageError
        When Dask is missing or no scheduler answers, or Numba is told not to compile.
    """
    check_compiles()
    if not options.dask:
        executor = ThreadPoolExecutor(options.workers)
        try:
            yield executor
        finally:  # Whoever interrupts does not wait for a kernel that may never return.
            interrupted = isinstance(sys.exception(), KeyboardInterrupt)
            executor.shutdown(wait=not interrupted, cancel_futures=True)
        return
    with client_of(options.dask) as client, client.get_executor() as executor:
        yield executor


def check_compiles() -> None:
    """Raise a UsageError where Numba is told not to compile."""
    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        raise UsageError("NUMBA_DISABLE_JIT is set, and kernels are simulated compiled only; unset it")


@contextlib.contextmanager
def client_of(address: str) -> Iterator[Any]:
    """A client of a Dask cluster that has workers.

    Raises
    ------
    UsageError
        When Dask is missing, no scheduler answers, or there is no worker.
    """
    try:
        from dask.distributed import Client
    except ImportError:
        raise UsageError("--dask needs Dask, which is not installed; pip install 'paper-checks[dask]'") from None
    try:
        client = Client(address, timeout=10)
    except OSError as error:
        raise UsageError(f"no Dask scheduler answers at {address}: {error}") from None
    with client:
        try:
            client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError:
            raise UsageError(f"the scheduler at {address} has had no worker for {PATIENCE} s; start some") from None
        yield client


@contextlib.contextmanager
def progress_of(
    *, quiet: bool, what: str = "", planned: Mapping[str, float] | None = None
) -> Iterator[Callable[[int, int, str], None] | None]:
    """Bars on a terminal: one for each unit, samples or runs; elsewhere a line now and then.

    With the share and the time that remains where it is known how much there is to do. How many samples will decide a
    claim is an estimate that rises and falls: then a bar says what is done, and how fast. What is ``planned`` of a unit
    is known from elsewhere.
    """
    if quiet:
        yield None
        return
    pace = Pace(what, planned)
    with pace.told():
        if not sys.stderr.isatty():
            yield pace
            return
        with _bars(pace) as progress:
            yield progress


@contextlib.contextmanager
def _bars(pace: Pace) -> Iterator[Callable[[int, int, str], None]]:
    from tqdm import tqdm

    bars: dict[str, tqdm] = {}
    first: dict[str, int] = {}
    with contextlib.ExitStack() as shown:

        def progress(done: int, expected: int, unit: str) -> None:
            expected = max(expected, pace.planned.get(unit, 0))
            if unit not in bars:
                pace.silent = True
                form = {"unit_scale": True, "smoothing": 0.1, "leave": False, "dynamic_ncols": True}
                bars[unit] = shown.enter_context(tqdm(total=expected, unit=unit, position=len(bars), **form))
            if expected != first.setdefault(unit, expected):
                bars[unit].total = None
            bars[unit].update(done - bars[unit].n)

        yield progress
