"""A point of a claim: what is measured there, and what it is measured for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from montecarlo import Job, Statistic
from paper_checks.claims.points import show_point
from paper_checks.rules.intervals import interval_of
from paper_checks.rules.means import Interval

__all__ = ["Measurement"]


@dataclass(frozen=True)
class Measurement:
    """One parameter point of a claim that is sampled; its numbers are made float once.

    Attributes
    ----------
    statistic : Statistic
    point : mapping
        As the claim declares it.
    values : mapping of str to sympy.Expr
        All values there, exact.
    stream, index : str, int
        They select the random stream, with the seed.
    needed : callable (Measurement, estimate) -> int
        0 when this point is decided, else about how many observations will decide it.
    printed, truth : float, optional
        What the printed form says, and the one that the measurement must confirm.
    scale, tolerance : float
        What the resolution is relative to, and the resolution itself.
    slack : float
        How far from the truth the measured may be by what the truth says itself, see :class:`Rounds`.
    """

    statistic: Statistic
    point: Mapping[str, Any]
    values: Mapping[str, Any]
    stream: str
    index: int
    needed: Callable[[Measurement, Any], int]
    printed: float | None = None
    truth: float | None = None
    scale: float | None = None
    tolerance: float = 0.0
    slack: float = 0.0

    def __post_init__(self):
        object.__setattr__(self, "numbers", {k: float(v) for k, v in self.values.items()})

    @property
    def says(self) -> str:
        """The point as text."""
        return show_point(self.point)

    def job(self, seed: int, looks: tuple[int, ...]) -> Job:
        """What the engine has to do."""
        return Job(self.statistic, self.numbers, self.stream, self.index, seed, looks)

    def known(self, found: Any) -> Interval:
        """Where the number lies that is measured, as ``found`` by the engine."""
        return interval_of(self.statistic, found, self.statistic.parameter_at(self.numbers))

    def more(self, estimate: Any) -> int:
        """About how many observations will decide; 0 when it is decided."""
        return self.needed(self, estimate)
