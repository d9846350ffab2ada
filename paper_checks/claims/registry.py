"""Claims by id, in the order of their papers."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields as fields_of
from pathlib import Path
from types import FrameType
from typing import Any

from paper_checks.claims.claim import LONGEST, NAME, Claim
from paper_checks.claims.expectation import Form, Kind
from paper_checks.claims.selection import selected
from paper_checks.rules.means import Status


@dataclass(frozen=True)
class Paper:
    """A paper: short name used in ids, title, authors.

    Attributes
    ----------
    year : int, optional
    venue, url : str
        Where the paper was published, and where it can be read.
    lost : str
        What the checked copy has lost, if it has lost every formula: formulas are then reconstructed.
    finding : str
        The most important finding, with the ids of the claims that show it.
    headlines : sequence of str
        Ids of the most important refuted claims; the report begins with them.
    symbols : mapping of str to str
        Meaning of the symbols of its formulas, by their names in code: ``{"eps": "lower end of the range"}``.
    statements : Path, optional
        The list of the paper's statements; see :mod:`paper_checks.claims.statements`.
    trials : callable () -> sequence of Trial, optional
        Results of its trained networks from the stored runs, for recommendations; see
        :mod:`paper_checks.experiments.trials`.
    tables : callable () -> sequence of Table, optional
        Further numbers for recommendations; see :mod:`paper_checks.experiments.tables`.
    """

    name: str
    title: str
    authors: str
    year: int | None = None
    venue: str = ""
    url: str = ""
    lost: str = ""
    finding: str = ""
    headlines: Sequence[str] = ()
    symbols: Mapping[str, str] = field(default_factory=dict)
    statements: Path | None = None
    trials: Callable[[], Sequence[Any]] = tuple
    tables: Callable[[], Sequence[Any]] = tuple


class Registry:
    """Claims in the order of their papers.

    Parameters
    ----------
    forgiving : bool
        Whether a claim whose declaration is wrong is left out, instead of raising a ValueError.

    Attributes
    ----------
    mistakes : dict of str to str
        What is wrong with the claims that were left out, by id, with file and line.
    """

    def __init__(self, *, forgiving: bool = False):
        self.forgiving = forgiving
        self.mistakes: dict[str, str] = {}
        self.papers: dict[str, Paper] = {}
        self._claims: dict[str, Claim] = {}

    def paper(self, name: str, title: str, authors: str, **fields: Any) -> Paper:
        """Declare a paper before its claims; see :class:`Paper` for the fields."""
        for what, text in (("name", name), ("title", title), ("authors", authors)):
            if not isinstance(text, str):
                raise ValueError(f"paper: {what} must be a text, got {text!r}; write paper('mine', 'My paper', 'Me')")
        if not NAME.fullmatch(name) or len(name) > LONGEST // 2:
            what = f"use at most {LONGEST // 2} small letters and digits, as in paper('mine', 'My paper', 'Me')"
            raise ValueError(f"paper: name must begin the ids of its claims, got {name[:80]!r}; {what}")
        self.papers[name] = Paper(name, title, authors, **fields)
        return self.papers[name]

    def claim(self, id: str, **fields: Any) -> Claim:
        """Declare a claim; see :class:`Claim` for the fields."""
        # The top-level statement that is being executed. A notebook or an interactive session has no file.
        frame = _top_level()
        path = frame.f_code.co_filename if frame else ""
        place = (frame.f_globals["__name__"], frame.f_lineno) if frame and Path(path).is_file() else None
        try:
            return self._declared(id, place, fields)
        except (TypeError, ValueError) as error:
            if not self.forgiving:
                raise
            where = f"{path}, line {frame.f_lineno}" if frame else "in this session"
            self.mistakes[str(id)] = f"{where}: {error}; the claim is left out"
            return None  # type: ignore[return-value]  # Nobody reads it.

    def _declared(self, id: str, place: tuple[str, int] | None, fields: Mapping[str, Any]) -> Claim:
        # A cell of a notebook is not a file: it may declare a claim again.
        if id in self._claims and (place or self._claims[id].place):
            raise ValueError(f"claim: id must be new, got {id!r} twice; ids are permanent and unique")
        known = self.papers.get(str(id).split("/")[0])
        if known and known.lost and fields.get("kind") in (None, Kind.PUBLISHED):
            fields = {"form": Form.RECONSTRUCTED, **fields}
        _refuse_unknown(id, fields)
        made = Claim(id, **{"place": place, **fields})
        if made.paper not in self.papers:
            raise ValueError(f"claim {id}: its paper must be declared first, got {made.paper!r}; call paper(...)")
        self._claims[id] = made
        return made

    def select(self, patterns: Iterable[str] = ()) -> list[Claim]:
        """Claims whose id matches a pattern: a paper's name, an id, or a shell pattern; all without patterns.

        Raises
        ------
        NoSuchClaim
            When a pattern matches nothing.
        """
        return [self._claims[i] for i in selected(self._claims, patterns)]

    def only(self, papers: Iterable[str]) -> Registry:
        """A registry with the claims of some papers, in the order given."""
        chosen = Registry()
        for name in papers:
            chosen.papers[name] = self.papers[name]
            chosen._claims |= {i: c for i, c in self._claims.items() if c.paper == name}
        return chosen

    def move(self, paper: str, into: Registry) -> None:
        """Hand a paper with its claims over to another registry, if it is here."""
        if paper in self.papers:
            into.papers[paper] = self.papers.pop(paper)
            into.mistakes |= {i: self.mistakes.pop(i) for i in list(self.mistakes) if i.split("/")[0] == paper}
            moved = [i for i, c in self._claims.items() if c.paper == paper]
            into._claims |= {i: self._claims.pop(i) for i in moved}

    def correct(self, claim: Claim) -> list[Claim]:
        """The claims that state what is correct where one is refuted."""
        return [self._claims[id] for id in claim.correct]

    def check(self) -> None:
        """Check references between claims.

        Raises
        ------
        ValueError
            If ``correct=`` of a claim names no claim, or one that is not expected to be confirmed, or if a headline of
            a paper is not a claim.
        """
        for paper in self.papers.values():
            for id in paper.headlines:
                if id not in self._claims:
                    raise ValueError(f"paper {paper.name}: headlines= must be ids of claims, got {id!r}")
        for claim in self:
            for id in claim.correct:
                if id in self.mistakes:
                    continue
                if id not in self._claims:
                    raise ValueError(
                        f"claim {claim.id}: correct= must be ids of claims, got {id!r}; declare that claim"
                    )
                status = self._claims[id].expected_status
                if status is not Status.CONFIRMED:
                    what = f"got {id!r}, which is expected {status}"
                    raise ValueError(f"claim {claim.id}: correct= must be confirmed, {what}; name another claim")

    def __iter__(self) -> Iterator[Claim]:
        return iter(self._claims.values())

    def __len__(self) -> int:
        return len(self._claims)


def _refuse_unknown(id: str, given: Mapping[str, Any]) -> None:
    """Raise a ValueError for an unknown field, with the nearest known one, or for one that every claim has."""
    known = [f.name for f in fields_of(Claim) if f.name not in ("id", "place")]
    for name in given:
        if name not in (*known, "place"):
            near = difflib.get_close_matches(name, known, 1)
            hint = f"write {near[0]}=" if near else f"fields are {', '.join(known)}"
            raise ValueError(f"claim {id}: {name}= is not a field of a claim; {hint}")
    for name, example in {"at": "eq. (1)", "says": "the mean of U^2 is 1/3"}.items():
        if name not in given:
            raise ValueError(f"claim {id}: {name}= is missing; write {name}={example!r}")


def _top_level() -> FrameType | None:
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code.co_name != "<module>":
        frame = frame.f_back
    return frame
