"""Messages of ``verify``: a line for each verdict, progress, and a summary at the end."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from paper_checks.claims.claim import Claim
from paper_checks.commands.pace import duration
from paper_checks.commands.terminal import painted
from paper_checks.evidence.finding import Finding, PointFinding
from paper_checks.evidence.monte_carlo import tolerance
from paper_checks.evidence.mutation import NOT_TESTED
from paper_checks.judging.verdict import Verdict
from paper_checks.rules.means import Status

# Seconds between later lines of progress.
LATER = 30.0
# Seconds of work after which the measured pace counts as much as the expected one.
PRIOR = 20.0
# Seconds of an estimate below which it says nothing.
LEAST = 1.0
# Ids that the summary names of each paper.
NAMED = 4
# With fewer claims the lines of the verdicts suffice.
MANY = 20


class Telling:
    """Print verdicts as they are reached, and find how far the run is.

    Parameters
    ----------
    claims : sequence of Claim
    seconds : mapping of str to float
        About how long each claim takes on one core.
    at_once : int or None
        Claims that are judged at the same time; None where that is not known.
    lines : bool
        Whether each verdict is printed.
    timed : bool
        Whether these seconds were measured in an earlier run.
    """

    def __init__(
        self, claims: Sequence[Claim], seconds: Mapping[str, float], at_once: int | None, *, lines: bool, timed: bool
    ):
        self._claims = {claim.id: claim for claim in claims}
        self._seconds, self._at_once, self._lines, self._timed = seconds, at_once, lines, timed
        self._total = Counter(claim.paper for claim in claims)
        self._done: Counter[str] = Counter()
        self._left = sum(seconds[claim.id] for claim in claims)
        # What was expected of claims that were judged now, and what they took.
        self._expected = self._took = 0.0

    def kept(self, verdict: Verdict) -> None:
        """Report a verdict of an interrupted run."""
        claim = self._claims[verdict.id]
        self._done[claim.paper] += 1
        self._left -= self._seconds[verdict.id]
        if self._lines:
            print(painted(line(claim, verdict)), flush=True)

    def reached(self, verdict: Verdict) -> None:
        """Report a verdict that was reached now."""
        self._expected += self._seconds[verdict.id]
        self._took += verdict.seconds
        self.kept(verdict)

    def progress(self, seconds: float) -> str:
        """Progress by paper after some seconds, and the estimated time that is left."""
        papers = ", ".join(f"{name} {self._done[name]}/{n}" for name, n in self._total.items())
        done = f"{sum(self._done.values())} of {len(self._claims)} claims ({papers})"
        left = self.left(seconds)
        # Claims in progress that have taken twice the time assumed for all that are left.
        late = not self._timed and seconds * (self._at_once or 1) - self._took > 2 * self._left
        return f"{duration(seconds)}: {done}, " + (
            "the others take longer than expected" if late or left <= LEAST else f"about {duration(left)} left"
        )

    def left(self, seconds: float) -> float:
        """Estimated seconds that are left after some seconds.

        The rest is assumed to run at the pace of the work so far, divided among claims that are judged at the same
        time. At first the pace is the expected one. Claims in progress count as part of the passed seconds.
        """
        rest = max(0.0, self._left) * (self._took + PRIOR) / (self._expected + PRIOR)
        at_once = self._at_once or max(1.0, self._took / seconds)
        return max((self._took + rest) / at_once - seconds, rest / at_once / 10)


def line(claim: Claim, verdict: Verdict) -> str:
    """One line for a verdict, with the first reason where it is not as expected."""
    mark = " " if verdict.as_expected else "!"
    z = verdict.worst("z")
    detail = f"z {z:+5.1f}  n {verdict.n:.1e}" if z is not None and verdict.n else ",".join(verdict.rungs)
    if verdict.status is Status.CONFIRMED and z is not None and claim.relation.samples == "mean" and claim.printed:
        detail += f"  ± {100 * tolerance(claim)[verdict.tier]:g} %"
    mutants = f"{verdict.killed}/{verdict.mutants} altered rejected" if verdict.mutants else ""
    if verdict.unseen:
        mutants += f", {verdict.unseen} that no point distinguishes"
    text = f"{mark} {claim.id:<34} {claim.relation.word(verdict.status):<14} {detail:<26} {mutants}".rstrip()
    if not verdict.as_expected:
        word = claim.relation.word(verdict.expected)
        same = verdict.status is verdict.expected and verdict.status is not Status.INCONCLUSIVE
        text += f"\n    {f'{word} as expected, but' if same else f'expected {word};'} {why(verdict)}"
    return text


def why(verdict: Verdict) -> str:
    """First reason for an unexpected verdict."""
    if verdict.error or verdict.odd:
        return verdict.error or verdict.odd
    return f"{_of_formulas(verdict)}{_reason(verdict)}"


def _of_formulas(verdict: Verdict) -> str:
    """What came out of the published formula, or of the corrected one, where it is not as declared."""
    if verdict.status is Status.CONFIRMED and verdict.expected is not Status.CONFIRMED:
        return "the published statement is confirmed, so leave out corrected= or expects=; "
    if verdict.status is verdict.expected is Status.REFUTED and verdict.truth is Status.REFUTED:
        return "the corrected formula is refuted as well; "
    if verdict.status is verdict.expected is Status.REFUTED and verdict.truth is Status.INCONCLUSIVE:
        return "what is correct is INCONCLUSIVE; "
    return ""


def _reason(verdict: Verdict) -> str:
    for finding in verdict.findings:
        for point in finding.points:
            if point.status is Status.CONFIRMED is not verdict.status:
                continue  # The corrected formula's; the published one is refuted there.
            if point.status is not verdict.expected and (point.reason or _numbers(point)):
                known = "the published value" if point.status is Status.CONFIRMED else "a different value"
                return f"{finding.rung} at {point.point}: {point.reason or known}{_numbers(point)}"
        if finding.defects:
            return f"{finding.rung}: {_defects(finding)}"
        if finding.truth != "CONFIRMED" or finding.printed not in (None, verdict.expected):
            more = verdict.counterexample
            numbers = f"; {more}" if more and more not in finding.says else ""
            return f"{finding.rung}: {finding.says}{numbers}"
    return verdict.counterexample or "see --json"


def _defects(finding: Finding) -> str:
    """Why it is no valid check: the reasons, or the first altered formulas that it does not reject."""
    kept = set(finding.survivors)
    reasons = [d for d in finding.defects if d not in kept]
    if not reasons:
        return f"altered formulas not rejected: {'; '.join(finding.defects[:3])}"
    if not finding.unseen:
        return reasons[0]
    more = f" and {len(finding.unseen) - 1} more" if len(finding.unseen) > 1 else ""
    hidden = f"{finding.unseen[0]}{more}"
    return f"{NOT_TESTED}: no point distinguishes the formula from: {hidden}; add points where they differ"


def _numbers(point: PointFinding) -> str:
    """The published and the measured value at a point."""
    if point.printed is None or point.measured is None:
        return ""
    error = "" if point.se is None else f" ± {point.se:.1g}"
    return f" (published {point.printed:.6g}, measured {point.measured:.6g}{error})"


def summary(claims: Sequence[Claim], verdicts: Sequence[Verdict], record: Path | None) -> Iterator[str]:
    """Summary of a run; with many claims also what is published wrong, what is open, and where to read on."""
    pairs = list(zip(claims, verdicts, strict=True))
    wrong = [v for v in verdicts if not v.as_expected]
    killed, total = (sum(getattr(v, name) for v in verdicts) for name in ("killed", "mutants"))
    if len(pairs) >= MANY:
        red = [c for c, v in pairs if v.status is Status.REFUTED and c.of_print]
        unclear = [c for c, v in pairs if v.status is Status.INCONCLUSIVE and not c.unchecked]
        yield f"wrong as published: {_by_paper(red)}"
        yield f"open, not settled: {_by_paper(unclear)}"
        yield "details: paper-checks show ID" + ("; 'paper-checks report' writes paper_checks.md" if record else "")
    mutants = f"; {killed} of {total} altered formulas rejected" if total else ""
    yield f"{counted(len(verdicts))}: {len(verdicts) - len(wrong)} as expected, {len(wrong)} not{mutants}"


def counted(number: int) -> str:
    """A number of claims in words."""
    return f"{number} claim{'' if number == 1 else 's'}"


def _by_paper(claims: Sequence[Claim]) -> str:
    """Number of claims, and the first ids by paper."""
    by: dict[str, list[str]] = {}
    for claim in claims:
        by.setdefault(claim.paper, []).append(claim.id)
    named = (
        f"{name} {len(ids)} ({', '.join(ids[:NAMED])}{', ...' if len(ids) > NAMED else ''})" for name, ids in by.items()
    )
    return f"{len(claims)}; {'; '.join(named)}" if claims else "none"
