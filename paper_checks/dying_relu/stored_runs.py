"""Runs stored by ``paper-checks train``, and tests of their differences that suppose no law.

Runs are independent, and run r has the same start and mini-batches in all cells of one network and data set: what is
compared are differences by run. Nothing is supposed about their law. Each test errs with a probability of at most
FAMILY_ERROR/FAMILY, like every comparison in this project.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from scipy.stats import binom

from paper_checks.findings import Finding
from paper_checks.train import load
from paper_checks.verdict import FAMILY, FAMILY_ERROR, Status

__all__ = ["RATE", "Cell", "Sign", "compare_signs", "judged", "median_interval", "sign_test", "stored"]

RATE = FAMILY_ERROR / FAMILY


@dataclass(frozen=True)
class Cell:
    """Runs of one cell: ``error`` (runs,) at the end, and dead units (runs,) by number of updates."""

    gamma: float
    error: np.ndarray
    dead: Mapping[int, np.ndarray]

    @property
    def normalised(self) -> np.ndarray:
        """Mean square error over gamma^2: 1 for the mean of the targets."""
        return self.error / self.gamma**2

    @property
    def first(self) -> np.ndarray:
        return self.dead[0]

    @property
    def last(self) -> np.ndarray:
        return self.dead[max(self.dead)]

    @property
    def died(self) -> np.ndarray:
        """Dead units at the end beyond those at the start."""
        return self.last - self.first


def stored(experiment: str, **cell: Any) -> Cell:
    """The runs of a cell.

    Raises
    ------
    ValueError
        Where there are no such runs.
    """
    key = _key(cell)
    if key not in _cells(experiment):
        raise ValueError(f"stored: {experiment} must have the cell {cell}, got none; run 'paper-checks train'")
    return _cells(experiment)[key]


def _key(cell: Mapping[str, Any]) -> frozenset:
    return frozenset((name, value) for name, value in cell.items() if name != "runs")


@cache
def _cells(experiment: str) -> dict[frozenset, Cell]:
    return {
        _key(c["cell"]): Cell(
            c["cell"]["gamma"],
            np.array(c["error"].split(), dtype=float),
            {int(k): np.array(v.split(), dtype=int) for k, v in c["dead"].items()},
        )
        for c in load(experiment)["cells"]
    }


@dataclass(frozen=True)
class Sign:
    """How many differences are above and below 0, and whether that decides that more of them are above.

    CONFIRMED or REFUTED where a fair coin would show as many on one side with a probability of at most ``RATE``, both
    sides together; differences of 0 are left out, as the test asks on which side a difference falls.
    """

    above: int
    below: int
    status: Status

    def __str__(self) -> str:
        return f"{self.above} above, {self.below} below"


def sign_test(differences: np.ndarray) -> Sign:
    """The exact sign test.

    Examples
    --------
    >>> print(sign_test(np.ones(48)), sign_test(np.ones(48)).status)
    48 above, 0 below CONFIRMED
    >>> sign_test(np.arange(-10, 30)).status
    <Status.INCONCLUSIVE: 'INCONCLUSIVE'>
    """
    above, below = int((differences > 0).sum()), int((differences < 0).sum())
    chance = 2 * binom.cdf(min(above, below), above + below, 0.5)
    if above + below == 0 or chance > RATE:
        return Sign(above, below, Status.INCONCLUSIVE)
    return Sign(above, below, Status.CONFIRMED if above > below else Status.REFUTED)


def median_interval(values: np.ndarray) -> tuple[float, float]:
    """Two order statistics that miss the median of the values' law with a probability of at most ``RATE``.

    Raises
    ------
    ValueError
        For fewer values than can tell.

    Examples
    --------
    >>> median_interval(np.arange(48.0))
    (2.0, 45.0)
    """
    n = len(values)
    left_out = int(binom.ppf(RATE / 2, n, 0.5))
    while left_out >= 0 and 2 * binom.cdf(left_out, n, 0.5) > RATE:
        left_out -= 1
    if left_out < 0:
        raise ValueError(f"median_interval: values must be at least 37, got {n}; take more runs")
    ordered = np.sort(values)
    return float(ordered[left_out]), float(ordered[n - 1 - left_out])


def compare_signs(differences: Mapping[str, np.ndarray], seed: int = 1) -> tuple[dict[str, Sign], dict[str, bool]]:
    """Sign tests by name, and for each mistake whether it would have been noticed in all of them.

    The mistakes: labels that are swapped in every run, and in every other one.
    """
    rng = np.random.default_rng(seed)
    signs = {name: sign_test(d) for name, d in differences.items()}
    swapped = all(sign_test(-d).status is not Status.CONFIRMED for d in differences.values())
    mixed = all(
        sign_test(d * rng.permutation(np.resize([1, -1], len(d)))).status is not Status.CONFIRMED
        for d in differences.values()
    )
    return signs, {"labels swapped": swapped, "labels swapped in half of the runs": mixed}


def judged(status: Status, says: str, slips: Mapping[str, bool] | None = None) -> Finding:
    """A finding from stored runs; ``slips`` says of each mistake whether it was rejected."""
    slips = slips or {}
    kept = tuple(name for name, rejected in slips.items() if not rejected)
    return Finding("experiment", status, status, says, len(slips) - len(kept), len(slips), kept)


def listed(items: Iterable[Any], text: Callable[..., str]) -> str:
    """Texts of items, separated by semicolons."""
    return "; ".join(text(*item) for item in items)
