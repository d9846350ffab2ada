"""``paper-checks coverage``: every statement of a paper, its result, and the claims that check it."""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from typing import TYPE_CHECKING, Any

from paper_checks.commands.against import compare
from paper_checks.commands.choosing import add_claims, add_patterns, take_files
from paper_checks.commands.options import RECORD, UsageError, given, record_beside, registry_of
from paper_checks.commands.terminal import painted

if TYPE_CHECKING:
    from paper_checks.claims.registry import Paper
    from paper_checks.claims.statements import Statement

TEXT = "Show every statement of a paper in its order: correct, wrong, open, or why it cannot be checked."
JSON = "one JSON object per statement; with --check per gap; with --against also per claim without a statement"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    add_patterns(parser, ", to show the papers of these claims")
    what = "exit status 1 if a claim about a statement is missing from the list, or a line names no claim"
    parser.add_argument("--check", action="store_true", help=what)
    what = (
        "the paper's main .tex file: show which of its numbered equations, theorems and tables have no claim, and "
        "which claims have no statement; exit status 1 if there are any, or a claim is still to be written"
    )
    parser.add_argument("--against", metavar="FILE", type=given, help=what)
    parser.add_argument("--json", action="store_true", help=JSON)
    add_claims(parser)


def run(options: argparse.Namespace) -> bool:
    """Print the lists of the papers, or what is missing from them."""
    from paper_checks.claims.statements import gaps, statements
    from paper_checks.record import Record
    from paper_checks.report.coverage import covered, plain

    if options.check and options.against:
        raise UsageError("coverage: --check and --against compare with different lists; leave one out")
    take_files(options)
    if options.against and not (options.claims or options.patterns):
        raise UsageError("coverage: --against needs the claims of one paper; name your file, such as my_paper.py")
    if options.against:
        return compare(options, registry_of(options, options.patterns))
    source = record_beside(options) if options.claims else RECORD
    registry = registry_of(options, options.patterns)
    verdicts = {v.id: v for v in Record.read(source).of(registry).verdicts} if source.exists() else {}
    papers = [p for p in registry.papers.values() if any(c.paper == p.name for c in registry)]
    listed = [paper for paper in papers if paper.statements]
    for paper in papers:
        if paper not in listed:
            what = f"{paper.name} has no list of statements; give paper({paper.name!r}, ..., statements=Path(...))"
            print(f"paper-checks: {what}", file=sys.stderr)
    if not listed:
        raise UsageError("coverage: none of the named papers has a list of statements")
    columns = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    if options.check:
        own = {paper.name: [c for c in registry if c.paper == paper.name] for paper in listed}
        lacking = [(p.name, gap) for p in listed for gap in gaps(statements(p.statements), own[p.name])]
        return _checked(lacking, options.json)
    if options.json:
        found = [(p, *pair) for p in listed for pair in covered(p, registry, verdicts)]
        print("\n".join(json.dumps(_object(*some), ensure_ascii=False) for some in found))
    else:
        texts = [plain(p.title, covered(p, registry, verdicts), columns) for p in listed]
        print("\n\n".join("\n".join(painted(x) if x.startswith("  ") else x for x in lines) for lines in texts))
    return True


def _object(paper: Paper, statement: Statement, outcome: str) -> dict[str, Any]:
    """A statement of a paper and its result."""
    return {
        "paper": paper.name, "section": statement.section, "place": statement.place, "statement": statement.words,
        "kind": statement.kind, "outcome": outcome, "claims": list(statement.claims), "why": statement.why,
    }  # fmt: skip


def _checked(lacking: list[tuple[str, str]], as_json: bool) -> bool:
    if as_json:
        for paper, gap in lacking:
            print(json.dumps({"paper": paper, "gap": gap}, ensure_ascii=False))
    else:
        lines = [f"{paper}: {gap}" for paper, gap in lacking]
        print("\n".join(lines) or "Every claim about a statement of the papers is in their lists.")
    return not lacking
