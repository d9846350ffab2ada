"""Errors of ReLU networks of four widths that learn to add from 128 points of the disc."""

from functools import partial

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from figures import style
from figures.contract import Arrays, Panels, Run
from figures.network_smoothness.maps import LEAST, LOG_ERROR, draw_map, logarithms, network, places, plan
from montecarlo.training.smooth.data import disc
from montecarlo.training.smooth.regions import pieces
from montecarlo.training.smooth.runs import errors
from paper_checks.papers.network_smoothness.relu_sweeps import DISC, NETWORKS, WIDTHS

CAPTION = """\
Squared errors of ReLU networks that learn to add from 128 points (white dots), for four numbers of hidden units: the
top row of the paper's Figure 1, as maps (top) and along the diagonal (bottom). Yellow means small errors. The network
of 16 units adds exactly around all points; wider networks add exactly on no region.
"""
DETAILS = """\
Top: the first of the runs of Table 1. White circle: the unit circle. Each title counts the linear regions into which
the lines of the units cut the disc. The network of 16 units adds exactly, to the rounding of float32, on two linear
regions that hold all training points and reach far out of the disc.

Bottom, which the paper does not show: errors along the diagonal x_1 = x_2 (shaded: the disc). Errors below 1e-12 are
marked at the lower edge.
"""
ALT = """\
Four error maps for networks of 16 to 1024 units: flat yellow for 16, then webs of bright lines inside a white
circle, and rising errors outside. Below, errors along the diagonal oscillate inside the disc and grow on both
sides.
"""
PARAMETERS = {"widths": list(WIDTHS), "run": 0, "points of a map": "180 x 180", "points of a diagonal": 2001}
RECIPE = Run()
SECONDS = 2
DIAGONAL = np.linspace(-1.5, 1.5, 2001)


def data(_: Run) -> dict[str, np.ndarray]:
    """Maps and diagonals.

    Returns
    -------
    dict of str to array
        ``points`` (2, 128); ``maps`` (4, 180^2) and ``diagonals`` (4, 2001), log10 of squared errors by width;
        ``pieces`` (4), linear regions of the disc.
    """
    points, everywhere = disc(DISC["first_seed"], DISC["number"]), places(DISC["half_width"])
    along = np.float32(np.stack([DIAGONAL, DIAGONAL]))
    networks = [network(NETWORKS, index, points, plan(NETWORKS)) for index in range(len(WIDTHS))]
    return {
        "points": points,
        "maps": np.array([logarithms(errors(theta, everywhere, "addition")) for theta in networks]),
        "diagonals": np.array([logarithms(errors(theta, along, "addition")) for theta in networks]),
        "pieces": np.array([pieces(theta) for theta in networks]),
    }


def _draw_map(axes: Axes, arrays: Arrays, i: int) -> None:
    draw_map(axes, arrays["maps"][i], DISC["half_width"], 1.0)
    style.points(axes, *arrays["points"], "training points")
    style.title(axes, "abcd"[i], f"{WIDTHS[i]} units", f"{arrays['pieces'][i]:,} linear regions in the disc")


def _draw_diagonal(axes: Axes, arrays: Arrays, i: int) -> None:
    logs = np.float64(arrays["diagonals"][i])
    along, least = np.sqrt(2) * DIAGONAL, logs <= np.log10(LEAST)
    axes.axvspan(-1, 1, color="grey", alpha=0.15, linewidth=0, label="inside the disc")
    axes.plot(along, np.where(least, np.nan, logs), color=style.LINES[0], linewidth=0.9, label="error")
    axes.plot(along[least], np.full(least.sum(), -12.3), "|", color=style.LINES[1], label="below $10^{-12}$")
    axes.set(xlabel="signed distance from 0", ylabel=r"$\log_{10}$ of squared error", ylim=(-12.6, 0.5))
    style.title(axes, "efgh"[i], f"{WIDTHS[i]} units, diagonal")


draw_panel = Panels(*(partial(draw, i=i) for draw in (_draw_map, _draw_diagonal) for i in range(len(WIDTHS))))


def _keys(figure: Figure, axes: np.ndarray) -> None:
    handles = [handle for panel in axes[:, 0] for handle in panel.get_legend_handles_labels()[0]]
    figure.legend(handles=handles, loc="outside lower center", ncols=5)
    figure.colorbar(axes[0, 0].images[0], ax=axes[0], label=LOG_ERROR, extend="both", shrink=0.9)


draw = style.in_rows(draw_panel, 8.0, 2, 4, _keys, width=14.5, height_ratios=[1.25, 1])
