"""Which statements of a paper's source have claims, and which claims name none: by ids from labels, and by places."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from paper_checks.latex.statements import Numbered, Source

_SHORT = {"equation": "eq", "table": "table"}
_ITEM = r"(?:\(\s*([^()\s]{1,20})\s*\)|((?:[A-Z]\.?)?\d+(?:\.\d+)*[a-z]?)(?![\w(]))"
_ALSO = {
    "theorem": "thm", "lemma": "lem", "proposition": "prop", "corollary": "cor", "definition": "def", "table": "tab",
}  # fmt: skip
_NEXT = re.compile(rf"(?:\s*(,\s*and|,|and|or|&|–|—|-|to)\s*)?{_ITEM}")
MOST_IN_A_RANGE = 1000


def ids(paper: str, statements: Sequence[Numbered]) -> list[str]:
    """The id of each statement: from its label, or from its number where it has none.

    Examples
    --------
    >>> loss = Numbered("equation", "eq.", "3", "eq:loss", "L = 1", "", "a.tex", 7)
    >>> lemma = Numbered("theorem", "Lemma", "2.1", "", "so it is", "", "a.tex", 9)
    >>> ids("mine", [loss, lemma])
    ['mine/eq-loss', 'mine/lemma-2-1']
    """
    taken = Counter[str]()
    made = []
    for statement in statements:
        given = statement.label or f"{_SHORT.get(statement.kind, statement.name.lower())}-{statement.number}"
        end = re.sub(r"[^A-Za-z0-9_]+", "-", given).strip("-") or statement.kind
        made.append(f"{paper}/{end}-again{taken[end]}" if taken[end] else f"{paper}/{end}")
        taken[end] += 1
    return made


def places(text: str, names: Sequence[str]) -> set[str]:
    """The numbered statements that a place in words names.

    Parameters
    ----------
    text : str
        The place of a claim, such as ``section 3, eqs. (4) and (5)``.
    names : sequence of str
        What theorems are called: ``Lemma``, ``Theorem``.

    Examples
    --------
    >>> sorted(places("Lemma 2.1, eqs. (4)-(6) and Table 3, row SGD", ["Lemma"]))
    ['Lemma 2.1', 'Table 3', 'eq. (4)', 'eq. (5)', 'eq. (6)']
    >>> sorted(places("appendix A, Thm. A.1 and equations 3a and (B.2)", ["Theorem"]))
    ['Theorem A.1', 'eq. (3a)', 'eq. (B.2)']
    """
    found = set()
    for name in ["eq.", "Table", *names]:
        word = r"(?:eqs?\.|eqns?\.|equations?|eqs?)" if name == "eq." else rf"{re.escape(name)}s?"
        if name.lower() in _ALSO:
            word = rf"(?:{word}|{_ALSO[name.lower()]}s?\.)"
        for begin in re.finditer(rf"(?<![A-Za-z]){word}\s*(?={_ITEM})", text, re.IGNORECASE):
            numbers = _listed(text[begin.end() :])
            found |= {f"eq. ({n})" if name == "eq." else f"{name} {n}" for n in numbers}
    return found


def _listed(text: str) -> list[str]:
    """The numbers with which a text begins."""
    numbers: list[str] = []
    while (item := _NEXT.match(text)) and (item[1] or not numbers):
        joint, number = item[1], item[2] or item[3]
        if numbers and joint in ("–", "—", "-", "to"):
            numbers += _between(numbers[-1], number)
        numbers.append(number)
        text = text[item.end() :]
    return numbers


def _between(first: str, last: str) -> list[str]:
    """The numbers inside of a range, whose last part counts."""
    one, other = (re.fullmatch(r"(.*?)(\d+)", n) for n in (first, last))
    if one is None or other is None or one[1] != other[1] or int(other[2]) - int(one[2]) > MOST_IN_A_RANGE:
        return []
    return [f"{one[1]}{n}" for n in range(int(one[2]) + 1, int(other[2]))]


@dataclass(frozen=True)
class Named:
    """What is compared of a claim: its id, its place in words, and whether its check is still to be written."""

    id: str
    at: str
    written: bool


@dataclass
class Matched:
    """A statement with its claims.

    Attributes
    ----------
    statement : Numbered
    id : str
        What the claim on it is called that ``paper-checks new`` writes.
    claims : list of Named
    """

    statement: Numbered
    id: str
    claims: list[Named] = field(default_factory=list)

    @property
    def state(self) -> str:
        """``checked``, ``to be written`` or ``no claim``."""
        if not self.claims:
            return "no claim"
        return "checked" if any(c.written for c in self.claims) else "to be written"


@dataclass(frozen=True)
class Comparison:
    """A paper's source beside claims.

    Attributes
    ----------
    matched : list of Matched
        In the paper's order.
    moved : list of (Named, str)
        Claims whose id belongs to a statement that now has another place, and that place.
    nowhere : list of Named
        Claims that name a numbered place which the source has not.
    elsewhere : list of Named
        Claims on what has no number.
    """

    matched: list[Matched]
    moved: list[tuple[Named, str]]
    nowhere: list[Named]
    elsewhere: list[Named]

    @property
    def complete(self) -> bool:
        """Whether each statement has a claim that is written, and each claim its statement."""
        return not (self.moved or self.nowhere) and all(m.state == "checked" for m in self.matched)


def compared(source: Source, paper: str, claims: Iterable[Named]) -> Comparison:
    """Match claims with the numbered statements of a source, by their ids and by their places.

    Examples
    --------
    >>> loss = Numbered("equation", "eq.", "1", "eq:loss", "L = 1", "", "a.tex", 7)
    >>> found = compared(Source(displays=[loss]), "mine", [Named("mine/eq9", "eq. (9)", True)])
    >>> [m.state for m in found.matched], [c.id for c in found.nowhere]
    (['no claim'], ['mine/eq9'])
    """
    numbered = source.numbered
    matched = [Matched(s, name) for s, name in zip(numbered, ids(paper, numbered), strict=True)]
    by_id = {m.id: m for m in matched}
    by_place = {m.statement.place: m for m in matched}
    kinds = sorted({s.name for s in numbered if s.kind == "theorem"} | {"Theorem", "Lemma", "Proposition", "Corollary"})
    moved, nowhere, elsewhere = [], [], []
    for claim in claims:
        said = _parts(places(claim.at, kinds), by_place)
        # The statement that its id was made for; what stands behind a dot tells variants apart.
        made_for = claim.id
        while made_for not in by_id and "." in made_for:
            made_for = made_for.rpartition(".")[0]
        own = by_id.get(made_for)
        if own is not None and said and own.statement.place not in said:
            moved.append((claim, own.statement.place))
            said = set()
        found = [by_place[place] for place in said if place in by_place]
        for match in {id(m): m for m in [*([own] if own else []), *found]}.values():
            match.claims.append(claim)
        if own is None and not found:
            (nowhere if said else elsewhere).append(claim)
    return Comparison(matched, moved, nowhere, elsewhere)


def _parts(said: set[str], known: Collection[str]) -> set[str]:
    """The places, and for one that has only parts these: eq. (4) for eqs. (4a) and (4b)."""
    made = set()
    for place in said:
        parts = [p for p in known if re.fullmatch(re.escape(place.rstrip(")")) + r"[a-z]\)?", p)]
        made |= {place} if place in known or not parts else set(parts)
    return made
