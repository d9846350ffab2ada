"""Kinds of claims, origins of formulas, and expected verdicts."""

import enum
from dataclasses import dataclass

from paper_checks.rules.means import Status

FAULTS = ("algebra", "assumption", "general", "points", "misprint")


class Kind(enum.StrEnum):
    """Origin of the statement of a claim."""

    PUBLISHED = "published"
    """The paper's own statement or formula."""
    ADDITIONAL = "additional"
    """A result of ours that the paper does not state."""
    ALTERNATIVE = "alternative"
    """An interpretation of ours: what a reader might take the paper to say."""


class Form(enum.StrEnum):
    """Origin of the formulas of a claim."""

    PUBLISHED = "published"
    """They are in our copy of the paper."""
    RECONSTRUCTED = "reconstructed"
    """Our copy has lost them; we reconstructed them from the surrounding text."""
    OURS = "ours"
    """The paper has none: we wrote its words, or our own result, as a formula."""


@dataclass(frozen=True)
class Expects:
    """Expected verdict of a claim.

    Attributes
    ----------
    status : Status
    fault : {"", "algebra", "assumption", "general", "points", "misprint"}
        Kind of error in a statement of the paper: it does not follow; an assumption is missing; it is less general than
        stated; it fails at single points only; it is not what the paper means.
    copy : bool
        Whether the error may come from the conversion of our copy.
    why : str
        Reason why there is no check; empty where there is one.
    correct : tuple of str
        Ids of the claims that state what is correct instead, and are confirmed; empty where ``corrected=`` states it.
    unknown : str
        Reason why no correct statement is known; empty where one is.

    Raises
    ------
    ValueError
        If the status is not a Status, a fault is unknown, or a field for refuted claims is given for another claim.
    """

    status: Status
    fault: str = ""
    copy: bool = False
    why: str = ""
    correct: tuple[str, ...] = ()
    unknown: str = ""

    def __post_init__(self):
        if not isinstance(self.status, Status):
            raise ValueError(f"Expects: status must be a Status, got {self.status!r}; write Status.REFUTED or another")
        if self.fault and self.fault not in FAULTS:
            raise ValueError(f"Expects: fault must be one of {', '.join(FAULTS)}, got {self.fault!r}; choose one")
        of_refuted = self.fault or self.copy or self.correct or self.unknown
        if of_refuted and self.status is not Status.REFUTED:
            raise ValueError(f"Expects: only a REFUTED claim has a fault, got {self.status}; leave one of them out")
        if self.correct and self.unknown:
            raise ValueError("Expects: correct= and unknown= exclude each other, got both; leave one of them out")


def wrong(fault: str = "", *, copy: bool = False, correct: str = "", unknown: str = "") -> Expects:
    """Expectation of a claim that should be refuted.

    Parameters
    ----------
    fault : {"", "algebra", "assumption", "general", "points", "misprint"}
    copy : bool
        Whether the error may come from the conversion of our copy.
    correct : str
        Ids of the claims that state what is correct, separated by spaces; not needed beside ``corrected=``.
    unknown : str
        Reason why no correct statement is known.

    Examples
    --------
    >>> wrong("misprint").fault, wrong(correct="mine/eq1.right").correct, wrong(copy=True).status
    ('misprint', ('mine/eq1.right',), <Status.REFUTED: 'REFUTED'>)
    """
    return Expects(Status.REFUTED, fault, copy, correct=tuple(correct.split()), unknown=unknown)


def unchecked(why: str) -> Expects:
    """Expectation of a statement without a check, with the reason.

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
