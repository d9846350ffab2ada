"""Wrong variants of a formula: what a check must reject to count as a check."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property, partial

import mpmath
import sympy
from sympy import Add, Expr, Mul, Pow, Rational, Symbol
from sympy.functions.elementary.piecewise import ExprCondPair

from paper_checks.values.evaluation import Evaluator

__all__ = ["automatic"]

# Pairs of more symbols are too many to try.
MOST_SYMBOLS = 4
PROBE_DIGITS = 40
NOT_FINITE = (sympy.zoo, sympy.nan, sympy.oo, -sympy.oo)


@cache
def automatic(expr: Expr, resolution: float, most: int = 40) -> dict[str, Expr]:
    """Variants of an expression, by description.

    Each drops a term of a sum or a factor of a product, flips the sign of a term, changes a rational number or an
    exponent, swaps two symbols of like kind, or multiplies the whole by 1 + 2 x resolution. Variants that SymPy finds
    equal to the original are left out; of more than ``most``, every kind keeps its share, spread over the expression.

    Examples
    --------
    >>> r = sympy.Symbol("r", positive=True)
    >>> for what in automatic(1 - r**2, 1e-3): print(what)
    1 dropped
    1 with other sign
    -r**2 dropped
    -r**2 with other sign
    1 -> 2
    factor r**2 dropped in -r**2
    exponent 2 -> 3 in r**2
    all x (1 + 2 x resolution)
    """
    mutants: dict[str, Expr] = {}
    for change in _chosen(expr, most - 1):
        what = change.says()
        place = ".".join(map(str, change.path))
        mutants[what if what not in mutants else f"{what} (at {place})"] = change.mutant
    if expr != 0:
        mutants["all x (1 + 2 x resolution)"] = expr * (1 + 2 * sympy.nsimplify(resolution))
    return mutants


@dataclass(frozen=True, eq=False)
class _Change:
    """A wrong variant; it is made, and its description written, only when it is asked for."""

    kind: str
    says: Callable[[], str]
    make: Callable[[], Expr]
    path: tuple[int, ...] = ()

    @cached_property
    def mutant(self) -> Expr:
        return self.make()


def _chosen(expr: Expr, most: int) -> list[_Change]:
    """At most so many changes that differ from the expression and from each other; others stand in for those left out.

    The longer an expression is the fewer of its changes are made.
    """
    left = [*_local(expr), *_swaps(expr)]
    while True:
        chosen, seen, none = _spread(left, most), {expr}, set()
        for change in chosen:
            if change.mutant in seen or change.mutant.has(*NOT_FINITE):
                none.add(change)
            seen.add(change.mutant)
        if not none:
            return chosen
        left = [change for change in left if change not in none]


def _local(expr: Expr) -> Iterator[_Change]:
    """Changes at one node."""
    for path, node in _nodes(expr, ()):
        for kind, says, new in _changes(node):
            yield _Change(kind, says, partial(_replaced, expr, path, new), path)


def _swaps(expr: Expr) -> Iterator[_Change]:
    """Two symbols of like kind exchanged everywhere; the expression itself where that makes no difference."""
    like: dict[tuple, list[Symbol]] = {}
    for symbol in sorted(expr.free_symbols, key=str):
        like.setdefault(tuple(sorted(symbol.assumptions0.items())), []).append(symbol)
    for symbols in like.values():
        for one, other in itertools.combinations(symbols[:MOST_SYMBOLS], 2):
            says = partial("{} and {} exchanged".format, one, other)
            yield _Change("swap", says, partial(_swapped, expr, one, other))


def _swapped(expr: Expr, one: Symbol, other: Symbol) -> Expr:
    swapped = expr.xreplace({one: other, other: one})
    return swapped if swapped != expr and _differ(expr, swapped) else expr


def _differ(one: Expr, other: Expr) -> bool:
    """Whether two forms have different values at a point: a symmetric form may be written without its symmetry."""
    symbols = sorted(one.free_symbols | other.free_symbols, key=str)
    for shift, step in ((3, 2), (5, 3)):
        numbers = {
            str(s): mpmath.mpf(shift + i if s.is_integer else 0) or mpmath.mpf(shift + step * i) / 41
            for i, s in enumerate(symbols)
        }
        at = Evaluator(numbers, PROBE_DIGITS)
        try:
            if abs(at(one) - at(other)) > mpmath.mpf(10) ** (-PROBE_DIGITS // 2):
                return True
        except (TypeError, ValueError, ArithmeticError, mpmath.libmp.NoConvergence):
            continue
    return False


def _spread(found: list[_Change], most: int) -> list[_Change]:
    """At most so many changes, of all kinds alike and from everywhere in the expression, in their order."""
    if len(found) <= most:
        return found
    by_kind: dict[str, list[int]] = {}
    for i, change in enumerate(found):
        by_kind.setdefault(change.kind, []).append(i)
    shares = dict.fromkeys(by_kind, 0)
    while sum(shares.values()) < most:
        for kind in by_kind:
            if shares[kind] < len(by_kind[kind]) and sum(shares.values()) < most:
                shares[kind] += 1
    chosen = {by_kind[kind][k * len(by_kind[kind]) // share] for kind, share in shares.items() for k in range(share)}
    return [found[i] for i in sorted(chosen)]


def _nodes(expr: Expr, path: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], Expr]]:
    yield path, expr
    for i, child in enumerate(expr.args):
        if isinstance(child, ExprCondPair):
            yield from _nodes(child.expr, (*path, i, 0))
        elif isinstance(child, Expr) and not (expr.is_Pow and i == 1 and child.is_Integer):
            yield from _nodes(child, (*path, i))


def _changes(node: Expr) -> Iterator[tuple[str, Callable[[], str], Expr]]:
    """What may be wrong at one node: kind, description, the node with it."""
    if isinstance(node, Add):
        for term in node.args:
            yield "term", partial("{} dropped".format, term), node - term
            yield "sign", partial("{} with other sign".format, term), node - 2 * term
    elif isinstance(node, Mul):
        for i, factor in enumerate(node.args):
            if not factor.is_number:
                rest = Mul(*node.args[:i], *node.args[i + 1 :])
                yield "factor", partial("factor {} dropped in {}".format, factor, node), rest
    elif isinstance(node, Pow):
        exponent = node.exp
        if exponent.is_Rational and exponent != -1:
            says = partial("exponent {} -> {} in {}".format, exponent, exponent + 1, node)
            yield "exponent", says, Pow(node.base, exponent + 1)
        elif exponent == -1:
            yield "exponent", partial("1/({}) squared".format, node.base), Pow(node.base, -2)
        else:
            yield "exponent", partial("exponent {} + 1 in {}".format, exponent, node), Pow(node.base, exponent + 1)
    elif isinstance(node, Rational) and node not in (-1,):
        yield "number", partial("{} -> {}".format, node, _other(node)), _other(node)


def _other(number: Rational) -> Rational:
    return number + 1 if number.q == 1 else Rational(number.p, number.q + 1)


def _replaced(expr: Expr, path: tuple[int, ...], new: Expr) -> Expr:
    if not path:
        return new
    args = list(expr.args)
    args[path[0]] = _replaced(args[path[0]], path[1:], new)
    return expr.func(*args)
