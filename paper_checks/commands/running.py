"""Workers, store and progress of commands that take samples."""

import argparse
import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import Any

from paper_checks.commands.options import UsageError
from paper_checks.commands.pace import Pace, told

# Seconds to wait for the first worker of a cluster.
PATIENCE = 30


@contextlib.contextmanager
def executor_of(options: argparse.Namespace) -> Iterator[Executor]:
    """Threads, or a Dask cluster.

    Raises
    ------
    UsageError
        If Dask is missing, no scheduler answers, or the compilation by Numba is switched off.
    """
    check_compiles()
    if not options.dask:
        executor = ThreadPoolExecutor(options.workers)
        try:
            yield executor
        finally:  # An interruption does not wait for a kernel that may never return.
            interrupted = isinstance(sys.exception(), KeyboardInterrupt)
            executor.shutdown(wait=not interrupted, cancel_futures=True)
        return
    with client_of(options.dask) as client, client.get_executor() as executor:
        yield executor


def check_compiles() -> None:
    """Raise a UsageError if the compilation by Numba is switched off."""
    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        raise UsageError("NUMBA_DISABLE_JIT is set, but simulations need compiled kernels; unset it")


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
def progress_of(*, quiet: bool, what: str = "") -> Iterator[Callable[[int, int, str], None] | None]:
    """Show progress: on a terminal a bar for each unit (samples or runs), elsewhere a line from time to time.

    A bar has the fraction that is done and the time left if the total is known. The samples that a claim needs are an
    estimate that changes: then a bar shows what is done, and how fast.
    """
    if quiet:
        yield None
        return
    pace = Pace(what)
    with told(pace.line):
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
            if unit not in bars:
                pace.silent = True
                form = {"unit_scale": True, "smoothing": 0.1, "leave": False, "dynamic_ncols": True}
                bars[unit] = shown.enter_context(tqdm(total=expected, unit=unit, position=len(bars), **form))
            if expected != first.setdefault(unit, expected):
                bars[unit].total = None
            bars[unit].update(done - bars[unit].n)

        yield progress
