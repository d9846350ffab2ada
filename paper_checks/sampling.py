"""All points and all training runs of all claims in one run of the engine."""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import Any

from montecarlo import Failed, Job, Store, Sweep, measure
from paper_checks.case import Case
from paper_checks.evidence.rung import Context
from paper_checks.experiments.stored import collected

__all__ = ["HOPELESS", "HOPELESS_BY_BUDGET", "Limits", "Played", "play"]

# A point that would need so many times the most that is played is given up, once its tails are known well enough.
HOPELESS = 1000
HOPELESS_BY_BUDGET = 4
SETTLED = 2**22


@dataclass(frozen=True)
class Limits:
    """How long is sampled: the looks at each point, seconds in all, and when a point is hopeless."""

    looks: tuple[int, ...]
    seconds: float = math.inf
    hopeless: int = HOPELESS


@dataclass
class Played:
    """What was sampled for a claim: moments or counts by measurement, rows or estimates by the name of a sweep."""

    outcomes: list[Any] = field(default_factory=list)
    rows: dict[str, list[Any]] = field(default_factory=dict)

    @property
    def n(self) -> int:
        """Observations in all points."""
        return sum(outcome.n for outcome in self.outcomes)


@dataclass(frozen=True)
class _Task:
    """A job, whom it is for, and when it is decided."""

    job: Job
    cases: Sequence[Case]
    more: Callable[[Any], int]


def play(
    cases: Sequence[Case],
    context: Context,
    limits: Limits,
    executor: Executor | None,
    store: Store | None,
    progress: Callable[[int, int, str], None] | None,
    played: Callable[[int, Played], None],
) -> list[Played]:
    """Sample until each point is decided or the seconds are over; a kernel that fails is an error of its claims.

    ``played`` is told each case that waits for no runs, by its number, as soon as its last point is decided.
    """
    end = time.monotonic() + limits.seconds
    tasks: list[_Task] = []
    # A claim that fails meanwhile has none.
    points = [case.measurements for case in cases]
    counts = [len(some) for some in points]
    for case, some in zip(cases, points, strict=True):
        tasks += [_Task(m.job(context.seed, limits.looks), [case], m.more) for m in some]
    sweeps = [s for s in collected(c.claim for c in cases if not c.error) if not s.stored]
    for sweep in sweeps:
        users = [case for case in cases if sweep in case.claim.runs]
        tasks += [_Task(job, users, _to_the_end) for job in sweep.jobs(context.seed, context.tier)]
    waiting = {i for i, case in enumerate(cases) if any(sweep in case.claim.runs for sweep in sweeps)}
    ended = _Ended(counts, waiting, played)
    # Claims that ask the same of one experiment share a job; each is decided by what it needs, whoever goes on.
    askers = _by_key(tasks)
    decided: dict[int, Any] = {}

    def wanted_by(index: int, outcome: Any) -> int:
        task = tasks[index]
        # A point has one look at least, and runs are played to their end.
        over = task.job.unit == "sample" and time.monotonic() > end
        try:
            wanted = 0 if over or all(case.error for case in task.cases) else task.more(outcome.estimate())
        except Exception as error:  # It is none of those who share the job.
            decided[index] = Failed(error)
            return 0
        if outcome.n >= SETTLED and wanted > limits.hopeless * limits.looks[-1]:
            wanted = 0
        if not wanted:
            decided[index] = outcome
        ended.look(index, outcome, last=not wanted, looks=len(task.job.looks))
        return wanted

    def needed(place: int, outcome: Any) -> int:
        return max(wanted_by(index, outcome) for index in askers[place] if index not in decided)

    jobs = [tasks[indices[0]].job for indices in askers]
    found = measure(jobs, needed, executor=executor, store=store, progress=progress, keep_failures=True)
    last = {index: outcome for indices, outcome in zip(askers, found, strict=True) for index in indices}
    outcomes = [decided.get(index, last[index]) for index in range(len(tasks))]
    for task, outcome in zip(tasks, outcomes, strict=True):
        if isinstance(outcome, Failed):
            for case in task.cases:
                case.fail(outcome.error)
    kept = iter(outcomes)
    rows = _rows(sweeps, outcomes[sum(counts) :])
    return [Played([o for o in itertools.islice(kept, n) if not isinstance(o, Failed)], rows) for n in counts]


def _by_key(tasks: Sequence[_Task]) -> list[list[int]]:
    """Places of the tasks by what they play, in order of the first of each."""
    places: dict[bytes, list[int]] = {}
    for index, task in enumerate(tasks):
        places.setdefault(task.job.key(), []).append(index)
    return list(places.values())


class _Ended:
    """Which points are decided, and so which cases."""

    def __init__(self, counts: Sequence[int], waiting: set[int], played: Callable[[int, Played], None]):
        self._owners = [case for case, count in enumerate(counts) for _ in range(count)]
        self._outcomes: list[list[Any]] = [[None] * count for count in counts]
        self._firsts = [0, *itertools.accumulate(counts)]
        self._left, self._looks = list(counts), [0] * len(self._owners)
        self._waiting, self._played = waiting, played
        for case, count in enumerate(counts):
            if not count and case not in waiting:
                played(case, Played())

    def look(self, index: int, outcome: Any, *, last: bool, looks: int) -> None:
        """A job has been looked at, for the last time where it says so, or where there are no more looks."""
        if index >= len(self._owners):  # runs
            return
        self._looks[index] += 1
        if not last and self._looks[index] < looks:
            return
        case = self._owners[index]
        self._outcomes[case][index - self._firsts[case]] = outcome
        self._left[case] -= 1
        if not self._left[case] and case not in self._waiting:
            self._played(case, Played(self._outcomes[case]))


def _to_the_end(_rows: Any) -> int:
    return 1


def _rows(sweeps: Sequence[Sweep], outcomes: Sequence[Any]) -> dict[str, list[Any]]:
    left = iter(outcomes)
    played = {sweep.name: list(itertools.islice(left, len(sweep.points))) for sweep in sweeps}
    whole = {name: some for name, some in played.items() if not any(isinstance(o, Failed) for o in some)}
    return {name: [o.estimate() for o in some] for name, some in whole.items()}
