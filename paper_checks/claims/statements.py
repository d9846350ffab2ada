"""The list of a paper's statements: place, first words, kind, and the claims that check each.

The file has one statement per line, in the paper's order, in four fields or five::

    2.1, eq. (2) | The weight matrix is tanh(M) sigma(W) | definition | nau/eq2, nau/eq3
    2.1, par. 3 | A nice property is that ... | opinion | none | "nice" has no measure

The last field says why there is no claim. Lines that begin with ``#`` are headings of sections.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from paper_checks.claims.claim import Claim
from paper_checks.claims.expectation import Kind

KINDS = ("definition", "theorem", "formula", "empirical", "attribution", "opinion", "cross-reference")
NONE = "none"


class StatementsError(ValueError):
    """The list of a paper's statements cannot be read; the message says where and why."""


@dataclass(frozen=True)
class Statement:
    """A statement of a paper.

    Attributes
    ----------
    section : str
        Heading in the list.
    place : str
        Place in the paper.
    words : str
        Its first words, or its formula in words.
    kind : str
        One of :data:`KINDS`.
    claims : tuple of str
        Ids of the claims that check it.
    why : str
        Reason why there is no claim; empty where there is one.
    """

    section: str
    place: str
    words: str
    kind: str
    claims: tuple[str, ...]
    why: str = ""


def statements(path: Path) -> list[Statement]:
    """The statements in a file.

    Raises
    ------
    StatementsError
        If the file cannot be read or a line is not a statement.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise StatementsError(f"{path}: {error}; give the list of the paper's statements as UTF-8 text") from error
    found, section = [], ""
    for number, line in enumerate(lines, 1):
        if line.startswith("#"):
            section = line.strip("# ")
        elif line.strip():
            try:
                found.append(_statement(section, line))
            except ValueError as error:
                raise StatementsError(f"{path}, line {number}: {error}") from error
    return found


def _statement(section: str, line: str) -> Statement:
    fields = [field.strip() for field in line.split(" | ")]
    if len(fields) not in (4, 5) or not all(fields):
        raise ValueError(
            f"a statement has 4 or 5 fields, got {len(fields)}; write 'place | words | kind | claims | why'"
        )
    place, words, kind, ids, *why = fields
    if kind not in KINDS:
        raise ValueError(f"kind must be one of {', '.join(KINDS)}, got {kind!r}")
    claims = () if ids == NONE else tuple(id.strip() for id in ids.split(","))
    if bool(claims) == bool(why):
        raise ValueError("a statement has claims, or 'none' and the reason; write one of the two")
    return Statement(section, place, words, kind, claims, *why)


def gaps(listed: Iterable[Statement], claims: Iterable[Claim]) -> list[str]:
    """Gaps of a list: ids that no claim of the paper has, and claims on the paper's words that no line names.

    A claim is on the paper's words if it is about a statement of the paper or quotes one. A line names it among its
    claims, or in the reason why there is none.
    """
    listed, claims = list(listed), list(claims)
    named = dict.fromkeys(id for statement in listed for id in statement.claims)
    known = {c.id for c in claims}
    unknown = [f"{id} is not a claim" for id in named if id not in known]
    on_words = [c.id for c in claims if c.kind is Kind.PUBLISHED or c.quote]
    reasons = {word.strip(".,:;()") for statement in listed for word in statement.why.split()}
    return unknown + [f"{id} is in no line" for id in on_words if id not in named and id not in reasons]
