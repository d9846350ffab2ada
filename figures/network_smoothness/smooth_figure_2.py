"""Errors of ReLU networks that see fresh points of the annulus at every step, and of processes that see 256 points."""

from functools import partial

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from figures import style
from figures.contract import Arrays, Panels, Run
from figures.network_smoothness.limits import relu_limit
from figures.network_smoothness.maps import LOG_ERROR, draw_map, logarithms, network, places, plan
from montecarlo.training.addition_processes import disc_points, fitted, squared_exponential
from montecarlo.training.smooth import relu
from montecarlo.training.smooth.runs import PROFILE, errors
from paper_checks.experiments.stored import stored_rows
from paper_checks.papers.network_smoothness.relu_sweeps import ANNULUS
from paper_checks.papers.network_smoothness.sweeps import ANNULUS_PROCESSES

CAPTION = """\
Squared errors of networks and of Gaussian processes that learn to add on an annulus, as in the paper's Figure 2: maps
(a, d to f), by distance from 0 (b), and by region (c). Yellow means small errors. Errors are smallest on the annulus,
larger in its hole and largest outside.
"""
DETAILS = """\
Networks learn from a fresh batch of 256 points of the annulus at each of 50,001 steps.

(a) One network of 1000 units. White circles: edges of the annulus.

(b) Mean logarithm of squared errors by distance from 0, run by run. Black: the processes of (d) and (e).

(c) Mean squared errors in the hole, on the annulus and outside of the disc. Bars: medians. There are 40 processes for
each length scale. The paper has one network of 10,000 units; two are here.

(d) to (f) Gaussian processes that have seen only the white dots. (d) The limit of ReLU networks with very many units.
(e, f) With the kernel of the paper, by length scale.
"""
ALT = """\
Error maps on an annulus: a fine bright texture inside the ring for a trained network, smoother ones for very many
units, and nearly uniform yellow for length scale 5. Two panels show errors lowest in the annulus, higher in the hole
and highest outside.
"""
SCALES = tuple(point["length_scale"] for point in ANNULUS_PROCESSES.points)
PARAMETERS = {
    "stored by": f"paper-checks train {ANNULUS.name} {ANNULUS_PROCESSES.name}",
    "network of the map": {"width": 1000, "run": 0}, "length scales": list(SCALES),
}  # fmt: skip
RECIPE = Run()
SECONDS = 10
READS = (ANNULUS, ANNULUS_PROCESSES)

MAP = [point["width"] for point in ANNULUS.points].index(1000)
REGIONS = ("hole", "ring", "outside")
HALF_WIDTH, LOW, JITTER = ANNULUS.settings["half_width"], ANNULUS.settings["low"], ANNULUS_PROCESSES.settings["alpha"]


def data(_: Run) -> dict[str, np.ndarray]:
    """Maps and the stored errors.

    Returns
    -------
    dict of str to array
        ``maps`` (4, 180^2), log10 of squared errors of a network, of very many units and of processes; ``points``
        (256, 2) that these have seen; ``profile_10000`` and ``profile_1000`` (runs, 16), ``regions_10000``,
        ``regions_1000`` (runs, 3) and ``regions_process`` (scales, runs, 3).
    """
    points = disc_points(ANNULUS_PROCESSES.settings["first_seed"], ANNULUS_PROCESSES.settings["number"], LOW)
    everywhere = np.float64(places(HALF_WIDTH).T)
    values = [relu_limit(points, points.sum(axis=1), JITTER, everywhere)]
    for scale in SCALES:
        amplitude, coefficients = fitted(points, points.sum(axis=1), scale, JITTER)
        values.append(amplitude * squared_exponential(everywhere, points, scale) @ coefficients)
    of_processes = [logarithms((found - everywhere.sum(axis=1)) ** 2) for found in values]
    found = {"maps": np.array([_trained(), *of_processes]), "points": points}
    for point, rows in zip(ANNULUS.points, stored_rows(ANNULUS), strict=True):
        width = point["width"]
        found[f"profile_{width}"] = rows[:, [ANNULUS.columns.index(name) for name in PROFILE]]
        found[f"regions_{width}"] = rows[:, [ANNULUS.columns.index(name) for name in REGIONS]]
    chosen = [ANNULUS_PROCESSES.columns.index(name) for name in REGIONS]
    return found | {"regions_process": np.array(stored_rows(ANNULUS_PROCESSES))[:, :, chosen]}


