"""Settings of a verification: precision, seed, budget, and how samples are taken."""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from montecarlo import Failed, Sweep, measure
from montecarlo.engine.job import looks_up_to
from montecarlo.engine.run import Here
from paper_checks.evidence.measurement import Measurement
from paper_checks.experiments.stored import rows_of
from paper_checks.rules.means import RESOLUTION

# At 1e-2 some thousands of observations settle many points.
LOOKS = {"quick": looks_up_to(2**27, first=2**14), "full": looks_up_to(2**33)}
# Sampling stops at a point that would need this many times the largest sample, once its tails are known.
HOPELESS = 1000
HOPELESS_BY_BUDGET = 4
SETTLED = 2**22


def _named(m: Measurement, error: BaseException) -> BaseException:
    """The error of a kernel, with its name and the point where a ValueError does not say them; ours name the kernel."""
    name = m.statistic.kernel.label
    if not isinstance(error, ValueError) or name in str(error):
        return error
    return ValueError(f"the kernel {name} failed at {m.says}: {type(error).__name__}: {error}")


@dataclass(frozen=True)
class Setting:
    """Settings with which claims are judged.

    Attributes
    ----------
    tier : {"quick", "full"}
        Precision: tolerance 1e-2 or 1e-3. The error rates are the same.
    seed : int
        Master seed of all streams.
    budget : int or float, optional
        An int is the largest number of samples at a point; results stay reproducible. A float is the largest number of
        seconds of sampling; then open points are INCONCLUSIVE. With either, sampling stops at a point as soon as it is
        seen to need four times the largest number of samples.
    executor : Executor, optional
        Where samples of one claim are taken; default: in the calling thread.

    Raises
    ------
    ValueError
        If the tier is unknown, or the budget is not positive.
    """

    tier: str
    seed: int
    budget: int | float | None = None
    executor: Executor = field(default_factory=Here, compare=False)
    _begun: float = field(default_factory=time.monotonic, compare=False, repr=False)
    # What claims share: results of looks by the identity of a job, rows by the name of a sweep.
    _looks: dict[tuple, list[Any]] = field(default_factory=dict, compare=False, repr=False)
    _rows: dict[str, list[Any]] = field(default_factory=dict, compare=False, repr=False)

    def __post_init__(self):
        if self.tier not in RESOLUTION:
            raise ValueError(f"verify: tier must be one of {sorted(RESOLUTION)}, got {self.tier!r}; choose one")
        if isinstance(self.seed, bool) or not isinstance(self.seed, int | np.integer) or self.seed < 0:
            raise ValueError(f"verify: seed must be an integer >= 0, got {self.seed!r}; choose another")
        numbered = isinstance(self.budget, int | float) and not isinstance(self.budget, bool)
        if self.budget is not None and not (numbered and self.budget > 0):
            raise ValueError(
                f"verify: budget must be positive, got {self.budget!r}; an int of samples, or a float of seconds"
            )

    @cached_property
    def looks(self) -> tuple[int, ...]:
        """Numbers of samples after which a point is judged."""
        looks = LOOKS[self.tier]
        if self.budget is None or isinstance(self.budget, float):
            return looks
        return tuple(n for n in looks if n <= self.budget) or looks[:1]

    def sample(self, measurements: Sequence[Measurement]) -> list[tuple[Measurement, Any]]:
        """Sample each point until it is settled or hopeless, and return the points with their estimates.

        Claims with the same samples continue where another one has stopped. The first error of a kernel is raised.
        """
        jobs = [m.job(self.seed, self.looks) for m in measurements]
        # A copy: another thread may sample the same at the same time, and finds the same.
        looks = {job.identity: list(self._looks.get(job.identity, ())) for job in jobs}
        found = measure(
            jobs, lambda index, record: self._more(measurements[index], record), executor=self.executor,
            keep_failures=True, shared=looks,
        )  # fmt: skip
        self._looks.update(looks)
        for m, outcome in zip(measurements, found, strict=True):
            if isinstance(outcome, Failed):
                raise _named(m, outcome.error)
        return [(m, outcome.estimate()) for m, outcome in zip(measurements, found, strict=True)]

    def _more(self, m: Measurement, record: Any) -> int:
        """Estimated number of observations that will settle a point; 0 when it is settled or hopeless."""
        # A point has one look at least.
        if isinstance(self.budget, float) and time.monotonic() > self._begun + self.budget:
            return 0
        wanted = m.needed(m, record.estimate())
        hopeless = HOPELESS if self.budget is None else HOPELESS_BY_BUDGET
        return 0 if record.n >= SETTLED and wanted > hopeless * self.looks[-1] else wanted

    def rows(self, sweep: Sweep) -> list[Any]:
        """Runs of a sweep: stored ones, or else simulated once for all claims."""
        if sweep.name not in self._rows:
            self._rows[sweep.name] = rows_of(sweep, seed=self.seed, tier=self.tier, executor=self.executor)
        return self._rows[sweep.name]

    def by(self, executor: Executor, budget: int | float | None) -> Setting:
        """The same setting with another executor and budget; samples that claims share are kept."""
        return replace(self, executor=executor, budget=budget, _begun=time.monotonic())
