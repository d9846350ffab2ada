"""Values that a kernel takes from names outside of it, as they were when it was defined.

A compiled kernel keeps the values that it was compiled with, one in plain Python looks them up each time, and a loop
that defines kernels leaves all of them with its last value. So a name must mean what it meant when the kernel was
defined; nothing is sampled otherwise.
"""

from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from operator import itemgetter
from types import BuiltinFunctionType, CodeType, FunctionType
from typing import Any

import numpy as np

from montecarlo.engine.fingerprint import OURS, SIMPLE, fingerprint

PLAIN = (*SIMPLE, np.generic)
WRITTEN_TO = (list, dict, set)  # as by a simulator that counts its calls
GROUPS = (tuple, list, set, frozenset)
FUNCTIONS = (FunctionType, BuiltinFunctionType, np.ufunc)
LONGEST = 60

Constants = dict[tuple[int, str], tuple[dict[str, Any], Any, Any]]
"""By namespace and name: the namespace, what the value is known by, and the value."""


def constants(function: Callable) -> Constants:
    """Values of the names that a user's function, and the functions that it calls, use."""
    found: Constants = {}
    seen: set[int] = set()
    waiting = [function]
    while waiting:
        known = waiting.pop()
        inner = getattr(known, "py_func", known)
        if id(inner) in seen or not isinstance(inner, FunctionType) or (inner.__module__ or "").split(".")[0] in OURS:
            continue
        seen.add(id(inner))
        for name in set(_names(inner.__code__)):
            if name in inner.__globals__:
                value = inner.__globals__[name]
                mark = _mark(value)
                if mark is not None:
                    found[id(inner.__globals__), name] = inner.__globals__, mark, value
                waiting.append(value)
    return found


def changed(known: Constants) -> Iterator[tuple[str, str, str]]:
    """Names whose values have changed, with old and new values."""
    for (_, name), (namespace, mark, value) in known.items():
        now = namespace.get(name)
        if now is value and isinstance(value, WRITTEN_TO):
            continue
        if _mark(now) != mark:
            yield name, _text(value), _text(now)


def values_of(names: Mapping[str, Any]) -> str:
    """A digest of all numbers, texts and arrays in a namespace.

    Examples
    --------
    >>> values_of({"rate": 0.5}) == values_of({"rate": 0.5, "print": print}) != values_of({"rate": 1.0})
    True
    """
    plain = {name: value for name, value in names.items() if not name.startswith("__") and _is_plain(value)}
    return fingerprint(*chain.from_iterable(sorted(plain.items(), key=itemgetter(0))))


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _names(inner)


def _mark(value: Any) -> Any:
    """What a value is known by: numbers, texts and arrays by what they are, functions as objects; None for others."""
    if isinstance(value, FUNCTIONS):
        return value
    return fingerprint(value) if _is_plain(value) else None


def _is_plain(value: Any) -> bool:
    if isinstance(value, dict):
        return all(map(_is_plain, [*value, *value.values()]))
    if isinstance(value, GROUPS):
        return all(map(_is_plain, value))
    return isinstance(value, PLAIN) or (isinstance(value, np.ndarray) and not value.dtype.hasobject)


def _text(value: Any) -> str:
    text = " ".join((getattr(value, "__name__", None) or repr(value)).split())
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."
