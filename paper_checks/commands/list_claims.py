"""``paper-checks list``: claims by paper, id, pattern or words, with what came out."""

from __future__ import annotations

import argparse
import json
import shutil
import sys

from paper_checks.commands.choosing import add_claims, add_patterns, take_files
from paper_checks.commands.options import AS_EXPECTED

__all__ = ["TEXT", "add_arguments", "run"]

TEXT = "List claims with what came out, or those that a word means."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    add_patterns(parser, ", or words of its text: 54, Taylor, 'Dying ReLU'")
    parser.add_argument("--json", action="store_true", help="one JSON object per claim")
    add_claims(parser)


def run(options: argparse.Namespace) -> int:
    """Print one line per claim, as wide as the terminal."""
    from paper_checks.commands.entries import about, lines

    take_files(options)
    found = about(options, options.patterns)
    if options.json:
        for entry in found:
            print(json.dumps(entry.object, ensure_ascii=False))
        return AS_EXPECTED
    print("\n".join(lines(found, shutil.get_terminal_size().columns if sys.stdout.isatty() else None)))
    return AS_EXPECTED
