"""Measurement at one point of a claim: the statistic, and the values to compare it with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from montecarlo import Job, Statistic
from paper_checks.claims.points import show_point
from paper_checks.rules.intervals import interval_of
from paper_checks.rules.means import Interval


@dataclass(frozen=True)
class Measurement:
    """One parameter point of a claim that is sampled.

    Attributes
    ----------
    statistic : Statistic
    point : mapping
        The point as declared by the claim.
    values : mapping of str to sympy.Expr
        All values at the point, exact.
    stream, index : str, int
        They select the random stream, with the seed.
    needed : callable (Measurement, estimate) -> int
        0 when this point is settled, else the estimated number of observations that will settle it.
    printed, truth : float, optional
        Value of the published formula, and of the one that the measurement must confirm.
    scale, tolerance : float
        Reference magnitude of the tolerance, and the tolerance itself.
    slack : float
        How far the measured value may be from the truth because the latter is rounded, see :class:`Rounds`.
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
        """The job for the engine."""
        return Job(self.statistic, self.numbers, self.stream, self.index, seed, looks)

    def known(self, found: Any) -> Interval:
        """Interval for the measured number, from what the engine ``found``."""
        return interval_of(self.statistic, found, self.statistic.parameter_at(self.numbers))
