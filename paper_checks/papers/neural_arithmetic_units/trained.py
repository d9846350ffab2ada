"""Trained networks by setting, and how they compare with a printed row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from montecarlo import Sweep
from paper_checks import concluded
from paper_checks.experiments.success_rates import success_rate
from paper_checks.findings import Finding
from paper_checks.papers.neural_arithmetic_units.printed_tables import Row
from paper_checks.rules.means import Status, combine
from paper_checks.rules.proportions import listed, median, proportion, sign_test, signs_text
from paper_checks.rules.rates import RATE
from paper_checks.rules.reproduction import levels, p_value, printed_level, reproduced_count, reproduced_median

__all__ = [
    "COUNTED",
    "TIMED",
    "Runs",
    "earlier",
    "more_successes",
    "rate_found",
    "runs_at",
    "runs_of",
    "share_of",
    "speed_found",
]

COUNTED = (
    "agreement: all rates that our runs do not exclude are among those that the printed count does not, both at an "
    "error rate of 2e-11; disagreement: Fisher's exact test at that rate"
)
TIMED = (
    "distribution-free: the level of the law at which the printed median lies, by our runs that succeed, against the "
    "levels at which the median of as many as succeed in print can lie; error rate 2e-11"
)

# The paper's own level of intervals.
CUSTOMARY = 0.05


@dataclass(frozen=True)
class Runs:
    """Runs of one setting.

    Attributes
    ----------
    columns : mapping of str to array (runs,)
        What is reported of a run, by name.
    threshold : float
        Of success.
    """

    columns: Mapping[str, np.ndarray]
    threshold: float

    def __len__(self) -> int:
        return len(self.columns["test_error"])

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
    """The runs of the first point with these values.

    Raises
    ------
    LookupError
        Where there is none.
    """
    for index in range(len(rows)):
        point = sweep.values(index, 0)
        if all(point.get(name) == value for name, value in values.items()):
            return runs_at(sweep, rows, index)
    raise LookupError(f"{sweep.name}: there must be runs with {values}, got none; add the point to the sweep")


def rate_found(runs: Runs, printed: Row) -> Finding:
    """Whether runs succeed as often as a printed row."""
    mine, n, theirs, m = runs.successes, len(runs), printed.successes, printed.seeds
    status = reproduced_count(mine, n, theirs, m)
    left = proportion(theirs, m)
    says = (
        f"{runs.wilson()}, printed {printed.wilson()}: p = {p_value(mine, n, theirs, m):.2g}; at the error rate the "
        f"printed count leaves {left.low:.3f} to {left.high:.3f}"
    )
    slips = {
        "failures counted": reproduced_count(n - mine, n, theirs, m) is not status,
        "every run counted": reproduced_count(n, n, theirs, m) is not status,
    }
    return concluded(status, says, slips if status is Status.CONFIRMED else None)


def speed_found(when: np.ndarray, printed: Row) -> Finding:
    """Whether runs are solved when a printed row is, by its median; ``when`` they are, infinite for later.

    Where most are solved later than is known, their median is not, and agrees with none.
    """
    status = reproduced_median(when, printed.median, printed.successes)
    if status is Status.CONFIRMED and not np.isfinite(np.median(when)):
        status = Status.INCONCLUSIVE
    left = printed_level(printed.successes, RATE / 3)
    below, up_to = levels(when, printed.median)
    says = (
        f"{speed(when)}; printed median {printed.median:.2g}, mean {printed.solved[0]:.2g} -+ {printed.solved[1]:.1g};"
        f" {below.value:.0%} of ours are solved before it, {up_to.value:.0%} up to it; at the error rate a median of "
        f"{printed.successes} leaves {left.low:.1%} to {left.high:.1%}"
    )
    slips = {
        f"{factor} times the printed median": reproduced_median(when, factor * printed.median, printed.successes)
        is not status
        for factor in ((0.1, 10) if np.isfinite(when).all() else (0.1,))  # nothing is known of what comes later
    }
    return concluded(status, says, slips if status is Status.CONFIRMED else None)


def more_often(one: Runs, other: Runs) -> Status:
    """Whether one setting succeeds more often than another, as far as the runs decide."""
    if p_value(one.successes, len(one), other.successes, len(other)) > RATE:
        return Status.INCONCLUSIVE
    ahead = one.successes * len(other) > other.successes * len(one)
    return Status.CONFIRMED if ahead else Status.REFUTED


def more_successes(best: Runs, rest: Mapping[str, Runs]) -> Finding:
    """Whether one setting succeeds more often than each of the others."""
    status = combine([more_often(best, other) for other in rest.values()])
    says = listed(rest.items(), lambda name, other: f"{name} {other.wilson()}")
    swapped = any(more_often(other, best) is not Status.CONFIRMED for other in rest.values())
    slips = {"settings exchanged": swapped} if status is Status.CONFIRMED else None
    return concluded(status, f"{best.wilson()} against {says}", slips)


def earlier(best: Runs, rest: Mapping[str, Runs]) -> Finding:
    """Whether one setting is solved earlier than each of the others, by pairs of runs that succeed."""
    signs = {}
    for name, other in rest.items():
        n = min(best.successes, other.successes)
        signs[name] = sign_test(other.solved_at[:n] - best.solved_at[:n])
    status = combine([sign.status for sign in signs.values()])
    says = listed(rest.items(), lambda name, other: f"{name} {speed(other.solved_at)}")
    swapped = any(sign.above >= sign.below for sign in signs.values())
    slips = {"settings exchanged": swapped} if status is Status.CONFIRMED else None
    return concluded(status, f"{speed(best.solved_at)}; {says}; later by pairs, {signs_text(signs)}", slips)


def share_of(says: str, has: np.ndarray, among: np.ndarray, others: str) -> Finding:
    """Whether what runs have goes together with a kind of them: that it is more frequent there than elsewhere."""
    one, n, other, m = int((has & among).sum()), int(among.sum()), int((has & ~among).sum()), int((~among).sum())
    status = _together(has, among)
    slips = {"labels of the next run": _together(np.roll(has, 1), among) is not Status.CONFIRMED}
    text = f"{one} of {n} {says}, {other} of {m} {others}"
    return concluded(status, text, slips if status is Status.CONFIRMED else None)


def _together(has: np.ndarray, among: np.ndarray) -> Status:
    one, n, other, m = (has & among).sum(), among.sum(), (has & ~among).sum(), (~among).sum()
    if p_value(one, n, other, m) > RATE:
        return Status.INCONCLUSIVE
    return Status.CONFIRMED if one * m > other * n else Status.REFUTED
