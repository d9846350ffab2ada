"""Checks of a claim's fields at its declaration, before anything is computed."""

import inspect
import numbers
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import sympy

from montecarlo import Kernel, Statistic
from theory import Formula

LARGEST_ORDER = 100
FORMS = ("printed", "corrected", "exact")
TEXTS = ("at", "says", "quote", "note", "assumptions", "scale_says")
# Fields that are functions, with their arguments.
FUNCTIONS = {
    "integral": "(**point)", "scale": "(**point)", "functional": "(function, point)", "derivation": "()",
    "proof": "()", "experiment": "(context)",
}  # fmt: skip


def field_mistakes(claim: Any) -> Iterator[tuple[str, str]]:
    """Fields with a wrong type, and what to write instead."""
    for name in FORMS:
        value = getattr(claim, name)
        if value is not None and not isinstance(value, Formula):
            yield f"{name}= must be a Formula, got {_short(value)}", f"write {name}=Formula('what it is', expression)"
    for name, arguments in FUNCTIONS.items():
        value = getattr(claim, name)
        if value is not None and not callable(value):
            yield f"{name}= must be a function {arguments}, got {_short(value)}", f"write {name}=lambda ...: ..."
        elif value is not None and arguments == "()" and _asks(value):
            yield f"{name}= must be a function without arguments, got {_asks(value)}", "use symbols instead"
    for name in TEXTS:
        if not isinstance(getattr(claim, name), str):
            yield f"{name}= must be a text, got {_short(getattr(claim, name))}", f"write {name}='...'"
    if claim.measured is not None and not isinstance(claim.measured, Statistic):
        kernel = claim.measured.name if isinstance(claim.measured, Kernel) else ""
        got = f"the kernel {kernel}" if kernel else _short(claim.measured)
        yield f"measured= must be a statistic, got {got}", f"write mean({kernel or 'kernel'}) or another"
    for name in ("derived", "slips"):
        value = getattr(claim, name)
        if not isinstance(value, Mapping) or (name == "derived" and not all(map(callable, value.values()))):
            of = "functions" if name == "derived" else "expressions"
            yield f"{name}= must be a mapping of names to {of}, got {_short(value)}", f"write {name}={{'name': ...}}"
    if not isinstance(claim.evidence, list | tuple):
        yield f"evidence= must be a list, got {_short(claim.evidence)}", "put brackets around it"
    order = getattr(claim.measured, "parameter", 0.0)
    if getattr(claim.measured, "kind", "") == "moment" and not isinstance(order, str) and order > LARGEST_ORDER:
        yield f"moment: order must be at most {LARGEST_ORDER}, got {order:g}", "no sample estimates such a moment"
    yield from _point_mistakes(claim.points, "points")


def _point_mistakes(points: Any, name: str) -> Iterator[tuple[str, str]]:
    if not isinstance(points, Sequence) or not all(isinstance(p, Mapping) for p in points):
        yield f"{name} must be a list of values by name, got {_short(points)}", f"write {name}=grid(k=[1, 2, '1/3'])"
        return
    for point in points:
        for key, value in point.items():
            if not isinstance(key, str):
                yield f"{name}: a name is text, got {_short(key)}", f"write {str(key)!r}"
            else:
                try:
                    number(key, value)
                except ValueError as error:
                    yield f"{name}: {error}", "numbers, or texts such as '1/3', are exact"


def number(name: str, value: Any) -> sympy.Expr:
    """A value as an exact number.

    Raises
    ------
    ValueError
        If it is not a number.
    """
    try:
        if isinstance(value, bool | list | tuple | dict) or value is None:
            raise TypeError
        found = sympy.Rational(value) if isinstance(value, str) else sympy.sympify(value)
        real = isinstance(found, sympy.Expr) and found.is_number and (found.is_real is not False or found.is_infinite)
        if not real:
            raise TypeError
    except (TypeError, ValueError, AttributeError, sympy.SympifyError):
        raise ValueError(f"{name} must be a number, got {_short(value)}") from None
    return found


def _asks(function: Callable) -> list[str]:
    """Required arguments of a function."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return []
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return [p.name for p in parameters if p.default is p.empty and p.kind in kinds]


def _short(value: Any) -> str:
    text = f"{type(value).__name__} {value}" if not isinstance(value, numbers.Number | str | None) else repr(value)
    text = " ".join(text.split())
    return text if len(text) <= 60 else f"{text[:57]}..."
