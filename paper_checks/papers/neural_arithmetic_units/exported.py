"""Our runs as they would be read after the public export: beside each run as it was trained, as it would appear."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from montecarlo import Sweep
from paper_checks.papers.neural_arithmetic_units import merge_order, sweeps
from paper_checks.papers.neural_arithmetic_units.merge_order import LAST, TIMES, read_solved, run_name
from paper_checks.papers.neural_arithmetic_units.printed_figures import COUNTS, DEFAULT, SEEDS, SOLVED_AT
from paper_checks.papers.neural_arithmetic_units.printed_tables import TABLE_5, Row
from paper_checks.papers.neural_arithmetic_units.trained import runs_at, runs_of

Rows = Callable[[Sweep], Sequence[np.ndarray]]
Order = Callable[..., dict[str, np.ndarray]]

MODELS = {name: model for model, name in sweeps.NAMES.items()}
OPERATIONS = {sign: operation for operation, sign in sweeps.SIGNS.items()}
# The rows of Table 5 of which six seeds or more succeed.
ROWS = tuple(key for key, row in TABLE_5.items() if row.successes >= 6)
TABLE_SWEEPS = (*(sweeps.TABLE_5[m] for m in ("linear", "nac_add", "nau", "nmu", "relu")), sweeps.EARLY)
SETTINGS = {
    3: [f"n = {n}" for n in sweeps.INPUTS],
    4: [f"o = {o:g}" for o in sweeps.OVERLAPS],
    5: [f"s = {s:g}" for s in sweeps.SUBSETS],
    7: [f"U[{a:g}, {b:g}]" for a, b, _, _ in sweeps.RANGES],
}
FIGURE_SWEEPS = (sweeps.TABLE_5["nmu"], *(part["nmu"] for number in SETTINGS for part in sweeps.FIGURES[number]))


@dataclass(frozen=True)
class Read:
    """Runs of one setting, and how they would be read.

    ``trained`` is when a run is solved, infinite for one that fails; ``places`` (seeds, looks) is the order of the
    looks at the run of each published seed; the ``last`` looks decide success.
    """

    name: str
    printed: Row
    trained: np.ndarray
    places: np.ndarray
    last: int

    @property
    def exported(self) -> np.ndarray:
        """When a run appears to be solved, our run i in the place of seed i mod 10."""
        places = np.resize(np.arange(len(self.places)), len(self.trained))
        return np.array([read_solved(self.places[p], t, self.last) for p, t in zip(places, self.trained, strict=True)])

    @property
    def expected(self) -> np.ndarray:
        """When each run appears to be solved in each place (runs, seeds)."""
        return np.array([[read_solved(order, t, self.last) for order in self.places] for t in self.trained])

    @property
    def in_order(self) -> bool:
        """Whether the looks at every run are in the order of time."""
        return bool((np.diff(self.places, axis=1) > 0).all())


def done(times: np.ndarray) -> np.ndarray:
    """Those of runs that succeed."""
    return times[np.isfinite(times)]


@cache
def _merged(number: int, order: Order) -> dict[str, np.ndarray]:
    return order(merge_order.figure(number) if number else merge_order.table_5())


def table_cells(rows: Rows, order: Order = merge_order.looks_as_merged) -> list[Read]:
    """The rows of Table 5 in which most seeds succeed.

    Runs of 20,000 and 120,000 iterations are added where all of them are solved by then.
    """
    merged, found = _merged(0, order), []
    for sign, unit in ROWS:
        model, operation = MODELS[unit], OPERATIONS[sign]
        runs = runs_of(sweeps.TABLE_5[model], rows(sweeps.TABLE_5[model]), operation=operation)
        times = np.where(runs.solved, runs.columns["solved_at"], np.inf)
        if model in ("nac_add", "linear", "nau"):
            early = runs_of(sweeps.EARLY, rows(sweeps.EARLY), model=model, operation=operation).columns["solved_at"]
            times = np.append(times, early if (early >= 0).all() else [])
        places = np.array([merged[run_name(model, operation, seed=seed)] for seed in range(SEEDS)])
        found.append(Read(f"{unit} {sign}", TABLE_5[sign, unit], times, places, LAST))
    return found


def figure_cells(rows: Rows, number: int, order: Order = merge_order.looks_as_merged) -> list[Read]:
    """The NMUs of a figure, in the order of its settings."""
    merged, found = _merged(number, order), []
    for index, name in enumerate(SETTINGS[number]):
        point = sweeps.simple("nmu", **sweeps.CHANGES[number][index])
        sweep = next(sweep for sweep in FIGURE_SWEEPS if point in sweep.points)
        runs = runs_at(sweep, rows(sweep), sweep.points.index(point))
        mean = SOLVED_AT[number]["nmu"][index]
        half = None if mean is None or mean.high is None else (mean.high - mean.low) / 2
        row = Row(COUNTS[number]["nmu"][index], SEEDS, solved=(mean.value, half) if mean else None)
        names = [run_name("nmu", seed=s, **merge_order.FIGURES[number][index]) for s in range(SEEDS)]
        times, places = np.where(runs.solved, runs.columns["solved_at"], np.inf), np.array([merged[n] for n in names])
        last = LAST // TIMES if index == DEFAULT[number] else LAST
        found.append(Read(f"Figure {number}, {name}", row, times, places, last))
    return found


def all_figures(rows: Rows, order: Order = merge_order.looks_as_merged) -> list[Read]:
    """The NMUs of Figures 3, 4, 5 and 7."""
    return [cell for number in SETTINGS for cell in figure_cells(rows, number, order)]
