"""Figure 4 of network smoothness: errors of tanh networks that add on the disc and on the annulus, by 1/sigma."""

from functools import partial
from string import ascii_lowercase

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from figures import style
from figures.contract import Arrays, Panels, Run
from figures.network_smoothness.limits import tanh_limit
from figures.network_smoothness.maps import HALF_WIDTH, LOG_ERROR, SIZE, draw_map, log_errors, logarithms, places
from montecarlo.training.addition_processes import disc_points
from montecarlo.training.smooth.tanh_addition import trained
from montecarlo.training.smooth.tanh_networks import TanhNetwork
from paper_checks.experiments.stored import rows_of
from paper_checks.papers.network_smoothness.by_length import at_lengths
from paper_checks.papers.network_smoothness.sweeps import PROCESSES
from paper_checks.papers.network_smoothness.tanh_sweeps import ADDITION, ADDITION_FULL, ANNULUS, DISC, LENGTHS, SETTINGS

CAPTION = """\
Squared errors of tanh networks that learn to add, by the scale 1/sigma of their weights, as in the paper's Figure 4.
They learn on the disc (a to d) or on the annulus (e to h); panels (i to l) show the limit of very many units. Yellow
means small errors. A larger 1/sigma makes the learned function smoother (m).
"""
DETAILS = """\
Networks have two layers and learn x_1 + x_2 from 128 points of the disc (a to d) or from fresh batches of the annulus
(e to h). White circles bound the data. Shown is one run with 256 units, where the paper has 10,000. Many ridges become
a few as 1/sigma grows.

(i) to (l) The limit of random networks with very many units that have seen the points of (a to d), a Gaussian process
for each sigma. Its first layer keeps its initial weights.

(m) Curvature of the learned functions, all stored runs, medians and range. Dotted: the paper's size.

(n) Mean squared errors inside the domain (lines) and outside the unit circle (dashed). Inside, the median is least at
1/sigma = 1. Crosses: the processes, on the disc.
"""
ALT = """\
Twelve error maps by data and 1/sigma. Bright curves form a dense tangle at 1/sigma = 0.25 and a few smooth loops at 2.
The processes turn yellow inside the circle. Below, curvature falls by two decades with 1/sigma.
"""
DATA = {"disc": DISC, "annulus": ANNULUS}
UNITS, STEPS = SETTINGS["units"], SETTINGS["steps"]
PARAMETERS = {
    "stored by": f"paper-checks train {ADDITION.name} {ADDITION_FULL.name}",
    "1/sigma": list(LENGTHS), "units": UNITS, "steps": STEPS,
}  # fmt: skip
RECIPE = Run(seed=20190)
SECONDS = 45
JITTER = PROCESSES.settings["alpha"]


def data(run: Run) -> dict[str, np.ndarray]:
    """Surfaces of one run, and the stored curvatures and errors of all.

    Returns
    -------
    dict of str to array
        ``surfaces`` (3, w, grid, grid): log10 of squared errors, disc, annulus, and processes on the disc;
        ``process_inside``, ``process_outside`` (w): their means; ``lengths`` (w); for both data ``<data>_curvature``,
        ``<data>_inside``, ``<data>_outside`` (w, runs) and ``<data>_full`` (w, runs), curvature at the paper's size.
    """
    rows, full = (rows_of(sweep, seed=run.seed, **run.resources) for sweep in (ADDITION, ADDITION_FULL))
    surfaces = []
    for where in DATA.values():
        for length in LENGTHS:
            network = TanhNetwork(UNITS, 2, 1 / length)
            raw, _ = trained(network, ADDITION.runs_at(0), task="addition", first_seed=run.seed, steps=STEPS, **where)
            surfaces.append(log_errors(network, raw, "addition"))
            run.done(len(surfaces), len(DATA) * len(LENGTHS))
    squares, radius = _processes(run.seed + ADDITION.runs_at(0)), np.hypot(*np.float64(places(HALF_WIDTH)))
    surfaces += [logarithms(square).reshape(SIZE, SIZE) for square in squares]
    return {
        "surfaces": np.array(surfaces).reshape(len(DATA) + 1, len(LENGTHS), SIZE, SIZE),
        "process_inside": squares[:, radius <= 1].mean(axis=1),
        "process_outside": squares[:, radius > 1].mean(axis=1),
        "lengths": np.array(LENGTHS),
        **{
            f"{name}_{column}": np.array(list(at_lengths(ADDITION, rows, column, data=name).values()))
            for name in DATA
            for column in ("curvature", "inside", "outside")
        },
        **{
            f"{name}_full": np.array(list(at_lengths(ADDITION_FULL, full, "curvature", data=name).values()))
            for name in DATA
        },
    }


