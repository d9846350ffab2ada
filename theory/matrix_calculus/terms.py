"""Terms of indexed sums: indices, factors, and names for what is summed over that depend on a term's shape alone.

Factors (atoms) are entries (``x``, positive ones ``p``, of symmetric matrices ``s``, of orthogonal ones ``o``),
Kronecker deltas ``d``, sizes, numbers under roots, and functions of sums: ``exp`` of a single term, powers ``pow`` of
sums, other functions ``f`` with the order of their derivative, the largest of a row. Entries of inverses ``inv``, of
symmetric ones ``sinv``, and determinants ``det`` have the entry of the matrix at two places.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import chain, count, groupby, permutations, product
from typing import Any

# An index is (kind, name or height, number, size); kinds: free, summed over, and for a moment only.
Index = tuple[int, Any, int, Any]
Atom = tuple[Any, ...]
Rational = int | Fraction
Factors = dict[Atom, Rational]
Term = tuple[tuple[Index, ...], tuple[tuple[Atom, Rational], ...]]

FREE, BOUND, FRESH = range(3)
ENTRY = {"free": "x", "positive": "p", "symmetric": "s", "orthogonal": "o"}
ENTRIES, SYMMETRIC = frozenset(ENTRY.values()), frozenset(("d", "s", "sinv"))
SINGLE: Index = (FREE, "", 0, 1)
_numbers = count()


def free(name: str, size: Any) -> Index:
    """An index that is not summed over; of a single row or column there is only one."""
    return SINGLE if size == 1 else (FREE, name, 0, size)


def bound(size: Any) -> Index:
    """A new index to sum over."""
    return SINGLE if size == 1 else (FRESH, 0, next(_numbers), size)


def rational(value: Any) -> Rational:
    """The same number, an int where it is whole: sums of ints are found faster."""
    return value.numerator if value.denominator == 1 else value


class Terms:
    """Terms with their numbers; see :class:`theory.matrix_calculus.indexed.Sum`."""

    __slots__ = ("__dict__", "terms")

    def __init__(self, terms: Mapping[Term, Rational]):
        self.terms = {term: c for term, c in terms.items() if c}

    @cached_property
    def key(self) -> str:
        return "+".join(sorted(f"{c}{term_key(term)}" for term, c in self.terms.items()))

    @cached_property
    def height(self) -> int:
        """One more than that of all sums inside."""
        return 1 + max((_height(a) for _, factors in self.terms for a, _ in factors), default=0)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Terms) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.key})"

    def fresh(self) -> Iterator[tuple[tuple[Index, ...], tuple[tuple[Atom, Rational], ...], Rational]]:
        """Its terms: indices that are summed over, which nothing else has, factors, and number."""
        for term, c in self.terms.items():
            yield *refreshed(term), c


def term_key(term: Term) -> str:
    return "".join(f"[{i[3]}]" for i in term[0]) + "*".join(f"{atom_key(a)}^{e}" for a, e in term[1])


@lru_cache(100_000)
def atom_key(a: Atom) -> str:
    return "(" + ",".join(p.key if isinstance(p, Terms) else str(p) for p in a) + ")"


@lru_cache(100_000)
def _height(a: Atom) -> int:
    return max((p.height for p in a if isinstance(p, Terms)), default=0)


def place_in(s: Terms, size: Any, number: int = 1) -> Index:
    """A place in a sum, as that of its largest value: an index of its own, as no sum inside has this height."""
    return BOUND, s.height, -number, size


def own_places(a: Atom) -> frozenset[Index]:
    """The places that a factor has inside."""
    if a[0] == "max":
        return frozenset((place_in(a[1], a[2]),))
    return frozenset(place_in(a[1], a[2], n) for n in (1, 2)) if a[0] in ("inv", "sinv", "det") else frozenset()


@lru_cache(100_000)
def indices_of(a: Atom) -> frozenset[Index]:
    """The indices of an atom but for those that its own sums, or its places inside, run over."""
    found: set[Index] = set()
    for part in a[1:]:
        if isinstance(part, Terms):
            for own, factors in part.terms:
                found |= {i for inner, _ in factors for i in indices_of(inner)} - set(own)
        elif isinstance(part, tuple):
            found.add(part)
    return frozenset(found - own_places(a))


def refreshed(term: Term) -> Term:
    """The same term, summed over indices that nothing else has."""
    own, factors = term
    if not own:
        return term
    names = {i: bound(i[3]) for i in own}
    return tuple(names.values()), tuple((with_names(a, names), e) for a, e in factors)


def with_names(a: Atom, names: Mapping[Index, Index]) -> Atom:
    """An atom with other indices, all different."""
    if not indices_of(a) & names.keys():
        return a
    parts = tuple(
        _sum_with_names(p, names) if isinstance(p, Terms) else names.get(p, p) if isinstance(p, tuple) else p
        for p in a[1:]
    )
    return in_order((a[0], *parts))


def in_order(a: Atom) -> Atom:
    """With the two indices in order where the factor is symmetric in them."""
    return (*a[:-2], *sorted(a[-2:])) if a[0] in SYMMETRIC else a


def _sum_with_names(s: Terms, names: Mapping[Index, Index]) -> Terms:
    return type(s)({
        ordered([*own], {with_names(a, names): e for a, e in factors}): c for (own, factors), c in s.terms.items()
    })  # fmt: skip


def ordered(own: Sequence[Index], factors: Factors) -> Term:
    """The term with names for what is summed over that depend on its shape alone: the first of all orders."""
    if not own:
        return (), _sorted(factors)
    height = 1 + max((_height(a) for a in factors), default=0)
    alike = [[*group] for _, group in groupby(sorted(own, key=_size_name), key=_size_name)]
    if len(own) == len(alike):
        return _named([*chain.from_iterable(alike)], height, factors)
    orders = ([*chain.from_iterable(order)] for order in product(*map(permutations, alike)))
    inside = [(a, e, [i for i in own if i in indices_of(a)], {}) for a, e in factors.items()]
    places = range(len(own))

    def key(order: list[Index]) -> list[str]:
        """What :func:`term_key` joins; a factor has one text for each place of its own indices."""
        place, texts = dict(zip(order, places, strict=True)), []
        for a, e, indices, known in inside:
            at = (*map(place.__getitem__, indices),)
            if at not in known:
                known[at] = f"{atom_key(with_names(a, _names(order, height)))}^{e}"
            texts.append(known[at])
        return sorted(texts)

    return _named(min(orders, key=key), height, factors)


def _names(own: list[Index], height: int) -> dict[Index, Index]:
    return {i: (BOUND, height, n, i[3]) for n, i in enumerate(own)}


def _named(own: list[Index], height: int, factors: Factors) -> Term:
    names = _names(own, height)
    return tuple(names.values()), _sorted({with_names(a, names): e for a, e in factors.items()})


def _size_name(i: Index) -> str:
    return str(i[3])


def _sorted(factors: Factors) -> tuple[tuple[Atom, Rational], ...]:
    if len(factors) < 2:
        return tuple(factors.items())
    return tuple(sorted(factors.items(), key=lambda item: atom_key(item[0])))
