"""Many variants of one formula at one point: each part that they share is evaluated once.

An altered formula differs in one node; compiling each would cost a hundred times as much.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import mpmath
import sympy
from sympy import Add, Expr, Integer, Mul, Piecewise, Pow, Symbol, Tuple
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean, BooleanAtom

from theory.many_digits import mpmath_function


class Evaluator:
    """Values of expressions at one point, at one precision, remembered by subexpression.

    Parameters
    ----------
    numbers : mapping of str to mpmath number
        Values of the symbols.
    digits : int
        Working precision in decimal digits.

    Examples
    --------
    >>> x = Symbol("x")
    >>> at = Evaluator({"x": mpmath.mpf(2)}, 30)
    >>> mpmath.nstr(at(sympy.exp(x) - 1 / x), 12), at(x**2 / 3 > 1)
    ('6.88905609893', True)
    """

    def __init__(self, numbers: Mapping[str, Any], digits: int):
        self._numbers = dict(numbers)
        self._digits = digits
        self._known: dict[Expr, Any] = {}

    def __call__(self, expr: Expr) -> Any:
        """The value of an expression; raises what mpmath raises, KeyError for a symbol without a value."""
        with mpmath.workdps(self._digits):
            return self._value(expr)

    def _value(self, expr: Expr) -> Any:
        if expr not in self._known:
            self._known[expr] = self._compute(expr)
        return self._known[expr]

    def _compute(self, expr: Expr) -> Any:
        if isinstance(expr, Symbol):
            return self._numbers[str(expr)]
        if expr.is_Rational:
            return mpmath.mpf(expr.p) / expr.q
        if isinstance(expr, BooleanAtom):
            return bool(expr)
        if not expr.args:
            return mpmath.mpmathify(sympy.N(expr, self._digits))
        if isinstance(expr, Piecewise):
            return next((self._value(e) for e, condition in expr.args if self._value(condition)), mpmath.nan)
        if bound(expr) or any(isinstance(a, Tuple) for a in expr.args):
            # The ends of a sum are whole numbers, which a float is not.
            whole = {s: Integer(int(v)) for s in expr.free_symbols if mpmath.isint(v := self._numbers[str(s)])}
            return mpmath_function([Symbol(n) for n in self._numbers], expr.xreplace(whole))(*self._numbers.values())
        values = [self._value(a) for a in expr.args]
        if isinstance(expr, Add):
            return mpmath.fsum(values)
        if isinstance(expr, Mul):
            return mpmath.fprod(values)
        if isinstance(expr, Pow):
            return _power(*values, expr.exp)
        if isinstance(expr, Relational | Boolean):
            return bool(_compiled(expr.func, (None,) * len(values))(*values))
        return _compiled(expr.func, tuple(a if a.is_Number else None for a in expr.args))(
            *(v for v, a in zip(values, expr.args, strict=True) if not a.is_Number)
        )


def bound(expr: Expr) -> bool:
    """Whether an expression binds a symbol: a sum, an integral."""
    return bool(getattr(expr, "bound_symbols", ()))


def _power(base: Any, exponent: Any, exact: Expr) -> Any:
    if exact.is_Integer:
        return base ** int(exact)
    return mpmath.sqrt(base) if exact == sympy.Rational(1, 2) else base**exponent


@cache
def _compiled(function: type, arguments: tuple) -> Callable:
    """Function of the arguments that are not given as numbers."""
    dummies = [Symbol(f"x{i}") for i, a in enumerate(arguments) if a is None]
    rest = iter(dummies)
    return mpmath_function(dummies, function(*(next(rest) if a is None else a for a in arguments)))
