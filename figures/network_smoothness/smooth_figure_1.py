"""Errors of ReLU networks of four widths that learn to add from 128 points of the disc."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib.figure import Figure

from figures import style
from figures.contract import Run
from figures.network_smoothness.maps import draw_map, logarithms, network, places, plan
from montecarlo.training.smooth.data import disc
from montecarlo.training.smooth.regions import pieces
from montecarlo.training.smooth.runs import errors
from paper_checks.papers.network_smoothness.relu_sweeps import DISC, NETWORKS, WIDTHS

__all__ = ["CAPTION", "NAME", "PARAMETERS", "RECIPE", "SECONDS", "data", "draw"]

NAME = "smooth_figure_1"
CAPTION = """\
Figure 1, top: squared errors of networks that learn to add from the red points, light where they are small, by the
number of hidden units; the first of the runs of Table 1. White: the unit circle. The lines of the units cut the disc
into the pieces that each title counts. The network of 16 units adds exactly, to the rounding of float32, on two pieces
that hold all training points and reach far out of the disc; wider ones nowhere do, they err around their points. Below:
errors along the diagonal x_1 = x_2, which the paper does not show (grey: the disc); least values are drawn as 1e-12.
"""
PARAMETERS = {"widths": list(WIDTHS), "run": 0, "points of a map": "180 x 180", "points of a diagonal": 2001}
RECIPE = Run()
SECONDS = 2
DIAGONAL = np.linspace(-1.5, 1.5, 2001)


def data(run: Run) -> dict[str, np.ndarray]:
    """Maps and diagonals.

    Returns
    -------
    dict of str to array
        ``points`` (2, 128); ``maps`` (4, 180^2) and ``diagonals`` (4, 2001), log10 of squared errors by width;
        ``pieces`` (4).
    """
    del run
    points, everywhere = disc(DISC["first_seed"], DISC["number"]), places(DISC["half_width"])
    along = np.float32(np.stack([DIAGONAL, DIAGONAL]))
    networks = [network(NETWORKS, index, points, plan(NETWORKS)) for index in range(len(WIDTHS))]
    return {
        "points": points,
        "maps": np.array([logarithms(errors(theta, everywhere, "addition")) for theta in networks]),
        "diagonals": np.array([logarithms(errors(theta, along, "addition")) for theta in networks]),
        "pieces": np.array([pieces(theta) for theta in networks]),
    }


@style.applied()
def draw(arrays: Mapping[str, np.ndarray]) -> Figure:
    """Draw four maps, and a diagonal below each."""
    figure = style.new_figure(height=7.4)
    axes = figure.subplots(2, 4, height_ratios=[1.25, 1])
    for i, width in enumerate(WIDTHS):
        above, below = axes[:, i]
        image = draw_map(above, arrays["maps"][i], DISC["half_width"], 1.0)
        above.plot(*arrays["points"], ".", color="red", markersize=3)
        style.title(above, "abcd"[i], f"{width} units", f"{arrays['pieces'][i]:,} pieces of the disc")
        below.plot(np.sqrt(2) * DIAGONAL, np.float64(arrays["diagonals"][i]), linewidth=0.7)
        below.axvspan(-1, 1, color="grey", alpha=0.15, linewidth=0)
        below.set(xlabel="place on the diagonal, from 0", ylim=(-12.2, 0.5))
    axes[1, 0].set_ylabel(r"$\log_{10}$ of squared error")
    figure.colorbar(image, ax=axes[0], label=r"$\log_{10}$ of squared error", extend="both", shrink=0.9)
    return figure
