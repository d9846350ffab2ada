"""Signals and gradients against depth, for PyTorch's defaults, its recommended gains and gains that keep a variance."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from figures import style
from figures.contract import Run
from figures.settings import Setting
from paper_checks.experiments.stored import rows_of
from paper_checks.papers.constants.sweeps import ACTIVATIONS, DEPTHS, GAINS, WIDTH, starts
from theory.formula import Interval
from theory.signal_propagation import propagate

__all__ = ["CAPTION", "NAME", "PARAMETERS", "RECIPE", "SECONDS", "SETTINGS", "data", "draw"]

NAME = "gain_against_depth"
CAPTION = """\
What is left of a signal (top) and of a gradient (bottom) in a network of one width. Lines: wide networks, by
theory.signal_propagation. Symbols: random networks of 64 units, median and quartiles of 15. Blue: the default of
torch.nn.Linear, a = sqrt(5), with its biases, at which the signal ends: what is left of the inputs falls like the
gradient. Orange: torch.nn.init.calculate_gain, which has none for GELU and SiLU. Green: the gain that keeps a variance
of 1 in wide layers. Behind tanh it makes gradients grow, and behind GELU and SiLU the variance 1 is not stable: narrow
networks leave it.
"""
PARAMETERS = {"width": WIDTH, "depths": list(DEPTHS), "runs": GAINS.runs}
DEPTH = 50
SETTINGS = {"depth": Setting("layers of the lines", Interval(2, 1000, integer=True))}
RECIPE = Run(seed=20190)
SECONDS = 2

COLORS = {"default": style.LINES[0], "recommended": style.LINES[1], "ours": style.LINES[2]}
NAMES = {"default": "PyTorch's default", "recommended": "calculate_gain", "ours": "keeps variance 1"}
TITLES = {"relu": "ReLU", "tanh": "tanh", "selu": "SELU", "gelu": "GELU", "silu": "SiLU", "sigmoid": "logistic"}


def data(run: Run, *, depth: int = DEPTH) -> dict[str, np.ndarray]:
    """Lines and symbols.

    Returns
    -------
    dict of str to array
        For each activation function and start ``line_<activation>_<start>`` (2, 51), variance and gradient by layer;
        ``seen_<activation>_<start>`` (2, 3, 3), the quartiles of both at three depths.
    """
    arrays = {}
    for name in ACTIVATIONS:
        for start, (weight, bias) in starts(name).items():
            trace = propagate(name, depth, weight, bias)
            arrays[f"line_{name}_{start}"] = np.array([trace.variance, trace.gradient[::-1]])
    rows = rows_of(GAINS, seed=run.seed, **run.resources)
    for point, found in zip(GAINS.points, rows, strict=True):
        key = f"seen_{point['activation']}_{point['start']}"
        arrays.setdefault(key, np.empty((2, len(DEPTHS), 3)))
        arrays[key][:, DEPTHS.index(point["depth"])] = np.quantile(found[:, :2], [0.25, 0.5, 0.75], axis=0).T
    return arrays


@style.applied()
def draw(arrays: Mapping[str, np.ndarray]) -> Figure:
    """Draw a column for each activation function."""
    figure = style.new_figure(height=8.2, width=17.0)
    axes = figure.subplots(2, len(ACTIVATIONS), sharex=True, sharey="row")
    for column, name in zip(axes.T, ACTIVATIONS, strict=True):
        for row, panel in enumerate(column):
            for start in starts(name):
                _draw_start(panel, arrays, name, start, row)
            panel.axhline(1, color="grey", linewidth=0.8)
            panel.set_yscale("log")
        column[0].set_title(TITLES[name], fontweight="bold")
        column[1].set_xlabel("layers")
    axes[0, 0].set(ylabel="variance of h", ylim=(1e-6, 1e6))
    axes[1, 0].set(ylabel="mean square of the gradient", ylim=(1e-42, 1e8))
    axes[0, 1].legend(loc="upper left", fontsize=9.5)
    return figure


def _draw_start(axes: Axes, arrays: Mapping[str, np.ndarray], name: str, start: str, row: int) -> None:
    color = COLORS[start]
    axes.plot(arrays[f"line_{name}_{start}"][row], color=color, linewidth=1.6, label=NAMES[start])
    low, middle, high = arrays[f"seen_{name}_{start}"][row].T
    places = np.array(DEPTHS) + {"default": -0.8, "recommended": 0.0, "ours": 0.8}[start]
    axes.errorbar(places, middle, [middle - low, high - middle], fmt="o", color=color, markersize=4, linewidth=1)
