"""Entries of matrix expressions as indexed sums, and their derivatives by entries of a matrix."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Any

from theory.matrix_calculus import indexed
from theory.matrix_calculus.expression import Matrix, kind_of
from theory.matrix_calculus.functions import INCREASING, NOT_NEGATIVE, expanded
from theory.matrix_calculus.indexed import ONE, ZERO, Index, Sum, atom, bound
from theory.matrix_calculus.operations import det, inverse, rows_max
from theory.matrix_calculus.terms import ENTRIES, Rational, free, place_in, rational


@lru_cache(10_000)
def entry_of(m: Matrix, i: Index, j: Index) -> Sum:
    """The entry (i, j) of an expression.

    Examples
    --------
    >>> from theory.matrix_calculus.expression import matrix
    >>> from theory.matrix_calculus.operations import ones
    >>> X = matrix("X", "N", "D")
    >>> i, j = free("i", "N"), free("j", "D")
    >>> total = ones("N").T @ X @ ones("D")
    >>> len(entry_of(total, bound(1), bound(1)).terms)
    1
    """
    return _ENTRIES[m.op](m, i, j)


def _matmul(m: Matrix, i: Index, j: Index) -> Sum:
    a, b = m.args
    k = _between(i, j, a.shape[1])
    return (entry_of(a, i, k) * entry_of(b, k, j)).over([k])


@lru_cache(10_000)
def _between(_i: Index, _j: Index, size: Any) -> Index:
    """What an entry (i, j) of a product is summed over: one for each place, so that entries are found again."""
    return bound(size)


def _row_maximum(m: Matrix, i: Index, _: Index) -> Sum:
    of = m.args[0]
    if of.op == "apply" and of.args[0] in INCREASING and not of.args[1]:
        return entry_of(replace(of, args=(*of.args[:2], rows_max(of.args[2])), shape=m.shape), i, _)
    place = bound(m.args[0].shape[1])
    return indexed.largest(entry_of(m.args[0], i, place), place)


def _power(m: Matrix, i: Index, j: Index) -> Sum:
    exponent, of = m.args
    if of.op == "power":  # the root of a square is what was squared, where that is positive
        inner = entry_of(of.args[1], i, j)
        base = of.args[1]
        if (base.op == "apply" and base.args[0] in NOT_NEGATIVE and not base.args[1]) or indexed.all_positive(inner):
            return indexed.power(inner, exponent * of.args[0])
    return indexed.power(entry_of(of, i, j), exponent)


def _inverse(m: Matrix, i: Index, j: Index) -> Sum:
    of = m.args[0]
    if of.op == "identity":
        return indexed.delta(i, j)
    if of.op == "inverse":
        return entry_of(of.args[0], i, j)
    if of.op == "transpose":
        return entry_of(inverse(of.T), j, i)
    if of.op == "matrix" and kind_of(of) == "orthogonal":
        return entry_of(of, j, i)
    if of.op == "scale":
        return indexed.power(entry_of(of.args[0], bound(1), bound(1)), -1) * entry_of(inverse(of.args[1]), i, j)
    if of.op == "matmul" and _all_square(of):
        return entry_of(inverse(of.args[1]) @ inverse(of.args[0]), i, j)
    one, two = bound(of.shape[0]), bound(of.shape[0])
    return indexed.inverse(entry_of(of, one, two), one, two, i, j)


def _determinant(m: Matrix, i: Index, j: Index) -> Sum:
    of = m.args[0]
    if of.op == "identity":
        return ONE
    if of.op == "inverse":
        return indexed.power(entry_of(det(of.args[0]), i, j), -1)
    if of.op == "transpose":
        return entry_of(det(of.T), i, j)
    if of.op == "matmul" and _all_square(of):
        return entry_of(det(of.args[0]), i, j) * entry_of(det(of.args[1]), i, j)
    one, two = bound(of.shape[0]), bound(of.shape[0])
    return indexed.determinant(entry_of(of, one, two), one, two)


def _all_square(m: Matrix) -> bool:
    return all(a.shape == m.shape for a in m.args)


def _function(m: Matrix, i: Index, j: Index) -> Sum:
    known = expanded(m)
    return indexed.function(m.args[0], m.args[1], entry_of(m.args[2], i, j)) if known is m else entry_of(known, i, j)


_ENTRIES: dict[str, Callable[[Matrix, Index, Index], Sum]] = {
    "matrix": lambda m, i, j: indexed.entry(m.args[0], i, j, kind_of(m)),
    "number": lambda m, _i, _j: ONE.times(rational(m.args[0])),
    "size": lambda m, _i, _j: indexed.size(m.args[0]),
    "ones": lambda _m, _i, _j: ONE,
    "zeros": lambda _m, _i, _j: ZERO,
    "identity": lambda _, i, j: indexed.delta(i, j),
    "transpose": lambda m, i, j: entry_of(m.args[0], j, i),
    "add": lambda m, i, j: entry_of(m.args[0], i, j) + entry_of(m.args[1], i, j),
    "scale": lambda m, i, j: entry_of(m.args[0], bound(1), bound(1)) * entry_of(m.args[1], i, j),
    "hadamard": lambda m, i, j: entry_of(m.args[0], i, j) * entry_of(m.args[1], i, j),
    "matmul": _matmul,
    "diag": lambda m, i, _: entry_of(m.args[0], i, i),
    "Diag": lambda m, i, j: indexed.delta(i, j) * entry_of(m.args[0], i, bound(1)),
    "apply": _function,
    "power": _power,
    "rows_max": _row_maximum,
    "inverse": _inverse,
    "det": _determinant,
    "column": lambda m, i, _: entry_of(m.args[0], i, free(m.args[1], m.args[0].shape[1])),
}


def derivative(s: Sum, name: str, i: Index, j: Index) -> Sum:
    """Derivative of an indexed sum by the entry (i, j) of a matrix.

    Raises
    ------
    ValueError
        For the largest of a row, which has none where two are equal.
    """
    total = ZERO
    for own, factors, c in s.fresh():
        for position, (a, e) in enumerate(factors):
            inner = _slope(a, name, i, j)
            if inner.terms:
                # The factor whose derivative is taken, as it stays: exp keeps its power, others lose one.
                lowered = indexed.normal(1, [], {a: e if a[0] == "exp" else e - 1})
                others = Sum({((), factors[:position] + factors[position + 1 :]): 1})
                total = total + (inner.times(c * e) * lowered * others).over(own)
    return total


def _slope(a: Any, name: str, i: Index, j: Index) -> Sum:
    kind = a[0]
    if kind in ENTRIES:
        return indexed.delta(a[2], i) * indexed.delta(a[3], j) if a[1] == name else ZERO
    if kind in ("exp", "pow"):
        return derivative(a[1], name, i, j)
    if kind == "f":
        inner = derivative(a[3], name, i, j)
        return indexed.function(a[1], a[2] + 1, a[3]) * inner if inner.terms else ZERO
    if kind in ("inv", "sinv", "det"):
        # Of the entry (k, l) of the matrix that is inverted.
        k, l = bound(a[2]), bound(a[2])
        one, two = (place_in(a[1], a[2], n) for n in (1, 2))
        slopes = derivative(a[1].renamed({one: k, two: l}), name, i, j)
        if not slopes.terms:
            return ZERO
        if kind == "det":
            return (atom(a) * indexed.inverse(a[1], one, two, l, k) * slopes).over([k, l])
        left, right = (indexed.inverse(a[1], one, two, *ends) for ends in ((a[3], k), (l, a[4])))
        return (left * slopes * right).over([k, l]).times(-1)
    if kind == "max" and derivative(a[1], name, i, j).terms:
        raise ValueError(f"derivative: a largest entry has none where two are equal, got one of {name}; leave max out")
    return ZERO


# --- zero ---------------------------------------------------------------------------------------------------------


def vanishes(s: Sum, depth: int = 0) -> bool:
    """Whether an indexed sum is found to be 0 for all sizes and entries; False says nothing.

    Powers of sums are cleared: terms whose exponents differ by whole numbers are multiplied by as high a power as
    leaves none in a denominator. Where such a sum depends on an index that is summed over, 0 is looked for before
    that summation. ``depth`` counts such summations: each has an index of its own.
    """
    if not s.terms:
        return True
    powers = {a: None for _, factors in s.terms for a, _ in factors if a[0] == "pow"}
    for a in sorted(powers, key=indexed.atom_key):
        if all(not indexed.indices_of(a) & set(own) for own, _ in s.terms):
            return _cleared(s, a, depth)
    return _before_summation(s, depth)


def _cleared(s: Sum, a: Any, depth: int) -> bool:
    classes: dict[Rational, list[tuple[Rational, Sum]]] = {}
    for (own, factors), c in s.terms.items():
        e = dict(factors).get(a, 0)
        rest = Sum({(own, tuple((k, x) for k, x in factors if k != a)): c})
        classes.setdefault(e % 1, []).append((e, rest))
    for terms in classes.values():
        least = min(e for e, _ in terms)
        if not vanishes(indexed.total(rest * indexed.power(a[1], e - least) for e, rest in terms), depth):
            return False
    return True


def _before_summation(s: Sum, depth: int) -> bool:
    """Whether terms that sum over the index of some power cancel before they are summed; n T is T summed n times."""
    groups: dict[Any, Sum] = {}
    for own, factors, c in s.fresh():
        index = next((i for i in own for a, _ in factors if a[0] == "pow" and i in indexed.indices_of(a)), None)
        if index is None:
            size = next((a for a, e in factors if a[0] == "size" and e >= 1), None)
            if size is None:
                return False
            index, factors = bound(size[1]), (*factors, (size, -1))
        outside = free(f"@{depth}", index[3])
        rest = indexed.substituted(c, [i for i in own if i != index], factors, {index: outside})
        groups[index[3]] = groups.get(index[3], ZERO) + rest
    return all(vanishes(group, depth + 1) for group in groups.values())
