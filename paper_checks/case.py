"""A claim on its way to a verdict; an error on the way is its verdict, and ends nothing else."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from paper_checks.claims.claim import Claim
from paper_checks.conclusion import concluded
from paper_checks.evidence import ladder
from paper_checks.evidence.measurement import Measurement
from paper_checks.evidence.price import priced, to_price
from paper_checks.evidence.rung import Context, Rung, Work
from paper_checks.experiments.stored import player
from paper_checks.findings import Finding, PointFinding, Verdict
from paper_checks.values.exact import EVALUATING

__all__ = ["Case", "Known"]

Known = dict[tuple[str, str], Any]
"""By claim and rung: an exact finding, or the values of mutants. They depend on the claim and the tier alone."""


class Case:
    """One claim, its rungs, and what they have found so far.

    Attributes
    ----------
    measurements : list of Measurement
        Everything that is sampled for the claim, in the order of its rungs, what prices an assumption last.
    error : str
        What went wrong; nothing more is done then.
    """

    def __init__(self, claim: Claim, tier: str):
        self.claim = claim
        self.tier = tier
        self.error = ""
        self._seconds = 0.0
        self._rungs: list[Rung] = []
        self._points: dict[str, list[Measurement]] = {}
        self._price: list[Measurement] = []
        self._prepared: dict[str, Any] = {}
        self._findings: dict[str, Finding] = {}
        self._attempt(self._begin)

    @property
    def measurements(self) -> list[Measurement]:
        return [] if self.error else [m for some in (*self._points.values(), self._price) for m in some]

    def _begin(self) -> None:
        claim = self.claim
        self._rungs = [rung for rung in ladder.RUNGS if rung.applies(claim)]
        if not self._rungs and not claim.unchecked:
            raise LookupError(f"claim {claim.id}: no rung knows its evidence; see paper_checks.evidence")
        points = {rung.name: rung.points(claim, self.tier) for rung in self._rungs if rung.samples}
        price = to_price(claim)
        for some in (*points.values(), price):
            for m in some:
                m.job(0, (1,)).key()  # What cannot be played is found before anything is.
        self._points, self._price = points, price

    def prepare(self, context: Context, known: Known) -> None:
        """All that needs no samples: exact rungs, experiments without runs, the values of mutants.

        ``known`` gives what is the same for every seed, once it has been worked out, and takes it.
        """
        for rung in self._rungs:
            key = self.claim.id, rung.name
            kept = self._prepared if rung.samples else self._findings
            if key in known:
                kept[rung.name] = known[key]
                continue
            if rung.samples:
                self._attempt(lambda rung=rung: self._prepare(rung))
            elif not self._waits(rung):
                self._attempt(lambda rung=rung: self._find(rung, Work(context)))
            if rung.name in kept and (rung.samples or rung.exact):
                known[key] = kept[rung.name]

    def _waits(self, rung: Rung) -> bool:
        """Whether a rung finds from runs that are not yet played."""
        return rung.name == "experiment" and bool(self.claim.runs)

    def _prepare(self, rung: Rung) -> None:
        with EVALUATING:
            self._prepared[rung.name] = rung.prepare(self.claim, self.tier, self._points[rung.name])

    def _find(self, rung: Rung, work: Work) -> None:
        with EVALUATING:
            found = rung.find(self.claim, work)
        if self.claim.relation.of_a_property and rung.name != self.claim.relation.rung:
            found = replace(found, printed=None)
        self._findings[rung.name] = replace(found, defects=rung.power(found))

    def verdict(self, context: Context, played: Any, seconds: float) -> Verdict:
        """What all rungs say together, once everything is sampled; ``seconds`` were spent on its samples."""
        price: tuple[PointFinding, ...] = ()
        if not self.error:
            outcomes = iter(played.outcomes)
            for rung in self._rungs:
                if rung.samples:
                    measured = [(m, next(outcomes).estimate()) for m in self._points[rung.name]]
                    work = Work(context, measured, self._prepared.get(rung.name))
                    self._attempt(lambda rung=rung, work=work: self._find(rung, work))
                elif self._waits(rung):
                    work = Work(replace(context, play=player(self.claim, played.rows)))
                    self._attempt(lambda rung=rung, work=work: self._find(rung, work))
            price = priced([(m, next(outcomes).estimate()) for m in self._price])
        findings = [self._findings[r.name] for r in self._rungs if r.name in self._findings]
        verdict = concluded(self.claim, findings, price, context, self.error)
        return replace(verdict, seconds=self._seconds + seconds)

    def _attempt(self, step: Callable[[], None]) -> None:
        """Do a step, unless one before has failed; what goes wrong is noted."""
        if self.error:
            return
        begun = time.perf_counter()
        try:
            step()
        except Exception as error:
            self.fail(error)
        self._seconds += time.perf_counter() - begun

    def fail(self, error: Exception) -> None:
        """Note what went wrong."""
        text = str(error) if isinstance(error, ValueError) else f"{type(error).__name__}: {error}"
        self.error = self.error or (text if self.claim.id in text else f"claim {self.claim.id}: {text}")
