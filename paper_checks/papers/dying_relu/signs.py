"""The sign of an expression for all values of its symbols, by the signs of its terms."""

from __future__ import annotations

import sympy
from sympy import Add, Expr

__all__ = ["positive"]


def positive(expr: Expr) -> bool:
    """Whether an expression is a sum of terms of which none is negative and one is positive, by what SymPy assumes.

    False says that this argument fails, not that the expression is negative somewhere.

    Examples
    --------
    >>> x, y = sympy.symbols("x y", positive=True)
    >>> positive((x + y) ** 2 - x * y), positive((x - y) ** 2 + x)
    (True, False)
    """
    terms = Add.make_args(sympy.expand(expr))
    return all(t.is_nonnegative for t in terms) and any(t.is_positive for t in terms)
