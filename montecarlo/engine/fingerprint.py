"""Digests that identify samples and compiled code: of a function at run time, and of all that it uses.

A function counts by its instructions and constants, and by what its global names stand for: functions and classes in
the same way, numbers, texts and arrays by their value, so that a kernel that takes a number from a file is another one
when the file has changed. Docstrings, comments, layout and the place of a file do not count. Functions of installed
packages count by name and by their package's version.
"""

import builtins
import contextlib
import dis
import hashlib
import importlib.util
import re
import sys
import sysconfig
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path, PurePath
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numba
import numpy as np

OURS = frozenset({"theory", "montecarlo", "paper_checks", "figures"})
PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}"
SIMPLE = (type(None), bool, int, float, complex, str, bytes, type(Ellipsis))
# Attributes that hold what stands behind an object: a compiled or decorated function, a property, a method.
BEHIND = ("py_func", "targetoptions", "_defn", "__wrapped__", "__func__", "__self__", "fget", "fset", "fdel")
# Instructions that look up what is not a function's own, attributes of that, and those whose argument has a name.
LOOKED_UP = {
    "LOAD_GLOBAL": "global", "LOAD_NAME": "global", "LOAD_FROM_DICT_OR_GLOBALS": "global",
    "LOAD_DEREF": "free", "LOAD_CLASSDEREF": "free", "LOAD_FROM_DICT_OR_DEREF": "free",
}  # fmt: skip
ATTRIBUTE = frozenset({"LOAD_ATTR", "LOAD_METHOD"})
NAMED = frozenset({*dis.hasname, *dis.hasfree, *dis.hasjrel, *dis.hasjabs})
# A flag of functions since Python 3.13.
HAS_DOCSTRING = 0x4000000

Chain = tuple[str, ...]
"""How a name is found, the name, and attributes of it."""


def fingerprint(*things: Any) -> str:
    """A digest of functions, classes and values, and of all that they use; 16 hexadecimal digits.

    Examples
    --------
    >>> def halved(x):
    ...     return factor * x
    >>> factor = 0.5
    >>> before = fingerprint(halved)
    >>> factor = 0.25
    >>> before == fingerprint(halved)
    False
    """
    state = hashlib.blake2b(f"{PYTHON} {numba.__version__}".encode(), digest_size=8)
    numbers: dict[int, int] = {}
    kept: list[Any] = []  # What is alive has a number of its own.
    waiting = list(reversed(things))
    while waiting:
        thing = waiting.pop()
        if not isinstance(thing, (*SIMPLE, tuple, frozenset, np.generic)):
            if id(thing) in numbers:
                state.update(f"seen {numbers[id(thing)]}\n".encode())
                continue
            numbers[id(thing)] = len(kept)
            kept.append(thing)
        text, parts = _described(thing)
        state.update(f"{len(text)} {text} {len(parts)}\n".encode())
        waiting.extend(reversed(parts))
    return state.hexdigest()


def _described(thing: Any) -> tuple[str, Sequence[Any]]:
    """What a thing is by itself, and what it consists of or uses."""
    kind, name = type(thing).__qualname__, getattr(thing, "__name__", "")
    own = (type(thing),) if _followed(type(thing).__module__) else ()
    if isinstance(thing, SIMPLE):
        return f"{kind} {thing!r}", own
    if isinstance(thing, tuple | list):
        return kind, [*own, *thing]
    if isinstance(thing, set | frozenset):
        return kind, [*own, *sorted(thing, key=lambda part: re.sub(" at 0x[0-9a-f]+", "", repr(part)))]
    if isinstance(thing, Mapping):
        return kind, [*own, *(part for item in thing.items() for part in item)]
    if isinstance(thing, np.generic | np.ndarray) and not thing.dtype.hasobject:
        return f"{kind} {thing.dtype.str} {thing.shape} {hashlib.blake2b(thing.tobytes()).hexdigest()}", ()
    if isinstance(thing, PurePath):
        return f"{kind} {thing.name}", ()
    if hasattr(type(thing), "fingerprinted"):
        return kind, thing.fingerprinted
    if isinstance(thing, ModuleType):
        own = sorted(item for item in vars(thing).items() if not item[0].startswith("__"))
        return (kind, [part for item in own for part in item]) if _followed(name) else (_version(name), ())
    if callable(thing) and name and not _followed(getattr(thing, "__module__", None)):
        return f"{getattr(thing, '__qualname__', name)} of {_version(thing.__module__)}", ()
    if isinstance(thing, FunctionType):
        return _function(thing)
    if isinstance(thing, type):
        return kind, [*thing.__bases__, *_attributes(thing)]
    if isinstance(thing, cached_property):
        return kind, (thing.func,)
    if any(hasattr(type(thing), behind) or behind in getattr(thing, "__dict__", ()) for behind in BEHIND):
        parts = [getattr(thing, behind, None) for behind in BEHIND]
        return f"{kind} {name}", [part for part in parts if not isinstance(part, ModuleType)]
    try:
        reduced = thing.__reduce_ex__(2)
    except Exception:
        return kind, ()  # A lock, a file: no number depends on what it is like.
    return kind, reduced[:3] if isinstance(reduced, tuple) else (reduced,)


