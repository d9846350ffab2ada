"""What a kind of evidence is: one record, by which everything else treats all kinds alike."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from montecarlo import Sweep
from paper_checks.claims.claim import Claim
from paper_checks.evidence.finding import Finding
from paper_checks.evidence.measurement import Measurement
from paper_checks.evidence.setting import Setting

__all__ = ["Context", "Rung", "Work"]


@dataclass(frozen=True)
class Context:
    """What an experiment of a claim may use."""

    claim: Claim
    setting: Setting

    @property
    def tier(self) -> str:
        return self.setting.tier

    @property
    def seed(self) -> int:
        return self.setting.seed

    def rows(self, sweep: Sweep) -> list[Any]:
        """The runs of a sweep that the claim declares by ``runs=``: an array (runs, columns) for each of its points.

        An estimate for each of them where the sweep has a statistic.
        """
        if sweep not in self.claim.runs:
            name = getattr(sweep, "name", sweep)
            raise LookupError(f"Context.rows: sweep must be among runs= of {self.claim.id}, got {name}; declare it")
        return self.setting.rows(sweep)


class Work:
    """What a kind of evidence finds from; samples are taken when they are asked for.

    Attributes
    ----------
    context : Context
    """

    def __init__(self, claim: Claim, rung: Rung, setting: Setting):
        self._claim, self._rung, self._setting = claim, rung, setting
        self.context = Context(claim, setting)

    @property
    def tier(self) -> str:
        return self._setting.tier

    @cached_property
    def measurements(self) -> list[Measurement]:
        """What is to be sampled."""
        return self._rung.points(self._claim, self.tier)

    @cached_property
    def prepared(self) -> Any:
        """What :attr:`Rung.prepare` made."""
        return self._rung.prepare(self._claim, self.tier, self.measurements)

    @cached_property
    def measured(self) -> list[tuple[Measurement, Any]]:
        """What was sampled: measurements with their estimates."""
        return self._setting.sample(self.measurements)


def _nothing(*_: Any) -> tuple:
    return ()


def _all(survivors: tuple[str, ...]) -> tuple[str, ...]:
    return survivors


@dataclass(frozen=True)
class Rung:
    """A kind of evidence. A module of this package that has one as ``RUNG`` is a rung; nothing else is edited for it.

    Attributes
    ----------
    name, letter, title : str
        What findings, tables and the report's key call it.
    section : str
        What a claim that rests on it is called in the report; the first rung of a claim says it.
    rank : int
        Its place on the ladder, the strongest first.
    applies : callable (Claim) -> bool
    find : callable (Claim, Work) -> Finding
    exact : bool
        Whether nothing of it is left to chance.
    points : callable (Claim, tier) -> list of Measurement
        What is to be sampled.
    prepare : callable (Claim, tier, list of Measurement) -> Any
        What is computed before samples are taken, so that to find is arithmetic on floats.
    defects : callable (survivors) -> survivors
        The mutants that make it no check when they survive; default: all.
    """

    name: str
    letter: str
    title: str
    section: str
    rank: int
    applies: Callable[[Claim], bool]
    find: Callable[[Claim, Work], Finding]
    exact: bool = True
    points: Callable[[Claim, str], list[Measurement]] = _nothing
    prepare: Callable[[Claim, str, list[Measurement]], Any] = _nothing
    defects: Callable[[tuple[str, ...]], tuple[str, ...]] = _all

    @property
    def samples(self) -> bool:
        """Whether it finds from samples."""
        return self.points is not _nothing

    def power(self, finding: Finding) -> tuple[str, ...]:
        """What makes the finding no check: surviving mutants that must not, and all of them when all survive."""
        if finding.total and not finding.killed:
            return finding.survivors
        if not finding.total and finding.within:
            return (f"all {finding.within} mutants lie inside the resolution",)
        return tuple(self.defects(finding.survivors))
