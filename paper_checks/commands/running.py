"""What commands that take samples share: workers, the store, progress."""

from __future__ import annotations

import argparse
import contextlib
import itertools
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import TYPE_CHECKING

from montecarlo.engine.store import Store
from paper_checks.commands.options import UsageError
from paper_checks.commands.pace import Pace

if TYPE_CHECKING:
    from paper_checks.findings import Verdict

__all__ = ["executor_of", "progress_of", "store_of", "teller"]


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
    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        raise UsageError("NUMBA_DISABLE_JIT is set, and kernels are played compiled only; unset it")
    if not options.dask:
        executor = ThreadPoolExecutor(options.workers)
        try:
            yield executor
        finally:  # Whoever interrupts does not wait for a kernel that may never return.
            interrupted = isinstance(sys.exception(), KeyboardInterrupt)
            executor.shutdown(wait=not interrupted, cancel_futures=True)
        return
    try:
        from dask.distributed import Client
    except ImportError:
        raise UsageError("--dask needs Dask, which is not installed; pip install 'paper-checks[dask]'") from None
    try:
        client = Client(options.dask, timeout=10)
    except OSError as error:
        raise UsageError(f"no Dask scheduler answers at {options.dask}: {error}") from None
    with client, client.get_executor() as executor:
        yield executor


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


def teller(total: int) -> Callable[[Verdict], None]:
    """Says verdicts as they are reached, a line each, with how many are left; above the bars where there are some."""
    count = itertools.count(1)

    def tell(verdict: Verdict) -> None:
        number = next(count)
        mark = " " if verdict.as_expected else "!"
        text = f"[{number}/{total}, {total - number} left] {mark} {verdict.id} {verdict.status}"
        if "tqdm" in sys.modules:
            sys.modules["tqdm"].tqdm.write(text, file=sys.stderr)
        else:
            print(text, file=sys.stderr, flush=True)

    return tell
