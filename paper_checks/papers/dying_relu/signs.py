"""Signs of expressions for all values of their symbols, and what follows where they are as they should be."""

import sympy
from sympy import Add, Expr


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


def given(holds: bool, expr: Expr) -> Expr:
    """An expression that follows where the steps of its argument hold.

    Examples
    --------
    >>> x = sympy.Symbol("x", positive=True)
    >>> given(positive(x + 1), 1 / x)
    1/x
    """
    if holds is not True:
        raise ValueError("given: the steps of the argument must hold, got one that does not; see what it rests on")
    return expr
