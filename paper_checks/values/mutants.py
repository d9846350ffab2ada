"""Altered formulas, which a check must reject to be valid."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache, partial

import mpmath
import sympy
from sympy import Add, Expr, Mul, Pow, Rational, Symbol
from sympy.functions.elementary.piecewise import ExprCondPair

from paper_checks.values.evaluation import Evaluator

# With more symbols there are too many pairs to try.
MOST_SYMBOLS = 4
PROBE_DIGITS = 40
# First values, steps from symbol to symbol, and units: near 0, about 1, and above.
PROBES = ((3, 2, 41), (5, 3, 41), (7, 5, 4), (9, 5, 2), (50, 7, 1))
NOT_FINITE = (sympy.zoo, sympy.nan, sympy.oo, -sympy.oo)


@cache
def automatic(expr: Expr, resolution: float, most: int = 40) -> dict[str, Expr]:
    """Altered variants of an expression, by description.

    Each drops a term of a sum or a factor of a product, flips the sign of a term, changes a rational number or an
    exponent, swaps two similar symbols, or multiplies the whole by 1 + 2 x tolerance. Variants that SymPy finds
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
    all x (1 + 2 x tolerance)
    """
    mutants = _by_description(_chosen(expr, most - 1))
    if expr != 0:
        mutants["all x (1 + 2 x tolerance)"] = expr * (1 + 2 * sympy.nsimplify(resolution))
    return mutants


def _by_description(changes: Iterable[_Change]) -> dict[str, Expr]:
    found: dict[str, Expr] = {}
    for change in changes:
        what = change.says()
        place = ".".join(map(str, change.path))
        found[what if what not in found else f"{what} (at {place})"] = change.mutant
    return found


@cache
def all_changes(expr: Expr) -> dict[str, Expr]:
    """All possible changes, from which :func:`automatic` chooses, by description.

    Examples
    --------
    >>> x = sympy.Symbol("x", positive=True)
    >>> list(all_changes(x**2))
    ['exponent 2 -> 3 in x**2']
    """
    changes = (c for c in (*_local(expr), *_swaps(expr)) if c.mutant != expr and not c.mutant.has(*NOT_FINITE))
    return _by_description(changes)


def differ_somewhere(one: Expr, other: Expr, signs: Iterable[int] = (1, -1)) -> bool:
    """Whether two formulas have different values at some test point; ``signs`` are those of symbols that may have both.

    Examples
    --------
    >>> x = sympy.Symbol("x", real=True)
    >>> differ_somewhere(sympy.Abs(x), x), differ_somewhere((x + 1) ** 2, x**2 + 2 * x + 1)
    (True, False)
    """
    symbols = sorted(one.free_symbols | other.free_symbols, key=str)
    for sign, (shift, step, unit) in itertools.product(signs, PROBES):
        numbers = {
            str(s): mpmath.mpf(shift + i if s.is_integer else 0) or mpmath.mpf(shift + step * i) / unit
            for i, s in enumerate(symbols)
        }
        numbers = {str(s): numbers[str(s)] * (1 if s.is_nonnegative else sign) for s in symbols}
        at = _probe(tuple(numbers.items()))
        try:
            if abs(at(one) - at(other)) > mpmath.mpf(10) ** (-PROBE_DIGITS // 2):
                return True
        except (TypeError, ValueError, ArithmeticError, mpmath.libmp.NoConvergence):
            continue
    return False


@dataclass(frozen=True, eq=False)
class _Change:
    """An altered formula, which is made only when it is needed."""

    kind: str
    says: Callable[[], str]
    make: Callable[[], Expr]
    path: tuple[int, ...] = ()

    @cached_property
    def mutant(self) -> Expr:
        return self.make()


def _chosen(expr: Expr, most: int) -> list[_Change]:
    """At most this many changes that differ from the expression and from each other.

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
    """The expression with two similar symbols exchanged everywhere."""
    like: dict[tuple, list[Symbol]] = {}
    for symbol in sorted(expr.free_symbols, key=str):
        like.setdefault(tuple(sorted(symbol.assumptions0.items())), []).append(symbol)
    for symbols in like.values():
        for one, other in itertools.combinations(symbols[:MOST_SYMBOLS], 2):
            says = partial("{} and {} exchanged".format, one, other)
            yield _Change("swap", says, partial(_swapped, expr, one, other))


def _swapped(expr: Expr, one: Symbol, other: Symbol) -> Expr:
    swapped = expr.xreplace({one: other, other: one})
    return swapped if swapped != expr and differ_somewhere(expr, swapped, (1,)) else expr


@lru_cache(32)
def _probe(numbers: tuple[tuple[str, mpmath.mpf], ...]) -> Evaluator:
    """Evaluator at a test point, for all altered formulas that are compared with one."""
    return Evaluator(dict(numbers), PROBE_DIGITS)


def _spread(found: list[_Change], most: int) -> list[_Change]:
    """At most this many changes, of all kinds and from all parts of the expression, in their order."""
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
    """Possible changes at one node: kind, description, and the changed node."""
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
