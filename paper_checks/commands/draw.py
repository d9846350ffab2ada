"""``paper-checks figures``: compute and draw the installed figures."""

import argparse
import json
import shutil
import sys
import textwrap
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from paper_checks.claims import catalogue, shell
from paper_checks.commands.choosing import add_claims, take_files
from paper_checks.commands.options import (
    RENDERED,
    UsageError,
    add_sampling,
    complete_with,
    figures_beside,
    given,
    path,
    positive,
    record_beside,
    registry_of,
)
from paper_checks.commands.pace import HERE, OURS, Times, about, foretell

TEXT = "Compute and draw figures. With a file of your own claims, one figure for each claim that has points."
FORMS = ("png", "svg", "pdf")
# Most samples of one cell: a figure has thousands of cells, and each is a row of tasks.
MOST = 10**9


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    what = "default: all figures; or a file of your own claims"
    names = parser.add_argument("names", nargs="*", metavar="NAME", type=given, help=what)
    complete_with(names, lambda **_: list(catalogue.figures()))
    parser.add_argument("--folder", type=path, metavar="DIR", help=f"default: {RENDERED}/PAPER, or my_paper.figures")
    add_claims(parser)
    parser.add_argument("--samples", type=positive, help="samples per cell, for simulated figures")
    parser.add_argument(
        "--images", type=given, metavar="DIR", help="galu_figure_1 only: a folder with MNIST's four IDX files"
    )
    parser.add_argument(
        "--set", metavar="NAME=VALUE", dest="settings", nargs="+", action="extend", default=[], type=_setting,
        help="settings of the named figures, see --list; they become part of the file names",
    )  # fmt: skip
    parser.add_argument("--anew", action="store_true", help="compute all arrays again, including those that take long")
    parser.add_argument("--redraw", action="store_true", help="draw from the saved numbers, without simulating")
    parser.add_argument("--format", choices=FORMS, default=FORMS[0], help="format of the picture (default %(default)s)")
    parser.add_argument("--list", action="store_true", help="list the figures with their captions and settings")
    parser.add_argument("--json", action="store_true", help="one JSON object per figure")
    add_sampling(parser)


