"""Table 5 and Figures 3, 4, 5 and 7: published results beside ours, as trained and as the public export reads them."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from figures import style
from figures.contract import Arrays, Panels, Run
from paper_checks.experiments.stored import stored_rows
from paper_checks.papers.neural_arithmetic_units import exported
from paper_checks.papers.neural_arithmetic_units.exported import SETTINGS, Read, done
from paper_checks.papers.neural_arithmetic_units.printed_figures import SEEDS

CAPTION = """\
Published results of Table 5 and Figures 3, 4, 5 and 7 beside ours: mean iterations until solved (a) and successes of 10
seeds (b). Open marks are our runs, filled ones the same runs after the authors' export code. That code mixes up the
order of test errors, which makes some runs appear late or failed.
"""
DETAILS = """\
The export code joins tables so that the test errors of some runs are not in the order of time. Each of our runs takes
the place of each published seed. The paper's figures show the published values only.

(a) Published mean of "solved at" against ours. Lines with caps: published 95 % intervals, where the paper has them;
three reach 0.

(b) Rows of Table 5 in which six seeds or more succeed, and the NMUs of the figures.

The order alone makes runs late or failing. It does not explain n = 25 and 50, where it would make runs late, nor three
failures on U[-2, 2].
"""
ALT = """\
Top: published against our mean iterations; open marks, as trained, lie far left of the diagonal in several settings,
and lines lead to filled marks, as exported, nearer to it. Bottom: successes of ten seeds, black bars of the paper
beside both counts.
"""
STORED = dict.fromkeys(sweep.name for sweep in (*exported.TABLE_SWEEPS, *exported.FIGURE_SWEEPS))
PARAMETERS = {"stored by": [f"paper-checks train {name}" for name in STORED]}
RECIPE = Run()

# By part: what stands in the legend, its marker and its colour.
PARTS = {
    "table5": ("Table 5", "o", style.LINES[0]),
    **{
        f"figure{number}": (f"Figure {number}", marker, style.LINES[place])
        for place, (number, marker) in enumerate(zip(SETTINGS, "s^Dv", strict=True), 1)
    },
}


def data(_: Run) -> dict[str, np.ndarray]:
    """Results of Table 5 and of each figure, published and ours.

    Returns
    -------
    dict of str to array
        For each part, ``table5`` or ``figure<n>``: ``solved_<part>`` (settings, 5), the mean of "solved at" as
        published with the ends of its interval, as trained and as exported, nan where there is none;
        ``successes_<part>`` (settings, 3) of 10 seeds as published, as trained and as exported.
    """
    parts = {"table5": exported.table_cells(stored_rows)}
    parts |= {f"figure{number}": exported.figure_cells(stored_rows, number) for number in SETTINGS}
    return {
        f"{what}_{part}": np.array([row(cell) for cell in cells])
        for part, cells in parts.items()
        for what, row in (("solved", _solved), ("successes", _successes))
    }


def _solved(cell: Read) -> list[float]:
    mean, half = cell.printed.solved or (np.nan, None)
    half = np.nan if half is None else half
    ours = [done(times).mean() if len(done(times)) else np.nan for times in (cell.trained, cell.expected)]
    return [mean, mean - half, mean + half, *ours]


def _successes(cell: Read) -> list[float]:
    shares = [np.isfinite(times).mean() for times in (cell.trained, cell.expected)]
    return [SEEDS * cell.printed.successes / cell.printed.seeds, *(SEEDS * share for share in shares)]


LEAST, MOST = 3e3, 6e6
# Settings whose mean the export changes by more than this factor are named.
NAMED = 3.0


def _draw_solved(axes: Axes, arrays: Arrays) -> None:
    axes.plot([LEAST, MOST], [LEAST, MOST], color="0.6", linewidth=0.9, zorder=0)
    for part, (label, marker, color) in PARTS.items():
        mean, low, high, trained, exported = arrays[f"solved_{part}"].T
        lengths = np.nan_to_num([mean - np.maximum(low, LEAST), high - mean])
        axes.hlines(mean, trained, exported, color=color, linewidth=1.0, alpha=0.6)
        axes.errorbar(exported, mean, lengths, fmt="none", ecolor=color, elinewidth=0.8, capsize=2, alpha=0.5)
        axes.plot(trained, mean, marker, color=color, markerfacecolor="white", label=f"{label}, as trained")
        axes.plot(exported, mean, marker, color=color, label=f"{label}, as exported")
        for name, x, end, y in zip(_names(part), trained, exported, mean, strict=True):
            if end > NAMED * x:
                axes.annotate(
                    name, (x, y), (0, 8), textcoords="offset points", ha="center", fontsize=10, color=color,
                    bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.5},
                )  # fmt: skip
    axes.set(xscale="log", yscale="log", xlim=(LEAST, MOST), ylim=(LEAST, MOST))
    axes.set_xlabel('our mean of "solved at", iterations')
    axes.set_ylabel('published mean of "solved at", iterations')
    style.title(axes, "a", "When runs appear to be solved", "grey line: published = ours")


def _draw_successes(axes: Axes, arrays: Arrays) -> None:
    ticks, begin = [], 0
    for part, (label, marker, color) in PARTS.items():
        published, trained, exported = arrays[f"successes_{part}"].T
        x = begin + np.arange(len(published))
        first = part == "table5"
        axes.plot(x, published, "_", color="k", markersize=15, markeredgewidth=2, label="published" if first else None)
        axes.plot(
            x - 0.15, trained, marker, color=color, markerfacecolor="white", label="as trained" if first else None
        )
        axes.plot(x + 0.15, exported, marker, color=color, label="as exported, expected" if first else None)
        axes.text(x.mean(), 10.6, label, ha="center")
        ticks += list(zip(x, _names(part), strict=True))
        begin += len(published) + 1
    axes.set_xticks([x for x, _ in ticks], [name for _, name in ticks], rotation=60, ha="right", rotation_mode="anchor")
    axes.set(ylim=(-0.4, 11.4), xlabel="row or setting", ylabel=f"successes of {SEEDS} seeds")
    style.title(axes, "b", "How many runs appear to succeed")


def _names(part: str) -> list[str]:
    if part == "table5":
        return [f"{unit} {sign}" for sign, unit in exported.ROWS]
    return SETTINGS[int(part.removeprefix("figure"))]


draw_panel = Panels(_draw_solved, _draw_successes)


def _keys(_: Figure, axes: np.ndarray) -> None:
    axes[1, 0].legend(loc="lower left", ncols=3)
    style.key(axes[0, 0], loc="outside lower center", ncols=5)


draw = style.in_rows(draw_panel, 13.0, 2, 1, _keys, height_ratios=(3, 2))
