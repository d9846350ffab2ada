"""Branch and bound on boxes: bounds of an expression, and its largest value."""

import heapq
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sympy
from mpmath import iv, mp
from sympy import Expr, Symbol

from paper_checks.values.intervals import Unbounded, Unknown, enclosure, on_box

Box = Mapping[Symbol, Any]


def interval(low: Any, high: Any) -> Any:
    """The closed interval between two numbers, or texts of exact rationals."""
    ends = [enclosure(sympy.Rational(v) if isinstance(v, str) else sympy.sympify(v), {}) for v in (low, high)]
    return iv.mpf([ends[0].a, ends[1].b])


def middle(box: Box) -> dict[Symbol, Any]:
    """Midpoint of a box."""
    return {s: iv.mpf(mp.mpf(v.mid)) for s, v in box.items()}


def shown(point: Box) -> str:
    """A point as text."""
    return ", ".join(f"{s} = {mp.nstr(mp.mpf(v.mid), 6)}" for s, v in point.items())


def bounds(expr: Expr, slopes: Sequence[Expr], box: Box) -> list[Any]:
    """Enclosures of an expression: term by term, and by the mean value theorem, which is sharp on small boxes."""
    found = []
    try:
        enclosed, centre = on_box(box), middle(box)
        found.append(enclosed(expr))
        value = enclosure(expr, centre)
        for slope, (symbol, side) in zip(slopes, box.items(), strict=True):
            value = value + enclosed(slope) * (side - centre[symbol])
        found.append(value)
    except Unbounded:
        pass
    return found


def halves(box: Box, start: Box) -> list[dict[Symbol, Any]]:
    """Two halves of a box, cut across its side that is longest in units of the whole box."""
    widths = {s: v.delta / start[s].delta if start[s].delta > 0 else iv.mpf(0) for s, v in box.items()}
    widest = max(widths, key=lambda s: float(widths[s].b))
    low, centre, high = box[widest].a, mp.mpf(box[widest].mid), box[widest].b
    return [{**box, widest: iv.mpf([low, centre])}, {**box, widest: iv.mpf([centre, high])}]


@dataclass(frozen=True)
class Largest:
    """Bounds of the largest value, the point that reaches the lower one, and the number of boxes."""

    low: Any
    high: Any
    at: Box
    boxes: int


def largest(expr: Expr, start: Box, width: Any, most: int) -> Largest:
    """Enclose the largest value on a box by certified branch and bound, to a width if the boxes suffice.

    Examples
    --------
    >>> from paper_checks.values.intervals import workdps
    >>> x = Symbol("x")
    >>> with workdps(20):
    ...     found = largest(x * (1 - x), {x: iv.mpf([0, 2])}, 1e-9, 1000)
    >>> bool(found.low <= 0.25 <= found.high), bool(found.high - found.low <= 1e-9), shown(found.at)
    (True, True, 'x = 0.5')
    """
    try:
        enclosure(expr, middle(start))
    except Unknown:
        return Largest(mp.ninf, mp.inf, start, 0)
    except Unbounded:
        pass
    slopes = [sympy.diff(expr, s) for s in start]
    low, at, count = mp.ninf, start, itertools.count()
    corners = itertools.product(*([iv.mpf(v.a), iv.mpf(v.b)] for v in start.values()))
    waiting = [dict(zip(start, corner, strict=True)) for corner in corners] + [dict(start)]
    queue: list[tuple[Any, int, Any]] = []
    while True:
        for box in waiting:
            point = middle(box)
            value = _value(expr, point)
            if value > low:
                low, at = value, point
            high = min((mp.mpf(b.b) for b in bounds(expr, slopes, box)), default=mp.inf)
            heapq.heappush(queue, (-high, next(count), box))
        upper, number, box = heapq.heappop(queue)
        if -upper <= low + width or number >= most:
            return Largest(low, max(-upper, low), at, number)
        waiting = halves(box, start)


def _value(expr: Expr, point: Box) -> Any:
    """Lower bound of an expression at a point."""
    try:
        return mp.mpf(enclosure(expr, point).a)
    except Unbounded:
        return mp.ninf
