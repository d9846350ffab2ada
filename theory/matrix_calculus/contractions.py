"""Sums in a term that are known: ``Q^T Q = I`` for an orthogonal matrix, ``inv(E) E = I`` for an inverse.

Of a matrix E that is a sum, one term is taken for all: ``inv(E) leading = I - inv(E) others``. The leading term has the
most factors, so that this ends.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from theory.matrix_calculus.terms import (
    SYMMETRIC,
    Atom,
    Factors,
    Index,
    Rational,
    Term,
    Terms,
    indices_of,
    place_in,
    term_key,
    with_names,
)

CONTRACTED = frozenset(("o", "inv", "sinv"))
POSITIVE = frozenset(("exp", "size", "num", "p"))


@dataclass(frozen=True)
class Contraction:
    """The rest of a term when a sum in it is known: what is summed over still, factors, and the place of the identity.

    Where the term had an entry of an inverse: that entry, the term of its matrix that was found beside it, and whether
    the sum was over the first index of the inverse.
    """

    own: list[Index]
    factors: Factors
    delta: tuple[Index, Index]
    inverse: Atom | None = None
    leading: Term | None = None
    first: bool = False


def contraction(own: Sequence[Index], factors: Factors) -> Contraction | None:
    """The first sum in a term that is known."""
    found = (
        _orthogonal(a, e, own, factors) if a[0] == "o" else _inverted(a, own, factors)
        for a, e in factors.items()
        if a[0] == "o" or (a[0] in CONTRACTED and e == 1)
    )
    return next(filter(None, found), None)


def _orthogonal(a: Atom, e: Rational, own: Sequence[Index], factors: Factors) -> Contraction | None:
    for place in (2, 3):
        k = a[place]
        if k not in own:
            continue
        using = [b for b in factors if k in indices_of(b)]
        rest = {b: x for b, x in factors.items() if b not in using}
        left = [i for i in own if i != k]
        if using == [a] and e == 2:
            return Contraction(left, rest, (a[5 - place], a[5 - place])) if a[5 - place] != k else None
        if len(using) == 2 and all(b[:2] == a[:2] and factors[b] == 1 and b[place] == k for b in using):
            one, two = (b[5 - place] for b in using)
            return Contraction(left, rest, (one, two)) if k not in (one, two) else None
    return None


def _inverted(a: Atom, own: Sequence[Index], factors: Factors) -> Contraction | None:
    _, inner, n, *indices = a
    # The term with the most factors that have indices.
    leading = max(inner.terms, key=lambda t: (sum(abs(e) for a, e in t[1] if indices_of(a)), term_key(t)))
    rest = {b: x for b, x in factors.items() if b != a}
    for first in (False, True):
        k, other = indices if first else indices[::-1]
        if k not in own or k == other:
            continue
        # inv_ik E_kt = d_it and E_tk inv_kj = d_tj; of a symmetric matrix the first alone, in both ways.
        near, far = (place_in(inner, n, 2), place_in(inner, n)) if first and a[0] == "inv" else (
            place_in(inner, n), place_in(inner, n, 2))  # fmt: skip
        for names, left in _matches([*leading[1]], rest, {near: k}, {far, *leading[0]}):
            used = {k, *(names[i] for i in leading[0])}
            free = far in names and names[far] not in used and used <= {*own} and len(used) == 1 + len(leading[0])
            if free and not any(used & indices_of(b) for b, x in left.items() if x):
                remaining = [i for i in own if i not in used]
                return Contraction(remaining, left, (other, names[far]), a, leading, first)
    return None


def _matches(
    pattern: list[tuple[Atom, Rational]], factors: Factors, names: dict[Index, Index], unknown: set[Index]
) -> Iterator[tuple[dict[Index, Index], Factors]]:
    """All ways in which a term has the factors of a pattern: names for its indices, and the other factors."""
    if not pattern:
        yield names, factors
        return
    # Those with a known index first, so that few ways are tried.
    (a, e), *later = sorted(pattern, key=lambda item: (not indices_of(item[0]) & names.keys(), str(item[0][0])))
    if not indices_of(a) & (names.keys() | unknown):
        left = factors.get(a, 0) - e
        if a[0] in POSITIVE or (e > 0 and left >= 0):
            yield from _matches(later, {**factors, a: left}, names, unknown)
        return
    for b, x in factors.items():
        if x == e and b[0] == a[0]:
            for found in _unified(a, b, names, unknown):
                yield from _matches(later, {k: v for k, v in factors.items() if k != b}, found, unknown)


def _unified(a: Atom, b: Atom, names: dict[Index, Index], unknown: set[Index]) -> Iterator[dict[Index, Index]]:
    orders = [b, (*b[:-2], b[-1], b[-2])] if b[0] in SYMMETRIC else [b]
    for other in orders:
        found: dict[Index, Index] | None = dict(names)
        for part, given in zip(a[1:], other[1:], strict=True):
            found = _with_part(part, given, found, unknown)
            if found is None:
                break
        if found is not None and with_names(a, found) == b:
            yield found


def _with_part(part: Any, given: Any, names: dict[Index, Index], unknown: set[Index]) -> dict[Index, Index] | None:
    if isinstance(part, tuple):
        if part in unknown and part not in names:
            return {**names, part: given} if part[3] == given[3] else None
        return names if names.get(part, part) == given else None
    return names if isinstance(part, Terms) or part == given else None