def _trained() -> np.ndarray:
    values = ANNULUS.values(MAP, 0)
    how = plan(ANNULUS, low=LOW, first_draw=relu.draws_of_start(values["width"]))
    theta = network(ANNULUS, MAP, np.empty((2, values["batch"]), dtype=np.float32), how)
    return logarithms(errors(theta, places(HALF_WIDTH), "addition"))


def _draw_map(axes: Axes, arrays: Arrays, i: int) -> None:
    draw_map(axes, arrays["maps"][i], HALF_WIDTH, 0.5, 1.0)
    titles = ("A network of 1000 units", "Very many units", *(f"Length scale {scale:g}" for scale in SCALES))
    style.title(axes, "adef"[i], titles[i])
    if i:
        style.points(axes, *arrays["points"].T, "points")


def _draw_profiles(axes: Axes, arrays: Arrays) -> None:
    axes.axvspan(0.5, 1, color="grey", alpha=0.15, linewidth=0)
    distance = (np.arange(len(PROFILE)) + 0.5) / 10
    for i, width in enumerate(p["width"] for p in ANNULUS.points):
        color, profile = style.LINES[i], arrays[f"profile_{width}"]
        axes.plot(distance, profile.T, color=color, alpha=0.3, linewidth=0.8)
        axes.plot(distance, np.median(profile, axis=0), color=color, linewidth=2.2, label=f"{width:,} units")
    radius = np.hypot(*np.float64(places(HALF_WIDTH)))
    labels = ("very many units", f"length scale {SCALES[0]:g}")
    for logs, label, line in zip(arrays["maps"][1:3], labels, ("-", ":"), strict=True):
        means = [np.float64(logs)[(radius >= d - 0.05) & (radius < d + 0.05)].mean() for d in distance]
        axes.plot(distance, means, line, color="black", linewidth=1.5, label=label)
    axes.set(xlabel="distance from 0", ylabel=r"mean $\log_{10}$ of squared error", ylim=(-12.5, 0))
    axes.legend(loc="upper left", fontsize=9)
    style.title(axes, "b", "By distance", "grey: the annulus")


def _draw_regions(axes: Axes, arrays: Arrays) -> None:
    groups = {f"{p['width']:,} units": arrays[f"regions_{p['width']}"] for p in ANNULUS.points}
    groups |= {f"length scale {s:g}": rows for s, rows in zip(SCALES, arrays["regions_process"], strict=True)}
    for i, (label, rows) in enumerate(groups.items()):
        for k, values in enumerate(rows.T):
            place, name = k + 0.22 * (i - 1.5), label if k == 0 else None
            spread = place + np.linspace(-0.08, 0.08, len(values))
            axes.plot(spread, values, ".", color=style.LINES[i], markersize=4, label=name)
            axes.plot([place - 0.1, place + 0.1], [np.median(values)] * 2, color="black", linewidth=2)
    axes.plot([], [], color="black", linewidth=2, label="median")
    axes.set_xticks(range(3), ["hole", "annulus", "outside"])
    axes.set(yscale="log", xlabel="region", ylabel="mean squared error", ylim=(1e-13, 10))
    axes.legend(loc="upper left", fontsize=9)
    style.title(axes, "c", "By region")


draw_panel = Panels(
    partial(_draw_map, i=0), _draw_profiles, _draw_regions, *(partial(_draw_map, i=i) for i in (1, 2, 3))
)


def _keys(figure: Figure, axes: np.ndarray) -> None:
    figure.colorbar(axes[1, 2].images[0], ax=axes[1, 2], label=LOG_ERROR, extend="both", shrink=0.8)


draw = style.in_rows(draw_panel, 9.2, 2, 3, _keys)
