"""``paper-checks list``: claims by paper, id, pattern or words, with their verdicts."""

import argparse
import json
import shutil
import sys

from paper_checks.commands.choosing import add_claims, add_patterns, take_files
from paper_checks.commands.terminal import painted

TEXT = "List claims with their verdicts: all, or those that a pattern or a word matches."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    add_patterns(parser, ", or words of a claim's text: 54, Taylor, 'Dying ReLU'")
    parser.add_argument("--json", action="store_true", help="one JSON object per claim")
    add_claims(parser)


def run(options: argparse.Namespace) -> None:
    """Print one line per claim, as wide as the terminal."""
    from paper_checks.commands.entries import about, lines

    take_files(options)
    found = about(options, options.patterns)
    if options.json:
        shown = (json.dumps(entry.object, ensure_ascii=False) for entry in found)
    else:
        columns = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
        shown = map(painted, lines(found, columns))
    print("\n".join(shown))
