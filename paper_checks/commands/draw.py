"""``paper-checks figures``: compute and draw the installed figures."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from paper_checks.commands.options import AS_EXPECTED, UsageError, add_sampling, complete_with, positive

__all__ = ["TEXT", "add_arguments", "run"]

TEXT = "Compute and draw figures."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    complete_with(parser.add_argument("names", nargs="*", metavar="NAME", help="default: all figures"), _names)
    parser.add_argument("--folder", default=Path("figures/rendered"), type=Path, metavar="DIR")
    parser.add_argument("--samples", type=positive, help="samples per cell, where the figure is simulated")
    parser.add_argument("--images", metavar="DIR", help="galu_figure_1 only: a folder with MNIST's four IDX files")
    parser.add_argument("--anew", action="store_true", help="compute and draw anew what the same code has made before")
    parser.add_argument("--redraw", action="store_true", help="draw from the saved numbers, without simulation")
    parser.add_argument("--list", action="store_true", help="list the figures")
    add_sampling(parser)


def _names(**_: Any) -> list[str]:
    """What a shell may offer."""
    from paper_checks import catalogue

    return list(catalogue.figures())


def run(options: argparse.Namespace) -> int:
    """Draw what is asked for, one figure after the other."""
    from paper_checks import catalogue
    from paper_checks.commands.running import executor_of, progress_of, store_of
    from paper_checks.files import check_writable

    galleries = catalogue.figures()
    if options.list:
        print("\n".join(sorted(galleries)))
        return AS_EXPECTED
    unknown = [n for n in options.names if n not in galleries]
    if unknown:
        raise UsageError(f"no figure is called {unknown[0]!r}; there are {', '.join(sorted(galleries))}")
    if not options.redraw:
        options.folder.mkdir(parents=True, exist_ok=True)
        check_writable(options.folder / "figure.png")
    extra = {key: getattr(options, key) for key in ("samples", "images") if getattr(options, key)}
    with executor_of(options) as executor, store_of(options) as store:
        for name in options.names or sorted(galleries):
            with progress_of(quiet=False) as progress:
                path = galleries[name].render(
                    name, options.folder, redraw=options.redraw, anew=options.anew, executor=executor, store=store,
                    progress=progress, seed=options.seed, **extra,
                )  # fmt: skip
            print(path, flush=True)
    return AS_EXPECTED
