"""``paper-checks report``: the saved verdicts as Markdown, and as pages."""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from paper_checks.claims import shell
from paper_checks.commands.choosing import add_claims, take_files
from paper_checks.commands.options import (
    RECORD,
    RENDERED,
    UsageError,
    figures_beside,
    given,
    path,
    record_beside,
    registry_of,
)
from paper_checks.commands.pace import HERE, OURS, Times, foretell

if TYPE_CHECKING:
    from paper_checks.claims.registry import Registry
    from paper_checks.record import Record
    from paper_checks.report.overview import Picture

TEXT = "Write paper_checks.md and reports/ from saved verdicts, or a site with a page for each claim."
# Seconds, at least and at most.
SITE = (12.0, 20.0)
REPORT = Path("paper_checks.md")
# In the picture of a claim.
SEEN = "values of the formulas at the points above, and their differences below"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    what = "saved verdicts (default: those on the built-in claims)"
    parser.add_argument("--record", metavar="FILE", type=path, help=what)
    parser.add_argument(
        "--output", metavar="FILE", type=path,
        help=f"default: {REPORT}, or my_paper.md for my_paper.py; each paper's claims go to 'reports' beside it",
    )  # fmt: skip
    what = "write nothing; exit status 1 if the report does not match the saved verdicts"
    parser.add_argument("--check", action="store_true", help=what)
    parser.add_argument("--site", metavar="DIR", type=path, help="write web pages to DIR instead of Markdown")
    parser.add_argument(
        "--pictures", metavar="DIR", type=path,
        help=f"folder of the figures for --site, drawn by 'paper-checks figures' (default {RENDERED})",
    )  # fmt: skip
    what = "one JSON object: the files, and with --check those that are out of date"
    parser.add_argument("--json", action="store_true", help=what)
    add_claims(parser)
    what = "files of your own claims, as with --claims"
    parser.add_argument("files", nargs="*", metavar="FILE", type=given, help=what)


def run(options: argparse.Namespace) -> bool:
    """Write the report, or compare it with what there is; or write the site."""
    from paper_checks.commands.running import progress_of
    from paper_checks.experiments.files import check_writable, write
    from paper_checks.record import Record
    from paper_checks.report.markdown import report

    take_files(options, "files")
    command = _command(options)
    if options.output and options.output.resolve() in {Path(file).resolve() for file in options.claims}:
        raise UsageError(f"--output must be another file than that of your claims, got {options.output}; name a .md")
    source = options.record or (record_beside(options) if options.claims else RECORD)
    if options.claims and source.resolve() == RECORD:
        raise UsageError(
            "--record names the verdicts on the built-in claims, and yours are saved beside your file; leave it out"
        )
    if options.claims and not options.record and not source.exists():
        again = shell.quoted(shell.command("verify", Path(options.claims[0])))
        raise UsageError(f"{source} does not exist; run {again} first")
    if options.output is None:
        own = options.claims and not options.record
        options.output = Path(options.claims[0]).with_suffix(".md") if own else REPORT
    if options.site and options.check:
        raise UsageError("--check compares Markdown only; leave --site out")
    if options.site:
        return _site(source, options)
    if not options.check:
        check_writable(options.output)
    with progress_of(quiet=False, what="report"):
        registry = registry_of(options)
        record = _current(Record.read(source), registry, options)
        own = command if options.claims else ""
        texts = report(registry, record, _pictures(options), options.output.name, own)
    files = {options.output.parent / name: text for name, text in texts.items()}
    if options.check:
        return _checked(files, command, options.json)
    for file, text in files.items():
        file.parent.mkdir(parents=True, exist_ok=True)
        write(file, text)
    if options.json:
        print(json.dumps({"files": [str(file) for file in files]}))
    return True


def pictures_of_ours() -> dict[str, Picture]:
    """The installed figures with their captions and sources."""
    from paper_checks.claims import catalogue
    from paper_checks.report.overview import Picture

    return {
        name: Picture(
            paper,
            gallery.caption(name),
            getattr(gallery, "alt", gallery.caption)(name),
            f"{RENDERED}/{paper}/{name}.png",
            _source(gallery, name),
            getattr(gallery, "details", lambda _: "")(name),
        )
        for paper, gallery in catalogue.galleries().items()
        for name in gallery
    }


def _pictures(options: argparse.Namespace) -> dict[str, Picture]:
    """The installed figures, or those that 'paper-checks figures my_paper.py' has drawn, with their captions."""
    from paper_checks.report.overview import Picture

    if not options.claims:
        return pictures_of_ours()
    folder = figures_beside(options)
    drawn = {c.id.replace("/", "-"): c for c in registry_of(options)}
    return {
        name: Picture(claim.paper, claim.says, f"{claim.says}: {SEEN}", f"{folder.name}/{name}.png")
        for name, claim in drawn.items()
        if (folder / f"{name}.png").exists()
    }


def _source(gallery: Any, name: str) -> str:
    """Code that draws a figure, where its gallery is a package of modules."""
    spec = importlib.util.find_spec(f"{gallery.package}.{name}") if hasattr(gallery, "package") else None
    return Path(spec.origin).read_text(encoding="utf-8") if spec and spec.origin else ""


def _command(options: argparse.Namespace) -> str:
    """This command without what only checks."""
    named = {"--record": options.record, "--output": options.output}
    more = (word for name, value in named.items() if value for word in (name, value))
    return shell.command("report", *map(Path, options.claims), *more)


def _current(record: Record, registry: Registry, options: argparse.Namespace) -> Record:
    """The record of a user's claims as they are now; says which of them are not verified."""
    for id in record.changed(registry) if options.claims else ():
        again = shell.command("verify", *map(Path, options.claims))
        print(f"paper-checks: {id} {shell.changed_since(again)}", file=sys.stderr)
    return record.of(registry)


def _checked(files: dict[Path, str], command: str, as_json: bool) -> bool:
    stale = [file for file, text in files.items() if not file.exists() or file.read_text(encoding="utf-8") != text]
    if as_json:
        print(json.dumps({"files": [str(file) for file in files], "out_of_date": [str(file) for file in stale]}))
    elif stale:
        print(f"paper-checks: {stale[0]} is not what {shell.quoted(command)} writes; run it", file=sys.stderr)
    return not stale


def _site(source: Path, options: argparse.Namespace) -> bool:
    """Write pages, and say where to begin."""
    from paper_checks.commands.running import progress_of
    from paper_checks.record import Record

    try:
        import sphinx_copybutton  # noqa: F401

        from paper_checks.report.site.building import opened, write_site
    except ImportError as error:
        raise UsageError(
            f"--site needs {error.name}, which is not installed; pip install 'paper-checks[docs]'"
        ) from None
    opened(options.site)
    usual, begun = Times().of("report --site"), time.monotonic()
    if not options.claims:
        foretell("a page for each claim", *(usual or SITE), HERE if usual else OURS)
    with progress_of(quiet=False, what="site"):
        registry = registry_of(options)
        record = _current(Record.read(source), registry, options)
        drawn = options.pictures or (figures_beside(options) if options.claims else RENDERED)
        count = write_site(options.site, registry, record, _pictures(options), drawn, workers=os.cpu_count() or 1)
    if not options.claims:
        Times().keep("report --site", time.monotonic() - begun)
    place = str(options.site / "index.html")
    print(json.dumps({"pages": count, "index": place}) if options.json else f"{count} pages: {place}")
    return True
