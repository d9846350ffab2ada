"""Parameter points: exact values by name, and values derived from them."""

import itertools
import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import sympy

from paper_checks.claims.fields import number
from paper_checks.values.parameters import called

MOST = 10**5


def grid(**axes: Any) -> list[dict[str, Any]]:
    """All combinations of values by name; a single value stands for a list of one.

    Lists, ranges, generators and arrays are taken value by value.

    >>> grid(r=[1, "1/2"], eps=0)
    [{'r': 1, 'eps': 0}, {'r': '1/2', 'eps': 0}]
    """
    lists = [list(v) if isinstance(v, Iterable) and not isinstance(v, str | Mapping) else [v] for v in axes.values()]
    empty = [name for name, values in zip(axes, lists, strict=True) if not values]
    if empty:
        raise ValueError(f"grid: each name must have a value, got none for {', '.join(empty)}; give one")
    if math.prod(map(len, lists)) > MOST:
        raise ValueError(
            f"grid: the number of points must be at most {MOST}, got {math.prod(map(len, lists))}; give fewer values"
        )
    return [dict(zip(axes, values, strict=True)) for values in itertools.product(*lists)]


def complete(point: Mapping[str, Any], derived: Mapping[str, Callable]) -> dict[str, sympy.Expr]:
    """A point with exact numbers and the derived values added."""
    values = {name: number(name, value) for name, value in point.items()}
    for name, function in derived.items():
        values[name] = number(name, called(function, values, f"derived= {name!r}"))
    return values


def show_point(point: Mapping[str, Any]) -> str:
    """A point as text, in the notation of the claim."""
    return ", ".join(f"{k} = {v}" for k, v in point.items())