def _processes(seed: int) -> np.ndarray:
    """Squared errors (w, places) of the processes of very many units that have seen the points of a seed."""
    points, everywhere = disc_points(seed, DISC["number"], DISC["low"]), np.float64(places(HALF_WIDTH).T)
    values = [tanh_limit(1 / length, points, points.sum(axis=1), JITTER, everywhere) for length in LENGTHS]
    return (np.array(values) - everywhere.sum(axis=1)) ** 2


def _keys(figure: Figure, axes: dict[str, Axes]) -> None:
    bar = {"ax": [axes[c] for c in "dhl"], "label": LOG_ERROR, "extend": "both", "shrink": 0.8}
    figure.colorbar(axes["a"].images[0], **bar)
    style.key(axes["e"], loc="outside upper center", ncols=2)


def _draw_surface(axes: Axes, arrays: Arrays, row: int, column: int) -> None:
    name, of = [*DATA.items(), ("process", DISC)][row]
    draw_map(axes, arrays["surfaces"][row, column], HALF_WIDTH, 1.0, of["low"] ** 0.5)
    letter = ascii_lowercase[row * len(LENGTHS) + column]
    style.title(axes, letter, rf"{name}, $1/\sigma = {arrays['lengths'][column]:g}$")


def _draw_curvature(axes: Axes, arrays: Arrays) -> None:
    for name, color in zip(DATA, style.LINES, strict=False):
        label = f"{name}, {ADDITION_FULL.settings['units']:,} units"
        axes.plot(arrays["lengths"], np.median(arrays[f"{name}_full"], axis=1), "^:", color=color, label=label)
        label = f"{name}, {ADDITION.settings['units']} units"
        style.median_and_range(axes, arrays["lengths"], arrays[f"{name}_curvature"], "o-", color, label=label)
    axes.set_ylabel("curvature, root mean square")
    _by_length(axes, arrays, "m", "Curvature")


def _draw_errors(axes: Axes, arrays: Arrays) -> None:
    for name, color in zip(DATA, style.LINES, strict=False):
        for column, line in (("inside", "o-"), ("outside", "s--")):
            values = arrays[f"{name}_{column}"]
            style.median_and_range(axes, arrays["lengths"], values, line, color, label=f"{name}, {column}")
    for column, line in (("inside", "x"), ("outside", "+")):
        axes.plot(arrays["lengths"], arrays[f"process_{column}"], line, color="black", label=f"process, disc, {column}")
    axes.set(ylabel="mean squared error", ylim=(1e-18, None))  # Room for the key.
    _by_length(axes, arrays, "n", "Mean squared errors")


def _by_length(axes: Axes, arrays: Arrays, letter: str, text: str) -> None:
    axes.set(xscale="log", yscale="log", xlabel=r"$1/\sigma$")
    axes.set_xticks(arrays["lengths"], [f"{v:g}" for v in arrays["lengths"]])
    axes.minorticks_off()
    axes.legend()
    style.title(axes, letter, text, "median and range of the runs")


_SURFACES = (partial(_draw_surface, row=row, column=column) for row in range(3) for column in range(len(LENGTHS)))
draw_panel = Panels(*_SURFACES, _draw_curvature, _draw_errors)
draw = style.in_mosaic(draw_panel, 14.5, "abcd;efgh;ijkl;mmnn", _keys)
