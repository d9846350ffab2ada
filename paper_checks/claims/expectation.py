"""Whose sentence a claim is, and what is expected of it."""

from __future__ import annotations

import enum
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from paper_checks.rules.means import Status

__all__ = ["FAULTS", "OPEN", "WRONG", "Expects", "Kind", "renamed", "unchecked", "wrong"]

FAULTS = ("algebra", "assumption", "general", "misprint")


class Kind(enum.StrEnum):
    """Whose sentence a claim is."""

    PUBLISHED = "published"
    """The paper's own sentence or formula."""
    ADDITIONAL = "additional"
    """A result of ours that the paper does not state."""
    ALTERNATIVE = "alternative"
    """An interpretation of ours: what a reader might take the paper to say."""


@dataclass(frozen=True)
class Expects:
    """What is expected of a claim.

    Attributes
    ----------
    status : Status
    fault : {"", "algebra", "assumption", "general", "misprint"}
        What is wrong with a sentence of the paper: it does not follow; an assumption is not enough; it holds in fewer
        cases than it says; it is not what the paper means.
    copy : bool
        Whether the error may come from the conversion of our copy.
    why : str
        Why there is no check, where there is none.

    Raises
    ------
    ValueError
        When the status is none, a fault is unknown, or one is named of what is not refuted.
    """

    status: Status
    fault: str = ""
    copy: bool = False
    why: str = ""

    def __post_init__(self):
        if not isinstance(self.status, Status):
            raise ValueError(f"Expects: status must be a Status, got {self.status!r}; write Status.REFUTED or another")
        if self.fault and self.fault not in FAULTS:
            raise ValueError(f"Expects: fault must be one of {', '.join(FAULTS)}, got {self.fault!r}; choose one")
        if (self.fault or self.copy) and self.status is not Status.REFUTED:
            raise ValueError(f"Expects: a fault is one of what is REFUTED, got {self.status}; leave one of them out")


def wrong(fault: str = "", *, copy: bool = False) -> Expects:
    """A claim that is expected to be refuted.

    Examples
    --------
    >>> wrong("misprint").fault, wrong(copy=True).status
    ('misprint', <Status.REFUTED: 'REFUTED'>)
    """
    return Expects(Status.REFUTED, fault, copy)


def unchecked(why: str) -> Expects:
    """A sentence without a check, and why it has none.

    Examples
    --------
    >>> unchecked("no numbers are given").status
    <Status.INCONCLUSIVE: 'INCONCLUSIVE'>
    """
    if not isinstance(why, str) or not why:
        raise ValueError(f"unchecked: why must be a text, got {why!r}; say why there is no check")
    return Expects(Status.INCONCLUSIVE, why=why)


WRONG = wrong()
"""Expected to be refuted."""

OPEN = Expects(Status.INCONCLUSIVE)
"""Checked, and expected to stay open."""


def renamed(id: str, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Fields of a claim with the names of this version; those of the last one are deprecated.

    Examples
    --------
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     renamed("mine/x", {"says": "so", "unchecked": "no data"})["expects"].why
    'no data'
    """
    old = {name: fields[name] for name in _OLD if name in fields}
    if not old:
        return dict(fields)
    new = {name: value for name, value in fields.items() if name not in old}
    if old.get("reading") or old.get("beyond"):
        new["kind"] = Kind.ALTERNATIVE if old.get("reading") else Kind.ADDITIONAL
    if old.get("unchecked"):
        new["expects"] = unchecked(old["unchecked"])
    elif old.get("refuted") or old.get("fault") or old.get("copy"):
        new["expects"] = wrong(old.get("fault", ""), copy=bool(old.get("copy")))
    elif old.get("expected") is not None:
        new["expects"] = Expects(old["expected"])
    says = ", ".join(f"{name}=" for name in old)
    what = f"claim {id}: {says} will go in the next version; write kind=Kind... and expects=wrong(), OPEN, unchecked()"
    warnings.warn(what, DeprecationWarning, stacklevel=4)
    return new


_OLD = ("beyond", "reading", "unchecked", "copy", "fault", "refuted", "expected")
