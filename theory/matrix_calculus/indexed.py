"""A normal form of indexed sums, for any sizes: products of entries, summed over indices.

A :class:`Sum` is a sum of terms: a rational number, the indices that are summed over, and factors with rational
exponents. Equal sums mostly have equal terms, as the indices that are summed over have no names of their own. That a
difference has no terms proves that it is 0; that it has some proves nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import factorial, floor, prod
from typing import Any

from sympy import factorint

from theory.matrix_calculus.contractions import CONTRACTED, POSITIVE, Contraction, contraction
from theory.matrix_calculus.terms import (
    ENTRIES,
    ENTRY,
    SINGLE,
    Atom,
    Factors,
    Index,
    Rational,
    Term,
    Terms,
    atom_key,
    bound,
    in_order,
    indices_of,
    ordered,
    place_in,
    rational,
    refreshed,
    term_key,
    with_names,
)


class Sum(Terms):
    """A sum of terms in normal form; made by the functions of this module."""

    __slots__ = ()

    def __add__(self, other: Sum) -> Sum:
        return total((self, other))

    def __sub__(self, other: Sum) -> Sum:
        return self + other.times(-1)

    def times(self, c: Any) -> Sum:
        return Sum({term: c * coefficient for term, coefficient in self.terms.items()})

    def __mul__(self, other: Sum) -> Sum:
        if self is ONE or other is ONE:
            return other if self is ONE else self
        pairs = product(self.terms.items(), other.terms.items())
        return total(_times(c * d, refreshed(one), refreshed(two)) for (one, c), (two, d) in pairs)

    def over(self, indices: Iterable[Index]) -> Sum:
        """Summed over these indices, which are free in it."""
        more = [i for i in indices if i != SINGLE]
        return total(normal(c, [*own, *more], dict(factors)) for own, factors, c in self.fresh())

    def renamed(self, names: Mapping[Index, Index]) -> Sum:
        """The sum with other free indices, which may coincide."""
        return total(substituted(c, own, factors, names) for own, factors, c in self.fresh())


def total(sums: Iterable[Sum]) -> Sum:
    """The sum of all of them."""
    terms: dict[Term, Rational] = {}
    for s in sums:
        for term, c in s.terms.items():
            terms[term] = terms.get(term, 0) + c
    return Sum(terms)


def _times(c: Rational, left: Term, right: Term) -> Sum:
    factors = dict(left[1])
    for a, e in right[1]:
        factors[a] = factors.get(a, 0) + e
    return normal(c, [*left[0], *right[0]], factors)


def renamed_factor(a: Atom, e: Rational, names: Mapping[Index, Index]) -> Sum:
    """A factor with other indices, as a sum: a delta may become 1, a sum inside another one."""
    if not indices_of(a) & names.keys():
        return atom(a, e)
    if a[0] == "max":
        place = bound(a[2])
        return power(largest(a[1].renamed({**names, place_in(a[1], a[2]): place}), place), e)
    if a[0] in ("inv", "sinv", "det"):
        one, two = bound(a[2]), bound(a[2])
        inner = a[1].renamed({**names, place_in(a[1], a[2]): one, place_in(a[1], a[2], 2): two})
        ends = [names.get(i, i) for i in a[3:]]
        return power(inverse(inner, one, two, *ends) if ends else determinant(inner, one, two), e)
    if a[0] in ENTRIES:
        return atom(_renamed_entry(a, names), e)
    parts = [p.renamed(names) if isinstance(p, Sum) else names.get(p, p) if isinstance(p, tuple) else p for p in a[1:]]
    make: dict[str, Callable[..., Sum]] = {
        "d": delta, "exp": exp, "f": function, "pow": lambda base: base,
    }  # fmt: skip
    return power(make[a[0]](*parts), e)


def _renamed_entry(a: Atom, names: Mapping[Index, Index]) -> Atom:
    return in_order(tuple(names.get(part, part) for part in a))


# --- terms --------------------------------------------------------------------------------------------------------


def normal(c: Rational, own: Sequence[Index], factors: Factors) -> Sum:
    """One term brought to normal form: Kronecker deltas removed, sums recognised, powers of sums multiplied out."""
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
        elif a[0] == "det" and e.denominator == 1 and e not in (0, 1) and _is_orthogonal(a[1]):
            return normal(c, own, {**factors, a: e % 2})
    if own and any(a[0] in CONTRACTED for a in factors):
        known = contraction(own, factors)
        if known:
            return _contracted(c, known)
    for a, e in factors.items():
        if a[:3] == ("f", "cos", 0) and e.denominator == 1 and e >= 2:
            square = ONE - atom(("f", "sin", 0, a[3]), 2)
            return (Sum({((), (*{**factors, a: e - 2}.items(),)): c}) * square).over(own)
        if a[0] == "pow":
            found = _power_used(c, own, factors, a, e)
            if found is not None:
                return found
    term, count = _with_sizes(own, factors)
    return Sum({term: c * count})


def _is_orthogonal(s: Sum) -> bool:
    return len(s.terms) == 1 and all([a[0] for a, _ in factors] == ["o"] for _, factors in s.terms)


def _contracted(c: Rational, known: Contraction) -> Sum:
    """The rest of a term times the identity, less what the other terms of an inverted matrix give."""
    value, number = delta(*known.delta), 1
    if known.inverse:
        kind, inner, n, *_ = known.inverse
        end, far = known.delta
        others, number = {t: x for t, x in inner.terms.items() if t != known.leading}, inner.terms[known.leading]
        k = bound(n)
        ends, places = ((k, end), (far, k)) if known.first and kind == "inv" else ((end, k), (k, far))
        beside = Sum(others).renamed({place_in(inner, n): places[0], place_in(inner, n, 2): places[1]})
        value = value - (beside * atom(in_order((kind, inner, n, *ends)))).over([k])
    rest = normal(Fraction(c) / number, [], known.factors)
    return (rest * value).over(known.own)


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
    rest = {k: v for k, v in factors.items() if k != a}
    if e.denominator == 1 and e > 0:
        return prod([a[1]] * int(e), start=Sum({((), (*rest.items(),)): c})).over(own)
    if e.denominator == 1 and len(a[1].terms) == 1 and not next(iter(a[1].terms))[0]:
        return (Sum({((), (*rest.items(),)): c}) * power(a[1], e)).over(own)
    found = _recognised(a[1], own, factors)
    if found is None:
        return None
    index, inside = found
    rest = {k: v for k, v in factors.items() if k not in inside}
    return normal(c, [k for k in own if k != index], rest | {a: e + 1})


def _with_sizes(own: Sequence[Index], factors: Factors) -> tuple[Term, int]:
    """The term, and its number; a sum over an index that no factor has is a size."""
    if not own:
        return ordered(own, factors), 1
    used, count = frozenset().union(*map(indices_of, factors)), 1
    for i in own:
        if i not in used and isinstance(i[3], int):
            count *= i[3]
        elif i not in used:
            factors[("size", i[3])] = factors.get(("size", i[3]), 0) + 1
    return ordered([i for i in own if i in used], {a: e for a, e in factors.items() if e}), count


def substituted(
    c: Rational, own: Sequence[Index], factors: Iterable[tuple[Atom, Rational]], names: Mapping[Index, Index]
) -> Sum:
    """A term with other free indices, which may coincide."""
    plain: Factors = {}
    others = ONE
    for a, e in factors:
        if a[0] in ENTRIES or not indices_of(a) & names.keys():
            new = _renamed_entry(a, names) if a[0] in ENTRIES else a
            plain[new] = plain.get(new, 0) + e
        else:
            others = others * renamed_factor(a, e, names)
    if others is ONE:
        return normal(c, own, plain)
    return (Sum({((), (*plain.items(),)): c}) * others).over(own)


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


def entry(name: str, i: Index, j: Index, kind: str = "free") -> Sum:
    return atom(in_order((ENTRY[kind], name, i, j)))


def delta(i: Index, j: Index) -> Sum:
    return ONE if i == j else atom(("d", *sorted((i, j))))


def size(name: Any) -> Sum:
    return atom(("size", name)) if isinstance(name, str) else ONE.times(name)


def _is_positive(a: Atom, e: Rational) -> bool:
    if a[0] == "pow":  # a root is one of what is positive
        return e.denominator != 1 or all_positive(a[1])
    return a[0] in POSITIVE or _is_square(a, e)


def _is_square(a: Atom, e: Rational) -> bool:
    return a[0] in ENTRIES - POSITIVE and e.denominator == 1 and e % 2 == 0


def all_positive(s: Sum) -> bool:
    """Whether all terms are found to be positive, or at least not negative."""
    return all(c > 0 and all(_is_positive(a, e) for a, e in factors) for (_, factors), c in s.terms.items())


def _content(
    s: Sum, positive: bool, squares: bool = False
) -> tuple[Rational, list[tuple[Atom, Rational]], Sum]:  # fmt: skip
    """A number, positive factors to the least powers that terms have, if no sum runs over them, and what is left.

    With ``squares``, even powers of entries are among the factors.
    """
    kinds = POSITIVE | ENTRIES if squares else POSITIVE
    terms = [{a: e for a, e in f if a[0] in kinds and not indices_of(a) & {*own}} for own, f in s.terms]
    least = {a: min(t.get(a, 0) for t in terms) for a in {a: None for t in terms for a in t}}
    even = {a: e if a[0] in POSITIVE else e // 2 * 2 for a, e in least.items()}
    shared = sorted(((a, e) for a, e in even.items() if e), key=lambda item: atom_key(item[0]))
    rest = prod((atom(a, -e) for a, e in shared), start=s)
    c = rest.terms[min(rest.terms, key=term_key)]
    c = abs(c) if positive else c
    return c, shared, rest.times(1 / Fraction(c))


def _root(a: Atom, e: Rational, exponent: Rational) -> Sum:
    """A positive factor to a power, or an even power of an entry to a fractional one: by the root of its square."""
    if a[0] in POSITIVE or not _is_square(a, e) or ((e * exponent).denominator == 1 and e * exponent % 2 == 0):
        return normal(1, [], {a: e * exponent})
    return normal(1, [], {("pow", atom(a, 2)): Fraction(e, 2) * exponent})


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
        if not own and (whole or (c > 0 and all(_is_positive(a, x) for a, x in factors))):
            powers = (normal(1, [], {a: x * e}) if whole else _root(a, x, e) for a, x in factors)
            return prod(powers, start=_number(c, e))
    if whole and e > 0:
        return prod([s] * int(e), start=ONE)
    c, shared, base = _content(s, positive=not whole, squares=not whole)
    return prod((_root(a, x, e) for a, x in shared), start=_number(c, e)) * atom(("pow", base), e)


def _number(c: Rational, e: Rational) -> Sum:
    if e.denominator == 1:
        return ONE.times(rational(Fraction(c) ** int(e)))
    primes = {**factorint(c.numerator), **{p: -k for p, k in factorint(c.denominator).items()}}
    return prod((normal(1, [], {("num", Fraction(p)): k * e}) for p, k in primes.items()), start=ONE)


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
    """Logarithm of a sum; that of a product of positive factors is expanded.

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
    return total([log(ONE.times(number)), *(log(atom(a, e)) for a, e in shared), atom(("f", "log", 0, base))])


