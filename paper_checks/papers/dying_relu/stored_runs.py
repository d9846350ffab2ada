"""The runs of networks on scaled targets by what was trained.

Runs are independent, and run r has the same start and mini-batches at all points of one network and data set: what is
compared are differences by run, see :mod:`paper_checks.rules.proportions`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from montecarlo import Sweep
from paper_checks.rules.proportions import Sign

SIGNS = (
    "differences between paired runs are tested by exact sign tests, each with an error rate of 2e-11; their "
    "distribution does not matter"
)
AS_BEFORE = "sign tests as in relu/fig1.error"


def paired(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Differences of the runs that both have: runs of the same number have the same start and mini-batches."""
    runs = min(len(one), len(other))
    return one[:runs] - other[:runs]


def sign_table(signs: Mapping[str, Sign], more: str = "more", fewer: str = "fewer") -> list[dict[str, Any]]:
    """Sign tests as a table."""
    return [
        {"setting": name, f"runs with {more}": s.above, f"runs with {fewer}": s.below, "p": f"{s.p:.1g}"}
        for name, s in signs.items()
    ]


@dataclass(frozen=True)
class Cell:
    """Runs of one setting.

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
    def log_error(self) -> np.ndarray:
        return np.log(self.normalised)

    @property
    def first(self) -> np.ndarray:
        return self.dead[0]

    @property
    def last(self) -> np.ndarray:
        return self.dead[max(self.dead)]

    @property
    def increase(self) -> np.ndarray:
        """Dead units at the end minus those at the start: deaths less revivals."""
        return self.last - self.first

    @property
    def deaths(self) -> np.ndarray:
        """Units that were active at the start and are dead at the end."""
        return self.died[max(self.died)]


class Trained:
    """The cells of a sweep.

    Parameters
    ----------
    sweep : Sweep
    rows : sequence of array (runs, columns)
        Its rows, as :meth:`Context.rows` gives them to a claim.
    """

    def __init__(self, sweep: Sweep, rows: Sequence[np.ndarray]):
        self._name = sweep.name
        self._cells = [
            (point, _cell(point.get("gamma", 1.0), dict(zip(sweep.columns, r.T, strict=True))))
            for point, r in zip(sweep.points, rows, strict=True)
        ]

    def __call__(self, **values: Any) -> Cell:
        """The one cell with these values; ``width`` is the usual one where it is not among them.

        Raises
        ------
        LookupError
            Where there is none.
        """
        values = {"width": None, **values}
        for point, cell in self._cells:
            if all(point.get(name) == value for name, value in values.items()):
                return cell
        raise LookupError(f"{self._name}: there must be runs with {values}, got none; add the point to the sweep")


def _cell(gamma: float, columns: Mapping[str, np.ndarray]) -> Cell:
    def units(kind: str) -> dict[int, np.ndarray]:
        found = (name.split("_") for name in columns if name.startswith(f"{kind}_"))
        return {int(updates): columns[f"{kind}_{updates}"].astype(int) for _, updates in found}

    return Cell(gamma, columns["error"], units("dead"), units("died"))
