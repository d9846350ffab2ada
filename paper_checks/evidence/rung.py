"""The record of a kind of evidence, by which all kinds are treated alike."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

from montecarlo import Sweep
from paper_checks.claims.claim import Claim
from paper_checks.evidence.finding import Finding
from paper_checks.evidence.measurement import Measurement
from paper_checks.evidence.setting import Setting

T = TypeVar("T")


def declared(claim: Claim, kind: type[T]) -> list[T]:
    """Records of one kind among the evidence of a claim."""
    return [record for record in claim.evidence if isinstance(record, kind)]


@dataclass(frozen=True)
class Context:
    """Precision, seed and training runs for the experiment of a claim."""

    claim: Claim
    setting: Setting

    @property
    def tier(self) -> str:
        return self.setting.tier

    @property
    def seed(self) -> int:
        return self.setting.seed

    def rows(self, sweep: Sweep) -> list[Any]:
        """Runs of a sweep that the claim declares by ``runs=``: an array (runs, columns) for each of its points.

        Instead of an array an estimate, where the sweep has a statistic.
        """
        if sweep not in self.claim.runs:
            name = getattr(sweep, "name", sweep)
            raise LookupError(f"Context.rows: sweep must be among runs= of {self.claim.id}, got {name}; declare it")
        return self.setting.rows(sweep)


@dataclass(frozen=True)
class Work(Context):
    """Input of a kind of evidence; samples are taken when they are asked for."""

    rung: Rung

    @cached_property
    def measurements(self) -> list[Measurement]:
        """Measurements that are to be sampled."""
        return self.rung.points(self.claim, self.tier)

    @cached_property
    def prepared(self) -> Any:
        """The result of :attr:`Rung.prepare`."""
        return self.rung.prepare(self.claim, self.tier, self.measurements)

    @cached_property
    def measured(self) -> list[tuple[Measurement, Any]]:
        """Measurements with their estimates."""
        return self.setting.sample(self.measurements)


def _nothing(*_: Any) -> tuple:
    return ()


@dataclass(frozen=True)
class Rung:
    """A kind of evidence, declared as ``RUNG`` by a module of this package.

    Attributes
    ----------
    name, letter, title : str
        Names in findings, in tables and in the key of the report.
    section : str
        Section of the report for claims with this as their first evidence.
    rank : int
        Position among all kinds, the strongest first.
    applies : callable (Claim) -> bool
    find : callable (Claim, Work) -> Finding
        A ValueError becomes the verdict on the claim, with its id before the message.
    record : type, optional
        Kind of the records of ``evidence=`` that it judges.
    exact : bool
        Whether it does not depend on random numbers.
    points : callable (Claim, tier) -> list of Measurement
        Measurements that are to be sampled.
    prepare : callable (Claim, tier, list of Measurement) -> Any
        Computations before samples are taken, so that ``find`` is arithmetic on floats.
    defects : callable (survivors) -> survivors
        Altered formulas that it must reject to be a valid check; default: all.
    """

    name: str
    letter: str
    title: str
    section: str
    rank: int
    applies: Callable[[Claim], bool]
    find: Callable[[Claim, Work], Finding]
    record: type | None = None
    exact: bool = True
    points: Callable[[Claim, str], list[Measurement]] = _nothing
    prepare: Callable[[Claim, str, list[Measurement]], Any] = _nothing
    defects: Callable[[tuple[str, ...]], tuple[str, ...]] = lambda survivors: survivors

    @property
    def samples(self) -> bool:
        """Whether it uses samples."""
        return self.points is not _nothing

    def power(self, finding: Finding) -> tuple[str, ...]:
        """Altered formulas that make the finding no valid check because they were not rejected."""
        if finding.total and not finding.killed:
            return finding.survivors
        if not finding.total and finding.within:
            return (f"all {finding.within} altered formulas are equivalent within the tolerance",)
        return tuple(self.defects(finding.survivors))
