"""What a claim uses and what uses it: claims by their ids, formulas by their public names, figures by their labels."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from paper_checks.claims.claim import Claim
from paper_checks.report.overview import Picture
from theory import Formula

ID = re.compile(r"\b[a-z0-9]+/[A-Za-z0-9.\-_]*[A-Za-z0-9]")
LABEL = re.compile(r"\b(figure|table)s? (\d+)(?:(?:,| and| to) (\d+))?", re.IGNORECASE)
FORMS = ("printed", "corrected", "exact")


@dataclass(frozen=True)
class Graph:
    """Claims, formulas and figures, and which belong together.

    Attributes
    ----------
    mentions, mentioned : mapping of id to set of ids
        Which claims the words of a claim name, and which name it.
    users : mapping of name to list of ids
        Claims by the public name of a formula.
    pictures : mapping of id to list of names
        Figures that show what a claim is about.
    """

    mentions: Mapping[str, list[str]]
    mentioned: Mapping[str, list[str]] = field(default_factory=dict)
    users: Mapping[str, list[str]] = field(default_factory=dict)
    pictures: Mapping[str, list[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, claims: Iterable[Claim], pictures: Mapping[str, Picture]) -> Graph:
        """The graph of some claims, with figures by their names."""
        claims = list(claims)
        known = {claim.id for claim in claims}
        mentions = {c.id: [i for i in dict.fromkeys(ID.findall(_words(c))) if i in known - {c.id}] for c in claims}
        mentioned, users = defaultdict(list), defaultdict(list)
        for claim in claims:
            for other in mentions[claim.id]:
                mentioned[other].append(claim.id)
            for name in formulas_of(claim):
                users[name].append(claim.id)
        labels = {name: _labels(picture.caption) for name, picture in pictures.items()}
        shown = {c.id: _showing(c, pictures, labels) for c in claims}
        return cls(mentions, dict(mentioned), dict(users), shown)


def formulas_of(claim: Claim) -> dict[str, Formula]:
    """The formulas of a claim that have a public name."""
    forms = [form for name in FORMS if (form := getattr(claim, name)) is not None]
    return {form.name: form for form in forms if form.name and not form.name.startswith("paper_checks")}


def _words(claim: Claim) -> str:
    return " ".join((claim.says, claim.note, claim.assumptions, claim.unchecked))


def _labels(text: str) -> set[tuple[str, int]]:
    """Figures and tables that a text names.

    Examples
    --------
    >>> sorted(_labels("Figures 1 and 6 of the paper; table 3"))
    [('figure', 1), ('figure', 6), ('table', 3)]
    """
    return {(kind.lower(), int(n)) for kind, *numbers in LABEL.findall(" ".join(text.split())) for n in numbers if n}


def _showing(claim: Claim, pictures: Mapping[str, Picture], labels: Mapping[str, set[tuple[str, int]]]) -> list[str]:
    """The figures that name a claim, that it names, or that show the figure or table where it is."""
    words, place = set(_words(claim).split()), _labels(claim.at)
    return [
        name
        for name, picture in pictures.items()
        if claim.id in picture.caption + picture.details
        or name in words
        or (picture.paper == claim.paper and labels[name] & place)
    ]
