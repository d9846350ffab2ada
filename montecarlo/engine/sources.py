"""The statements of modules and what their names stand for, read from syntax trees: nothing is imported for it.

A name stands for the top-level statements that bind or change it, in the same module or where it is imported from. The
code of others' packages and of Python's own is not followed.
"""

from __future__ import annotations

import ast
import importlib.util
import sys
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from montecarlo.engine.statements import bound, nested, parsed, used

__all__ = [
    "Module",
    "Place",
    "calling_statement",
    "forget",
    "members",
    "module",
    "references",
    "statement_at",
]

_MODULES: dict[str, Module] = {}
OURS = frozenset({"theory", "montecarlo", "paper_checks", "figures"})


@dataclass(frozen=True)
class Place:
    """A top-level statement: the name of its module, and its position among the module's statements."""

    module: str
    index: int


def statement_at(name: str, line: int) -> Place:
    """The top-level statement of a module that holds a line, counted from 1."""
    for index, statement in enumerate(module(name).statements):
        first = min([statement.lineno, *(d.lineno for d in getattr(statement, "decorator_list", ()))])
        if first <= line <= statement.end_lineno:
            return Place(name, index)
    raise LookupError(f"statement_at: line must be within a statement of {name}, got {line}; the file has changed")


def calling_statement() -> tuple[str, int] | None:
    """The module and line of the top-level statement that is being executed.

    None within functions alone, and of what is no file: a cell of a notebook, a session.
    """
    frame = sys._getframe(1)
    while frame is not None:
        if frame.f_code.co_name == "<module>":
            known = Path(frame.f_code.co_filename).is_file()
            return (frame.f_globals["__name__"], frame.f_lineno) if known else None
        frame = frame.f_back
    return None


def module(name: str, path: Path | None = None) -> Module:
    """A module by its name, loaded or not; ``path`` is where it is if its name alone does not tell."""
    path = _file(name) or path
    if path is None:
        raise LookupError(f"module: name must be that of a Python file, got {name!r}; it cannot be found")
    if name not in _MODULES:
        _MODULES[name] = Module(name, path)
    return _MODULES[name]


def forget() -> None:
    """Read all files anew from now on: one has been loaded again. What says the same is not parsed again."""
    _MODULES.clear()
    for remembered in (places_of, references, _followed, _found_file):
        remembered.cache_clear()


@dataclass(frozen=True)
class Module:
    """The syntax tree of a file."""

    name: str
    path: Path

    @cached_property
    def statements(self) -> list[ast.stmt]:
        """Top-level statements without docstrings and without what only a notebook calls; imports are kept."""
        return parsed(self.path.read_text(encoding="utf-8"))

    @cached_property
    def bindings(self) -> dict[str, list[int]]:
        """The statements that give a name its value, or change it, by name."""
        found: dict[str, list[int]] = {}
        for index, statement in enumerate(self.statements):
            for name in bound(statement):
                found.setdefault(name, []).append(index)
        return found

    @cached_property
    def imports(self) -> dict[str, tuple[str, str]]:
        """(module, attribute) by local name; an empty attribute for a whole module."""
        found = {}
        for node in nested(self.statements):
            found.update(self._imported(node))
        return found

    def _imported(self, node: ast.AST) -> Iterator[tuple[str, tuple[str, str]]]:
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield (
                    alias.asname or alias.name.split(".")[0],
                    (alias.name if alias.asname else alias.name.split(".")[0], ""),
                )
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                yield alias.asname or alias.name, (self._absolute(node), alias.name)

    def _absolute(self, node: ast.ImportFrom) -> str:
        if not node.level:
            return node.module or ""
        package = self.name.split(".")
        kept = package[: len(package) - node.level + (self.path.name == "__init__.py")]
        return ".".join([*kept, *([node.module] if node.module else [])])

    def places(self, name: str) -> tuple[Place, ...]:
        """The statements behind a name, in this module or where it comes from; none for names of others' packages."""
        if name in self.bindings:
            return tuple(Place(self.name, index) for index in self.bindings[name])
        if name in self.imports:
            source, attribute = self.imports[name]
            return places_of(source, attribute) if attribute else ()
        return ()

    @property
    def all(self) -> tuple[Place, ...]:
        """All statements but for imports."""
        return tuple(
            Place(self.name, index)
            for index, statement in enumerate(self.statements)
            if not isinstance(statement, ast.Import | ast.ImportFrom)
        )


