"""``paper-checks list``: claims by paper, id or pattern, with what came out."""

from __future__ import annotations

import argparse
import json
import sys
import textwrap

from paper_checks.commands.choosing import add_claims, add_patterns, take_files
from paper_checks.commands.options import AS_EXPECTED

__all__ = ["TEXT", "add_arguments", "run"]

TEXT = "List claims."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    add_patterns(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object per claim")
    add_claims(parser)


def run(options: argparse.Namespace) -> int:
    """Print one line per claim."""
    from paper_checks.commands.entries import entries

    take_files(options)
    found = entries(options, options.patterns)
    width = max(len(entry.id) for entry in found)
    for entry in found:
        line = f"{entry.id:<{width}}  {entry.status:<12}  {entry.at}: {entry.says}"
        if options.json:
            line = json.dumps(entry.object, ensure_ascii=False)
        elif sys.stdout.isatty():
            line = textwrap.shorten(line, 160, placeholder=" …")
        print(line)
    return AS_EXPECTED
