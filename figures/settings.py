"""Settings of a figure: what its ``data`` takes besides the run, each by name with a default; text becomes values."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

__all__ = ["declared", "in_words", "settings_of", "stem"]

# Of the name of a file, without what a file system adds.
LONGEST = 150


def declared(figure: ModuleType) -> dict[str, Any]:
    """The settings of a figure module with their defaults: the arguments of its ``data`` that go by name only.

    Examples
    --------
    >>> from figures import FIGURES
    >>> declared(FIGURES["figure8"])["eps"]
    1e-08
    """
    arguments = inspect.signature(figure.data).parameters.values()
    return {a.name: a.default for a in arguments if a.kind is a.KEYWORD_ONLY}


def settings_of(figure: ModuleType, given: Mapping[str, Any]) -> dict[str, Any]:
    """What was given, as values of the kinds that the defaults have; what is as by default is left out.

    Parameters
    ----------
    figure : module
    given : mapping of str to str or number
        Of a tuple: its values between commas.

    Raises
    ------
    ValueError
        For a name that the figure does not have, or a value of another kind.

    Examples
    --------
    >>> from figures import FIGURES
    >>> settings_of(FIGURES["figure8"], {"eps": "1e-3", "fan_in": "1"})
    {'eps': 0.001}
    """
    known, found = declared(figure), {}
    for name, value in given.items():
        if name not in known:
            there = f"one of {', '.join(known)}" if known else "left out: it has none"
            raise ValueError(f"figures: --set of {figure.NAME} must be {there}, got {name!r}")
        default = known[name]
        several = isinstance(default, tuple)
        kind = _number if isinstance(default[0] if several else default, float) else _whole
        texts = value.split(",") if several and isinstance(value, str) else value if several else [value]
        values = tuple(_converted(figure, name, kind, text) for text in texts)
        found[name] = values if several else values[0]
    return {name: value for name, value in sorted(found.items()) if value != known[name]}


def _converted(figure: ModuleType, name: str, kind: Callable[[Any], float | int], value: Any) -> float | int:
    try:
        return kind(value)
    except (ValueError, OverflowError):
        wanted = "a whole number" if kind is _whole else "a finite number"
        got = str(value)[:40]
        raise ValueError(f"figures: {name} of {figure.NAME} must be {wanted}, got {got!r}; choose another") from None


def _number(value: Any) -> float:
    number = float(value)
    if not math.isfinite(number):
        raise ValueError
    return number


def _whole(value: Any) -> int:
    number = float(value)
    if number != int(number):
        raise ValueError
    return int(number)


def in_words(changes: Mapping[str, Any], between: str = ", ", equals: str = " = ") -> str:
    """Settings as text.

    Examples
    --------
    >>> in_words({"eps": 0.001, "gammas": (1.0, 0.5)})
    'eps = 0.001, gammas = 1,0.5'
    """
    return between.join(f"{name}{equals}{_text(value)}" for name, value in changes.items())


def _text(value: Any) -> str:
    if isinstance(value, tuple):
        return ",".join(map(_text, value))
    return f"{value:.12g}" if isinstance(value, float) else str(value)


def stem(name: str, changes: Mapping[str, Any]) -> str:
    """The name of the files of a figure: with all by which it differs from the one that comes with the project.

    Examples
    --------
    >>> stem("figure8", {}), stem("figure8", {"eps": 0.001, "samples": 50})
    ('figure8', 'figure8-eps=0.001-samples=50')
    """
    text = "".join(c if c.isalnum() or c in "=.,-+_" else "_" for c in in_words(changes, "-", "="))
    return f"{name}-{text}"[:LONGEST] if text else name