@cache
def places_of(source: str, attribute: str) -> tuple[Place, ...]:
    """The statements behind an attribute of a module, or behind a whole submodule; none for others' packages."""
    if not _followed(source):
        return ()
    # A package's "from package import submodule" names the submodule, not itself.
    if _file(source) is not None and module(source).imports.get(attribute) != (source, attribute):
        found = module(source).places(attribute)
        if found:
            return found
    inner = f"{source}.{attribute}"
    return module(inner).all if _followed(inner) and _file(inner) is not None else ()


@cache
def references(place: Place, without: tuple[str, ...]) -> dict[str, tuple[Place, ...]]:
    """What the names in a statement stand for, by name."""
    here = module(place.module)
    statement = here.statements[place.index]
    found = {}
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return found
    for chain in used(statement):
        name = ".".join(chain)
        targets = tuple(t for t in _targets(here, chain) if not _left_out(t.module, without) and t != place)
        if targets:
            found[name] = targets
    return found


def _targets(here: Module, chain: tuple[str, ...]) -> tuple[Place, ...]:
    """Follow ``alias.attribute`` through modules to the statements that it names."""
    name, *rest = chain
    inner = _module_behind(here, name)
    while inner is not None and rest:
        here, (name, *rest) = module(inner), rest
        inner = _module_behind(here, name)
    if inner is not None:
        return module(inner).all
    return here.places(name)


def _module_behind(here: Module, name: str) -> str | None:
    """The module that a name of a module stands for, where it stands for one whose code counts."""
    if name in here.bindings:
        return None
    source, attribute = here.imports.get(name, (here.name, name))
    if not _followed(source) or _file(source) is None:
        return None
    if not attribute:
        return source
    if (source, attribute) != (here.name, name):
        return _module_behind(module(source), attribute)
    inner = f"{source}.{attribute}"
    return inner if _file(inner) is not None else None


def _left_out(name: str, without: tuple[str, ...]) -> bool:
    return any(name == prefix or name.startswith(f"{prefix}.") for prefix in without)


@cache
def _followed(name: str) -> bool:
    """Whether a module's code counts: ours, and what lies outside of the installed packages of others."""
    top = name.split(".")[0]
    if top in OURS:
        return True
    if top in sys.stdlib_module_names or top in sys.builtin_module_names:
        return False
    path = _file(top)
    return path is not None and not any(path.is_relative_to(folder) for folder in _installed())


@cache
def _installed() -> tuple[Path, ...]:
    return tuple(Path(sysconfig.get_path(kind)).resolve() for kind in ("purelib", "platlib", "stdlib", "platstdlib"))


def _file(name: str) -> Path | None:
    """The file of a module."""
    return _MODULES[name].path if name in _MODULES else _found_file(name)


@cache
def _found_file(name: str) -> Path | None:
    """The file of the loaded module, else found in its package's folder, else on the search path."""
    loaded = sys.modules.get(name)
    if loaded is not None:
        path = getattr(loaded, "__file__", None)
        return Path(path).resolve() if path and path.endswith(".py") else None
    parent, _, last = name.rpartition(".")
    if parent:
        base = _file(parent)
        if base is None or base.name != "__init__.py":
            return None
        found = (base.with_name(last) / "__init__.py", base.with_name(f"{last}.py"))
        return next((path for path in found if path.is_file()), None)
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError):
        return None
    origin = spec.origin if spec else None
    return Path(origin).resolve() if origin and origin.endswith(".py") else None


def members(name: str) -> Iterator[str]:
    """A module, and all modules below it where it is a package."""
    yield name
    path = module(name).path
    if path.name == "__init__.py":
        for below in sorted(path.parent.rglob("*.py")):
            parts = below.relative_to(path.parent).with_suffix("").parts
            if below != path:
                yield ".".join([name, *(parts[:-1] if parts[-1] == "__init__" else parts)])
