"""Figure 14 of network smoothness: tanh networks without weight normalisation, addition and multiplication."""

from functools import partial

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from figures import style
from figures.contract import Arrays, Panels, Run
from figures.network_smoothness.maps import HALF_WIDTH, LOG_ERROR, SIZE, draw_map, log_errors
from montecarlo.training.smooth.tanh_addition import TASKS, trained
from montecarlo.training.smooth.tanh_networks import TanhNetwork
from paper_checks.experiments.stored import rows_of
from paper_checks.papers.network_smoothness.by_length import at_lengths
from paper_checks.papers.network_smoothness.tanh_sweeps import ADDITION, DISC, FEWER, SETTINGS, WITHOUT

CAPTION = """\
Squared errors of tanh networks without weight normalisation that learn to add (top) and to multiply (bottom), as in the
paper's Figure 14, and the curvature of what they learn (d, h). Yellow means small errors. These networks of 256 units
become smoother with 1/sigma with and without normalisation.
"""
DETAILS = """\
The normalisation is that of (7). Tasks are on the disc, errors as in Figure 4. Networks have 256 units; the paper has
10,000 and does not state what is left out with (7). Here are two cases. A third one, free weights that start at
N(0, sigma^2/N), is smooth/beyond.initialised-smooths.

Left and middle: weights sigma/sqrt(N) w with the initialisation of normalised networks, 1/sigma = 1/4 and 1. Right:
free weights with PyTorch's initialisation.

Last column: all stored runs, medians and range, with normalisation and without, from the same initialisation. The
dotted line is the network with free weights.
"""
ALT = """\
Six error maps, addition above multiplication, from a dense tangle of bright curves at 1/sigma = 0.25 to a few loops
with free weights. Beside them curvature falls with 1/sigma, alike with and without normalisation, towards the dotted
level of free weights.
"""
SHOWN = (("scaled", 0.25), ("scaled", 1.0), ("plain", 1.0))
UNITS, STEPS = SETTINGS["units"], SETTINGS["steps"]
PARAMETERS = {"stored by": f"paper-checks train {WITHOUT.name} {ADDITION.name}", "shown": [list(s) for s in SHOWN]}
RECIPE = Run(seed=20190)
SECONDS = 13


def data(run: Run) -> dict[str, np.ndarray]:
    """Surfaces of one run, and the stored curvatures of all.

    Returns
    -------
    dict of str to array
        ``surfaces`` (2, 3, grid, grid): log10 of squared errors, addition and multiplication; ``lengths`` (w); for
        both tasks and three kinds ``<task>_<kind>`` (w or 1, runs).
    """
    surfaces, curvatures = [], {}
    stored = {sweep.name: rows_of(sweep, seed=run.seed, **run.resources) for sweep in (ADDITION, WITHOUT)}
    for task in TASKS:
        for kind, length in SHOWN:
            network = TanhNetwork(UNITS, 2, 1 / length, kind)
            raw, _ = trained(network, WITHOUT.runs_at(0), task=task, first_seed=run.seed, steps=STEPS, **DISC)
            surfaces.append(log_errors(network, raw, task))
            run.done(len(surfaces), len(TASKS) * len(SHOWN))
        for kind in ("normalised", "scaled", "plain"):
            added = task == "addition" and kind == "normalised"
            sweep, where = (ADDITION, {"data": "disc"}) if added else (WITHOUT, {"task": task, "kind": kind})
            found = at_lengths(sweep, stored[sweep.name], "curvature", **where)
            curvatures[f"{task}_{kind}"] = np.array([v for length, v in found.items() if length in FEWER])
    shape = len(TASKS), len(SHOWN), SIZE, SIZE
    return {"surfaces": np.array(surfaces).reshape(shape), "lengths": np.array(FEWER), **curvatures}


def _draw_surface(axes: Axes, arrays: Arrays, row: int, column: int) -> None:
    draw_map(axes, arrays["surfaces"][row, column], HALF_WIDTH, 1.0)
    kind, length = SHOWN[column]
    note = "free weights" if kind == "plain" else rf"not normalised, $1/\sigma = {length:g}$"
    style.title(axes, ("abc", "efg")[row][column], list(TASKS)[row].capitalize(), note)


def _draw_curvatures(axes: Axes, arrays: Arrays, row: int) -> None:
    lengths, task = arrays["lengths"], list(TASKS)[row]
    kinds = {"normalised": "normalised", "not normalised": "scaled"}
    for (label, kind), color in zip(kinds.items(), style.LINES, strict=False):
        style.median_and_range(axes, lengths, arrays[f"{task}_{kind}"], "o-", color, linewidth=2, label=label)
    axes.axhline(np.median(arrays[f"{task}_plain"]), color="black", linestyle=":", label="free weights")
    axes.set(xscale="log", yscale="log", xlabel=r"$1/\sigma$", ylabel="curvature, root mean square")
    axes.set_xticks(lengths, [f"{v:g}" for v in lengths])
    axes.minorticks_off()
    axes.legend(fontsize=10)
    style.title(axes, "dh"[row], "Curvature", f"{task}, median and range")


draw_panel = Panels(*(
    panel
    for row in range(len(TASKS))
    for panel in (
        *(partial(_draw_surface, row=row, column=column) for column in range(len(SHOWN))),
        partial(_draw_curvatures, row=row),
    )
))  # fmt: skip


def _keys(figure: Figure, axes: np.ndarray) -> None:
    bar = {"label": LOG_ERROR, "extend": "both", "shrink": 0.7, "location": "bottom"}
    figure.colorbar(axes[0, 0].images[0], ax=axes[:, :3], aspect=40, **bar)
    style.key(axes[0, 0], loc="outside upper left")


draw = style.in_rows(draw_panel, 7.6, 2, 4, _keys)
