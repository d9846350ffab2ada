"""Replays of stored runs: some are simulated again and must give the stored rows.

A run is chosen at random for each setting, by a seed that the command shows. With the processor and the libraries that
made the file, a replay must give the stored row to 9 digits. With others, rounding may differ, and a chaotic run ends
elsewhere. Then the replayed rows must be distributed like the stored runs of their settings: in each column the ranks
of the new values among the stored ones are summed over all settings, and the sum may be five standard deviations off.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np

from montecarlo import Sweep, generator
from montecarlo.engine.machine import made_with
from montecarlo.engine.work import Failed, play
from montecarlo.streams.philox import stream
from paper_checks.experiments.stored import Stored, declared

# Relative; numbers are compared to 9 digits.
SAME = 5e-9
# Standard deviations of a sum of ranks, at which other rows are refused: p < 6e-7 for many settings.
OFF = 5.0


@dataclass(frozen=True)
class Replay:
    """Result of the replayed runs of a sweep.

    Attributes
    ----------
    sweep : str
    runs : tuple of (int, int)
        Setting and run, as replayed.
    differing : tuple of (int, int)
        Runs whose row differs from the stored one.
    farthest : float
        The largest distance of a sum of ranks from its mean, in standard deviations; 0 where all rows are the same.
    same_machine : bool
        Whether processor and libraries are those that made the file.
    """

    sweep: str
    runs: tuple[tuple[int, int], ...]
    differing: tuple[tuple[int, int], ...]
    farthest: float
    same_machine: bool

    @property
    def holds(self) -> bool:
        """Whether the present code reproduces the stored rows."""
        return not self.differing or (not self.same_machine and self.farthest < OFF)

    def __str__(self) -> str:
        text = f"{self.sweep}: {len(self.runs) - len(self.differing)} of {len(self.runs)} runs the same to 9 digits"
        if not self.differing:
            return text
        if self.same_machine:
            named = ", ".join(f"run {run} of setting {index}" for index, run in self.differing[:3])
            return (
                f"{text}, but not {named}, though processor and libraries are the same; if numbers were meant to "
                f"change, raise the sweep's version and run 'paper-checks train {self.sweep}'"
            )
        verdict = "like the stored runs" if self.holds else "unlike the stored runs"
        return (
            f"{text}; on another processor or with other libraries the rest is {verdict} (ranks at most "
            f"{self.farthest:.1f} standard deviations off, {OFF:.0f} allowed)"
        )


def chosen(sweep: Sweep, seed: int, settings: Sequence[int] | None = None) -> list[tuple[int, int]]:
    """A random run for each setting, or for some of them, by a seed.

    Examples
    --------
    >>> from montecarlo import generator, simulator
    >>> @simulator
    ... def draw(stream, first, out):
    ...     out[0, 0] = generator(stream, first).normal()
    >>> sweep = Sweep("example/draws", "draws", draw, [{}, {}], runs=100)
    >>> chosen(sweep, 1) == chosen(sweep, 1), len(chosen(sweep, 1, [1]))
    (True, 1)
    """
    runs = [sweep.runs_at(index) for index in range(len(sweep.points))]
    drawn = generator(stream(seed, f"replay of {sweep.name}", 0), 0).integers(runs)
    return [(index, int(drawn[index])) for index in (range(len(runs)) if settings is None else settings)]


def replay(
    sweep: Sweep,
    runs: Sequence[tuple[int, int]],
    *,
    executor: Executor | None = None,
    progress: Callable[[int, int, str], None] | None = None,
) -> Replay:
    """Simulate stored runs again, with the settings in the file, and compare them with their rows.

    Parameters
    ----------
    sweep : Sweep
        A stored one.
    runs : sequence of (setting, run)
        See :func:`chosen`.
    executor, progress
        See :func:`montecarlo.measure`.

    Raises
    ------
    StaleRows, DamagedRows
        If the file is missing, or does not match the declaration of the sweep.
    """
    found = declared(sweep)
    with ThreadPoolExecutor(1) as one:
        rows = list(_played(sweep, found, runs, executor or one, progress))
    other = [not np.allclose(new, found.rows[i][j], rtol=SAME, atol=0, equal_nan=True)
             for new, (i, j) in zip(rows, runs, strict=True)]  # fmt: skip
    differing = tuple(place for place, differs in zip(runs, other, strict=True) if differs)
    new = [(row, found.rows[i]) for row, (i, _), differs in zip(rows, runs, other, strict=True) if differs]
    return Replay(sweep.name, tuple(runs), differing, _farthest(new), found.made_with == made_with())


def _played(
    sweep: Sweep, found: Stored, runs: Sequence[tuple[int, int]], executor: Executor,
    progress: Callable[[int, int, str], None] | None,
) -> Iterator[np.ndarray]:  # fmt: skip
    # Computed settings may have another last digit on this machine.
    jobs = replace(sweep, points=found.points, settings={**sweep.settings, **found.settings}).jobs(found.seed)
    waiting = [executor.submit(play, jobs[index].task(run, 1)) for index, run in runs]
    for number, (future, (index, _)) in enumerate(zip(waiting, runs, strict=True), 1):
        data = future.result()
        if isinstance(data, Failed):
            raise data.error
        yield jobs[index].statistic.record.from_bytes(data).values[0]
        if progress:
            progress(number, len(runs), "run")


def _farthest(new: Sequence[tuple[np.ndarray, np.ndarray]]) -> float:
    """Largest distance of a sum of ranks from its mean, in standard deviations."""
    if not new:
        return 0.0
    ranks = np.array([_ranks(row, stored) for row, stored in new])
    count = np.isfinite(ranks).sum(axis=0)
    off = np.abs(np.nansum(ranks - 1 / 2, axis=0)) / np.sqrt(np.maximum(count, 1) / 12)
    return float(off.max()) if math.isfinite(off.max()) else math.inf


def _ranks(row: np.ndarray, stored: np.ndarray) -> np.ndarray:
    """Of each column's value among the stored ones, in (0, 1), ties in the middle; nan where both are nan."""
    below, ties = (stored < row).sum(axis=0), (stored == row).sum(axis=0)
    ranks = (below + ties / 2 + 1 / 2) / (len(stored) + 1)
    nothing = np.isnan(stored).all(axis=0)
    return np.where(np.isnan(row), np.where(nothing, np.nan, np.inf), np.where(nothing, np.inf, ranks))
