"""What the pictures of success rates have in common: panels, rates with intervals, and what is not trained yet."""

from collections.abc import Iterable, Mapping, Sequence
from textwrap import fill
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from figures import style
from figures.contract import Arrays
from montecarlo import Sweep
from paper_checks.experiments.trials import wilson
from paper_checks.papers.neural_arithmetic_units.measured import among, found
from paper_checks.papers.neural_arithmetic_units.printed_figures import SEEDS


class Line(NamedTuple):
    """Settings of one kind along the ticks of a panel.

    ``settings`` are points of ``sweeps``, None where there is none at a tick. ``printed`` are successes of 10 seeds in
    the paper, None where it shows none. ``look`` is the number of its colour and mark.
    """

    label: str
    settings: Sequence[Mapping[str, Any] | None]
    sweeps: Sequence[Sweep]
    printed: Sequence[int | None]
    look: int = 0


class Panel(NamedTuple):
    """Success rates against what is changed."""

    name: str
    title: str
    axis: str
    ticks: Sequence[str]
    lines: Sequence[Line]


def with_interval(successes: int, n: int) -> list[float]:
    """A rate and the ends of its 95 % interval.

    Examples
    --------
    >>> [round(x, 3) for x in with_interval(10, 10)]
    [1.0, 0.722, 1.0]
    """
    return [successes / n, *wilson(successes, n)]


def rates(panel: Panel) -> dict[str, np.ndarray]:
    """Arrays (lines, ticks, 3) of rates and their intervals, ours and published; nan where there are none."""
    none = [np.nan] * 3

    def ours(line: Line, setting: Mapping[str, Any] | None) -> list[float]:
        runs = found(among(setting, *line.sweeps), setting) if setting else None
        return none if runs is None else with_interval(runs.successes, len(runs))

    return {
        f"ours_{panel.name}": np.array([[ours(line, s) for s in line.settings] for line in panel.lines]),
        f"printed_{panel.name}": np.array(
            [[none if k is None else with_interval(k, SEEDS) for k in line.printed] for line in panel.lines]
        ),
    }


def by_run(settings: Iterable[tuple[Mapping[str, Any], Sweep]], measure: str) -> np.ndarray:
    """A measure (settings, 10) of each run at points of sweeps; infinite for one that fails, nan without runs."""
    rows = []
    for point, sweep in settings:
        runs = found(sweep, point)
        none = np.full(SEEDS, np.nan)
        rows.append(none if runs is None else np.where(runs.solved, runs.columns[measure], np.inf))
    return np.array(rows)


def missing(panel: Panel, ours: np.ndarray) -> list[str]:
    """The names of the sweeps whose runs are not in an array (lines, ticks, values)."""
    names = {}
    for line, values in zip(panel.lines, ours, strict=True):
        for setting, (first, *_) in zip(line.settings, values, strict=True):
            if setting and np.isnan(first):
                names[among(setting, *line.sweeps).name] = None
    return list(names)


def drawn(axes: Axes, arrays: Arrays, letter: str, panel: Panel) -> None:
    """Draw a panel: ours filled, published open, beside each other; a word where runs are missing."""
    count = len(panel.lines)
    width = 0.8 / (2 * count)
    for place, line in enumerate(panel.lines):
        color = style.LINES[line.look]
        for side, kind in enumerate(("ours", "printed")):
            rate, low, high = arrays[f"{kind}_{panel.name}"][place].T
            known = np.isfinite(rate)
            x = np.arange(len(rate)) + (2 * place + side - count + 0.5) * width
            axes.errorbar(
                x[known], rate[known], [(rate - low)[known], (high - rate)[known]], fmt="so^"[line.look], color=color,
                markerfacecolor="white" if side else color, markersize=6, linewidth=1.2, capsize=2,
                label=f"{line.label}, {'published' if side else 'ours'}",
            )  # fmt: skip
    ticked(axes, letter, panel)
    axes.set(ylim=(-0.03, 1.03), ylabel="success rate")
    absent(axes, missing(panel, arrays[f"ours_{panel.name}"]))


def ticked(axes: Axes, letter: str, panel: Panel) -> None:
    """Title, axis and ticks of what is changed, with lines between the settings."""
    axes.set_xticks(range(len(panel.ticks)), panel.ticks)
    axes.set_xlim(-0.5, len(panel.ticks) - 0.5)
    for edge in range(1, len(panel.ticks)):
        axes.axvline(edge - 0.5, color="0.9", linewidth=0.8, zorder=0)
    axes.set_xlabel(panel.axis)
    style.title(axes, letter, panel.title)


def one_legend(figure: Figure, _: object) -> None:
    """Draw the legend of the first panel below all."""
    style.key(figure.axes[0], loc="outside lower center", ncols=3)


def absent(axes: Axes, names: Sequence[str]) -> None:
    """Say below a panel which runs are not there, and what makes them."""
    if names:
        text = fill(f"not trained yet: paper-checks train {' '.join(names)}", 95, break_on_hyphens=False)
        axes.annotate(
            text, (0.5, 0), (0, -5), xycoords=axes.xaxis.label, textcoords="offset points", ha="center", va="top",
            fontsize=8, color="0.3",
        )  # fmt: skip
