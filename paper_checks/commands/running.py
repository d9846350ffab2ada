"""What commands that take samples share: workers, the store, progress."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor

from montecarlo.engine.store import Store
from paper_checks.commands.options import UsageError

__all__ = ["executor_of", "progress_of", "store_of"]


def store_of(options: argparse.Namespace) -> Store:
    """The file of ``--store``."""
    return Store(options.store)


@contextlib.contextmanager
def executor_of(options: argparse.Namespace) -> Iterator[Executor]:
    """Threads, or a Dask cluster."""
    if not options.dask:
        executor = ThreadPoolExecutor(options.workers)
        try:
            yield executor
        finally:
            executor.shutdown(wait=True, cancel_futures=True)
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
def progress_of(*, quiet: bool) -> Iterator[Callable[[int, int, str], None] | None]:
    """Bars with rate and remaining time on a terminal, nothing elsewhere: one for each unit, samples or runs."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from tqdm import tqdm

    bars: dict[str, tqdm] = {}
    with contextlib.ExitStack() as shown:

        def progress(done: int, expected: int, unit: str) -> None:
            if unit not in bars:
                form = {"unit_scale": True, "smoothing": 0.1, "leave": False, "dynamic_ncols": True}
                bars[unit] = shown.enter_context(tqdm(total=expected, unit=unit, position=len(bars), **form))
            bars[unit].total = expected
            bars[unit].update(done - bars[unit].n)

        yield progress
