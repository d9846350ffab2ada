"""Figures 3 to 7, trained again: when multiplication is learnt, run by run beside the published means."""

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np
from matplotlib.axes import Axes

from figures import style
from figures.contract import Arrays, Panels, Run
from figures.neural_arithmetic_units.figures_3_7 import MODELS, PANELS, PLACES
from figures.neural_arithmetic_units.rates import Panel, absent, by_run, missing, one_legend, ticked
from paper_checks.papers.neural_arithmetic_units.measured import among
from paper_checks.papers.neural_arithmetic_units.printed_figures import SEEDS, SOLVED_AT

CAPTION = """\
The iteration at which a run has learnt to multiply two sums of inputs: the middle panels of the paper's Figures 3
to 7, trained again. Small filled marks are our successful runs, black lines their medians. Open marks with bars are
published means and intervals. A column without marks has no successful run.
"""
DETAILS = """\
Each panel changes one setting of the task: (a) the number of inputs, (b) the overlap of both subsets, (c) the size of a
subset, (d) the number of hidden units, (e) the range of the inputs in training.

Published means and intervals are read off the pictures, in which some intervals are not drawn. The figure figures_3_7
shows how many runs succeed.
"""
ALT = """\
Five panels with logarithmic axes of the iteration at which runs are solved. Small marks of our runs and large open
marks of published means rise from about 1e4 to 4e6 with the number of inputs. For the smallest problems published means
lie far above our runs.
"""
PARAMETERS = {"stored by": [f"paper-checks train nau/figure{n}.MODEL" for n in range(3, 8)]}
RECIPE = Run()

Published = Mapping[int, Mapping[str, Sequence[tuple[float | None, ...] | None]]]


def data(_: Run) -> dict[str, np.ndarray]:
    """When runs succeed, ours and published.

    Returns
    -------
    dict of str to array
        ``solved_at_figure<n>`` and ``printed_solved_at_figure<n>``; see
        :func:`figures.neural_arithmetic_units.figures_3_7_solved.arrays_of`.
    """
    return arrays_of("solved_at", SOLVED_AT)


def arrays_of(measure: str, published: Published) -> dict[str, np.ndarray]:
    """A measure of our runs and its published means.

    Parameters
    ----------
    measure : {"solved_at", "sparsity_error"}
    published : mapping
        Mean and interval by number of the figure, model and setting.

    Returns
    -------
    dict of str to array
        For each figure n: ``<measure>_figure<n>`` (3, settings, 10) by model, setting and run, infinite for a run that
        fails, nan where there are no runs; ``printed_<measure>_figure<n>`` (3, settings, 3), published mean and
        interval, nan where none is drawn.
    """
    arrays = {}
    for number, panel in zip(range(3, 8), PANELS, strict=True):
        of_lines = [[(setting, among(setting, *line.sweeps)) for setting in line.settings] for line in panel.lines]
        arrays[f"{measure}_{panel.name}"] = np.array([by_run(settings, measure) for settings in of_lines])
        rows = [[mean or (None,) * 3 for mean in published[number][model]] for model in MODELS]
        arrays[f"printed_{measure}_{panel.name}"] = np.array(rows, dtype=float)
    return arrays


drawing = partial(style.in_mosaic, height=14.0, places=PLACES, keys=one_legend)


def panels(measure: str, axis: str, least: float, most: float) -> Panels:
    """Panels with one logarithmic axis; values below ``least`` are drawn at its lower end."""
    return Panels(*(
        partial(_draw, letter=letter, panel=panel, measure=measure, axis=axis, ends=(least, most))
        for letter, panel in zip("abcde", PANELS, strict=True)
    ))  # fmt: skip


def _draw(
    axes: Axes, arrays: Arrays, letter: str, panel: Panel, measure: str, axis: str, ends: tuple[float, float]
) -> None:
    for row in range(len(panel.lines)):
        _draw_line(axes, row, panel, arrays, measure, ends[0])
    axes.set(yscale="log", ylim=(ends[0] / 1.4, ends[1]), ylabel=axis)
    ticked(axes, letter, panel)
    absent(axes, missing(panel, arrays[f"{measure}_{panel.name}"]))


def _draw_line(axes: Axes, row: int, panel: Panel, arrays: Arrays, measure: str, least: float) -> None:
    """Runs of one model and their median, then the published mean, setting by setting."""
    width, line = 0.9 / (2 * len(panel.lines)), panel.lines[row]
    color, mark = style.LINES[line.look], "so^"[line.look]
    left = np.arange(len(panel.ticks)) + (2 * row - len(panel.lines) + 0.5) * width
    for x, values in zip(left, arrays[f"{measure}_{panel.name}"][row], strict=True):
        known = np.maximum(np.sort(values[np.isfinite(values)]), least)
        if len(known):
            across = x + width * np.linspace(-0.4, 0.4, len(known)) * (len(known) > 1)
            axes.plot(across, known, mark, color=color, markersize=4.5, alpha=0.65, markeredgewidth=0)
            axes.plot([x - 0.5 * width, x + 0.5 * width], [np.median(known)] * 2, color="black", linewidth=1.8)
    mean, low, high = np.maximum(arrays[f"printed_{measure}_{panel.name}"][row].T, least)
    axes.plot([], [], mark, color=color, markersize=5, label=f"{line.label}, our runs that succeed")
    axes.errorbar(
        left + width, mean, np.nan_to_num([mean - low, high - mean]), fmt=mark, color=color, markerfacecolor="white",
        markersize=6.5, linewidth=1.2, capsize=2, label=f"{line.label}, published mean of {SEEDS} seeds",
    )  # fmt: skip
    if row == len(panel.lines) - 1:
        axes.plot([], [], color="black", linewidth=1.8, label="median of our runs")


draw_panel = panels("solved_at", "solved at, iterations", 3e3, 1.2e7)
draw = drawing(draw_panel)
