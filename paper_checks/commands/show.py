"""``paper-checks show``: one claim with its formulas and its saved evidence."""

import argparse
import json
import shutil

from paper_checks.commands.choosing import add_claims, claim_ids, files_here
from paper_checks.commands.options import UsageError, complete_with, given

# Most claims that are listed for an ambiguous id.
MOST = 20
TEXT = "Show one claim with its formulas and its saved evidence."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    what = "nau/eq59, or a part of an id that only one claim has; several are listed"
    complete_with(parser.add_argument("id", metavar="ID", type=given, help=what), claim_ids)
    parser.add_argument("--json", action="store_true", help="one JSON object")
    add_claims(parser)


def run(options: argparse.Namespace) -> None:
    """Print the claim; an id that matches several is refused, and they are listed."""
    from paper_checks.commands.entries import about, lines

    options.claims = options.claims or files_here(options.id)
    found = about(options, [options.id])
    exact = [e for e in found if e.id == options.id] or found
    if len(exact) > 1:
        known = "\n  ".join(lines(exact[:MOST], shutil.get_terminal_size().columns - 2))
        more = f"\n  and {len(exact) - MOST} more: paper-checks list {options.id!r}" if len(exact) > MOST else ""
        raise UsageError(
            f"show: ID must match one claim, got {options.id!r}, which matches {len(exact)}; choose one:\n  "
            f"{known}{more}"
        )
    print(json.dumps(exact[0].object, ensure_ascii=False) if options.json else exact[0].text)
