"""Installed papers and figures, and files of claims.

A distribution registers papers by entry points of the group ``paper_checks.papers``: the name is the paper's short
name, with which its ids begin; the value is a module that declares its claims. Figures are registered in the group
``paper_checks.figures``; see :mod:`figures`. Nothing is imported before it is needed.
"""

from __future__ import annotations

import importlib.abc
import os
import re
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.machinery import PathFinder
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from traceback import extract_tb
from types import TracebackType
from typing import TYPE_CHECKING, Any

from paper_checks.claims.clashes import refuse_clashes
from paper_checks.claims.selection import NoSuchClaim

if TYPE_CHECKING:
    from paper_checks.claims.registry import Registry


class CatalogueError(Exception):
    """Papers, figures or a file of claims cannot be loaded; the message says where and why."""


def papers() -> dict[str, EntryPoint]:
    """The installed papers by short name, in alphabetical order."""
    return _installed("paper_checks.papers")


def _installed(group: str) -> dict[str, EntryPoint]:
    return _on_path(group, tuple(sys.path))


@cache
def _on_path(group: str, path: tuple[str, ...]) -> dict[str, EntryPoint]:
    """Entry points for a search path; cached, as finding them takes as long as everything else in 'show'."""
    del path
    found: dict[str, EntryPoint] = {}
    for point in sorted(entry_points(group=group), key=lambda p: (p.name, p.value)):
        if point.name in found and found[point.name].value != point.value:
            both = " and ".join(f"{p.value} of {_home(p)}" for p in (found[point.name], point))
            raise CatalogueError(f"{group} {point.name!r} stands for {both}; uninstall one of them")
        found[point.name] = point
    if not found:
        raise CatalogueError(f"nothing is installed for {group}; install the project again: make, or pip install -e .")
    return found


def _home(point: EntryPoint) -> str:
    return point.dist.name if point.dist else "an unknown distribution"


def asked_for(patterns: Iterable[str]) -> list[str]:
    """Short names of the installed papers in which patterns of claim ids can match; all without patterns.

    Raises
    ------
    NoSuchClaim
        When a pattern cannot match in any of them.

    Examples
    --------
    >>> asked_for(["nau/eq5*", "galu"]), asked_for(["n*.input"])
    (['galu', 'nau'], ['nau', 'nerva'])
    """
    patterns = list(patterns)
    for pattern in patterns:
        if not any(_may_match(name, pattern) for name in papers()):
            raise NoSuchClaim(f"no claim matches {pattern!r}; ids begin with {', '.join(papers())}, as in nau/eq26")
    return [name for name in papers() if not patterns or any(_may_match(name, p) for p in patterns)]


def _may_match(paper: str, pattern: str) -> bool:
    head = re.split(r"[*?\[]", pattern, maxsplit=1)[0]
    if head == pattern:
        return paper == head.split("/")[0]
    return head.startswith(f"{paper}/") or f"{paper}/".startswith(head)


def load(patterns: Iterable[str] = ()) -> Registry:
    """Claims of the installed papers in which patterns of ids can match; only these papers are imported.

    Raises
    ------
    NoSuchClaim, CatalogueError
        If no paper matches, or a paper fails to import or declares another short name than its entry point.
    """
    refuse_clashes("theory", "montecarlo")
    from paper_checks.claims.declaring import INSTALLED

    names = asked_for(patterns)
    for name in names:
        _import_paper(papers()[name], INSTALLED)
    return INSTALLED.only(names)


def _import_paper(point: EntryPoint, registry: Registry) -> None:
    from paper_checks.claims.declaring import declaring

    with declaring(registry):
        _loaded(point)
    try:
        registry.check()
    except ValueError as error:
        raise CatalogueError(f"{point.value} of {_home(point)}: {error}") from error
    if point.name not in registry.papers:
        raise CatalogueError(
            f"{point.value} of {_home(point)} is installed as paper {point.name!r}, but does not declare it; call "
            f"paper({point.name!r}, ...) in it"
        )


def _loaded(point: EntryPoint) -> Any:
    try:
        refuse_clashes("theory", "montecarlo", *{point.module.split(".")[0]} & {"figures"})
        return point.load()
    except (Exception, SystemExit) as error:
        place = _place(error.__traceback__)
        raise CatalogueError(f"{point.value} of {_home(point)}{place}: {type(error).__name__}: {error}") from error


