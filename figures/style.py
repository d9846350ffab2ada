"""One look for all figures: colour-blind safe, readable at the width of a page, independent of the user's settings."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colorbar import Colorbar
from matplotlib.colors import Normalize
from matplotlib.figure import Figure

from figures.contract import Arrays, Panels

# Even steps of lightness, and distinct with any of the common colour vision deficiencies.
SEQUENTIAL = "viridis"
# For signed quantities; always with a norm that is symmetric about zero, so that white means zero.
DIVERGING = "RdBu_r"
# Okabe and Ito's colours for lines, in the order of use.
LINES = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")

WIDTH = 13.0
"""Inches; 1690 pixels at the dots per inch below."""

_SETTINGS = {
    "figure.dpi": 130,
    "savefig.dpi": 130,
    "figure.constrained_layout.use": True,
    "font.family": "DejaVu Sans",
    "font.size": 12,
    "axes.titlesize": 13,
    "axes.labelsize": 12.5,
    "axes.linewidth": 0.8,
    "axes.prop_cycle": matplotlib.cycler(color=LINES),
    "xtick.labelsize": 11,
    "ytick.labelsize": 11,
    "legend.fontsize": 11,
    "legend.frameon": False,
    "image.cmap": SEQUENTIAL,
}


@contextmanager
def applied() -> Iterator[None]:
    """Matplotlib's defaults with this style on top, for drawing and for saving; restored afterwards."""
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_SETTINGS)
        yield


def new_figure(height: float, width: float = WIDTH) -> Figure:
    """A figure of its own, unknown to pyplot: nothing global to close, and no window system needed."""
    return Figure(figsize=(width, height), layout="constrained")


def in_rows(
    panels: Panels, height: float, rows: int, columns: int, keys: Callable[[Figure, np.ndarray], Any] | None = None, *,
    width: float = WIDTH, **grid: Any,
) -> Callable[[Arrays], Figure]:  # fmt: skip
    """Function that draws all panels of a figure in rows: its module's ``draw``.

    ``keys`` draws what panels share, given the figure and its Axes (rows, columns); ``grid`` is for ``subplots``.
    """

    @applied()
    def draw(arrays: Arrays) -> Figure:
        figure = new_figure(height, width)
        axes = figure.subplots(rows, columns, squeeze=False, **grid)
        panels.each(arrays, axes.flat)
        for panel in axes[:-1].flat if grid.get("sharex") in (True, "col") else ():
            panel.set_xlabel("")
        for panel in axes[:, 1:].flat if grid.get("sharey") in (True, "row") else ():
            panel.set_ylabel("")
        if keys:
            keys(figure, axes)
        return figure

    return draw


def in_mosaic(
    panels: Panels,
    height: float,
    places: str,
    keys: Callable[[Figure, dict[str, Axes]], Any] | None = None,
    **grid: Any,
) -> Callable[[Arrays], Figure]:
    """Function that draws all panels of a figure at places of a mosaic, as ``"aa;bc"``: its module's ``draw``."""

    @applied()
    def draw(arrays: Arrays) -> Figure:
        figure = new_figure(height)
        axes = figure.subplot_mosaic(places, **grid)
        panels.each(arrays, axes.values())
        if keys:
            keys(figure, axes)
        return figure

    return draw


def key(axes: Axes, **look: Any) -> None:
    """Draw the legend of one panel as that of its figure."""
    axes.figure.legend(*axes.get_legend_handles_labels(), **look)


def title(axes: Axes, letter: str, text: str, note: str = "", **look: Any) -> None:
    """A panel's letter and title, with a smaller line below it."""
    axes.set_title(f"({letter})  {text}", **{"loc": "left", "pad": 24 if note else 8, "fontweight": "bold"} | look)
    # The title's pad makes room for the line; its length must not change the layout.
    axes.annotate(
        note, (0, 1), (0, 7), xycoords="axes fraction", textcoords="offset points", fontsize=11, in_layout=False
    )


def heatmap(
    axes: Axes, x: np.ndarray, y: np.ndarray, values: np.ndarray, norm: Normalize, cmap: str = SEQUENTIAL, **bar: Any
) -> Colorbar:
    """Draw values (y, x) as cells about their places, with a colour bar."""
    mesh = axes.pcolormesh(x, y, values, cmap=cmap, norm=norm, shading="nearest", rasterized=True)
    return axes.figure.colorbar(mesh, ax=axes, **bar)


def median_and_range(
    axes: Axes, x: np.ndarray, values: np.ndarray, form: str, color: str, *, alpha: float = 0.2, **look: Any
) -> None:
    """Draw medians of values (x, runs) as a line, in their range."""
    axes.plot(x, np.median(values, axis=1), form, color=color, **look)
    axes.fill_between(x, values.min(axis=1), values.max(axis=1), color=color, alpha=alpha, linewidth=0)


def signed(number: float) -> str:
    """A number with its sign, and a true minus.

    Examples
    --------
    >>> signed(0.5), signed(0.0)
    ('+0.5', '0')
    """
    return f"{number:+g}".replace("-", "−") if number else "0"


def points(axes: Axes, x: Iterable[float], y: Iterable[float], label: str) -> None:
    """Draw points on a map so that they are seen on each of its colours: white with a black edge."""
    axes.plot(x, y, "o", color="white", markeredgecolor="black", markeredgewidth=0.6, markersize=3.5, label=label)