def _setting(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not (name and equals and value):
        raise argparse.ArgumentTypeError(f"must be NAME=VALUE, as in eps=1e-3, got {text[:40]!r}")
    return name, value


def _listed(name: str, gallery: Any) -> Iterator[str]:
    """A figure with its caption and its settings."""
    width = shutil.get_terminal_size().columns
    yield name
    yield textwrap.fill(gallery.caption(name), width, initial_indent="  ", subsequent_indent="  ")
    settings = getattr(gallery, "settings", lambda _: {})(name)
    for text, says in settings.items():
        yield f"  --set {text:<24} {says}".rstrip()


def _of_claims(options: argparse.Namespace) -> dict[str, Any]:
    """Galleries of a user's claims that have recorded points."""
    from paper_checks.record import Record

    if not record_beside(options).exists():
        again = shell.quoted(shell.command("verify", Path(options.claims[0])))
        raise UsageError(f"{record_beside(options)} does not exist; run {again} first")
    claims = list(registry_of(options))
    gallery = catalogue.claim_figures()(claims, Record.read(record_beside(options)).of(claims))
    if not list(gallery):
        what = "give one points=grid(...), and verify what has changed"
        raise UsageError(f"no claim has verified values at points, which a figure could show; {what}")
    return dict.fromkeys(gallery, gallery)


def run(options: argparse.Namespace) -> bool:
    """Draw the named figures, one after the other."""
    from montecarlo import Store
    from paper_checks.commands.running import executor_of, progress_of
    from paper_checks.experiments.files import check_writable
    from paper_checks.experiments.stored import StaleRows

    take_files(options, "names")
    galleries = _of_claims(options) if options.claims else catalogue.figures()
    if options.list:
        for name, gallery in sorted(galleries.items()):
            if options.json:
                settings, details = (getattr(gallery, of, lambda _: "")(name) for of in ("settings", "details"))
                made = {"name": name, "caption": gallery.caption(name), "details": details, "settings": dict(settings)}
                print(json.dumps(made, ensure_ascii=False))
            else:
                print("\n".join(_listed(name, gallery)))
        return True
    unknown = [n for n in options.names if n not in galleries]
    if unknown:
        raise UsageError(f"no figure is called {unknown[0]!r}; there are {', '.join(sorted(galleries))}")
    if options.settings and (options.claims or not options.names):
        raise UsageError("--set must go with the names of installed figures, got none; see paper-checks figures --list")
    if options.claims and options.format != FORMS[0]:
        raise UsageError(f"--format {options.format} is for installed figures only; leave it out with your own claims")
    if options.samples is not None and options.samples > MOST:
        raise UsageError(f"--samples must be at most {MOST:.0e} for each cell, got {options.samples:.3g}; take fewer")
    folders = _folders(options, galleries)
    for folder in set() if options.redraw else set(map(folders.get, options.names or galleries)):
        folder.mkdir(parents=True, exist_ok=True)
        check_writable(folder / "figure.png")
    extra = {key: getattr(options, key) for key in ("samples", "images") if getattr(options, key) is not None}
    extra |= {"form": options.format} if options.format != FORMS[0] else {}
    extra |= {"settings": dict(options.settings)} if options.settings else {}
    how = {"redraw": options.redraw, "anew": options.anew, "seed": options.seed, **extra}
    with executor_of(options) as executor, Store(options.store) as store:
        names, left_out = options.names or sorted(galleries), 0
        costs = _foretold({n: galleries[n] for n in names}, folders, {**how, "store": store})
        for number, name in enumerate(names, 1):
            begun = time.monotonic()
            try:
                with progress_of(quiet=False, what=f"{name}, figure {number} of {len(names)}") as progress:
                    picture = galleries[name].render(
                        name, folders[name], executor=executor, store=store, progress=progress, **how
                    )  # fmt: skip
                print(json.dumps({"name": name, "file": str(picture)}) if options.json else picture, flush=True)
                if costs[name] and not extra:
                    Times().keep(f"figures {name}", time.monotonic() - begun)
            except (StaleRows, ValueError) as error:
                if len(names) == 1 and not isinstance(error, StaleRows):
                    raise
                left_out += 1
                if options.json:
                    print(json.dumps({"name": name, "file": None, "error": str(error)}), flush=True)
                print(f"paper-checks: {name} is not drawn: {error}", file=sys.stderr, flush=True)
    return not left_out


def _folders(options: argparse.Namespace, galleries: Mapping[str, Any]) -> dict[str, Path]:
    """Where each figure is drawn: those of a paper in a folder of their own, if no other is asked for."""
    if options.folder or options.claims:
        return dict.fromkeys(galleries, options.folder or figures_beside(options))
    return {name: RENDERED / paper for paper, gallery in catalogue.galleries().items() for name in gallery}


def _foretold(galleries: Mapping[str, Any], folders: Mapping[str, Path], how: Mapping[str, Any]) -> dict[str, float]:
    """Most seconds of each figure, where its gallery knows them; the total is printed where it is long."""
    known, costs = Times(), {}
    for name, gallery in galleries.items():
        ask = None if how["redraw"] else getattr(gallery, "seconds", None)
        given = {key: value for key, value in how.items() if key not in ("redraw", "form")}
        usual = known.of(f"figures {name}")
        cost = ask(name, folders[name], usual=usual, **given) if ask else (0.0, 0.0)
        costs[name] = cost if usual else about(*cost)
    played = [name for name, (_, high) in costs.items() if high]
    low, high = (sum(ends) for ends in zip(*costs.values(), strict=True))
    foretell(
        f"{len(played)} of {len(costs)} figures to be computed", low, high,
        HERE if all(known.of(f"figures {name}") for name in played) else OURS,
    )  # fmt: skip
    return {name: high for name, (_, high) in costs.items()}
