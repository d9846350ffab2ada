"""The claims that a command is about, loaded; what is wrong in a user's file is told."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from paper_checks.claims import catalogue
from paper_checks.commands.pace import said_if_slow

if TYPE_CHECKING:
    from paper_checks.claims.registry import Registry


def registry_of(options: argparse.Namespace, patterns: list[str] | tuple[str, ...] = ()) -> Registry:
    """The claims of the given files, or of the papers that the patterns name; mistakes in files are told once."""
    with said_if_slow("loading the claims and the formulas behind them"):
        found = catalogue.load_files(options.claims) if options.claims else catalogue.load(patterns)
    told = vars(options).setdefault("mistakes", {})
    for id in [id for id in found.mistakes if id not in told]:
        print(f"paper-checks: {found.mistakes[id]}", file=sys.stderr)
    told |= found.mistakes
    return found
