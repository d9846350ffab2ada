"""Sweeps: experiments whose samples are training runs, simulated by the engine and usually kept run by run."""

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from montecarlo.engine.job import Job
from montecarlo.engine.models import Kernel
from montecarlo.engine.statistics import Statistic, every_row

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/-]*")


@dataclass(frozen=True, eq=False)
class Sweep:
    """One experiment: a simulator, its settings, and the numbers of runs.

    Attributes
    ----------
    name : str
        Permanent. With the seed and the index of a point it selects the random stream, so that claims on one sweep
        judge the same runs.
    says : str
        What is run.
    play : Kernel
        Made by :func:`montecarlo.simulator`, or by :func:`montecarlo.kernel` where a run compiles.
    points : sequence of mapping
        Values of the parameters of ``play``, one mapping per setting. A value ``runs`` takes the place of ``runs``.
    runs : int or mapping of tier to int
        Runs at each point. Run i is sample i at every point, whatever the number of runs.
    seed : int, optional
        Default: the master seed of the verification. A parameter of ``play`` called ``seed`` takes it as its value.
    settings : mapping
        Values common to all points; those that ``play`` does not take are kept with the result for the reader.
    stored : bool
        Whether the rows are a file of the project, written by ``paper-checks train``, as they take too long to be
        played by every verification.
    statistic : callable (Kernel) -> Statistic
        What is kept of the runs at a point, ``mean`` for example where there are too many to keep. Default: each.
    stream : str
        The sweep whose random streams are used, point by point: its runs are simulated again, or summarised
        differently. Default: its own.
    tested : mapping
        Values in place of those above where the simulator is tested before the first run at a point, ``{"steps": 2}``
        say: a test simulates a run up to five times. For runs that take minutes.
    version : int
        Of what the runs are made by. Stored rows are read where theirs is the same; raise it with a change that can
        alter a number, and train again. A change that cannot, a renamed variable say, needs nothing.
    seconds : callable (mapping) -> float, optional
        About how many processor seconds a run takes, by its values; said before work begins.

    Examples
    --------
    >>> from montecarlo import generator, simulator
    >>> @simulator(columns=("last",))
    ... def walk(stream, first, steps: int, out):
    ...     for i in range(out.shape[0]):
    ...         out[i, 0] = generator(stream, first + i).choice([-1, 1], steps).sum()
    >>> walks = Sweep("example/walks", "random walks", walk, [{"steps": n} for n in (1, 100)], runs=3)
    >>> [job.looks for job in walks.jobs(seed=1)]
    [(3,), (3,)]
    """

    name: str
    says: str
    play: Kernel
    points: Sequence[Mapping[str, Any]]
    runs: int | Mapping[str, int]
    seed: int | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    stored: bool = False
    statistic: Callable[[Kernel], Statistic] = every_row
    stream: str = ""
    tested: Mapping[str, Any] = field(default_factory=dict)
    version: int = 1
    seconds: Callable[[Mapping[str, Any]], float] | None = None
    file: str = field(default="", repr=False)

    def __post_init__(self):
        if not NAME.fullmatch(self.name):
            raise ValueError(
                f"Sweep: name must look like 'paper/what', got {self.name!r}; use letters, digits, . - _ /"
            )
        if not self.points:
            raise ValueError(f"Sweep {self.name}: points must name at least one setting, got none; add one")
        if self.stored and self.seed is None:
            raise ValueError(
                f"Sweep {self.name}: seed must be given with stored=True, got none; its rows are of one seed"
            )
        if not self.file:  # where it is declared: its stored rows lie next to it
            object.__setattr__(self, "file", sys._getframe(2).f_globals.get("__file__", ""))
        unknown = sorted(set(self.tested) - set(self.play.parameters))
        if unknown:
            raise ValueError(f"Sweep {self.name}: tested must name parameters of {self.play.name}, got {unknown}")
        for index in range(len(self.points)):
            self.play.arguments({**self.values(index, self.seed or 0), **self.tested})
            for tier in self.runs if isinstance(self.runs, Mapping) else ("",):
                if self.runs_at(index, tier) < 1:
                    raise ValueError(f"Sweep {self.name}: runs must be at least 1, got {self.runs}; choose more")

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the observables of a run."""
        return self.play.observables or tuple(f"column {i}" for i in range(self.play.columns))

    @property
    def path(self) -> Path:
        """Path of the rows of a stored sweep: in a folder ``results`` next to the file that declares it.

        Sweeps that have the first part of their names in common, as ``nau/figure3.nmu`` and ``nau/figure3.nalu`` have,
        share a folder in it.
        """
        group, dot, _ = self.name.rpartition("/")[2].partition(".")
        folder = Path(self.file).with_name("results") / (group if dot else "")
        return folder / f"{self.name.replace('/', '.')}.json"

    def runs_at(self, index: int, tier: str = "full") -> int:
        """Runs at a point."""
        runs = self.points[index].get("runs", self.runs)
        if isinstance(runs, Mapping):
            if tier not in runs:
                raise ValueError(
                    f"Sweep {self.name}: runs must give a number for tier {tier!r}, got {dict(runs)}; add it"
                )
            return int(runs[tier])
        return int(runs)

    def seconds_at(self, index: int) -> float:
        """Estimated processor seconds of a run at a point; 0 where they are unknown."""
        return self.seconds(self.values(index, 0)) if self.seconds else 0.0

    def values(self, index: int, seed: int) -> dict[str, Any]:
        """All values at a point; ``seed`` where the sweep has none of its own."""
        return {"seed": seed if self.seed is None else self.seed, **self.settings, **self.points[index]}

    def jobs(self, seed: int, tier: str = "full") -> list[Job]:
        """One job per point."""
        master = seed if self.seed is None else self.seed
        statistic, name = self.statistic(self.play), self.stream or self.name
        return [
            Job(
                statistic, self.values(i, seed), name, i, master, (self.runs_at(i, tier),), self.tested,
                self.seconds_at(i),
            )
            for i in range(len(self.points))
        ]  # fmt: skip
