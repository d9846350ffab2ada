"""The runs of networks on scaled targets by what was trained.

Runs are independent, and run r has the same start and mini-batches at all points of one network and data set: what is
compared are differences by run, see :mod:`paper_checks.rules.proportions`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from montecarlo import Sweep
from paper_checks import Reproduces
from paper_checks.papers.dying_relu.findings import COUNTS
from paper_checks.papers.dying_relu.sweeps import FIGURE_6, METHODS, STARTS
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
    """Runs of one setting: errors at the end, and by number of updates the dead units, arrays (runs,).

    ``died`` are those of them that were active at the start; it is empty where it was not kept.
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
    """The cells of a sweep, from its rows as :meth:`Context.rows` gives them to a claim."""

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


GAMMA = 4.0**-4
WIDTH = 24
# What a sentence on Adam is judged in: momentum 0.9 and step sizes 0.001, 0.01 and 0.1.
ADAM = ("adam", "adam-fast", "adam-fastest")
SETTINGS = (
    "Our copy has lost gamma, the depths and widths, the step sizes, the residual block, and the numbers of runs and "
    "updates. We chose gamma = 1 and 1/256, networks of 1 to 6 ReLU layers with 24 units each, batches of 32 and 1000 "
    "updates. Before training, dead units are counted for 1 to 24 layers in 48 runs each. Plain networks that are "
    "trained by gradient descent have 24 units per layer with step size 0.1. They have 128 in relu/fig6.sgd, "
    "relu/beyond.sgd-large-steps and relu/beyond.sgd-more, with step size 0.1, and for gamma = 1 with 0.01 too. A "
    "residual block is h + W relu(batch normalisation of h) + b. The data are Friedman's first function of "
    "standardised inputs. A unit is dead if it is inactive on all 512 training inputs. Trained plain networks of 24 "
    "units per layer have 240 runs in each setting, and 480 at depths 1 and 3 with momentum and step size 0.001. Those "
    "of 128 units have 48, and 144 at depth 3 with gamma = 1 and step size 0.1. Residual networks have 48, and 240 "
    "with gamma = 1/256 and step size 0.1 of Adam"
)
OPTIMISERS = {"adam": "Adam", "sgd": "SGD"}
BY_RUN = {"relation": Reproduces(), "runs": FIGURE_6, "assumptions": AS_BEFORE}
ALL = f"{AS_BEFORE}. {COUNTS}"

Networks = Callable[..., Cell]


def networks(context) -> Networks:
    """The trained networks: residual or not, depth, method, gamma; ``width`` where it is not the usual one."""
    trained = Trained(FIGURE_6, context.rows(FIGURE_6))
    return lambda residual, depth, method, gamma=GAMMA, **more: trained(
        residual=residual, depth=depth, method=method, gamma=gamma, **more
    )


def untrained(context) -> Callable[..., Cell]:
    """The networks before the first update: residual or not, depth, law."""
    trained = Trained(STARTS, context.rows(STARTS))
    return lambda residual, depth, law: trained(residual=residual, depth=depth, law=law)


def share(counts: np.ndarray, depth: int) -> np.ndarray:
    """Dead units as a share of all."""
    return counts / (depth * WIDTH)


def step(method: str) -> str:
    m = METHODS[method]
    return f"{OPTIMISERS[m['optimiser']]} {m['step_size']:g}, momentum {m['momentum']:g}"


def name(gamma: float) -> str:
    return "gamma = 1" if gamma == 1 else "gamma = 1/256"
