"""Normal data, symmetric networks, and multiplication: errors of ReLU networks of 256 units and of other widths."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from figures import style
from figures.contract import Run
from figures.network_smoothness.maps import draw_map, logarithms, network, places, plan
from montecarlo.training.smooth.data import MULTIPLICATION, disc
from montecarlo.training.smooth.runs import errors
from montecarlo.training.smooth.variants import BANDS, mirrored, normal_points, symmetric_errors
from paper_checks.papers.network_smoothness.relu_sweeps import NETWORKS, NORMAL_DATA, PRODUCTS, SYMMETRIC, WIDTHS
from paper_checks.sweeps import stored_rows

__all__ = ["CAPTION", "NAME", "PARAMETERS", "RECIPE", "data", "draw"]

NAME = "smooth_variants"
CAPTION = """\
Figures 11, 12 and 13, with ReLU networks of 256 units (the first two of the paper are of tanh networks). Above: squared
errors, light where they are small; red: training points; white: the unit circle. (a) Addition of normal numbers. (b)
Addition by a network that is made symmetric. (c) Multiplication. Below, 40 runs each; bar: the median. (d) Errors by
distance from 0: they grow as data become rare. (e) From the same start and the same points a symmetric network has a
quarter of the error on the disc, and is not exact either. (f) Multiplication and addition (60 runs) by width, on the
disc.
"""
PARAMETERS = {"stored by": f"paper-checks train {NORMAL_DATA.name} {SYMMETRIC.name} {PRODUCTS.name} {NETWORKS.name}"}
RECIPE = Run()
WIDTH = 256
HALF_WIDTHS = (3.0, 1.5, 1.5)


def data(run: Run) -> dict[str, np.ndarray]:
    """Maps and stored errors.

    Returns
    -------
    dict of str to array
        ``maps`` (3, 180^2), log10 of squared errors; ``normal`` and ``disc`` (2, 128), the training points; ``bands``
        (40, 6), ``plain`` and ``symmetric`` (40, 3), ``products`` (4, 40) and ``sums`` (4, 60), mean squared errors.
    """
    del run
    normal, uniform = (points(42, 128) for points in (normal_points, disc))
    wide, narrow = places(HALF_WIDTHS[0]), places(HALF_WIDTHS[1])
    on_normal = network(NORMAL_DATA, 0, normal, plan(NORMAL_DATA))
    symmetric = network(SYMMETRIC, 0, mirrored(uniform), plan(SYMMETRIC, symmetric=True))
    product = network(PRODUCTS, WIDTHS.index(WIDTH), uniform, plan(PRODUCTS, MULTIPLICATION))
    maps = [
        errors(on_normal, wide, "addition"),
        symmetric_errors(symmetric, narrow, True),
        errors(product, narrow, "multiplication"),
    ]
    rows, inside = stored_rows(SYMMETRIC)[0], NETWORKS.columns.index("inside")
    return {
        "maps": np.array([logarithms(values) for values in maps]),
        "normal": normal,
        "disc": uniform,
        "bands": stored_rows(NORMAL_DATA)[0][:, 1:],
        "plain": rows[:, :3],
        "symmetric": rows[:, 3:],
        "products": np.array(stored_rows(PRODUCTS))[:, :, inside],
        "sums": np.array(stored_rows(NETWORKS))[:, :, inside],
    }


@style.applied()
def draw(arrays: Mapping[str, np.ndarray]) -> Figure:
    """Draw three maps, and the errors of many runs below them."""
    figure = style.new_figure(height=8.8)
    axes = figure.subplots(2, 3)
    for k, (points, text) in enumerate(
        (("normal", "Normal data"), ("disc", "A symmetric network"), ("disc", "Multiplication"))
    ):
        image = draw_map(axes[0, k], arrays["maps"][k], HALF_WIDTHS[k], 1.0)
        axes[0, k].plot(*arrays[points], ".", color="red", markersize=3)
        style.title(axes[0, k], "abc"[k], text, f"{WIDTH} units")
    figure.colorbar(image, ax=axes[0], label=r"$\log_{10}$ of squared error", extend="both", shrink=0.85)
    for k in range(BANDS):
        _runs(axes[1, 0], arrays["bands"][:, k], k, style.LINES[0])
    axes[1, 0].set_xticks(range(BANDS), [f"{k / 2:g}" for k in range(BANDS)])
    axes[1, 0].set_xlabel("distance from 0, to half more")
    _pairs(axes[1, 1], arrays["plain"].T, arrays["symmetric"].T, ("network", "made symmetric"))
    axes[1, 1].set_xticks(range(3), ["points", "disc", "outside"])
    _pairs(axes[1, 2], arrays["sums"], arrays["products"], ("addition", "multiplication"))
    axes[1, 2].set_xticks(range(len(WIDTHS)), [f"{width}" for width in WIDTHS])
    axes[1, 2].set_xlabel("units")
    for panel, letter, text in zip(axes[1], "def", ("Normal data", "Symmetric or not", "Two tasks"), strict=True):
        panel.set(yscale="log", ylabel="mean squared error")
        style.title(panel, letter, text)
    return figure


def _runs(axes: Axes, values: np.ndarray, place: float, color: str, label: str | None = None) -> None:
    axes.plot(place + np.linspace(-0.12, 0.12, len(values)), values, ".", color=color, markersize=3.5, label=label)
    axes.plot([place - 0.16, place + 0.16], [np.median(values)] * 2, color="black", linewidth=2)


def _pairs(axes: Axes, first: np.ndarray, second: np.ndarray, labels: tuple[str, str]) -> None:
    for i, (rows, label) in enumerate(zip((first, second), labels, strict=True)):
        for k, values in enumerate(rows):
            _runs(axes, values, k + 0.4 * i - 0.2, style.LINES[i], label if k == 0 else None)
    axes.legend(loc="best")
