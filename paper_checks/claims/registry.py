"""Claims by id, in the order of their papers."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from paper_checks.claims.claim import Claim
from paper_checks.claims.expectation import renamed
from paper_checks.claims.selection import selected

__all__ = ["Paper", "Registry"]


@dataclass(frozen=True)
class Paper:
    """A paper: short name used in ids, title, authors.

    Attributes
    ----------
    lost : str
        What the copy that is checked has lost, where that is every formula: forms are then reconstructions.
    trials : callable () -> sequence of Trial, optional
        What its trained networks tell who has to choose, from the stored runs; see
        :mod:`paper_checks.experiments.trials`.
    tables : callable () -> sequence of Table, optional
        Further numbers for who has to choose; see :mod:`paper_checks.experiments.tables`.
    """

    name: str
    title: str
    authors: str
    lost: str = ""
    trials: Callable[[], Sequence[Any]] = tuple
    tables: Callable[[], Sequence[Any]] = tuple


class Registry:
    """Claims in the order of their papers."""

    def __init__(self):
        self.papers: dict[str, Paper] = {}
        self._claims: dict[str, Claim] = {}

    def paper(self, name: str, title: str, authors: str, **fields: Any) -> Paper:
        """Declare a paper before its claims; see :class:`Paper` for the fields."""
        self.papers[name] = Paper(name, title, authors, **fields)
        return self.papers[name]

    def claim(self, id: str, **fields: Any) -> Claim:
        """Declare a claim; see :class:`Claim` for the fields."""
        fields = renamed(id, fields)
        place = _calling_statement()
        # A cell of a notebook is no file: run again it declares anew.
        if id in self._claims and (place or self._claims[id].place):
            raise ValueError(f"claim: id must be new, got {id!r} twice; ids are permanent and unique")
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
            moved = [i for i, c in self._claims.items() if c.paper == paper]
            into._claims |= {i: self._claims.pop(i) for i in moved}

    def __iter__(self) -> Iterator[Claim]:
        return iter(self._claims.values())

    def __len__(self) -> int:
        return len(self._claims)


def _calling_statement() -> tuple[str, int] | None:
    """The module and line of the top-level statement that is being executed.

    None within functions alone, and of what is no file: a cell of a notebook, a session.
    """
    frame = sys._getframe(1)
    while frame is not None:
        if frame.f_code.co_name == "<module>":
            known = Path(frame.f_code.co_filename).is_file()
            return (frame.f_globals["__name__"], frame.f_lineno) if known else None
        frame = frame.f_back
    return None
