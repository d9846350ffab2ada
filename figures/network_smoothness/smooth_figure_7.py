"""Losses on the lines between initial, trained and exact networks, with and without the best second layer."""

from functools import partial

import numpy as np
from matplotlib.axes import Axes

from figures import style
from figures.contract import Arrays, Panels, Run
from montecarlo.training.smooth.interpolation import ALPHAS, LINES
from paper_checks.experiments.stored import stored_rows
from paper_checks.papers.network_smoothness.relu_sweeps import INTERPOLATION

CAPTION = """\
Test losses on straight lines between three networks of 256 units: the initial one, the trained one and an exact
solution, as in the paper's Figure 7. Blue is the network; green is the network with the best second layer by least
squares. Thin lines are runs, thick lines medians. On this logarithmic axis the loss of the network falls most near
the end.
"""
DETAILS = """\
The second layer of the green network fits the training points best. Places are equidistant up to 0.95, then come 0.99,
0.999, 0.9999 and 1.

Top: the exact solution in four units, all parameters of the others 0; 120 runs, where the paper has 10.

Bottom, which the paper does not have: the exact solution in 64 copies of the four units; 40 runs. There the green loss
falls on the second half of the way to the exact solution, and not at its very end.

How sharp the end is depends on where the exact solution is put: units that only shrink keep their lines until they
vanish.
"""
ALT = """\
Six panels of error along lines between networks. On logarithmic axes the error of the network (blue) falls mostly near
the end, with a hump between trained and exact. With the best second layer (green) it stays near 1e-6 until close to the
exact solution.
"""
PARAMETERS = {"stored by": f"paper-checks train {INTERPOLATION.name}", "places": list(ALPHAS)}
RECIPE = Run()

TITLES = ("Initial to trained", "Initial to exact", "Trained to exact")
RESTS = {"zero": "exact in 4 units", "copies": "exact in 64 copies of 4 units"}


def data(_: Run) -> dict[str, np.ndarray]:
    """The stored curves.

    Returns
    -------
    dict of str to array
        ``zero`` and ``copies`` (runs, 2, 3, 24): test losses by run, of the network or with the best second layer, by
        line and place.
    """
    return {
        point["rest"]: rows.reshape(-1, 2, len(LINES), len(ALPHAS))
        for point, rows in zip(INTERPOLATION.points, stored_rows(INTERPOLATION), strict=True)
    }


def _draw_curves(axes: Axes, arrays: Arrays, rest: str, k: int) -> None:
    losses = arrays[rest][:, :, k]
    places = np.arange(losses.shape[-1])
    for way, (color, label) in enumerate(((style.LINES[0], "network"), (style.LINES[2], "best second layer"))):
        axes.plot(places, losses[:, way].T, color=color, alpha=0.15, linewidth=0.7)
        axes.plot(places, np.median(losses[:, way], axis=0), color=color, linewidth=2.2, label=label)
    shown = [0, 5, 10, 15, 19, 23]
    axes.set_xticks(shown, [f"{ALPHAS[k]:g}" for k in shown])
    axes.set(yscale="log", ylim=(1e-16, 3), xlabel=r"position on the line, $\alpha$", ylabel="mean squared error")
    style.title(axes, "abcdef"[3 * list(RESTS).index(rest) + k], TITLES[k], RESTS[rest])


draw_panel = Panels(*(partial(_draw_curves, rest=rest, k=k) for rest in RESTS for k in range(len(TITLES))))
draw = style.in_rows(
    draw_panel, 8.6, 2, 3, lambda _, axes: axes[0, 0].legend(loc="lower left", title="thick: median; thin: runs"),
    sharex=True, sharey=True,
)  # fmt: skip
