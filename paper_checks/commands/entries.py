"""What ``list`` and ``show`` print of each claim, kept so that SymPy need not be imported to print it again.

Kept for each installed paper in the user's cache folder, under a digest of every file that it can depend on. A file of
somebody's own claims is read anew each time.
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
from typing import TYPE_CHECKING, Any

from paper_checks.claims import catalogue
from paper_checks.claims.selection import NoSuchClaim, found, matches, selected
from paper_checks.commands.options import RECORD, record_beside
from paper_checks.experiments.files import cache_folder, text, write

if TYPE_CHECKING:
    from paper_checks.claims.claim import Claim
    from paper_checks.claims.registry import Registry
    from paper_checks.judging.verdict import Verdict

__all__ = ["Entry", "about", "digest_of_sources", "entries", "lines"]

VERSION = 2
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
        """What a search looks at."""
        return f"{self.id} {self.status} {self.at} {self.says} {self.title}"


def entries(options: argparse.Namespace, patterns: Iterable[str]) -> list[Entry]:
    """The entries of the claims that patterns mean; of those in files of claims, or of the installed papers."""
    patterns = list(patterns)
    if options.claims:
        claims = catalogue.load_files(options.claims)
        return [e for e in _judged(claims, record_beside(options)) if e.id in {c.id for c in claims.select(patterns)}]
    known = {entry.id: entry for name in catalogue.asked_for(patterns) for entry in _of_paper(name)}
    return [known[i] for i in selected(known, patterns)]


def about(options: argparse.Namespace, patterns: Iterable[str]) -> list[Entry]:
    """As :func:`entries`; a pattern that means no id is looked for in the texts of all claims."""
    patterns = list(patterns)
    try:
        return entries(options, patterns)
    except NoSuchClaim as error:
        everything = entries(options, [])
        means = [{e.id for e in everything if matches(e.id, p) or found(e.words, p)} for p in patterns]
        if not all(means):
            raise NoSuchClaim(f"{error}; nor has one such words") from None
        return [e for e in everything if e.id in set().union(*means)]


def lines(some: Iterable[Entry], columns: int | None) -> Iterator[str]:
    """A line for each claim, no longer than the terminal is wide."""
    some = list(some)
    width = max(len(entry.id) for entry in some)
    for entry in some:
        line = f"{entry.id:<{width}}  {entry.status:<12}  {entry.at}: {entry.says}"
        yield line if columns is None or len(line) <= columns else line[: columns - 2].rstrip() + " …"


def _of_paper(name: str) -> tuple[Entry, ...]:
    point = catalogue.papers()[name]
    return _current(name, _cache_file(point), _key(point))


@cache
def _current(name: str, file: Path, key: str) -> tuple[Entry, ...]:
    kept = _kept(file, key)
    if kept is None:
        kept = tuple(_judged(catalogue.load([name])))
        _keep(file, key, [asdict(entry) for entry in kept])
    return kept


def _judged(claims: Registry, path: Path = RECORD) -> Iterator[Entry]:
    """The entries of claims, with their recorded verdicts."""
    from paper_checks.record import Record

    record = Record.read(path) if path.exists() else Record("", 0, "")
    verdicts = {v.id: v for v in record.verdicts}
    for claim in claims:
        title = claims.papers[claim.paper].title
        yield _entry(claim, verdicts.get(claim.id), title)


def _entry(claim: Claim, verdict: Verdict | None, title: str = "") -> Entry:
    from paper_checks.commands.objects import as_object
    from paper_checks.report.describe import describe
    from paper_checks.report.text import printable

    status = str(verdict.status) if verdict else "-"
    at, says, shown = map(printable, (claim.at, claim.says, describe(claim, verdict)))
    return Entry(claim.id, status, at, says, shown, as_object(claim, verdict), title)


def _kept(file: Path, key: str) -> tuple[Entry, ...] | None:
    try:
        content = json.loads(text(file))
        return tuple(Entry(**entry) for entry in content["entries"]) if content["key"] == key else None
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return None


def _keep(file: Path, key: str, kept: list[dict[str, Any]]) -> None:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        write(file, json.dumps({"key": key, "entries": kept}))
    except OSError:
        return  # A read-only home means importing anew in each process, nothing worse.


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
    """A digest of all that verdicts can depend on: the libraries, our sources, and those of papers or files of claims.

    These have been loaded: modules that lie beside a file, and have been imported, are among its sources.
    """
    from montecarlo.engine.machine import made_with

    state = hashlib.blake2b(json.dumps([_digest_of_rooms(), made_with()]).encode(), digest_size=16)
    for top in sorted({catalogue.papers()[name].module.split(".")[0] for name in papers} - set(ROOMS)):
        _add(state, top)
    files = [path.resolve() for path in files]
    for path in [*files, *_beside({path.parent for path in files})]:
        state.update(path.name.encode() + b"\0" + path.read_bytes())
    return state.hexdigest()


def _beside(folders: set[Path]) -> list[Path]:
    """The files of modules that have been imported from some folders, or from folders in them."""
    modules = [m for name, m in list(sys.modules.items()) if name.split(".")[0] not in ROOMS]
    paths = {Path(file) for m in modules if (file := getattr(m, "__file__", None)) and "site-packages" not in file}
    return sorted(path for path in paths if path.is_file() and not folders.isdisjoint(path.parents))


def _add(state: Any, package: str) -> None:
    """Add the bytes of a top-level package's or module's files, their data included: claims read them."""
    home = _folder(package)
    files = [p for p in home.rglob("*") if p.suffix in (".py", ".json")] if home.is_dir() else [home]
    # The record and what claims took change nothing.
    for path in sorted(p for p in files if p.suffix == ".py" or p.parent != RECORD.parent):
        state.update(path.name.encode() + b"\0" + path.read_bytes())


def _folder(package: str) -> Path:
    """Where a top-level package or module is; it is not imported for it."""
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        raise catalogue.CatalogueError(f"{package} cannot be found; install its distribution anew")
    path = Path(spec.origin)
    return path.parent if path.name == "__init__.py" else path
