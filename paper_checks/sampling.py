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
from paper_checks.sweeps import collected

__all__ = ["Played", "play"]

# A point that would need so many times the most that is played is given up, once its tails are known well enough.
HOPELESS = 1000
SETTLED = 2**22


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
    looks: tuple[int, ...],
    executor: Executor | None,
    store: Store | None,
    progress: Callable[[int, int, str], None] | None,
    seconds: float = math.inf,
) -> list[Played]:
    """Sample until each point is decided or the seconds are over; a kernel that fails is an error of its claims."""
    end = time.monotonic() + seconds
    tasks: list[_Task] = []
    # A claim that fails meanwhile has none.
    counts = [len(case.measurements) for case in cases]
    for case in cases:
        tasks += [_Task(m.job(context.seed, looks), [case], m.more) for m in case.measurements]
    sweeps = [s for s in collected(c.claim for c in cases if not c.error) if not s.stored]
    for sweep in sweeps:
        users = [case for case in cases if sweep in case.claim.runs]
        tasks += [_Task(job, users, _to_the_end) for job in sweep.jobs(context.seed, context.tier)]

    def needed(index: int, outcome: Any) -> int:
        task = tasks[index]
        # A point has one look at least, and runs are played to their end.
        over = task.job.unit == "sample" and time.monotonic() > end
        if over or all(case.error for case in task.cases):
            return 0
        wanted = task.more(outcome.estimate())
        return 0 if outcome.n >= SETTLED and wanted > HOPELESS * looks[-1] else wanted

    outcomes = measure(
        [t.job for t in tasks], needed, executor=executor, store=store, progress=progress, keep_failures=True
    )  # fmt: skip
    for task, outcome in zip(tasks, outcomes, strict=True):
        if isinstance(outcome, Failed):
            for case in task.cases:
                case.fail(outcome.error)
    kept = iter(outcomes)
    rows = _rows(sweeps, outcomes[sum(counts) :])
    return [Played([o for o in itertools.islice(kept, n) if not isinstance(o, Failed)], rows) for n in counts]


def _to_the_end(_rows: Any) -> int:
    return 1


def _rows(sweeps: Sequence[Sweep], outcomes: Sequence[Any]) -> dict[str, list[Any]]:
    left = iter(outcomes)
    played = {sweep.name: list(itertools.islice(left, len(sweep.points))) for sweep in sweeps}
    whole = {name: some for name, some in played.items() if not any(isinstance(o, Failed) for o in some)}
    return {name: [o.estimate() for o in some] for name, some in whole.items()}
