"""Findings of one kind of evidence, as records that reports show and files store."""

from __future__ import annotations

from dataclasses import dataclass

from paper_checks.rules.means import Status

COUNTED = ", ours "


@dataclass(frozen=True)
class PointFinding:
    """The values that were compared at one parameter point, and the status there."""

    point: str
    status: Status
    printed: float | None = None
    truth: float | None = None
    measured: float | None = None
    se: float | None = None
    n: int = 0
    z: float | None = None
    z_printed: float | None = None
    resolution: float | None = None
    reason: str = ""
    reference: float | None = None
    scale: float | None = None
    p: float | None = None

    @property
    def counted(self) -> str:
        """Of a count that is compared with a published one: how many of how many runs of ours."""
        return self.reason.partition("; ")[0].partition(COUNTED)[2]


@dataclass(frozen=True)
class Finding:
    """The finding of one kind of evidence.

    Attributes
    ----------
    rung : str
        Name of the kind of evidence, see :mod:`paper_checks.evidence`.
    printed : Status or None
        Status of the published formula; ``None`` where this evidence does not judge it.
    truth : Status
        Status of the corrected or exact formula, or of the published one where there is no other.
    killed, total : int
        Altered formulas that were rejected, and all that differ by more than the tolerance.
    survivors : tuple of str
        Altered formulas that were not rejected.
    columns, rows : tuple of str, tuple of tuples of str
        A table of the results.
    within : int
        Altered formulas that are equivalent within the tolerance: no check could reject them.
    defects : tuple of str
        Why this is not a valid check: altered formulas that it should have rejected, or why it could not fail.
    unseen : tuple of str
        Changes to the formula that do not change its values at any point.
    """

    rung: str
    truth: Status
    printed: Status | None = None
    says: str = ""
    killed: int = 0
    total: int = 0
    survivors: tuple[str, ...] = ()
    points: tuple[PointFinding, ...] = ()
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    within: int = 0
    defects: tuple[str, ...] = ()
    unseen: tuple[str, ...] = ()
