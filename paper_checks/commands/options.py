"""What several commands share: exit statuses, and options that say how samples are taken.

Nothing here imports what takes time; that waits until a command runs.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

__all__ = [
    "AS_EXPECTED",
    "INTERRUPTED",
    "RECORD",
    "SEED",
    "STORE",
    "TIERS",
    "UNEXPECTED",
    "USAGE",
    "UsageError",
    "add_sampling",
    "add_workers",
    "budget",
    "complete_with",
    "figures_beside",
    "given",
    "path",
    "positive",
    "record_beside",
]

AS_EXPECTED, UNEXPECTED, USAGE, INTERRUPTED = 0, 1, 2, 130
STORE = Path(".paper_checks/store.sqlite")
# The same as in the judging rooms, which a parser must not wait for; a test compares them.
SEED = 20190
TIERS = ("full", "quick")
MOST = 10**15
RECORD = Path(__file__).resolve().parents[1] / "record" / "recorded.json"


class UsageError(Exception):
    """The command cannot be carried out as given."""


def complete_with(action: argparse.Action, completer: Callable[..., list[str]]) -> None:
    """Tell argcomplete what a shell may offer for an argument."""
    action.completer = completer


def add_workers(parser: argparse.ArgumentParser, seed: str = "") -> None:
    """Add what says with which seed and where work is done; ``seed`` is what there is without ``--seed``."""
    default = None if seed else SEED
    parser.add_argument("--seed", type=int, default=default, metavar="N", help=f"master seed (default: {seed or SEED})")
    parser.add_argument(
        "--workers", type=positive, metavar="N", default=os.cpu_count(), help="at the same time (default: all cores)"
    )
    parser.add_argument("--dask", type=given, metavar="ADDRESS", help="run on a Dask cluster")


def add_sampling(parser: argparse.ArgumentParser, seed: str = "") -> None:
    """Add what says how samples are taken, and where they are kept; ``seed`` is what there is without ``--seed``."""
    add_workers(parser, seed)
    parser.add_argument(
        "--store", type=given, metavar="FILE", default=STORE, help="where blocks are kept (default %(default)s)"
    )


def record_beside(options: argparse.Namespace) -> Path:
    """Where the verdicts on somebody's own claims are kept: beside the first file, ``my_paper.verdicts.json``.

    Raises
    ------
    UsageError
        When no file is named.
    """
    if not options.claims:
        raise UsageError("name a file of claims of your own, as in 'paper-checks report my_paper.py'")
    return Path(options.claims[0]).with_suffix(".verdicts.json")


def figures_beside(options: argparse.Namespace) -> Path:
    """Where the figures of somebody's own claims are: beside the first file, ``my_paper.figures``."""
    return record_beside(options).with_suffix("").with_suffix(".figures")


def budget(text: str) -> int | float:
    """Samples of a point, or seconds in all.

    >>> budget("1e8"), budget("60s")
    (100000000, 60.0)
    """
    if not text.endswith("s"):
        return positive(text)
    try:
        seconds = float(text.removesuffix("s"))
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < float("inf"):
        raise argparse.ArgumentTypeError(f"must be like 60s or 1e8, got {text}")
    return seconds


def positive(text: str) -> int:
    """A positive whole number of at most 10^15, ``1e8`` included.

    >>> positive("1e8"), positive("2.5e1")
    (100000000, 25)
    """
    try:
        number = Decimal(text)
        whole = number == number.to_integral_value() and 1 <= number <= MOST
    except ArithmeticError:
        whole = False
    if not whole:
        most = f" (at most {MOST:.0e})" if len(text) > 3 else ""
        raise argparse.ArgumentTypeError(f"must be a positive whole number, got {text[:40]}{most}")
    return int(number)


def given(text: str) -> str:
    """What is not empty.

    >>> given("mine.py")
    'mine.py'
    """
    if not text:
        raise argparse.ArgumentTypeError("must not be empty; leave the option out, or name something")
    return text


def path(text: str) -> Path:
    """A path that is not empty."""
    return Path(given(text))
