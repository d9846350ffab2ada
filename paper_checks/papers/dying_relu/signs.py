"""Signs of expressions for all values of their symbols, what follows, and the best of outputs of at least 0."""

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


def rectified_target_is_best(best=lambda y: sympy.Max(0, y)) -> bool:
    """Whether of all outputs f >= 0 the one nearest to a target y is max(0, y), and no other is as near.

    For y >= 0 the error (f - y)^2 is 0 there alone; for y = -d it is f^2 + 2 d f above that of f = 0. So a ReLU that is
    max(0, y) at all inputs, w = Lambda and b = delta for y = Lambda.x + delta, is the global optimum for the target y
    and for the target max(0, y), and the only one, as another w or b differs from it on a set of positive probability.
    """
    f, d = sympy.symbols("f d", positive=True)
    exact = best(d) == d and best(sympy.Integer(0)) == 0
    excess = (f + d) ** 2 - (best(-d) + d) ** 2
    return bool(exact and best(-d).is_nonnegative and positive(excess))
