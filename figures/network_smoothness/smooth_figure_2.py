"""Errors of ReLU networks that see fresh points of the annulus at every step."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib.figure import Figure

from figures import style
from figures.contract import Run
from figures.network_smoothness.maps import draw_map, logarithms, network, places, plan
from montecarlo.training.smooth import relu
from montecarlo.training.smooth.runs import PROFILE, errors
from paper_checks.papers.network_smoothness.relu_sweeps import ANNULUS
from paper_checks.sweeps import stored_rows

__all__ = ["CAPTION", "NAME", "PARAMETERS", "RECIPE", "data", "draw"]

NAME = "smooth_figure_2"
CAPTION = """\
Figure 2, top. Networks that learn to add from a fresh batch of 256 points of the annulus at each of 50,001 steps. (a)
Squared errors of one of 1000 units, light where they are small; white: the annulus. (b) Mean logarithm of squared
errors by distance from 0, run by run, and (c) mean squared errors in the hole, on the annulus and outside of the disc,
bar: the median. The paper has one network of 10,000 units; two are here.
"""
PARAMETERS = {"stored by": f"paper-checks train {ANNULUS.name}", "network of the map": {"width": 1000, "run": 0}}
RECIPE = Run()

MAP = [point["width"] for point in ANNULUS.points].index(1000)
REGIONS = ("hole", "ring", "outside")


def data(run: Run) -> dict[str, np.ndarray]:
    """A map and the stored errors.

    Returns
    -------
    dict of str to array
        ``map`` (180^2), log10 of squared errors; ``profile_10000`` and ``profile_1000`` (runs, 16), ``regions_10000``
        and ``regions_1000`` (runs, 3).
    """
    del run
    values = ANNULUS.values(MAP, 0)
    how = plan(ANNULUS, low=values["low"], first_draw=relu.draws_of_start(values["width"]))
    theta = network(ANNULUS, MAP, np.empty((2, values["batch"]), dtype=np.float32), how)
    found = {"map": logarithms(errors(theta, places(values["half_width"]), "addition"))}
    for point, rows in zip(ANNULUS.points, stored_rows(ANNULUS), strict=True):
        width = point["width"]
        found[f"profile_{width}"] = rows[:, [ANNULUS.columns.index(name) for name in PROFILE]]
        found[f"regions_{width}"] = rows[:, [ANNULUS.columns.index(name) for name in REGIONS]]
    return found


@style.applied()
def draw(arrays: Mapping[str, np.ndarray]) -> Figure:
    """Draw a map, profiles, and errors by region."""
    figure = style.new_figure(height=5.0)
    first, second, third = figure.subplots(1, 3)
    image = draw_map(first, arrays["map"], ANNULUS.settings["half_width"], 0.5, 1.0)
    figure.colorbar(image, ax=first, label=r"$\log_{10}$ of squared error", extend="both", shrink=0.8)
    style.title(first, "a", "A network of 1000 units")
    second.axvspan(0.5, 1, color="grey", alpha=0.15, linewidth=0)
    distance = (np.arange(len(PROFILE)) + 0.5) / 10
    for i, width in enumerate(p["width"] for p in ANNULUS.points):
        color, profile = style.LINES[i], arrays[f"profile_{width}"]
        second.plot(distance, profile.T, color=color, alpha=0.3, linewidth=0.8)
        second.plot(distance, np.median(profile, axis=0), color=color, linewidth=2.2, label=f"{width:,} units")
        for k in range(3):
            regions = arrays[f"regions_{width}"][:, k]
            place = k + 0.2 * (2 * i - 1)
            third.plot(place + np.linspace(-0.12, 0.12, len(regions)), regions, ".", color=color, markersize=4)
            third.plot([place - 0.15, place + 0.15], [np.median(regions)] * 2, color="black", linewidth=2)
    second.set(xlabel="distance from 0", ylabel=r"mean $\log_{10}$ of squared error")
    second.legend(loc="upper left")
    style.title(second, "b", "By distance", "grey: the annulus")
    third.set_xticks(range(3), ["hole", "annulus", "outside"])
    third.set(yscale="log", ylabel="mean squared error")
    style.title(third, "c", "By region")
    return figure
