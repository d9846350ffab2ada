"""Texts of ``list`` and ``show``, cached so that SymPy need not be imported to print them again.

The texts of each installed paper are kept in the user's cache folder, under a digest of every file that they can
depend on. A file of a user's claims is read again each time.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cache
from importlib.metadata import EntryPoint, version
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from paper_checks.claims import catalogue, shell
from paper_checks.claims.selection import NoSuchClaim, found, matches, selected
from paper_checks.commands.options import RECORD, record_beside, registry_of
from paper_checks.experiments.files import cache_folder, keep, kept

if TYPE_CHECKING:
    from paper_checks.claims.registry import Registry

VERSION = 3
ROOMS = ("theory", "montecarlo", "paper_checks")


@dataclass(frozen=True)
class Entry:
    """A claim in words: for a line of ``list``, for ``show``, and as a JSON object."""

    id: str
    status: str
    at: str
    says: str
    text: str
    object: Mapping[str, Any]
    title: str = ""

    @property
    def words(self) -> str:
        """Text that a search looks at."""
        return f"{self.id} {self.status} {self.at} {self.says} {self.title}"


def entries(options: argparse.Namespace, patterns: Iterable[str]) -> list[Entry]:
    """Entries of the claims that patterns match, from files of claims or from the installed papers."""
    patterns = list(patterns)
    if options.claims:
        claims = registry_of(options)
        wanted = {c.id for c in claims.select(patterns)}
        again = shell.command("verify", *map(Path, options.claims))
        return [e for e in _judged(claims, record_beside(options), again) if e.id in wanted]
    known = {entry.id: entry for name in catalogue.asked_for(patterns) for entry in _of_paper(name)}
    return [known[i] for i in selected(known, patterns)]


def about(options: argparse.Namespace, patterns: Iterable[str]) -> list[Entry]:
    """As :func:`entries`; a pattern that matches no id is looked for in the texts of all claims."""
    patterns = list(patterns)
    try:
        return entries(options, patterns)
    except NoSuchClaim as error:
        everything = entries(options, [])
        means = [{e.id for e in everything if matches(e.id, p) or found(e.words, p)} for p in patterns]
        if not all(means):
            raise NoSuchClaim(f"{error}, and no text contains these words") from None
        return [e for e in everything if e.id in set().union(*means)]


def lines(some: Iterable[Entry], columns: int | None) -> Iterator[str]:
    """A line for each claim, no longer than the terminal is wide."""
    some = list(some)
    width = max(len(entry.id) for entry in some)
    for entry in some:
        line = f"{entry.id:<{width}}  {entry.status:<14}  {entry.at}: {entry.says}"
        yield line if columns is None or len(line) <= columns else line[: columns - 2].rstrip() + " …"


def _of_paper(name: str) -> tuple[Entry, ...]:
    point = catalogue.papers()[name]
    return _current(name, _cache_file(point), _key(point))


@cache
def _current(name: str, file: Path, key: str) -> tuple[Entry, ...]:
    found = _kept(file, key)
    if found is None:
        found = tuple(_judged(catalogue.load([name])))
        # A home that is read-only means importing anew in each process, nothing worse.
        keep(file, {"key": key, "entries": [asdict(entry) for entry in found]})
    return found


def _judged(claims: Registry, path: Path = RECORD, again: str = "") -> Iterator[Entry]:
    """Entries of claims, with their saved verdicts; ``again`` is the command that verifies a user's claims."""
    from paper_checks.commands.objects import as_object
    from paper_checks.record import Record
    from paper_checks.report.describe import describe
    from paper_checks.report.text import printable

    record = Record.read(path) if path.exists() else Record("", 0, "")
    changed = record.changed(claims)
    verdicts = {v.id: v for v in record.of(claims).verdicts}
    for claim in claims:
        verdict = verdicts.get(claim.id)
        status = claim.relation.word(verdict.status) if verdict else "changed" if claim.id in changed else "-"
        verify = again or shell.command("verify", claim.id)
        why = shell.changed_since(verify) if claim.id in changed else f"not verified yet: {verify}"
        at, says, shown = map(printable, (claim.at, claim.says, describe(claim, verdict, why)))
        title = claims.papers[claim.paper].title
        yield Entry(claim.id, status, at, says, shown, as_object(claim, verdict), title)


def _kept(file: Path, key: str) -> tuple[Entry, ...] | None:
    content = kept(file)
    try:
        return tuple(Entry(**entry) for entry in content["entries"]) if content["key"] == key else None
    except (LookupError, TypeError):
        return None


def _cache_file(point: EntryPoint) -> Path:
    # One file for each paper of each copy of the project.
    copy = hashlib.blake2b(f"{_folder('paper_checks')} {point.value}".encode(), digest_size=6).hexdigest()
    return cache_folder() / "entries" / f"{point.name}-{copy}.json"


def _key(point: EntryPoint) -> str:
    state = hashlib.blake2b(f"{VERSION} {_digest_of_rooms()}".encode(), digest_size=16)
    state.update(RECORD.read_bytes() if RECORD.exists() else b"")
    top = point.module.split(".")[0]
    if top not in ROOMS:
        _add(state, top)
    return state.hexdigest()


@cache
def _digest_of_rooms() -> str:
    state = hashlib.blake2b(version("sympy").encode(), digest_size=16)
    for room in ROOMS:
        _add(state, room)
    return state.hexdigest()


def digest_of_sources(papers: Iterable[str], files: Iterable[Path]) -> str:
    """Digest of all that verdicts can depend on: libraries, our sources, and those of papers or files of claims.

    Papers and files have been loaded: imported modules beside a file are among its sources. Their constants count by
    their values, which may come from a file of data.
    """
    from montecarlo.engine.constants import values_of
    from montecarlo.engine.machine import made_with

    state = hashlib.blake2b(json.dumps([_digest_of_rooms(), made_with()]).encode(), digest_size=16)
    for top in sorted({catalogue.papers()[name].module.split(".")[0] for name in papers} - set(ROOMS)):
        _add(state, top)
    files = [path.resolve() for path in files]
    modules = _modules_beside({path.parent for path in files})
    for path in [*files, *(Path(m.__file__ or "") for m in modules)]:
        state.update(path.name.encode() + b"\0" + path.read_bytes())
    for module in modules:
        state.update(values_of(vars(module)).encode())
    return state.hexdigest()


def _modules_beside(folders: set[Path]) -> list[ModuleType]:
    """Modules that have been imported from some folders, or from folders in them, by their files."""
    modules = [m for name, m in list(sys.modules.items()) if name.split(".")[0] not in ROOMS]
    found = {Path(file): m for m in modules if (file := getattr(m, "__file__", None)) and "site-packages" not in file}
    return [found[p] for p in sorted(found) if p.is_file() and not folders.isdisjoint(p.parents)]


def _add(state: Any, package: str) -> None:
    """Add the bytes of a top-level package's or module's files, their data included: claims read them."""
    home = _folder(package)
    files = [p for p in home.rglob("*") if p.suffix in (".py", ".json")] if home.is_dir() else [home]
    # Saved verdicts and times change nothing.
    for path in sorted(p for p in files if p.suffix == ".py" or p.parent != RECORD.parent):
        state.update(path.name.encode() + b"\0" + path.read_bytes())


def _folder(package: str) -> Path:
    """Folder or file of a top-level package or module, without importing it."""
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        raise catalogue.CatalogueError(f"{package} cannot be found; install its distribution again")
    path = Path(spec.origin)
    return path.parent if path.name == "__init__.py" else path