def function(name: str, order: int, s: Sum) -> Sum:
    """A function of which nothing is known; exp, log, sin and cos are known."""
    if name == "exp":
        return exp(s)
    if name == "log":
        return power(s, -order).times((-1) ** (order - 1) * factorial(order - 1)) if order else log(s)
    if name in ("sin", "cos"):
        return _wave(order + (name == "cos"), s)
    return atom(("f", name, order, s))


def _wave(order: int, s: Sum) -> Sum:
    """The derivative of some order of the sine; sine and cosine of -s are by those of s."""
    sign = -1 if order % 4 >= 2 else 1
    name = "cos" if order % 2 else "sin"
    if not s.terms:
        return ONE.times(sign) if name == "cos" else ZERO
    if s.terms[min(s.terms, key=term_key)] < 0:
        s, sign = s.times(-1), sign if name == "cos" else -sign
    return atom(("f", name, 0, s)).times(sign)


def largest(s: Sum, i: Index) -> Sum:
    """The largest of the values that s has for all values of an index.

    What does not depend on the index is taken out: terms, and positive factors. That of exp, log and roots is by that
    of their arguments.
    """
    if i == SINGLE or not s.terms:
        return s
    moving = {t: c for t, c in s.terms.items() if any(i in indices_of(a) for a, _ in t[1])}
    if len(moving) < len(s.terms):
        fixed = Sum({t: c for t, c in s.terms.items() if t not in moving})
        return fixed + largest(Sum(moving), i) if moving else fixed
    place = place_in(s, i[3])
    if i != place:  # with other names a sum may become simpler, and its place another one
        return largest(s.renamed({i: place}), place)
    c, shared, rest = _content(s, positive=True, squares=True)
    outside = [(a, e) for a, e in shared if i not in indices_of(a)]
    rest = prod((atom(a, e) for a, e in shared if i in indices_of(a)), start=rest)
    if len(rest.terms) == 1:
        ((own, factors),) = rest.terms
        free_of = [(a, e) for a, e in factors if not own and i not in indices_of(a) and _is_positive(a, e)]
        outside += free_of
        rest = rest * Sum({((), tuple((a, -e) for a, e in free_of)): 1})
    if c != 1 or outside:
        return (Sum({((), (*outside,)): c})) * largest(rest, i)
    return _by_argument(s, i) or atom(("max", s, i[3]))


