"""Wrong variants of a formula: what a check must reject to count as a check."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial

import sympy
from sympy import Add, Expr, Pow, Rational
from sympy.functions.elementary.piecewise import ExprCondPair

__all__ = ["automatic"]

NOT_FINITE = (sympy.zoo, sympy.nan, sympy.oo, -sympy.oo)


@cache
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
    seen = {expr}
    found: list[tuple[tuple[int, ...], Callable[[], str], Expr]] = []
    for path, node in _nodes(expr, ()):
        for what, new in _changes(node):
            mutant = _replaced(expr, path, new)
            if mutant not in seen and not mutant.has(*NOT_FINITE):
                seen.add(mutant)
                found.append((path, what, mutant))
    if len(found) >= most:
        found = found[:: -(-len(found) // (most - 1))]
    mutants: dict[str, Expr] = {}
    for path, describe, mutant in found:
        what = describe()
        mutants[what if what not in mutants else f"{what} (at {'.'.join(map(str, path))})"] = mutant
    if expr != 0:
        mutants["all x (1 + 2 x resolution)"] = expr * (1 + 2 * sympy.nsimplify(resolution))
    return mutants


def _nodes(expr: Expr, path: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], Expr]]:
    yield path, expr
    for i, child in enumerate(expr.args):
        if isinstance(child, ExprCondPair):
            yield from _nodes(child.expr, (*path, i, 0))
        elif isinstance(child, Expr):
            yield from _nodes(child, (*path, i))


def _changes(node: Expr) -> Iterator[tuple[Callable[[], str], Expr]]:
    """What may be wrong at one node, with a description that is written only when it is asked for."""
    if isinstance(node, Add):
        for term in node.args:
            yield partial("{} dropped".format, term), node - term
            yield partial("{} with other sign".format, term), node - 2 * term
    elif isinstance(node, Pow):
        exponent = node.exp
        if exponent.is_Rational and exponent != -1:
            yield partial("exponent {} -> {} in {}".format, exponent, exponent + 1, node), Pow(node.base, exponent + 1)
        elif exponent == -1:
            yield partial("1/({}) squared".format, node.base), Pow(node.base, -2)
        else:
            yield partial("exponent {} + 1 in {}".format, exponent, node), Pow(node.base, exponent + 1)
    elif isinstance(node, Rational) and node not in (-1,):
        yield partial("{} -> {}".format, node, _other(node)), _other(node)


def _other(number: Rational) -> Rational:
    return number + 1 if number.q == 1 else Rational(number.p, number.q + 1)


def _replaced(expr: Expr, path: tuple[int, ...], new: Expr) -> Expr:
    if not path:
        return new
    args = list(expr.args)
    args[path[0]] = _replaced(args[path[0]], path[1:], new)
    return expr.func(*args)
