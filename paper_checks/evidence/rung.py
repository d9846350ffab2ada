"""What a rung of the ladder of evidence is: one record, by which everything else treats all rungs alike."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any

from paper_checks.claims.claim import Claim
from paper_checks.evidence.measurement import Measurement
from paper_checks.findings import Finding

__all__ = ["Context", "Rung", "Work"]


@dataclass(frozen=True)
class Context:
    """What an experiment of a claim may use."""

    tier: str
    seed: int
    executor: Executor | None = None
    play: Callable[[Any], list[Any]] | None = None

    def rows(self, sweep: Any) -> list[Any]:
        """The runs of a sweep that the claim declares by ``runs=``: an array (runs, columns) for each of its points.

        An estimate for each of them where the sweep has a statistic.
        """
        if self.play is None:
            raise LookupError(f"Context.rows: sweep must be declared by runs= of the claim, got {sweep}; declare it")
        return self.play(sweep)


@dataclass(frozen=True)
class Work:
    """What a rung is given to find from.

    Attributes
    ----------
    context : Context
    measured : sequence of (Measurement, estimate)
        What was sampled for this rung.
    prepared : Any
        What :attr:`Rung.prepare` made.
    """

    context: Context
    measured: Sequence[tuple[Measurement, Any]] = ()
    prepared: Any = None

    @property
    def tier(self) -> str:
        return self.context.tier


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
        What is to be sampled. A rung that samples finds after all samples, others while they are taken.
    prepare : callable (Claim, tier, list of Measurement) -> Any
        What is worked out while samples are taken, so that to find is arithmetic on floats.
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
