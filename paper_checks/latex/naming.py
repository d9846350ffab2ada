"""Ids of claims from labels, and the statements that a claim's place names."""

import re
from collections.abc import Sequence

from paper_checks.latex.statements import Numbered

_SHORT = {"equation": "eq", "table": "table"}
_ITEM = r"(?:\(\s*([^()\s]{1,20})\s*\)|((?:[A-Z]\.?)?\d+(?:\.\d+)*[a-z]?)(?![\w(]))"
_ALSO = {
    "theorem": "thm", "lemma": "lem", "proposition": "prop", "corollary": "cor", "definition": "def", "table": "tab",
}  # fmt: skip
_AND = re.compile(r"\s*(,\s*and|,|and|or|&|–|—|-|to)\s*")
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
    taken: dict[str, int] = {}
    made = []
    for statement in statements:
        given = statement.label or f"{_SHORT.get(statement.kind, statement.name.lower())}-{statement.number}"
        end = re.sub(r"[^A-Za-z0-9_]+", "-", given).strip("-") or statement.kind
        taken[end] = taken.get(end, 0) + 1
        made.append(f"{paper}/{end}" if taken[end] == 1 else f"{paper}/{end}-again{taken[end] - 1}")
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
    numbers: list[str] = []
    joint = ""
    while (item := re.match(_ITEM, text)) is not None:
        number = item[1] or item[2]
        if joint in ("–", "—", "-", "to") and numbers:
            numbers += _between(numbers[-1], number)
        numbers.append(number)
        text = text[item.end() :]
        link = _AND.match(text)
        if link is None:
            break
        joint, text = link[1], text[link.end() :]
    return numbers


def _between(first: str, last: str) -> list[str]:
    """The numbers inside of a range, whose last part counts."""
    one, other = (re.fullmatch(r"(.*?)(\d+)", n) for n in (first, last))
    if one is None or other is None or one[1] != other[1] or int(other[2]) - int(one[2]) > MOST_IN_A_RANGE:
        return []
    return [f"{one[1]}{n}" for n in range(int(one[2]) + 1, int(other[2]))]
