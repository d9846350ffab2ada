"""``paper-checks report``: the recorded verdicts as Markdown."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from paper_checks.commands.choosing import add_claims, registry_of
from paper_checks.commands.options import AS_EXPECTED, RECORD, UNEXPECTED, UsageError

__all__ = ["TEXT", "add_arguments", "run"]

TEXT = "Write paper_checks.md from recorded verdicts."
REPORT = Path("paper_checks.md")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    parser.add_argument("--record", metavar="FILE", type=Path, help="default: that of our claims")
    parser.add_argument("--output", default=REPORT, metavar="FILE", type=Path, help="default: %(default)s")
    parser.add_argument("--check", action="store_true", help="write nothing; fail when the report is not current")
    add_claims(parser)


def run(options: argparse.Namespace) -> int:
    """Write the report, or compare it with what there is."""
    from paper_checks import catalogue
    from paper_checks.files import check_writable, write
    from paper_checks.record import Record
    from paper_checks.report.markdown import report

    source = options.record or RECORD
    if options.claims and source.resolve() == RECORD:
        raise UsageError("--claims needs --record FILE: without it the report is on our claims")
    if not options.check:
        check_writable(options.output)
    registry = registry_of(options)
    record = Record.read(source)
    galleries = {} if options.claims else catalogue.figures()
    stale = record.stale(registry)
    text = report(registry, record, {name: galleries[name].caption(name) for name in sorted(galleries)}, stale)
    if not options.check:
        write(options.output, text)
        return AS_EXPECTED
    if stale:
        named = "; ".join(f"{name}: {why}" for name, why in list(stale.items())[:3])
        return _stale(f"{len(stale)} recorded verdicts were made by other sources ({named}); run 'make verify'")
    if not options.output.exists() or options.output.read_text(encoding="utf-8") != text:
        return _stale(f"{options.output} is not what 'paper-checks report' writes; run it")
    return AS_EXPECTED


def _stale(text: str) -> int:
    print(f"paper-checks: {text}", file=sys.stderr)
    return UNEXPECTED
