"""Maps of what becomes of each initial value of a single ReLU, for the figures after the paper's Figures 4 and 5."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from string import ascii_lowercase
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from figures import style
from figures.contract import Arrays, Panels, Run
from figures.settings import Setting
from montecarlo.descent.fates import OPTIMUM
from montecarlo.descent.relu_unit import Method, descend
from paper_checks.papers.dying_relu.fates import BUDGET, STEP_SIZE, grid_of
from theory.formula import Interval
from theory.relu_unit.basins import separatrix

STEPS, CELLS = BUDGET, 96
PARAMETERS = {
    "window": [-1.0, 1.0],
    "cells": CELLS,
    "step_size": STEP_SIZE,
    "steps": STEPS,
    "dead": "probability of a positive output below 0.001",
}
COLOURS = ("#FFFFFF", "#7FB8DA", "#3A3A3A", "#9E9E9E")
# A map costs as much as any other.
SETTINGS = {
    "gammas": Setting("target scales, each as many maps", Interval(0.001, 1), 1, 4),
    "step_size": Setting("of gradient descent", Interval(0.001, 0.99)),
}
# The title of a map and its target scale, by arrays, row and column.
Cell = Callable[[Arrays, int, int], tuple[str, float]]
LABELS = ("undecided", "reaches the optimum", "dead for good", "in the dead cone after 20,000 steps")


def maps(rows: Sequence[Sequence[Mapping[str, Any]]], run: Run, step_size: float = STEP_SIZE) -> dict[str, np.ndarray]:
    """Outcomes on grids of initial values for rows of cells ``gamma, beta, convention, target``, and separatrices.

    Returns
    -------
    dict of str to array
        ``x`` (96); ``outcome`` (rows, columns, 96, 96) by b and w_L, with the codes of
        :mod:`montecarlo.descent.relu_unit`; ``line_w`` (200) below zero and ``line_b``
        (rows, columns, 200), the separatrix of the gradient flow of the cell's target; nan where the field has none.
    """
    w, b = grid_of(CELLS)
    line = -np.geomspace(1e-3, 1, 200)
    shape = len(rows), len(rows[0])
    outcome, bias = np.empty((*shape, CELLS, CELLS), dtype=np.int8), np.full((*shape, len(line)), np.nan)
    for i, row in enumerate(rows):
        for j, cell in enumerate(row):
            method = Method(step_size, cell["beta"], cell["convention"])
            outcome[i, j] = descend(
                w, b, cell["gamma"], method, target=cell["target"], steps=STEPS, executor=run.executor
            ).outcome
            if cell["target"] != "without-sign":
                bias[i, j] = -line * separatrix(-line / cell["gamma"], target=cell["target"])
            run.done(i * shape[1] + j + 1, shape[0] * shape[1])
    return {"x": w[0], "outcome": outcome, "line_w": line, "line_b": bias}


def panels(maps: int, cell: Cell) -> Panels:
    """Maps, row by row."""
    return Panels(*(partial(_draw, k=k, cell=cell) for k in range(maps)))


def drawing(draw_panel: Panels, heads: Callable[[Arrays], Sequence[str]]) -> Callable:
    """Function that draws a figure of maps: its module's ``draw``; ``heads`` has what each row is, by arrays."""

    def draw(arrays: Arrays) -> Figure:
        def keys(figure: Figure, axes: np.ndarray) -> None:
            for panel, head in zip(axes[:, 0], heads(arrays), strict=True):
                panel.annotate(
                    head, (-0.34, 0.5), xycoords="axes fraction", rotation=90, ha="center", va="center",
                    fontweight="bold",
                )  # fmt: skip
            marks = [m for m in axes[0, 0].lines if not m.get_label().startswith("_")]
            figure.legend(handles=[*patches(), *marks], loc="outside upper center", ncols=3, handlelength=1.6)

        rows, columns = arrays["outcome"].shape[:2]
        return style.in_rows(draw_panel, 0.6 + 3.55 * rows, rows, columns, keys, sharex=True, sharey=True)(arrays)

    return draw


def patches() -> list[Patch]:
    """What the colours of a map mean, for a legend."""
    found = [Patch(facecolor=c, edgecolor="0.4", label=t) for c, t in zip(COLOURS, LABELS, strict=True)]
    return [*found[1:], found[0]]


def draw_fates(axes: Axes, x: np.ndarray, y: np.ndarray, outcome: np.ndarray) -> None:
    """A map of outcomes."""
    axes.pcolormesh(
        x, y, outcome, cmap=ListedColormap(COLOURS), vmin=-0.5, vmax=3.5, shading="nearest", rasterized=True
    )


def _draw(axes: Axes, arrays: Arrays, k: int, cell: Cell) -> None:
    i, j = divmod(k, arrays["outcome"].shape[1])
    text, gamma = cell(arrays, i, j)
    x, outcome = arrays["x"], arrays["outcome"][i, j]
    draw_fates(axes, x, x, outcome)
    axes.axvline(0, color="black", linewidth=0.5)
    axes.axhline(0, color="black", linewidth=0.5)
    line, label = (arrays["line_w"], arrays["line_b"][i, j]), "separatrix of the gradient flow"
    axes.plot(*line, color=style.LINES[1], linewidth=2.2, label=label)
    axes.plot(
        [gamma], [0], "o", color="white", markeredgecolor="black", markersize=6, clip_on=False, label="optimum",
        linestyle="none",
    )  # fmt: skip
    axes.set(xlim=(-1, 1), ylim=(-1, 1), aspect="equal", xlabel="weight $w_L$", ylabel="bias $b$")
    style.title(axes, ascii_lowercase[k], text, f"{100 * np.mean(outcome == OPTIMUM):.1f} % reach the optimum")
