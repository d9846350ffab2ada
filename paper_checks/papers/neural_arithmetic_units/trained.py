"""Trained networks by setting, and how two settings compare."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy

from montecarlo import Sweep
from paper_checks import Finding, concluded
from paper_checks.experiments.trials import success_rate
from paper_checks.papers.neural_arithmetic_units.printed_tables import CUSTOMARY, Row, fisher, more_often, ordered
from paper_checks.papers.neural_arithmetic_units.sweeps import EARLY
from paper_checks.rules import strata
from paper_checks.rules.means import Status, told
from paper_checks.rules.proportions import listed, median
from paper_checks.rules.rates import RATE


@dataclass(frozen=True)
class Runs:
    """Runs of one setting: what is reported of each, by name, and the threshold of success."""

    columns: Mapping[str, np.ndarray]
    threshold: float

    def __len__(self) -> int:
        return len(self.columns["test_error"])

    seeds = property(__len__)

    @property
    def solved(self) -> np.ndarray:
        """Which runs succeed: the test error of the best of the last looks is below the threshold (3.1.1, 3.1.2)."""
        error = self.columns["test_error"]
        return (error >= 0) & (error < self.threshold)

    @property
    def successes(self) -> int:
        return int(self.solved.sum())

    @property
    def solved_at(self) -> np.ndarray:
        """Of the runs that succeed: the first look with a test error below the threshold."""
        return self.columns["solved_at"][self.solved]

    @property
    def sparsity(self) -> np.ndarray:
        """Of the runs that succeed: their sparsity error."""
        return self.columns["sparsity_error"][self.solved]

    def wilson(self) -> str:
        """The count with the 95 % interval of Wilson for the success rate."""
        return success_rate(self.successes, len(self))


def speed(when: np.ndarray) -> str:
    """Median and mean with a 95 % interval of order statistics for the median; fewer than six runs give none."""
    if not len(when):
        return "never"
    middle = median(when, CUSTOMARY)
    mean = f", mean {when.mean():.3g}" if np.isfinite(when).all() else ""
    interval = f" [{middle.low:.3g}, {middle.high:.3g}]" if np.isfinite(middle.low) else f" of {len(when)}"
    return f"median {middle.value:.3g}{interval}{mean}"


def runs_at(sweep: Sweep, rows: Sequence[np.ndarray], index: int) -> Runs:
    """The runs of a point by its place."""
    columns = dict(zip(sweep.columns, rows[index].T, strict=True))
    return Runs(columns, sweep.values(index, 0)["threshold"])


def runs_of(sweep: Sweep, rows: Sequence[np.ndarray], **values: Any) -> Runs:
    """The runs of the first point with these values; a LookupError where there is none."""
    for index in range(len(rows)):
        point = sweep.values(index, 0)
        if all(point.get(name) == value for name, value in values.items()):
            return runs_at(sweep, rows, index)
    raise LookupError(f"{sweep.name}: there must be runs with {values}, got none; add the point to the sweep")


def together(parts: Iterable[Runs]) -> Runs:
    """Runs of one setting by several experiments."""
    parts = list(parts)
    columns = {name: np.concatenate([part.columns[name] for part in parts]) for name in parts[0].columns}
    return Runs(columns, parts[0].threshold)


def first_solved(context, sweep: Sweep = EARLY, **values: Any) -> np.ndarray:
    """When each run was first below the threshold; infinite where it was not."""
    at = runs_of(sweep, context.rows(sweep), **values).columns["solved_at"]
    return np.where(at < 0, np.inf, at)


def more_successes(best, rest: Mapping[str, Any], rate: float = RATE, what: str = "settings") -> Finding:
    """Whether one setting, or one row as published, succeeds more often than each of the others."""
    status = ordered((more_often(best, other) for other in rest.values()), rate)
    says = listed(rest.items(), lambda name, other: f"{name} {other.wilson()}, p = {fisher(best, other):.2g}")
    swapped = ordered((more_often(other, best) for other in rest.values()), rate) is not Status.CONFIRMED
    slips = {f"{what} exchanged": swapped} if status is Status.CONFIRMED else None
    return concluded(status, f"{best.wilson()} against {says}", slips)


def earlier(best: Runs, rest: Mapping[str, Runs], rate: float = RATE) -> Finding:
    """Whether one setting is solved earlier than each of the others, by the ranks of runs that succeed."""
    tests = {name: scipy.stats.mannwhitneyu(other.solved_at, best.solved_at) for name, other in rest.items()}
    later = {name: test.statistic / (rest[name].successes * best.successes) for name, test in tests.items()}
    status = ordered([(test.pvalue, later[name] > 1 / 2) for name, test in tests.items()], rate)
    exchanged = ordered([(test.pvalue, later[name] < 1 / 2) for name, test in tests.items()], rate)
    says = listed(rest.items(), lambda name, other: f"{name} {speed(other.solved_at)}")
    ranks = listed(tests.items(), lambda name, test: f"{name}: {later[name]:.0%} of pairs, p = {test.pvalue:.2g}")
    slips = {"settings exchanged": exchanged is not Status.CONFIRMED} if status is Status.CONFIRMED else None
    return concluded(status, f"{speed(best.solved_at)}; {says}; later, {ranks}", slips)


def all_smaller(pairs: list[tuple[np.ndarray, np.ndarray]]) -> Status:
    """Whether the first values are the smaller ones, in all settings together."""
    right = [strata.split(other, own) for own, other in pairs]
    wrong = [strata.split(own, other) for own, other in pairs]
    return told(*(strata.more_often(splits) is Status.CONFIRMED for splits in (right, wrong)))


def share_of(says: str, has: np.ndarray, among: np.ndarray, others: str) -> Finding:
    """Whether what runs have goes together with a kind of them: that it is more frequent there than elsewhere."""

    def rows(labels: np.ndarray) -> list[Row]:
        return [Row(int((labels & kind).sum()), int(kind.sum())) for kind in (among, ~among)]

    def together(labels: np.ndarray) -> Status:
        return ordered([more_often(*rows(labels))], RATE)

    (one, other), status = rows(has), together(has)
    slips = {"labels of the next run": together(np.roll(has, 1)) is not Status.CONFIRMED}
    text = f"{one.successes} of {one.seeds} {says}, {other.successes} of {other.seeds} {others}"
    return concluded(status, text, slips if status is Status.CONFIRMED else None)
