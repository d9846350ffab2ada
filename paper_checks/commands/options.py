"""Options that several commands share, and the claims and files that they name.

This module imports nothing slow; that waits until a command runs.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

from paper_checks.claims import catalogue
from paper_checks.commands.pace import said_if_slow

if TYPE_CHECKING:
    from paper_checks.claims.registry import Registry

STORE = Path(".paper_checks/store.sqlite")
# Of the installed figures: a folder for each paper.
RENDERED = Path("figures/rendered")
# The same as in the judging package, which a parser must not wait for; a test compares them.
SEED = 20190
TIERS = ("full", "quick")
MOST = 10**15
RECORD = Path(__file__).resolve().parents[1] / "record" / "recorded.json"


class UsageError(Exception):
    """Error for a command that cannot be carried out as given."""


def complete_with(action: argparse.Action, completer: Callable[..., list[str]]) -> None:
    """Set the completions that a shell offers for an argument."""
    action.completer = completer


def add_tier(parser: argparse.ArgumentParser) -> None:
    """Add ``--tier``."""
    what = "precision: tolerance 1 %% (quick, the default) or 0.1 to 0.3 %% (full)"
    parser.add_argument("--tier", choices=TIERS, default="quick", help=what)


def add_workers(parser: argparse.ArgumentParser, seed: str = "") -> None:
    """Add ``--seed``, ``--workers`` and ``--dask``; ``seed`` describes the default of ``--seed``."""
    default = None if seed else SEED
    parser.add_argument("--seed", type=int, default=default, metavar="N", help=f"master seed (default: {seed or SEED})")
    what = "processes or threads (default: all cores)"
    parser.add_argument("--workers", type=positive, metavar="N", default=os.cpu_count(), help=what)
    parser.add_argument("--dask", type=given, metavar="ADDRESS", help="run on a Dask cluster")


def add_sampling(parser: argparse.ArgumentParser, seed: str = "") -> None:
    """Add the options of :func:`add_workers` and ``--store``."""
    add_workers(parser, seed)
    parser.add_argument(
        "--store", type=given, metavar="FILE", default=STORE, help="where samples are kept (default %(default)s)"
    )


def registry_of(options: argparse.Namespace, patterns: Iterable[str] = ()) -> Registry:
    """The claims of the given files, or of the papers that the patterns name; mistakes in files are told once."""
    with said_if_slow("loading the claims and the formulas behind them"):
        found = catalogue.load_files(options.claims) if options.claims else catalogue.load(patterns)
    told = vars(options).setdefault("mistakes", {})
    for id in [id for id in found.mistakes if id not in told]:
        print(f"paper-checks: {found.mistakes[id]}", file=sys.stderr)
    told |= found.mistakes
    return found


def record_beside(options: argparse.Namespace) -> Path:
    """Path of the verdicts on a user's claims: beside the first file, ``my_paper.verdicts.json``.

    Raises
    ------
    UsageError
        When no file is named.
    """
    if not options.claims:
        raise UsageError("name a file of your own claims, as in 'paper-checks report my_paper.py'")
    return Path(options.claims[0]).with_suffix(".verdicts.json")


def figures_beside(options: argparse.Namespace) -> Path:
    """Folder of the figures of a user's claims: beside the first file, ``my_paper.figures``."""
    return record_beside(options).with_suffix("").with_suffix(".figures")


def budget(text: str) -> int | float:
    """Samples of each point (int), or seconds in all (float).

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
    """The text, which must not be empty.

    >>> given("mine.py")
    'mine.py'
    """
    if not text:
        raise argparse.ArgumentTypeError("must not be empty; name something")
    return text


def path(text: str) -> Path:
    """A path that is not empty."""
    return Path(given(text))
