"""What a stored result is known by: a digest of the code that made it, and of nothing else.

A result depends on a top-level statement of a module (a kernel, a simulator, a claim) and on what its names stand for:
functions, classes and constants of the same module or of modules that it imports, and so on. That closure is taken
from the syntax trees alone, nothing is imported for it. Docstrings, comments, layout, the names of files, what only a
notebook calls (``_repr_html_``) and other statements of the same files do not count: editing one kernel of a module
leaves the others' results as they are.

Packages of others count by name only; Numba's version is part of the digest of a kernel.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from montecarlo.engine import sources
from montecarlo.engine.sources import Place, members, module, references

__all__ = [
    "closure",
    "digest_of",
    "digest_of_files",
    "digest_of_modules",
    "forget",
    "texts",
    "token",
]


def digest_of(*places: Place, without: tuple[str, ...] = (), extra: Iterable[str] = (), size: int = 16) -> str:
    """A digest of statements and of all that their names stand for.

    Parameters
    ----------
    *places : Place
        See :func:`statement_at` and :meth:`Module.places`.
    without : tuple of str
        Modules, or packages with all their modules, that are not followed: their names count, not what they do.
    extra : iterable of str
        What else the result depends on.
    size : int
        Bytes; twice as many hexadecimal digits are returned.

    Examples
    --------
    >>> one, other = (digest_of(*module(__name__).places(name)) for name in ("digest_of", "digest_of_files"))
    >>> one != other
    True
    """
    found = sorted(token(place, without) for place in closure(places, without))
    return texts((*found, *extra), size)


def digest_of_modules(names: Iterable[str], size: int = 16) -> str:
    """A digest of whole modules; of all modules of a package where a package is named."""
    found = sorted(
        ast.dump(statement)
        for name in names
        for member in members(name)
        for statement in module(member).statements
        if not isinstance(statement, ast.Import | ast.ImportFrom)
    )
    return _hash((text.encode() for text in found), size)


def digest_of_files(paths: Iterable[Path], size: int = 16) -> str:
    """A digest of the bytes of files."""
    return _hash((path.read_bytes() for path in paths), size)


def texts(parts: Iterable[str], size: int = 16) -> str:
    """A digest of texts, in any order."""
    return _hash((text.encode() for text in sorted(parts)), size)


def closure(places: Iterable[Place], without: tuple[str, ...] = ()) -> set[Place]:
    """All statements that some statements depend on, themselves included."""
    found, waiting = set(), list(places)
    while waiting:
        place = waiting.pop()
        if place in found:
            continue
        found.add(place)
        for targets in references(place, without).values():
            waiting += [target for target in targets if target not in found]
    return found


@cache
def token(place: Place, without: tuple[str, ...] = ()) -> str:
    """A digest of one statement and, by name, of the statements that it refers to: an import from elsewhere counts."""
    named = sorted(
        (name, sorted(_own_token(target) for target in targets)) for name, targets in references(place, without).items()
    )
    return _hash([f"{_own_token(place)} {named}".encode()], 8)


def _own_token(place: Place) -> str:
    return _token_of(module(place.module).statements[place.index])


@cache
def _token_of(statement: ast.stmt) -> str:
    return _hash([ast.dump(statement).encode()], 8)


def forget() -> None:
    """Read all files anew from now on: one has been loaded again."""
    sources.forget()
    token.cache_clear()


def _hash(parts: Iterable[bytes], size: int) -> str:
    state = hashlib.blake2b(digest_size=size)
    for part in parts:
        state.update(len(part).to_bytes(8, "little") + part)
    return state.hexdigest()