def _by_argument(s: Sum, i: Index) -> Sum | None:
    """The largest of an increasing function, by that of its argument."""
    if len(s.terms) > 1:
        return None
    (((own, factors), c),) = s.terms.items()
    if own or c != 1:
        return None
    if all(a[0] == "exp" for a, _ in factors):
        return exp(largest(total(a[1].times(e) for a, e in factors), i))
    ((a, e), *others) = factors
    if others:
        return None
    if a[:3] == ("f", "log", 0) and e == 1:
        return log(largest(a[3], i))
    return power(largest(a[1], i), e) if a[0] == "pow" and e > 0 and e.denominator > 1 else None


# --- inverses -----------------------------------------------------------------------------------------------------


def _placed(s: Sum, i: Index, j: Index) -> tuple[Sum, Index, Index]:
    """An entry of a matrix at its places inside; with other names a sum may become simpler, and its places others."""
    one, two = (place_in(s, i[3], n) for n in (1, 2))
    return (s, i, j) if (i, j) == (one, two) else _placed(s.renamed({i: one, j: two}), one, two)


def inverse(s: Sum, i: Index, j: Index, k: Index, l: Index) -> Sum:
    """The entry (k, l) of the inverse of a matrix whose entry (i, j) is s, with i and j in nothing else.

    Raises
    ------
    ZeroDivisionError
        Where it is 0.
    """
    if i == SINGLE:
        return power(s, -1)
    if not s.terms:
        raise ZeroDivisionError("inverse: 0 has none; a size or an entry must keep it from being 0")
    s, i, j = _placed(s, i, j)
    diagonal = ("d", i, j) if i < j else ("d", j, i)
    if all(diagonal in dict(factors) for _, factors in s.terms):
        entries = Sum({(own, tuple((a, e) for a, e in f if a != diagonal)): c for (own, f), c in s.terms.items()})
        return delta(k, l) * power(entries.renamed({i: k, j: k}), -1)
    c = Fraction(s.terms[min(s.terms, key=term_key)])
    s, i, j = _placed(s.times(1 / c), i, j)
    turned = s.renamed({i: j, j: i})
    kind = "sinv" if turned == s else "inv"
    if turned.key < s.key:
        s, (k, l) = turned, (l, k)
    return atom(in_order((kind, s, i[3], k, l))).times(1 / c)


def determinant(s: Sum, i: Index, j: Index) -> Sum:
    """Determinant of a matrix whose entry (i, j) is s, with i and j in nothing else."""
    if i == SINGLE:
        return s
    if not s.terms:
        return ZERO
    s, i, j = _placed(s, i, j)
    return atom(("det", min(s, s.renamed({i: j, j: i}), key=lambda m: m.key), i[3]))
