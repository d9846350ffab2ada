"""Figures 10 to 12, trained again: when the constant of the regulariser lets networks be solved."""

from functools import partial

import numpy as np
from matplotlib.axes import Axes

from figures import style
from figures.contract import Arrays, Panels, Run
from figures.neural_arithmetic_units.rates import absent, by_run, one_legend
from paper_checks.papers.neural_arithmetic_units import measured, printed_figures, sweeps

CAPTION = """\
When networks are solved, by the constant c of the regulariser: Figures 10 to 12 of the paper, trained again. Dots are
our successful runs, lines their medians. Open squares are published means with intervals, read off the pictures.
"""
DETAILS = """\
(a) Addition and (b) subtraction by NAU, (c) multiplication by NMU, of two sums of 25 of 100 inputs each. The numbers at
the top say how many of our 10 runs succeed. In the paper each of 10 runs succeeds. Some intervals are not drawn there.
"""
ALT = """\
Three panels by constant of the regulariser. Our runs and the published means are level near 16 thousand iterations for
addition. For multiplication our medians fall from about 1600 to 1000 thousand, the published means from 1200 to 1000.
For subtraction they scatter up to 90 thousand at constants of 1 and 10.
"""
PARAMETERS = {"stored by": [f"paper-checks train nau/figure{n}" for n in (10, 11, 12)]}
RECIPE = Run()

FIGURES = {
    10: ("addition by NAU", sweeps.FIGURE_10),
    11: ("subtraction by NAU", sweeps.FIGURE_11),
    12: ("multiplication by NMU", sweeps.FIGURE_12),
}


def data(_: Run) -> dict[str, np.ndarray]:
    """When runs are solved, ours and published.

    Returns
    -------
    dict of str to array
        For each figure n: ``solved_figure<n>`` (5, 10) by constant and run, infinite for a run that fails, nan where
        there are no runs; ``printed_figure<n>`` (5, 3), mean and interval, nan where none is drawn.
    """
    arrays = {}
    for figure, (_, sweep) in FIGURES.items():
        arrays[f"solved_figure{figure}"] = by_run(measured.by_constant(sweep), "solved_at")
        arrays[f"printed_figure{figure}"] = np.array(printed_figures.REGULARISED[figure], dtype=float)
    return arrays


def _draw(axes: Axes, arrays: Arrays, number: int) -> None:
    solved = arrays[f"solved_figure{number}"]
    _draw_published(axes, arrays[f"printed_figure{number}"])
    _draw_runs(axes, solved)
    axes.set_xticks(range(len(sweeps.CONSTANTS)), [f"{c:g}" for c in sweeps.CONSTANTS])
    axes.set_xlim(-0.5, len(sweeps.CONSTANTS) - 0.5)
    axes.margins(y=0.15)
    at = solved[np.isfinite(solved)]
    # From 0, or logarithmic where one run takes ten times as long as another.
    if len(at) and at.max() > 10 * at.min():
        axes.set_yscale("log")
    else:
        axes.set_ylim(bottom=0)
    axes.set(xlabel="constant c of the regulariser", ylabel="solved at, in thousands of iterations")
    style.title(axes, "abc"[list(FIGURES).index(number)], f"Figure {number}", FIGURES[number][0])
    empty = np.isnan(solved).all(axis=1)
    settings = measured.by_constant(FIGURES[number][1])
    names = [sweep.name for (_, sweep), none in zip(settings, empty, strict=True) if none]
    absent(axes, list(dict.fromkeys(names)))


def _draw_published(axes: Axes, published: np.ndarray) -> None:
    mean, low, high = published.T / 1000
    lengths = np.nan_to_num([mean - low, high - mean])
    axes.errorbar(
        np.arange(len(mean)) + 0.18, mean, lengths, fmt="s", color=style.LINES[1], markerfacecolor="white", capsize=3,
        label="published mean and interval",
    )  # fmt: skip


def _draw_runs(axes: Axes, solved: np.ndarray) -> None:
    there = ~np.isnan(solved).all(axis=1)
    for place in np.flatnonzero(there):
        at = np.sort(solved[place][np.isfinite(solved[place])]) / 1000
        spread = np.linspace(-0.28, 0.0, len(at)) if len(at) > 1 else np.full(len(at), -0.14)
        axes.plot(place + spread, at, ".", color=style.LINES[0], markersize=7)
        if len(at):
            axes.plot([place - 0.3, place + 0.02], [np.median(at)] * 2, color=style.LINES[0], linewidth=1.5)
        axes.annotate(
            f"{len(at)}/{solved.shape[1]}", (place - 0.14, 1), (0, -4), xycoords=axes.get_xaxis_transform(),
            textcoords="offset points", ha="center", va="top", fontsize=9, color=style.LINES[0],
        )  # fmt: skip
    axes.plot([], [], ".-", color=style.LINES[0], label="our runs and their median; x/10: runs that succeed")


draw_panel = Panels(*(partial(_draw, number=number) for number in FIGURES))
draw = style.in_rows(draw_panel, 5.8, 1, 3, one_legend)