def galleries() -> Mapping[str, Any]:
    """The installed galleries by the name of their entry point: that of the paper whose figures they are.

    The value of an entry point of the group ``paper_checks.figures`` is a :class:`figures.Gallery`, or something else
    that is iterable over names and has the methods ``render`` and ``caption``.
    """
    return {name: _loaded(point) for name, point in _installed("paper_checks.figures").items()}


def figures() -> Mapping[str, Any]:
    """The gallery of each installed figure, by the figure's name; see :func:`galleries`."""
    found: dict[str, Any] = {}
    for place, gallery in galleries().items():
        for name in gallery:
            if name in found:
                point = _installed("paper_checks.figures")[place]
                raise CatalogueError(f"{point.value} of {_home(point)}: figure {name!r} exists already; rename it")
            found[name] = gallery
    return found


def claim_figures() -> Any:
    """The class that draws figures of any claims, :class:`figures.of_claims.ClaimFigures`, by its entry point."""
    (point,) = _installed("paper_checks.claim_figures").values()
    return _loaded(point)


def load_files(paths: Iterable[str | Path]) -> Registry:
    """The registry with the claims of several files; an id may be declared in one of them only."""
    find_ours()
    from paper_checks.claims.registry import Registry

    together = Registry()
    for path in paths:
        found = load_file(path)
        twice = [c.id for c in found if c.id in {k.id for k in together}]
        if twice:
            raise CatalogueError(
                f"{path}: id must be new, got {twice[0]!r}, which another file has; rename one of them"
            )
        for name in list(found.papers):
            found.move(name, together)
        together.mistakes |= found.mistakes
    return together


class _Ours(importlib.abc.MetaPathFinder):
    """Finds the packages of this project where this file is, whatever a user's folder has under these names."""

    names = ("theory", "montecarlo", "paper_checks", "figures")
    home = str(Path(__file__).resolve().parents[2])

    def find_spec(self, name: str, _path: Any = None, _target: Any = None) -> Any:
        return PathFinder.find_spec(name, [self.home]) if name in self.names else None


@cache
def find_ours() -> None:
    """Import the packages of this project from where this file is, whatever a user's folder has under their names.

    Raises
    ------
    ImportError
        Where a user's module of such a name has been imported already.
    """
    sys.meta_path.insert(0, _Ours())
    refuse_clashes("theory", "montecarlo", "figures")


def load_file(path: str | Path) -> Registry:
    """The registry with the claims that a user's file declares; it may import what lies beside it.

    A claim whose declaration is wrong is left out; ``mistakes`` of the registry says why.

    Raises
    ------
    CatalogueError
        When the file is missing, fails to import, or declares nothing.
    """
    find_ours()
    from montecarlo.engine.models import load_module
    from paper_checks.claims.declaring import INSTALLED, declaring
    from paper_checks.claims.registry import Registry

    path = Path(path).resolve()
    if not path.is_file():
        raise CatalogueError(f"{path} is not a file; name a Python file that calls paper(...) and claim(...)")
    imported = set(sys.modules)
    if str(path.parent) not in sys.path:
        sys.path.append(str(path.parent))  # Last, so that a user's modules hide none of this project.
    try:
        # Under a name that no other module has: a file called random.py must not stand in for Python's own.
        with declaring(Registry(forgiving=True)) as own:
            load_module(path, f"claims_of_{path.stem}")
        own.check()
    except (Exception, SystemExit) as error:
        line = _place(error.__traceback__, path)
        raise CatalogueError(f"{path}{line}: {type(error).__name__}: {error}") from error
    for name, point in papers().items():
        if point.module in sys.modules and point.module not in imported:
            own.move(name, INSTALLED)  # A paper that the file only imports.
    if not len(own) and own.mistakes:
        raise CatalogueError(next(iter(own.mistakes.values())))
    if not len(own):
        raise CatalogueError(f"{path} declares no claims; call paper(...) and claim(...) in it")
    return own


def _place(traceback: TracebackType | None, path: Path | None = None) -> str:
    """The last line of a traceback in a file, or in any file if none is given."""
    frames = reversed(extract_tb(traceback))
    if path is None:
        return next((f", {f.filename}, line {f.lineno}" for f in frames if os.path.exists(f.filename)), "")
    return next((f", line {f.lineno}" for f in frames if Path(f.filename) == path), "")
