"""The claims that a command is about, and completion of their ids in a shell."""

import argparse
from pathlib import Path
from typing import Any

from paper_checks.claims import catalogue
from paper_checks.claims.selection import matches
from paper_checks.commands.options import complete_with, given
from paper_checks.experiments.files import kept


def add_claims(parser: argparse.ArgumentParser) -> None:
    """Add ``--claims FILE``."""
    parser.add_argument(
        "--claims", metavar="FILE", type=given, action="append", default=[],
        help="a Python file with your own claims, instead of the built-in ones; may be given several times",
    )  # fmt: skip


def add_patterns(parser: argparse.ArgumentParser, more: str = "") -> None:
    """Add ``PATTERN...``, which selects claims by id, or by ``more``."""
    what = f"a paper's short name, an id, a shell pattern of ids, or your own file{more}; default: all claims"
    complete_with(parser.add_argument("patterns", nargs="*", metavar="PATTERN", type=given, help=what), claim_ids)


def take_files(options: argparse.Namespace, name: str = "patterns") -> None:
    """Move patterns that end in ``.py`` to the files of claims."""
    given = getattr(options, name)
    options.claims = [*options.claims, *(g for g in given if g.endswith(".py"))]
    setattr(options, name, [g for g in given if not g.endswith(".py")])


def claim_ids(prefix: str, **_: Any) -> list[str]:
    """Completions of an id: papers first, then the claims of one."""
    if "/" not in prefix:
        return [f"{name}/" for name in catalogue.papers()]
    from paper_checks.commands.entries import entries

    return [entry.id for entry in entries(argparse.Namespace(claims=[]), [prefix.split("/")[0]])]


def files_here(pattern: str) -> list[str]:
    """The file in the current folder with saved verdicts on a claim that a pattern matches, if no built-in paper does.

    Only a file that was verified here has saved verdicts. No other file is run.
    """
    if pattern.split("/")[0] in catalogue.papers():
        return []
    for record in sorted(Path().glob("*.verdicts.json")):
        source = record.with_suffix("").with_suffix(".py")
        if source.is_file() and any(matches(i, pattern) for i in _recorded(record)):
            return [str(source)]
    return []


def _recorded(record: Path) -> list[str]:
    """The ids of saved verdicts; none where the file is damaged."""
    try:
        return [str(entry["id"]) for entry in kept(record)["verdicts"]]
    except (LookupError, TypeError):
        return []
