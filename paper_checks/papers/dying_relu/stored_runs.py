"""Runs stored by ``paper-checks train relu_figure1 relu_figure6``.

Runs are independent, and run r has the same start and mini-batches in all cells of one network and data set: what is
compared are differences by run, see :mod:`paper_checks.rules.proportions`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from paper_checks.train import load

__all__ = ["Cell", "stored"]


@dataclass(frozen=True)
class Cell:
    """Runs of one cell.

    Attributes
    ----------
    gamma : float
    error : array (runs,)
        At the end.
    dead : mapping of int to array (runs,)
        Dead units by number of updates.
    died : mapping of int to array (runs,)
        Those of them that were active at the start; empty where it was not kept.
    """

    gamma: float
    error: np.ndarray
    dead: Mapping[int, np.ndarray]
    died: Mapping[int, np.ndarray]

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
    def increase(self) -> np.ndarray:
        """Dead units at the end beyond those at the start: deaths less revivals."""
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
            *(
                {int(k): np.array(v.split(), dtype=int) for k, v in c.get(name, {}).items()}
                for name in ("dead", "died")
            ),
        )
        for c in load(experiment)["cells"]
    }
