"""Surfaces of errors on the square that the paper's figures show."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.image import AxesImage
from matplotlib.patches import Circle

from montecarlo.training.smooth.tanh_addition import TASKS, function_of
from montecarlo.training.smooth.tanh_networks import TanhNetwork

__all__ = ["HALF_WIDTH", "draw_surface", "log_errors"]

HALF_WIDTH = np.pi / 2
# What is drawn, in powers of ten: errors beyond have the colour of the end.
ENDS = (0.0, 8.0)


def log_errors(network: TanhNetwork, raw: np.ndarray, task: str, grid: int) -> np.ndarray:
    """-log10 of the squared error at (grid, grid) points of the square, float32."""
    points, values = function_of(network, raw, grid, HALF_WIDTH)
    square = (values - TASKS[task](points)) ** 2
    return -np.log10(np.maximum(square, 1e-30)).astype(np.float32)


def draw_surface(axes: Axes, surface: np.ndarray, hole: float) -> AxesImage:
    """One surface with the circles that bound the data; ``hole`` is the radius of the inner one, or 0."""
    ends = (-HALF_WIDTH, HALF_WIDTH) * 2
    image = axes.imshow(surface, origin="lower", extent=ends, vmin=ENDS[0], vmax=ENDS[1], interpolation="nearest")
    for radius in (1.0, hole):
        if radius:
            axes.add_patch(Circle((0, 0), radius, fill=False, color="white", linewidth=1))
    axes.set(xlabel="$x_1$", ylabel="$x_2$", xticks=(-1, 0, 1), yticks=(-1, 0, 1))
    return image
