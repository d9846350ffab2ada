"""Section 5, Figures 4 and 5: what becomes of each start on a grid, played once for all claims and figures.

The window, target scales, step size, momenta and tolerance of the figures are lost in our copy. Chosen here: starts on
cell centres of [-1, 1]^2, six target scales, step sizes around 0.1. Two rules end a path. ``updates``: the paper's,
"until updates are smaller (in norm) than" a tolerance, at most 20 000 steps. ``decided``: until it cannot go anywhere
else, see :mod:`montecarlo.descent.fates`, within 20 000 or two million steps.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from montecarlo import Sweep, simulator
from montecarlo.descent.fates import DEAD, OPTIMUM, STUCK
from montecarlo.descent.parts import AT_ONCE
from montecarlo.descent.relu_unit import Method, descend
from theory.momentum import oscillation_threshold

STEP_SIZE, CELLS, COARSE = 0.1, 24, 12
SCALES = (1.0, 0.3, 0.1, 0.03, 0.01, 0.003)
CONVENTIONS = {"ema": "momentum as an average", "heavy-ball": "heavy ball"}
# Momenta below and above the threshold of oscillation of the affine model, 0.669 and 0.468 at the step size 0.1.
BELOW = {"ema": 0.65, "heavy-ball": 0.45}
ABOVE = {"ema": (0.8, 0.9, 0.99), "heavy-ball": (0.6, 0.9, 0.99)}
TOLERANCES = (1e-4, 1e-5, 1e-6)
BUDGET, PATIENT = 20_000, 2_000_000

_threshold = cache(oscillation_threshold)


def grid_of(cells: int) -> tuple[np.ndarray, np.ndarray]:
    """(w_L, b) of the cell centres."""
    x = 2 * (np.arange(cells) + 0.5) / cells - 1
    return tuple(np.meshgrid(x, x))


@simulator(columns=("outcome",), block=CELLS * CELLS)
def end_of_path(
    stream, first, gamma: float, step_size: float, momentum: float, convention: str, target: str, tolerance: float,
    steps: int, cells: int, out,
):  # fmt: skip
    """Sample i is the start in cell i. Nothing is random."""
    del stream
    w, b = (x.ravel()[first : first + len(out)] for x in grid_of(cells))
    runs = descend(
        w, b, gamma, Method(step_size, momentum, convention), target=target, steps=steps, tolerance=tolerance or None,
        executor=AT_ONCE,
    )  # fmt: skip
    out[:, 0] = runs.outcome


@dataclass(frozen=True)
class Setting:
    """What the paper's figures leave open, but for the scale of the target and the momentum.

    Attributes
    ----------
    target : {"linear", "without-sign", "relu"}
        The exact gradient on Lambda.x; without the sign alpha in that of the bias; the exact one on max(0, Lambda.x).
    tolerance : float
        Of the rule ``updates``; 0 for ``decided``.
    step_size : float
    steps : int
    cells : int
    """

    target: str = "linear"
    tolerance: float = 0.0
    step_size: float = STEP_SIZE
    steps: int = BUDGET
    cells: int = CELLS

    def below(self, convention: str) -> float:
        """A momentum below the threshold of oscillation."""
        if self.step_size == STEP_SIZE:
            return BELOW[convention]
        return round(0.95 * _threshold(self.step_size, convention=convention), 3)

    def above(self, convention: str) -> tuple[float, ...]:
        """Momenta above it."""
        if self.step_size == STEP_SIZE:
            return ABOVE[convention]
        threshold = _threshold(self.step_size, convention=convention)
        return tuple(round(threshold + (1 - threshold) * share, 4) for share in (0.3, 0.7, 0.97))

    @property
    def rule(self) -> str:
        """Which rule ends a path, as text."""
        return f"updates below {self.tolerance:.0e}" if self.tolerance else f"decided in {self.steps:.0e} steps"

    def __str__(self) -> str:
        return f"step size {self.step_size:g}, {self.rule}"


FIELDS = ("linear", "without-sign")
# The settings of the figures; on a coarser grid the paper's rule, other step sizes, a hundred times as many steps.
FINE = [Setting(target) for target in FIELDS]
WIDER = [
    *(Setting(target, t, cells=COARSE) for target in FIELDS for t in TOLERANCES),
    *(Setting(target, t, eta, cells=COARSE) for target in FIELDS for t in (0.0, 1e-4, 1e-6) for eta in (0.03, 0.3)),
    *(Setting(target, steps=PATIENT, cells=COARSE) for target in FIELDS),
]


def _points() -> list[dict[str, Any]]:
    points = [_point(Setting("relu"), g, 0.0, "ema") for g in SCALES]
    for setting in (*FINE, *WIDER):
        rates = [(0.0, "ema")] + [(m, c) for c in CONVENTIONS for m in (setting.below(c), *setting.above(c))]
        points += [_point(setting, g, momentum, c) for g in SCALES for momentum, c in rates]
    return points


def _point(setting: Setting, gamma: float, momentum: float, convention: str) -> dict[str, Any]:
    return {
        "gamma": gamma, "momentum": momentum, "convention": convention if momentum else "ema",
        "target": setting.target, "tolerance": setting.tolerance, "step_size": setting.step_size,
        "steps": setting.steps, "cells": setting.cells, "runs": setting.cells**2,
    }  # fmt: skip


FATES = Sweep(
    "relu/fates",
    "which starts of a single ReLU reach the optimum and which the dead cone, by field, rule, step size and momentum",
    end_of_path,
    _points(),
    CELLS * CELLS,
    seed=1,
    stored=True,
)


class Fates:
    """The outcomes of the sweep by setting, scale of the target and momentum."""

    def __init__(self, rows: Sequence[np.ndarray]):
        self._found = {
            _key(point): r[:, 0].astype(int).reshape(point["cells"], point["cells"])
            for point, r in zip(FATES.points, rows, strict=True)
        }

    def outcome(
        self, gamma: float, momentum: float = 0.0, convention: str = "ema", setting: Setting = FINE[0]
    ) -> np.ndarray:
        """By cell, (cells, cells): rows by b, columns by w_L."""
        return self._found[_key(_point(setting, gamma, momentum, convention))]

    def converges(self, *at: Any, **setting: Any) -> np.ndarray:
        """Which starts reach the optimum."""
        return self.outcome(*at, **setting) == OPTIMUM

    def dead(self, *at: Any, **setting: Any) -> np.ndarray:
        """Which starts are in the dead cone in the end, for good or still."""
        outcome = self.outcome(*at, **setting)
        return (outcome == DEAD) | (outcome == STUCK)

    def halves(self, gamma: float, setting: Setting) -> tuple[float, float]:
        """Shares of the starts with w_L < 0 and with w_L > 0 that are dead in the end, without momentum."""
        left, dead = grid_of(setting.cells)[0] < 0, self.dead(gamma, setting=setting)
        return float(dead[left].mean()), float(dead[~left].mean())

    def share(self, *at: Any, **setting: Any) -> float:
        """The share of the starts that reach the optimum."""
        return float(self.converges(*at, **setting).mean())


def _key(point: dict[str, Any]) -> tuple:
    return tuple(sorted(point.items()))
