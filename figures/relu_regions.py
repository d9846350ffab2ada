"""Which starts of a single ReLU reach the optimum, by target scale and by momentum."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from figures import style
from montecarlo.relu_dynamics import Method, descend
from theory.relu_separatrix import separatrix

__all__ = ["CAPTION", "NAME", "PARAMETERS", "RECIPE", "data", "draw"]

NAME = "relu_regions"
CAPTION = """\
The fate of each start (w_L, b) under gradient descent on the expected loss, after the paper's Figures 4 and 5, whose
numbers are lost in our copy; the step size is 0.1 and the momentum an average, so that the affine
model oscillates above 0.669. Percentages are of starts that reach the optimum. Top: without momentum, for a shrinking
target. The orange line is the separatrix of the gradient flow, found from a differential equation and not from runs.
The dead region on the left stays, and one on the right is added: units that are in the dead cone after 20 000 steps,
though the exact gradient would lead them back in a time exponential in w_L/gamma. What is undecided creeps along the
attracting line outside of the dead cone, or is still on its way there. Middle: the same along the field
without the sign of the bias gradient. Here the dead region does switch sides, and most starts converge, as the paper
reports. Bottom: gamma = 0.1, with momentum. No path is called converged because its updates are small; see
montecarlo/relu_dynamics.py for the rule.
"""

STEP_SIZE, STEPS, CELLS = 0.1, 20_000, 96
SCALES = (1.0, 0.1, 0.03, 0.01)
MOMENTA = (0.5, 0.8, 0.9, 0.99)
MOMENTUM_SCALE = 0.1
PARAMETERS = {
    "window": [-1.0, 1.0],
    "cells": CELLS,
    "step_size": STEP_SIZE,
    "steps": STEPS,
    "gamma": list(SCALES),
    "momentum": list(MOMENTA),
    "gamma_with_momentum": MOMENTUM_SCALE,
    "dead": "probability of a positive output below 0.001",
}
# Nothing here is random: the two numbers only keep the form that all figures have.
RECIPE = {"samples": 2, "seed": 20190}
COLOURS = ("#FFFFFF", "#7FB8DA", "#3A3A3A", "#9E9E9E")
LABELS = ("undecided", "reaches the optimum", "dead for good", "in the dead cone after 20 000 steps")


def data(
    *,
    samples: int = RECIPE["samples"],
    executor: Executor | None = None,
    store: Any = None,
    progress: Callable[[int, int], None] | None = None,
    seed: int = RECIPE["seed"],
) -> dict[str, np.ndarray]:
    """Outcomes on grids of starts, and separatrices.

    Parameters
    ----------
    samples, store, seed
        Not used: nothing is random, and all is quick.
    executor : Executor, optional
        See :func:`montecarlo.relu_dynamics.descend`.
    progress : callable (done, total), optional

    Returns
    -------
    dict of str to array
        ``x`` (96); ``outcome`` (3, 4, 96, 96) by row, column, b and w_L, with the codes of
        :mod:`montecarlo.relu_dynamics`; ``line_w`` (200) below zero and ``line_b`` (4, 200), the separatrix by gamma.
    """
    del samples, store, seed
    x = 2 * (np.arange(CELLS) + 0.5) / CELLS - 1
    w, b = np.meshgrid(x, x)
    rows = [
        [(gamma, 0.0, "linear") for gamma in SCALES],
        [(gamma, 0.0, "without-sign") for gamma in SCALES],
        [(MOMENTUM_SCALE, beta, "linear") for beta in MOMENTA],
    ]
    outcome = np.empty((3, 4, CELLS, CELLS), dtype=np.int8)
    for i, row in enumerate(rows):
        for j, (gamma, beta, target) in enumerate(row):
            method = Method(STEP_SIZE, beta)
            outcome[i, j] = descend(w, b, gamma, method, target=target, steps=STEPS, executor=executor).outcome
            if progress:
                progress(4 * i + j + 1, 12)
    line = -np.geomspace(1e-3, 1, 200)
    bias = [-line * separatrix(-line / gamma) for gamma in SCALES]
    return {"x": x, "outcome": outcome, "line_w": line, "line_b": np.array(bias)}


@style.applied()
def draw(arrays: Mapping[str, np.ndarray]) -> Figure:
    """Draw three rows of four maps."""
    figure = style.new_figure(height=11.2)
    axes = figure.subplots(3, 4, sharex=True, sharey=True)
    for i, row in enumerate(axes):
        for j, panel in enumerate(row):
            _draw_map(panel, arrays, i, j)
    for j, gamma in enumerate(SCALES):
        for row in axes[:1]:
            row[j].plot(arrays["line_w"], arrays["line_b"][j], color=style.LINES[1], linewidth=2.2)
        for i, note in ((0, "no momentum"), (1, "without the sign")):
            _label(axes[i, j], arrays, i, j, f"$\\gamma$ = {gamma:g}", note)
    for j, beta in enumerate(MOMENTA):
        _label(axes[2, j], arrays, 2, j, f"$\\beta$ = {beta:g}", f"$\\gamma$ = {MOMENTUM_SCALE:g}")
    handles = [Patch(facecolor=c, edgecolor="0.4", label=t) for c, t in zip(COLOURS, LABELS, strict=True)]
    figure.legend(handles=handles[1:] + handles[:1], loc="outside lower center", ncols=4)
    for row in axes:
        row[0].set_ylabel("bias $b$")
    for panel in axes[2]:
        panel.set_xlabel("weight $w_L$")
    return figure


def _label(axes: Axes, arrays: Mapping[str, np.ndarray], i: int, j: int, text: str, note: str) -> None:
    share = np.mean(arrays["outcome"][i, j] == 1)
    style.title(axes, "abcdefghijkl"[4 * i + j], text, f"{note}: {100 * share:.1f} %")


def _draw_map(axes: Axes, arrays: Mapping[str, np.ndarray], i: int, j: int) -> None:
    x = arrays["x"]
    axes.pcolormesh(x, x, arrays["outcome"][i, j], cmap=ListedColormap(COLOURS), vmin=-0.5, vmax=3.5, rasterized=True)
    axes.axvline(0, color="black", linewidth=0.5)
    axes.axhline(0, color="black", linewidth=0.5)
    gamma = MOMENTUM_SCALE if i == 2 else SCALES[j]
    axes.plot([gamma], [0], "o", color="white", markeredgecolor="black", markersize=6, clip_on=False)
    axes.set(xlim=(-1, 1), ylim=(-1, 1), aspect="equal")
