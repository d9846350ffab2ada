"""Which claims a command is about, and what a shell may offer for them."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from paper_checks.claims.selection import matches
from paper_checks.commands.options import complete_with, given
from paper_checks.commands.pace import said_if_slow
from paper_checks.experiments.files import text

if TYPE_CHECKING:
    from paper_checks.claims.registry import Registry

__all__ = ["add_claims", "add_patterns", "claim_ids", "files_here", "registry_of", "take_files"]


def add_claims(parser: argparse.ArgumentParser) -> None:
    """Add ``--claims FILE``."""
    parser.add_argument(
        "--claims", metavar="FILE", type=given, action="append", default=[],
        help="a Python file with claims of your own, instead of ours; may be given several times",
    )  # fmt: skip


def add_patterns(parser: argparse.ArgumentParser, more: str = "") -> None:
    """Add ``PATTERN...``, which choose claims by their ids, or by ``more``."""
    what = f"a paper's short name, an id, a shell pattern of ids, or a file of your own{more}; default: all claims"
    complete_with(parser.add_argument("patterns", nargs="*", metavar="PATTERN", type=given, help=what), claim_ids)


def take_files(options: argparse.Namespace, name: str = "patterns") -> None:
    """Take what ends in ``.py`` among the patterns for files of claims."""
    given = getattr(options, name)
    options.claims = [*options.claims, *(g for g in given if g.endswith(".py"))]
    setattr(options, name, [g for g in given if not g.endswith(".py")])


def claim_ids(prefix: str, **_: Any) -> list[str]:
    """What a shell may offer for an id: papers first, then the claims of one."""
    from paper_checks.claims import catalogue

    if "/" not in prefix:
        return [f"{name}/" for name in catalogue.papers()]
    from paper_checks.commands.entries import entries

    return [entry.id for entry in entries(argparse.Namespace(claims=[]), [prefix.split("/")[0]])]


def registry_of(options: argparse.Namespace, patterns: list[str] | tuple[str, ...] = ()) -> Registry:
    """The claims that a command is about: those of files of claims, else of the papers that patterns ask for."""
    from paper_checks.claims import catalogue

    with said_if_slow("loading the claims and the formulas behind them"):
        return catalogue.load_files(options.claims) if options.claims else catalogue.load(patterns)


def files_here(pattern: str) -> list[str]:
    """The file of claims in the current folder whose record has what a pattern means and no paper of ours.

    Only a file that has been verified here has a record; no other is run.
    """
    from paper_checks.claims import catalogue

    if pattern.split("/")[0] in catalogue.papers():
        return []
    for record in sorted(Path().glob("*.verdicts.json")):
        source = record.with_suffix("").with_suffix(".py")
        if source.is_file() and any(matches(i, pattern) for i in _recorded(record)):
            return [str(source)]
    return []


def _recorded(record: Path) -> list[str]:
    """The ids of a record; none where it is damaged."""
    try:
        return [str(entry["id"]) for entry in json.loads(text(record))["verdicts"]]
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return []
