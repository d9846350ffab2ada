"""Wrong variants of a formula: what a check must reject to count as a check."""

from __future__ import annotations

from collections.abc import Iterator

import sympy
from sympy import Add, Expr, Pow, Rational
from sympy.functions.elementary.piecewise import ExprCondPair

__all__ = ["automatic"]

NOT_FINITE = (sympy.zoo, sympy.nan, sympy.oo, -sympy.oo)


def automatic(expr: Expr, resolution: float, most: int = 40) -> dict[str, Expr]:
    """Variants of an expression, by description.

    Each drops a term of a sum, flips the sign of a term, changes a rational number or an exponent, or
    multiplies the whole by 1 + 2 x resolution. Variants that SymPy finds equal to the original are left out; of more
    than ``most``, every k-th is taken.

    Examples
    --------
    >>> r = sympy.Symbol("r", positive=True)
    >>> for what in automatic(1 - r**2, 1e-3): print(what)
    1 dropped
    1 with other sign
    -r**2 dropped
    -r**2 with other sign
    1 -> 2
    exponent 2 -> 3 in r**2
    all x (1 + 2 x resolution)
    """
    found: dict[str, Expr] = {}
    for path, node in _nodes(expr, ()):
        for what, new in _changes(node):
            mutant = _replaced(expr, path, new)
            if mutant != expr and mutant not in found.values() and not mutant.has(*NOT_FINITE):
                key = what if what not in found else f"{what} (at {'.'.join(map(str, path))})"
                found[key] = mutant
    if len(found) >= most:
        step = -(-len(found) // (most - 1))
        found = dict(list(found.items())[::step])
    if expr != 0:
        found["all x (1 + 2 x resolution)"] = expr * (1 + 2 * sympy.nsimplify(resolution))
    return found


def _nodes(expr: Expr, path: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], Expr]]:
    yield path, expr
    for i, child in enumerate(expr.args):
        if isinstance(child, ExprCondPair):
            yield from _nodes(child.expr, (*path, i, 0))
        elif isinstance(child, Expr):
            yield from _nodes(child, (*path, i))


def _changes(node: Expr) -> Iterator[tuple[str, Expr]]:
    if isinstance(node, Add):
        for term in node.args:
            yield f"{term} dropped", node - term
            yield f"{term} with other sign", node - 2 * term
    elif isinstance(node, Pow):
        exponent = node.exp
        if exponent.is_Rational and exponent != -1:
            yield f"exponent {exponent} -> {exponent + 1} in {node}", Pow(node.base, exponent + 1)
        elif exponent == -1:
            yield f"1/({node.base}) squared", Pow(node.base, -2)
        else:
            yield f"exponent {exponent} + 1 in {node}", Pow(node.base, exponent + 1)
    elif isinstance(node, Rational) and node not in (-1,):
        yield f"{node} -> {_other(node)}", _other(node)


def _other(number: Rational) -> Rational:
    return number + 1 if number.q == 1 else Rational(number.p, number.q + 1)


def _replaced(expr: Expr, path: tuple[int, ...], new: Expr) -> Expr:
    if not path:
        return new
    args = list(expr.args)
    args[path[0]] = _replaced(args[path[0]], path[1:], new)
    return expr.func(*args)
