"""Table 1 beside our runs: every published mean with its standard error, and every run."""

from functools import partial

import numpy as np
from matplotlib.axes import Axes

from figures import style
from figures.contract import Arrays, Panels, Run
from paper_checks.experiments.stored import stored_rows
from paper_checks.papers.network_smoothness.relu_sweeps import NETWORKS, WIDTHS
from paper_checks.papers.network_smoothness.sweeps import PROCESSES
from paper_checks.papers.network_smoothness.table_1.printed import GP, RELU

CAPTION = """\
Mean squared errors of Table 1 of the paper, published (orange) and ours (black), each with twice its standard error.
Rows are ReLU networks of N units and Gaussian processes of length scale lambda that learn to add from 128 points of the
disc. Light blue dots are our single runs.
"""
DETAILS = """\
(a) On the training points, (b) on the disc, (c) outside of it. Published values are means of ten runs. Ours are of the
first 60 networks of each width, of which table1.relu has up to 300, and of 10 processes. Bars end at a thirtieth of a
mean.

The processes have the published data and an amplitude fitted by maximum likelihood, which the paper does not state. The
networks' initial values are ours.

The paper has means only. Most networks of 16 units fit the training points to the rounding of float32. A few are more
than a million times worse, and determine the mean.
"""
ALT = """\
Three panels of dots on logarithmic error axes, eight rows of networks and Gaussian processes. Our means (black) and the
published ones (orange) coincide in nearly every row; errors of processes fall by many decades as the length scale
grows.
"""
PARAMETERS = {"stored by": f"paper-checks train {NETWORKS.name} {PROCESSES.name}"}
RECIPE = Run()

COLUMNS = ("train", "test", "outside")
KEYS = ("a run of ours", "our mean ± 2 standard errors", "published mean ± 2 standard errors")
TITLES = ("Training points", "Disc", "Outside")


def data(_: Run) -> dict[str, np.ndarray]:
    """Runs and published numbers.

    Returns
    -------
    dict of str to array
        ``networks`` (4, 60, 3), ``processes`` (4, 10, 3): mean squared errors by row, run and column; ``printed``
        (8, 3, 2): means with their standard errors.
    """
    found = {}
    for name, sweep in (("networks", NETWORKS), ("processes", PROCESSES)):
        chosen = [sweep.columns.index(column) for column in ("train", "inside", "outside")]
        found[name] = np.array(stored_rows(sweep))[:, :, chosen]
    rows = [*RELU.values(), *GP.values()]
    return {**found, "printed": np.array([[getattr(row, column) for column in COLUMNS] for row in rows])}


def _draw(axes: Axes, arrays: Arrays, k: int) -> None:
    names = [f"ReLU, N = {width}" for width in WIDTHS] + [rf"GP, $\lambda$ = {scale:g}" for scale in GP]
    for place, values in enumerate([row[:, k] for row in (*arrays["networks"], *arrays["processes"])]):
        spread, keys = 0.3 * np.cos(np.arange(len(values)) * 2.4), KEYS if place == 0 else (None,) * 3
        axes.plot(values, place + spread, ".", color=style.LINES[5], markersize=3.5, label=keys[0])
        _bar(axes, values.mean(), values.std() / len(values) ** 0.5, place - 0.12, "black", keys[1])
        _bar(axes, *arrays["printed"][place, k], place + 0.12, style.LINES[1], keys[2])
    axes.set(xscale="log", xlabel="mean squared error", ylim=(len(names) - 0.4, -0.6))
    axes.set_yticks(range(len(names)), names)
    style.title(axes, "abc"[k], TITLES[k])


def _bar(axes: Axes, mean: float, se: float, height: float, color: str, label: str | None) -> None:
    low = max(mean - 2 * se, mean / 30)
    axes.errorbar(
        mean, height, xerr=[[mean - low], [2 * se]], fmt="o", color=color, markersize=5, capsize=3, label=label
    )  # fmt: skip


draw_panel = Panels(*(partial(_draw, k=k) for k in range(len(COLUMNS))))
draw = style.in_rows(
    draw_panel, 5.8, 1, 3, lambda _, axes: style.key(axes[0, 0], loc="outside lower center", ncols=3), sharey=True
)  # fmt: skip
