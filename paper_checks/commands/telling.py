"""What a run of ``verify`` says: a line for each verdict, how far it is, and at its end what came out."""

from __future__ import annotations

import itertools
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from paper_checks.claims.claim import Claim
from paper_checks.commands.pace import duration
from paper_checks.evidence.finding import PointFinding
from paper_checks.judging.verdict import Verdict
from paper_checks.rules.means import Status

__all__ = ["Telling", "line", "summary", "why"]

# Seconds between lines on how far a run is; later ones come each half minute.
WAITS = (10.0, 10.0, 20.0, 20.0)
LATER = 30.0
# Seconds of work after which the pace that was measured counts as much as the one that is expected.
PRIOR = 20.0
# Ids that are named of each paper at the end.
NAMED = 4
# Of fewer claims the lines themselves say all.
MANY = 20


class Telling:
    """Says verdicts as they fall, and now and then how far the run is.

    Parameters
    ----------
    claims : sequence of Claim
    seconds : mapping of str to float
        About how long each claim takes on one core.
    at_once : int or None
        Claims that are judged at the same time; None where that is not known.
    lines : bool
        Whether each verdict is printed.
    """

    def __init__(self, claims: Sequence[Claim], seconds: Mapping[str, float], at_once: int | None, *, lines: bool):
        self._claims = {claim.id: claim for claim in claims}
        self._seconds, self._at_once, self._lines = seconds, at_once, lines
        self._total = Counter(claim.paper for claim in claims)
        self._done: Counter[str] = Counter()
        self._left = sum(seconds[claim.id] for claim in claims)
        # What was expected of claims that were judged now, and what they took.
        self._expected = self._took = 0.0
        self._begun = time.monotonic()
        self._over = threading.Event()
        self._teller = threading.Thread(target=self._tell, daemon=True)

    def __enter__(self) -> Telling:
        self._teller.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._teller.join()

    def kept(self, verdict: Verdict) -> None:
        """A verdict of an interrupted run."""
        self._take(verdict)

    def reached(self, verdict: Verdict) -> None:
        """A verdict that was reached now."""
        self._expected += self._seconds[verdict.id]
        self._took += verdict.seconds
        self._take(verdict)

    def _take(self, verdict: Verdict) -> None:
        claim = self._claims[verdict.id]
        self._done[claim.paper] += 1
        self._left -= self._seconds[verdict.id]
        if self._lines:
            print(line(claim, verdict), flush=True)

    def _tell(self) -> None:
        for wait in itertools.chain(WAITS, itertools.repeat(LATER)):
            if self._over.wait(wait):
                return
            print(self.progress(time.monotonic() - self._begun), file=sys.stderr, flush=True)

    def progress(self, seconds: float) -> str:
        """How many claims of which papers are done after some seconds, and about how long the rest takes."""
        papers = ", ".join(f"{name} {self._done[name]}/{n}" for name, n in self._total.items())
        done = f"{sum(self._done.values())} of {len(self._claims)} claims ({papers})"
        return f"{duration(seconds)}: {done}, about {duration(self.left(seconds))} left"

    def left(self, seconds: float) -> float:
        """About how many seconds a run that has taken so many still takes.

        Work that was done, and the rest at the pace of it, shared out among claims that are judged at the same time. At
        first the pace is the one that is expected. What is in hand has begun: it is part of the seconds that have gone.
        """
        rest = max(0.0, self._left) * (self._took + PRIOR) / (self._expected + PRIOR)
        at_once = self._at_once or max(1.0, self._took / seconds)
        return max((self._took + rest) / at_once - seconds, rest / at_once / 10)


def line(claim: Claim, verdict: Verdict) -> str:
    """A claim's verdict for a terminal, with the first reason where it is not as expected."""
    mark = " " if verdict.as_expected else "!"
    z = verdict.worst("z")
    detail = f"z {z:+5.1f}  n {verdict.n:.1e}" if z is not None and verdict.n else ",".join(verdict.rungs)
    mutants = f"{verdict.killed}/{verdict.mutants} mutants" if verdict.mutants else ""
    text = f"{mark} {claim.id:<34} {verdict.status:<12} {detail:<22} {mutants}".rstrip()
    if not verdict.as_expected:
        text += f"\n    expected {verdict.expected}; " + why(verdict)
    return text


def why(verdict: Verdict) -> str:
    """The first reason that a reader needs for an unexpected verdict."""
    if verdict.error or verdict.odd:
        return verdict.error or verdict.odd
    for finding in verdict.findings:
        for point in finding.points:
            if point.status is not verdict.expected and point.reason:
                return f"{finding.rung} at {point.point}: {point.reason}{_numbers(point)}"
        if finding.defects:
            return f"{finding.rung}: mutants not rejected: {'; '.join(finding.defects[:3])}"
        if finding.truth != "CONFIRMED" or finding.printed not in (None, verdict.expected):
            return f"{finding.rung}: {finding.says} (printed {finding.printed}, right form {finding.truth})"
    return verdict.counterexample or "see --json"


def _numbers(point: PointFinding) -> str:
    """What was printed and what was measured there."""
    if point.printed is None or point.measured is None:
        return ""
    return f" (printed {point.printed:.6g}, measured {point.measured:.6g} ± {point.se:.1g})"


def summary(claims: Sequence[Claim], verdicts: Sequence[Verdict], record: Path | None) -> Iterator[str]:
    """What came out: of many claims what is wrong in print, what is open, and where to read on."""
    pairs = list(zip(claims, verdicts, strict=True))
    wrong = [v for v in verdicts if not v.as_expected]
    killed, total = (sum(getattr(v, name) for v in verdicts) for name in ("killed", "mutants"))
    if len(pairs) >= MANY:
        red = [c for c, v in pairs if v.status is Status.REFUTED and c.of_print]
        unclear = [c for c, v in pairs if v.status is Status.INCONCLUSIVE and not c.unchecked]
        yield f"wrong in print: {_by_paper(red)}"
        yield f"open: {_by_paper(unclear)}"
        yield "more: paper-checks show ID" + ("; 'paper-checks report' writes paper_checks.md" if record else "")
    mutants = f"; {killed} of {total} mutants rejected" if total else ""
    yield f"{len(verdicts)} claims: {len(verdicts) - len(wrong)} as expected, {len(wrong)} not{mutants}"


def _by_paper(claims: Sequence[Claim]) -> str:
    """How many, and by paper the first of them."""
    by: dict[str, list[str]] = {}
    for claim in claims:
        by.setdefault(claim.paper, []).append(claim.id)
    named = (
        f"{name} {len(ids)} ({', '.join(ids[:NAMED])}{', ...' if len(ids) > NAMED else ''})" for name, ids in by.items()
    )
    return f"{len(claims)}; {'; '.join(named)}" if claims else "none"
