"""What one kind of evidence finds: records that a report can print and a file can keep."""

from __future__ import annotations

from dataclasses import dataclass

from paper_checks.rules.means import Status

__all__ = ["Finding", "PointFinding"]


@dataclass(frozen=True)
class PointFinding:
    """One parameter point: the values that were compared, as text of stated digits, and how it went."""

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


@dataclass(frozen=True)
class Finding:
    """What one rung of the ladder of evidence found.

    Attributes
    ----------
    rung : str
        The name of the rung, see :mod:`paper_checks.evidence`.
    printed : Status or None
        Of the form that the paper prints; ``None`` where this rung does not judge it.
    truth : Status
        Of the corrected or exact form, or of the printed one where there is no other.
    killed, total : int
        Mutants rejected, and mutants that differ by more than the resolution.
    survivors : tuple of str
        Mutants that were not rejected.
    within : int
        Mutants that lie inside the resolution: no check at this resolution could reject them.
    defects : tuple of str
        What makes this no check: survivors that its rung must reject.
    """

    rung: str
    truth: Status
    printed: Status | None = None
    says: str = ""
    killed: int = 0
    total: int = 0
    survivors: tuple[str, ...] = ()
    points: tuple[PointFinding, ...] = ()
    within: int = 0
    defects: tuple[str, ...] = ()
