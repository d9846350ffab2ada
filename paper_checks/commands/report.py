"""``paper-checks report``: the recorded verdicts as Markdown, and as pages."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from paper_checks.commands.choosing import add_claims, registry_of, take_files
from paper_checks.commands.cost import HERE, OURS, Times, foretell
from paper_checks.commands.options import (
    AS_EXPECTED,
    RECORD,
    UNEXPECTED,
    UsageError,
    figures_beside,
    given,
    path,
    record_beside,
)

if TYPE_CHECKING:
    from paper_checks.report.overview import Picture

__all__ = ["TEXT", "add_arguments", "run"]

TEXT = "Write paper_checks.md and reports/ from recorded verdicts, or a site with a page for each claim."
# Seconds, at least and at most.
SITE = (12.0, 20.0)
REPORT, RENDERED = Path("paper_checks.md"), Path("figures/rendered")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    parser.add_argument("--record", metavar="FILE", type=path, help="default: that of our claims")
    parser.add_argument(
        "--output", metavar="FILE", type=path,
        help=f"default: {REPORT}, or my_paper.md for my_paper.py; each paper's claims go to 'reports' beside it",
    )  # fmt: skip
    parser.add_argument(
        "--check", action="store_true", help="write nothing; fail when the report is not that of the saved verdicts"
    )
    parser.add_argument("--site", metavar="DIR", type=path, help="write pages for a browser to DIR, and no Markdown")
    parser.add_argument(
        "--pictures", metavar="DIR", type=path,
        help=f"where 'paper-checks figures' has drawn what --site shows (default {RENDERED})",
    )  # fmt: skip
    add_claims(parser)
    what = "files of claims of your own, as with --claims"
    parser.add_argument("files", nargs="*", metavar="FILE", type=given, help=what)


def run(options: argparse.Namespace) -> int:
    """Write the report, or compare it with what there is; or write the site."""
    from paper_checks.commands.running import progress_of
    from paper_checks.experiments.files import check_writable, write
    from paper_checks.record import Record
    from paper_checks.report.markdown import report

    take_files(options, "files")
    if options.output and options.output.resolve() in {Path(file).resolve() for file in options.claims}:
        raise UsageError(f"--output must be another file than that of your claims, got {options.output}; name a .md")
    source = options.record or (record_beside(options) if options.claims else RECORD)
    if options.claims and source.resolve() == RECORD:
        raise UsageError("--record names the verdicts on our claims; leave it out, yours are kept beside your file")
    if options.claims and not options.record and not source.exists():
        raise UsageError(f"{source} does not exist; run 'paper-checks verify {options.claims[0]}' first")
    if options.output is None:
        own = options.claims and not options.record
        options.output = Path(options.claims[0]).with_suffix(".md") if own else REPORT
    if options.site and options.check:
        raise UsageError("--check compares Markdown: leave --site out")
    if options.site:
        return _site(source, options)
    if not options.check:
        check_writable(options.output)
    with progress_of(quiet=False, what="report"):
        record = Record.read(source)
        registry = registry_of(options)
        texts = report(registry, record, _pictures(options), options.output.name)
    files = {options.output.parent / name: text for name, text in texts.items()}
    if options.check:
        return _checked(files)
    for file, text in files.items():
        file.parent.mkdir(parents=True, exist_ok=True)
        write(file, text)
    return AS_EXPECTED


def _pictures(options: argparse.Namespace) -> dict[str, Picture]:
    """Captions of the installed figures; none beside claims of somebody's own."""
    from paper_checks.claims import catalogue
    from paper_checks.report.overview import Picture

    if options.claims:
        return _own_pictures(options)
    found = catalogue.galleries().items()
    return {name: Picture(paper, gallery.caption(name)) for paper, gallery in found for name in gallery}


def _own_pictures(options: argparse.Namespace) -> dict[str, Picture]:
    """The figures that 'paper-checks figures my_paper.py' has drawn."""
    from paper_checks.report.overview import Picture

    folder = figures_beside(options)
    drawn = {c.id.replace("/", "-"): c for c in registry_of(options)}
    return {
        name: Picture(claim.paper, claim.says, f"{folder.name}/{name}.png")
        for name, claim in drawn.items()
        if (folder / f"{name}.png").exists()
    }


def _checked(files: dict[Path, str]) -> int:
    for file, text in files.items():
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            print(f"paper-checks: {file} is not what 'paper-checks report' writes; run it", file=sys.stderr)
            return UNEXPECTED
    return AS_EXPECTED


def _site(source: Path, options: argparse.Namespace) -> int:
    """Write pages, and say where to begin."""
    from paper_checks.commands.running import progress_of
    from paper_checks.record import Record

    try:
        from paper_checks.report.site.writing import opened, write_site
    except ImportError as error:
        raise UsageError(
            f"--site needs {error.name}, which is not installed; pip install 'paper-checks[site]'"
        ) from None
    opened(options.site)
    usual, begun = Times().of("report --site"), time.monotonic()
    if not options.claims:
        foretell("a page for each claim", *(usual or SITE), HERE if usual else OURS)
    with progress_of(quiet=False, what="site"):
        record = Record.read(source)
        registry = registry_of(options)
        drawn = options.pictures or (figures_beside(options) if options.claims else RENDERED)
        count = write_site(options.site, registry, record, _pictures(options), drawn)
    if not options.claims:
        Times().keep("report --site", time.monotonic() - begun)
    print(f"{count} pages: {options.site / 'index.html'}")
    return AS_EXPECTED
