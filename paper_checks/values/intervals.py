"""Rigorous bounds of expressions on boxes by interval arithmetic."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import mpmath
import sympy
from mpmath import iv, mp
from sympy import Add, Expr, Mul, Pow, Symbol

# Beyond the last digits of a function that mpmath rounds to nearest.
WIDER = 10


class Unbounded(ArithmeticError):
    """Error of an expression without bounds on a box, such as 1/x around 0."""


class Unknown(Unbounded):
    """Error of an expression with a function that interval arithmetic does not know."""


def enclosure(expr: Expr, box: Mapping[Symbol, Any]) -> Any:
    """An interval that contains all values of an expression on a box of intervals.

    Raises
    ------
    Unbounded
        Where there is none.
    Unknown
        Where a function is not known here, whatever the box.

    Examples
    --------
    >>> x = Symbol("x")
    >>> found = enclosure(x - x**2, {x: iv.mpf([0, 1])})
    >>> float(found.a), float(found.b)
    (-1.0, 1.0)
    """
    return on_box(box)(expr)


def on_box(box: Mapping[Symbol, Any]) -> Callable[[Expr], Any]:
    """As :func:`enclosure` for several expressions on one box; common parts are computed once."""
    known = dict(box)

    def enclosed(expr: Expr) -> Any:
        if expr not in known:
            known[expr] = _number(expr, mp.prec) if expr.is_number and not expr.args else _combined(expr, enclosed)
        return known[expr]

    return enclosed


@cache
def _number(expr: Expr, _precision: int) -> Any:
    if expr.is_Rational:
        return iv.mpf(expr.p) / iv.mpf(expr.q)
    if not expr.is_real:
        raise Unknown(f"{expr} is not real")
    return _around(mp.mpf(sympy.N(expr, mp.dps + 5)))


def _combined(expr: Expr, enclosed: Callable[[Expr], Any]) -> Any:
    values = [enclosed(a) for a in expr.args if not isinstance(expr, Pow)]
    if isinstance(expr, Add):
        return sum(values[1:], values[0])
    if isinstance(expr, Mul):
        product = values[0]
        for value in values[1:]:
            product = product * value
        return product
    if isinstance(expr, Pow):
        return _power(enclosed(expr.base), expr.exp, enclosed)
    if isinstance(expr, sympy.Abs):
        return abs(values[0])
    if isinstance(expr, sympy.Max | sympy.Min):
        pick = max if isinstance(expr, sympy.Max) else min
        return iv.mpf([pick(v.a for v in values), pick(v.b for v in values)])
    if expr.func in MONOTONE and len(values) == 1:
        return _monotone(MONOTONE[expr.func], expr.func in FALLING, values[0])
    if isinstance(expr, sympy.cosh):
        return _monotone(mp.cosh, False, abs(values[0]))
    if isinstance(expr, sympy.cos | sympy.sin):
        return iv.cos(values[0]) if isinstance(expr, sympy.cos) else iv.sin(values[0])
    elementary = expr.rewrite(sympy.exp)
    if elementary != expr:
        return enclosed(elementary)
    raise Unknown(f"{expr.func.__name__} is not known to interval arithmetic")


MONOTONE: dict[Any, Callable] = {
    sympy.exp: mp.exp, sympy.log: mp.log, sympy.tanh: mp.tanh, sympy.sinh: mp.sinh, sympy.atan: mp.atan,
    sympy.asin: mp.asin, sympy.acos: mp.acos, sympy.erf: mp.erf, sympy.erfc: mp.erfc, sympy.coth: mp.coth,
}  # fmt: skip
FALLING = {sympy.erfc, sympy.acos, sympy.coth}
DOMAINS = {mp.log: (0, None), mp.asin: (-1, 1), mp.acos: (-1, 1)}


def _monotone(function: Callable, falling: bool, value: Any) -> Any:
    """The interval between the values at the ends, widened by the rounding of mpmath."""
    low, high = mp.mpf(value.a), mp.mpf(value.b)
    least, most = DOMAINS.get(function, (None, None))
    outside = (least is not None and low < least) or (most is not None and high > most)
    if outside or (function is mp.log and low <= 0) or (function is mp.coth and low <= 0 <= high):
        raise Unbounded("an argument leaves the domain of its function")
    ends = [_around(function(x)) for x in ((high, low) if falling else (low, high))]
    return iv.mpf([ends[0].a, ends[1].b])


def _around(number: Any) -> Any:
    error = abs(number) * mp.mpf(2) ** (WIDER - mp.prec)
    return iv.mpf([number - error, number + error])


def _power(base: Any, exponent: Expr, enclosed: Callable[[Expr], Any]) -> Any:
    if exponent.is_Integer:
        n = int(exponent)
        if n < 0 and base.a <= 0 <= base.b:
            raise Unbounded("a denominator reaches 0")
        if n % 2 == 0:
            base = abs(base)
        power = iv.mpf(1)
        for _ in range(abs(n)):
            power = power * base
        return power if n >= 0 else 1 / power
    if base.a < 0 or (base.a <= 0 and not exponent.is_positive):
        raise Unbounded("a power of what may be negative")
    if exponent == sympy.Rational(1, 2):
        return iv.sqrt(base)
    value = enclosed(exponent)
    if base.a <= 0:
        raise Unbounded("a power of what may be 0")
    return iv.exp(value * iv.log(base))


def workdps(digits: int) -> Any:
    """Interval and ordinary arithmetic at one precision."""
    iv.dps = digits
    return mpmath.workdps(digits)