def _attributes(found: type) -> Iterator[Any]:
    """Names and values of what a class defines, but for what only a notebook calls and what describes it."""
    for name, value in sorted(vars(found).items()):
        if not re.fullmatch("_repr_[a-z]+_", name) and (callable(value) or not name.startswith("__")):
            yield from (name, value)


def _function(function: FunctionType) -> tuple[str, list[Any]]:
    code = function.__code__
    text, constants, chains = _read(code)
    free = dict(zip(code.co_freevars, function.__closure__ or (), strict=True))
    targets = (part for chain in chains for part in (" ".join(chain), _target(function, free, chain)))
    return text, [*constants, function.__defaults__, function.__kwdefaults__, *targets]


@cache
def _read(code: CodeType) -> tuple[str, tuple, tuple[Chain, ...]]:
    """Instructions as text, the constants that they load, and the names that they look up; with those of inner code."""
    counts = code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags & ~HAS_DOCSTRING
    texts, constants, chains = [f"{counts} {code.co_exceptiontable}"], [], []
    imported: Chain = ()
    follows = False  # Whether an attribute is one of the last name.
    steps = list(dis.get_instructions(code))
    for place, step in enumerate(steps):
        argument = step.argval if step.opcode in NAMED else step.arg
        attribute = follows and step.opname in ATTRIBUTE
        follows = attribute or step.opname in LOOKED_UP
        if attribute:
            chains[-1] += (step.argval,)
        elif follows:
            chains.append((LOOKED_UP[step.opname], step.argval))
        elif step.opname == "IMPORT_NAME":
            imported = ("import", "." * steps[place - 2].argval + step.argval)
            if steps[place + 1].opname != "IMPORT_FROM":
                chains.append(imported)
        elif step.opname == "IMPORT_FROM":
            chains.append((*imported, step.argval))
        elif step.opcode in dis.hasconst:  # A docstring is among the constants, and is not loaded.
            argument = ""
            constants.append(step.argval)
        texts.append(f"{step.opname} {argument}")
    for inner in [c for c in constants if isinstance(c, CodeType)]:
        constants.remove(inner)
        text, more, further = _read(inner)
        texts.append(text)
        constants += more
        chains += further
    return "\n".join(texts), tuple(constants), tuple(dict.fromkeys(chains))


def _target(function: FunctionType, free: Mapping[str, Any], chain: Chain) -> Any:
    """What a name stands for; of an installed package no more than its version."""
    how, name, *attributes = chain
    if name.startswith("__"):
        return None  # __file__, __name__: the place of a file
    if how == "import":
        with contextlib.suppress(ImportError):  # where it is relative to no package; the function will say so
            name = importlib.util.resolve_name(name, function.__globals__.get("__package__"))
        found = _imported(name)
        if attributes and _followed(name) and not hasattr(found, attributes[0]):
            found = _imported(f"{name}.{attributes.pop(0)}", found)  # A module in a package.
    elif how == "global":
        found = function.__globals__.get(name, getattr(builtins, name, None))
    else:
        try:
            found = free[name].cell_contents
        except (KeyError, ValueError):
            return None  # a variable of the function itself, or one without a value so far
    for attribute in attributes:
        if not isinstance(found, ModuleType):
            break
        if not _followed(found.__name__):
            return _version(found.__name__)
        found = getattr(found, attribute, None)
    return found


def _followed(name: str | None) -> bool:
    """Whether a module's code counts: ours, and what lies outside of the installed packages of others."""
    top = (name or "").partition(".")[0]
    return top in {*OURS, "__main__"} or not _is_installed(top)


@cache
def _is_installed(top: str) -> bool:
    if top in sys.stdlib_module_names:
        return True
    loaded = sys.modules.get(top)
    with contextlib.suppress(ImportError, ValueError):
        spec = getattr(loaded, "__spec__", None) or importlib.util.find_spec(top)
        file = getattr(loaded, "__file__", None) or (spec and spec.origin)
        folders = (Path(sysconfig.get_path(kind)).resolve() for kind in ("purelib", "platlib"))
        return bool(file) and any(Path(file).resolve().is_relative_to(folder) for folder in folders)
    return False


def _imported(name: str, otherwise: Any = None) -> Any:
    if not _followed(name):
        return _version(name)
    try:
        return importlib.import_module(name)
    except (ImportError, TypeError):  # TypeError: relative to no package
        return otherwise


@cache
def _version(name: str) -> str:
    """Of the package of a module; the standard library's is Python's."""
    top = name.partition(".")[0]
    try:
        return f"{name} {version(top)}"
    except PackageNotFoundError:
        return f"{name} {getattr(sys.modules.get(top), '__version__', '')}"
