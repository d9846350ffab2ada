"""Figures 3 to 7 trained anew: when multiplication is learnt, and how sparse the weights are then."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from figures import style
from figures.contract import Run
from figures.neural_arithmetic_units.figures_3_7 import MODELS, PANELS
from figures.neural_arithmetic_units.rates import Line, Panel, absent, missing, ticked
from paper_checks.papers.neural_arithmetic_units import sweeps
from paper_checks.papers.neural_arithmetic_units.measured import among, found
from paper_checks.papers.neural_arithmetic_units.printed_figures import SOLVED_AT, SPARSITY

__all__ = ["CAPTION", "NAME", "PARAMETERS", "RECIPE", "data", "draw"]

NAME = "figures_3_7_solved"
CAPTION = """\
Figures 3 to 7 of the paper, trained anew: of the runs that succeed, when they do (left) and the sparsity error of their
weights (right), by what is changed of the task. Dots: our runs, one by one; line: our median; those of figures_3_7.
Open: means and intervals read off the published pictures, where they can be; some intervals are not drawn there, and
sparsity errors are read to about 1e-4. All below 1e-6 stands at the lower edge.
"""
PARAMETERS = {"stored by": [f"paper-checks train nau/figure{n}.MODEL" for n in range(3, 8)]}
RECIPE = Run()

MEASURES = {"solved_at": ("solved at, iterations", SOLVED_AT), "sparsity_error": ("sparsity error", SPARSITY)}
LEAST = 1e-6


def data(_: Run) -> dict[str, np.ndarray]:
    """When runs succeed and how sparse they are, ours and printed.

    Returns
    -------
    dict of str to array
        For each figure n and either measure: ``solved_at_figure<n>``, ``sparsity_error_figure<n>`` (3, settings, 10) by
        model, setting and run, infinite for a run that fails, nan where there are no runs; with ``printed_`` before it
        (3, settings, 3) mean and interval, nan where none is drawn.
    """
    arrays = {}
    for number, panel in zip(range(3, 8), PANELS, strict=True):
        for measure, (_axis, printed) in MEASURES.items():
            arrays[f"{measure}_{panel.name}"] = np.array([_ours(line, measure) for line in panel.lines])
            none = {model: (None,) * len(panel.ticks) for model in MODELS}
            rows = [[mean or (None,) * 3 for mean in printed.get(number, none)[model]] for model in MODELS]
            arrays[f"printed_{measure}_{panel.name}"] = np.array(rows, dtype=float)
    return arrays


def _ours(line: Line, measure: str) -> np.ndarray:
    values = np.full((len(line.settings), sweeps.SEEDS), np.nan)
    for row, setting in zip(values, line.settings, strict=True):
        runs = found(among(setting, *line.sweeps), setting)
        if runs is not None:
            row[:] = np.where(runs.solved, runs.columns[measure], np.inf)
    return values


@style.applied()
def draw(arrays: Mapping[str, np.ndarray]) -> Figure:
    """Draw two panels for each figure."""
    figure = style.new_figure(height=20.0)
    places = figure.subplots(len(PANELS), 2, squeeze=False)
    letters = iter("abcdefghij")
    for row, panel in zip(places, PANELS, strict=True):
        for axes, (measure, (axis, _)) in zip(row, MEASURES.items(), strict=True):
            for place in range(len(panel.lines)):
                _draw_line(axes, place, panel, arrays, measure)
            axes.set_yscale("log")
            if measure == "sparsity_error":
                axes.set_ylim(LEAST / 1.5, 0.7)
            ticked(axes, next(letters), panel)
            axes.set_ylabel(axis)
        absent(row[0], missing(panel, arrays[f"solved_at_{panel.name}"]))
    figure.legend(*places[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    return figure


def _draw_line(axes: Axes, place: int, panel: Panel, arrays: Mapping[str, np.ndarray], measure: str) -> None:
    """Runs of one model, then what is printed of it, setting by setting."""
    width, line = 0.8 / (2 * len(panel.lines)), panel.lines[place]
    color, mark = style.LINES[line.look], "so^"[line.look]
    left = np.arange(len(panel.ticks)) + (2 * place - len(panel.lines) + 0.5) * width
    for x, values in zip(left, arrays[f"{measure}_{panel.name}"][place], strict=True):
        known = np.maximum(np.sort(values[np.isfinite(values)]), LEAST)
        if len(known):
            axes.plot(x + width * np.linspace(-0.45, 0.25, len(known)), known, ".", color=color, markersize=4)
            axes.plot([x - 0.5 * width, x + 0.3 * width], [np.median(known)] * 2, color=color, linewidth=1.5)
    mean, low, high = np.maximum(arrays[f"printed_{measure}_{panel.name}"][place].T, LEAST)
    lengths = np.nan_to_num([mean - low, high - mean])
    axes.errorbar(
        left + width, mean, lengths, fmt=mark, color=color, markerfacecolor="white", markersize=6, linewidth=1.2,
        capsize=2, label=f"{line.label}, printed mean",
    )  # fmt: skip
    axes.plot([], [], ".-", color=color, label=f"{line.label}, our runs and median")
