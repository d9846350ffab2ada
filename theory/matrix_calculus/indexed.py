"""A normal form of indexed sums, for any sizes: products of entries, summed over indices.

A :class:`Sum` is a sum of terms: a rational number, the indices that are summed over, and factors with rational
exponents. Equal sums mostly have equal terms, as the indices that are summed over have no names of their own. That a
difference has no terms proves that it is 0; that it has some proves nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import factorial, floor
from typing import Any

from sympy import factorint

from theory.matrix_calculus.terms import (
    SINGLE,
    Atom,
    Factors,
    Index,
    Rational,
    Term,
    Terms,
    atom_key,
    bound,
    free,
    indices_of,
    ordered,
    place_in,
    rational,
    refreshed,
    term_key,
    with_names,
)

__all__ = [
    "ONE", "ZERO", "Index", "Sum", "atom", "atom_key", "bound", "delta", "entry", "exp", "free", "function",
    "indices_of", "largest", "log", "normal", "power", "renamed_factor", "size", "substituted",
]  # fmt: skip


class Sum(Terms):
    """A sum of terms in normal form; made by the functions of this module."""

    __slots__ = ()

    def __add__(self, other: Sum) -> Sum:
        terms = dict(self.terms)
        for term, c in other.terms.items():
            terms[term] = terms.get(term, 0) + c
        return Sum(terms)

    def __sub__(self, other: Sum) -> Sum:
        return self + other.times(-1)

    def times(self, c: Any) -> Sum:
        return Sum({term: c * coefficient for term, coefficient in self.terms.items()})

    def __mul__(self, other: Sum) -> Sum:
        if self is ONE or other is ONE:
            return other if self is ONE else self
        result: dict[Term, Rational] = {}
        for (one, c), (two, d) in product(self.terms.items(), other.terms.items()):
            left, right = refreshed(one), refreshed(two)
            factors = dict(left[1])
            for a, e in right[1]:
                factors[a] = factors.get(a, 0) + e
            _accumulate(result, normal(c * d, [*left[0], *right[0]], factors))
        return Sum(result)

    def over(self, indices: Iterable[Index]) -> Sum:
        """Summed over these indices, which are free in it."""
        result: dict[Term, Rational] = {}
        for own, factors, c in self.fresh():
            _accumulate(result, normal(c, [*own, *(i for i in indices if i != SINGLE)], dict(factors)))
        return Sum(result)

    def renamed(self, names: Mapping[Index, Index]) -> Sum:
        """With other free indices, which may coincide."""
        result: dict[Term, Rational] = {}
        for own, factors, c in self.fresh():
            _accumulate(result, substituted(c, own, factors, names))
        return Sum(result)


def _accumulate(terms: dict[Term, Rational], more: Sum) -> None:
    for term, c in more.terms.items():
        terms[term] = terms.get(term, 0) + c


def renamed_factor(a: Atom, e: Rational, names: Mapping[Index, Index]) -> Sum:
    """A factor with other indices, as a sum: a delta may become 1, a sum inside another one."""
    if not indices_of(a) & names.keys():
        return atom(a, e)
    if a[0] == "max":
        place = bound(a[2])
        return power(largest(a[1].renamed({**names, place_in(a[1], a[2]): place}), place), e)
    parts = [p.renamed(names) if isinstance(p, Sum) else names.get(p, p) if isinstance(p, tuple) else p for p in a[1:]]
    make: dict[str, Callable[..., Sum]] = {
        "x": entry, "d": delta, "exp": exp, "f": function, "pow": lambda base: base,
    }  # fmt: skip
    return power(make[a[0]](*parts), e)


# --- terms --------------------------------------------------------------------------------------------------------


def normal(c: Rational, own: Sequence[Index], factors: Factors) -> Sum:
    """One term brought to normal form: deltas used up, sums recognised, powers of sums multiplied out."""
    factors = {a: e for a, e in factors.items() if e}
    for a, e in [*factors.items()]:
        if a[0] == "num":
            c *= a[1] ** floor(e)
            factors[a] = e % 1
            if not e % 1:
                del factors[a]
        elif a[0] == "d":
            found = _delta_used(c, own, factors, a)
            if found is not None:
                return found
            factors[a] = 1
    for a, e in factors.items():
        if a[0] == "pow":
            found = _power_used(c, own, factors, a, e)
            if found is not None:
                return found
    return Sum({_with_sizes(own, factors): c})


def _delta_used(c: Rational, own: Sequence[Index], factors: Factors, a: Atom) -> Sum | None:
    """The term with one index in place of the two of a Kronecker delta, where one is summed over or elsewhere."""
    i, j = a[1:] if a[2] in own else a[:0:-1]
    rest = {k: e for k, e in factors.items() if k != a}
    if j in own:
        return substituted(c, [k for k in own if k != j], rest.items(), {j: i})
    if any(j in indices_of(k) for k in rest):
        return substituted(c, own, rest.items(), {j: i}) * atom(a)
    return None


def _power_used(c: Rational, own: Sequence[Index], factors: Factors, a: Atom, e: Rational) -> Sum | None:
    """The term with a power of a sum multiplied out, or one higher as the term has that sum for a factor."""
    if e.denominator == 1 and e > 0:
        rest = {k: v for k, v in factors.items() if k != a}
        return _multiplied_out(c, own, rest, a[1], int(e))
    found = _recognised(a[1], own, factors)
    if found is None:
        return None
    index, inside = found
    rest = {k: v for k, v in factors.items() if k not in inside}
    return normal(c, [k for k in own if k != index], rest | {a: e + 1})


def _with_sizes(own: Sequence[Index], factors: Factors) -> Term:
    """The term; a sum over an index that no factor has is a size."""
    if not own:
        return ordered(own, factors)
    used = frozenset().union(*map(indices_of, factors))
    for i in own:
        if i not in used:
            factors[("size", i[3])] = factors.get(("size", i[3]), 0) + 1
    return ordered([i for i in own if i in used], {a: e for a, e in factors.items() if e})


def substituted(
    c: Rational, own: Sequence[Index], factors: Iterable[tuple[Atom, Rational]], names: Mapping[Index, Index]
) -> Sum:
    """A term with other free indices, which may coincide."""
    plain: Factors = {}
    others = ONE
    for a, e in factors:
        if a[0] == "x" or not indices_of(a) & names.keys():
            new = tuple(names.get(part, part) for part in a) if a[0] == "x" else a
            plain[new] = plain.get(new, 0) + e
        else:
            others = others * renamed_factor(a, e, names)
    if others is ONE:
        return normal(c, own, plain)
    return (Sum({((), (*plain.items(),)): c}) * others).over(own)


def _multiplied_out(c: Rational, own: Sequence[Index], factors: Factors, base: Sum, times: int) -> Sum:
    value = Sum({((), (*factors.items(),)): c})
    for _ in range(times):
        value = value * base
    return value.over(own)


def _recognised(base: Sum, own: Sequence[Index], factors: Factors) -> tuple[Index, Factors] | None:
    """An index of a term, and its factors with it, whose sum is the base of a power in the same term."""
    if len(base.terms) != 1:
        return None
    (((inner, pattern), c),) = base.terms.items()
    if len(inner) != 1 or c != 1:
        return None
    for i in own:
        if i[3] == inner[0][3]:
            with_it = {a: e for a, e in factors.items() if i in indices_of(a)}
            if with_it and {with_names(a, {i: inner[0]}): e for a, e in with_it.items()} == dict(pattern):
                return i, with_it
    return None


def atom(a: Atom, e: Any = 1) -> Sum:
    """A single factor to a power."""
    return Sum({((), ((a, e),)): 1})


ZERO, ONE = Sum({}), Sum({((), ()): 1})


# --- functions ----------------------------------------------------------------------------------------------------


def entry(name: str, i: Index, j: Index) -> Sum:
    return atom(("x", name, i, j))


def delta(i: Index, j: Index) -> Sum:
    return ONE if i == j else atom(("d", *sorted((i, j))))


def size(name: Any) -> Sum:
    return ONE if name == 1 else atom(("size", name))


def _is_positive(a: Atom, e: Rational) -> bool:
    if a[0] == "pow":  # a root is one of what is positive
        return e.denominator != 1 or _all_positive(a[1])
    return a[0] in ("exp", "size", "num") or _is_square(a, e)


def _is_square(a: Atom, e: Rational) -> bool:
    return a[0] == "x" and e.denominator == 1 and e > 0 and e % 2 == 0


def _all_positive(s: Sum) -> bool:
    return all(c > 0 and all(_is_positive(a, e) for a, e in factors) for (_, factors), c in s.terms.items())


def _content(s: Sum, positive: bool) -> tuple[Rational, list[tuple[Atom, Rational]], Sum]:
    """A number, positive factors to the least powers that terms have, if no sum runs over them, and what is left."""
    terms = [
        {a: e for a, e in f if a[0] in ("exp", "size", "num") and not indices_of(a) & {*own}} for own, f in s.terms
    ]
    least = {a: min(t.get(a, 0) for t in terms) for a in {a: None for t in terms for a in t}}
    shared = sorted(((a, e) for a, e in least.items() if e), key=lambda item: atom_key(item[0]))
    rest = s
    for a, e in shared:
        rest = rest * atom(a, -e)
    c = rest.terms[min(rest.terms, key=term_key)]
    c = abs(c) if positive else c
    return c, shared, rest.times(1 / Fraction(c))


def power(s: Sum, exponent: Any) -> Sum:
    """A sum to a rational power; a root is one of what is positive.

    Raises
    ------
    ZeroDivisionError
        Where 0, or what is 0 off a diagonal, is to have a negative power.
    """
    e = rational(exponent)
    whole = e.denominator == 1
    if not s.terms:
        if e <= 0:
            raise ZeroDivisionError(f"power: 0 to the power {e}; a size or an entry must keep it from being 0")
        return ZERO
    if e == 1:
        return s
    if len(s.terms) == 1:
        (((own, factors), c),) = s.terms.items()
        if e <= 0 and any(a[0] == "d" for a, _ in factors):
            raise ZeroDivisionError(f"power: 0 off a diagonal to the power {e}; take the diagonal first")
        if not own and (whole or (c > 0 and all(_is_positive(a, x) and not _is_square(a, x) for a, x in factors))):
            value = _number(c, e)
            for a, x in factors:
                value = value * normal(1, [], {a: x * e})
            return value
    if whole and e > 0:
        value = ONE
        for _ in range(int(e)):
            value = value * s
        return value
    c, shared, base = _content(s, positive=not whole)
    value = _number(c, e)
    for a, x in shared:
        value = value * atom(a, x * e)
    return value * atom(("pow", base), e)


def _number(c: Rational, e: Rational) -> Sum:
    if e.denominator == 1:
        return ONE.times(rational(Fraction(c) ** int(e)))
    value = ONE
    for prime, times in {**factorint(c.numerator), **{p: -k for p, k in factorint(c.denominator).items()}}.items():
        value = value * atom(("num", Fraction(prime)), times * e)
    return value


def exp(s: Sum) -> Sum:
    """The product of those of the terms, each to the power of its number; exp(c log s) is s**c."""
    value = ONE
    for (own, factors), c in s.terms.items():
        if not own and len(factors) == 1 and factors[0][0][:3] == ("f", "log", 0) and factors[0][1] == 1:
            value = value * power(factors[0][0][3], c)
        else:
            value = value * atom(("exp", Sum({(own, factors): 1})), c)
    return value


def log(s: Sum) -> Sum:
    """Of a product of positive factors the sum of theirs.

    Raises
    ------
    ZeroDivisionError
        For 0.
    """
    if s == ONE:
        return ZERO
    if not s.terms:
        raise ZeroDivisionError("log: 0 has none; leave it out")
    single = len(s.terms) == 1
    ((own, factors), c), *_ = s.terms.items()
    if single and not own and c > 0 and all(_is_positive(a, e) and not _is_square(a, e) for a, e in factors):
        value = ZERO if c == 1 else atom(("f", "log", 0, ONE.times(c)))
        for a, e in factors:
            inner = a[1] if a[0] == "exp" else log(a[1]) if a[0] == "pow" else atom(("f", "log", 0, atom(a)))
            value = value + inner.times(e)
        return value
    number, shared, base = _content(s, positive=True)
    if (number == 1 and not shared) or (single and not own):
        return atom(("f", "log", 0, s))
    value = log(ONE.times(number))
    for a, e in shared:
        value = value + log(atom(a, e))
    return value + atom(("f", "log", 0, base))


def function(name: str, order: int, s: Sum) -> Sum:
    """A function of which nothing is known; exp and log are known."""
    if name == "exp":
        return exp(s)
    if name == "log":
        return power(s, -order).times((-1) ** (order - 1) * factorial(order - 1)) if order else log(s)
    return atom(("f", name, order, s))


def largest(s: Sum, i: Index) -> Sum:
    """The largest of the values that s has for all values of an index."""
    if i == SINGLE or all(i not in indices_of(a) for _, factors in s.terms for a, _ in factors):
        return s
    place = place_in(s, i[3])
    if i != place:  # with other names a sum may become simpler, and its place another one
        return largest(s.renamed({i: place}), place)
    return atom(("max", s, i[3]))
