"""The law of the last layer's mean square in ReLU networks of three widths."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib.figure import Figure

from figures import style
from figures.contract import Run
from paper_checks.experiments.stored import rows_of
from paper_checks.papers.constants.sweeps import LENGTHS, WIDTHS

__all__ = ["CAPTION", "NAME", "PARAMETERS", "RECIPE", "SECONDS", "data", "draw"]

NAME = "last_layer"
CAPTION = """\
The mean square q of the last of fifty layers of ReLU with He's weights, over 4,000 random networks of each width, in
units of that at the start. Its mean is 1 at every width, and depth over width decides on the rest. Black bars: median
and quartiles; dotted: the normal law with the mean and variance of these logarithms, to which products of independent
factors tend.
"""
PARAMETERS = {"widths": list(WIDTHS), "depth": LENGTHS.settings["depth"], "networks": LENGTHS.runs}
RECIPE = Run(seed=20190)
SECONDS = 3


def data(run: Run) -> dict[str, np.ndarray]:
    """Logarithms to base 10.

    Returns
    -------
    dict of str to array
        ``log10_q`` (3, 4000), by width.
    """
    rows = rows_of(LENGTHS, seed=run.seed, **run.resources)
    return {"log10_q": np.array([found[:, 0] for found in rows]) / np.log(10)}


@style.applied()
def draw(arrays: Mapping[str, np.ndarray]) -> Figure:
    """Draw a histogram for each width."""
    figure = style.new_figure(height=5.0)
    axes = figure.subplots(1, len(WIDTHS), sharey=False)
    for panel, letter, width, values, color in zip(axes, "abc", WIDTHS, arrays["log10_q"], style.LINES, strict=False):
        panel.hist(values, bins=60, density=True, color=color, alpha=0.6)
        mean, spread = values.mean(), values.std()
        x = np.linspace(mean - 4 * spread, mean + 4 * spread, 200)
        panel.plot(x, np.exp(-(((x - mean) / spread) ** 2) / 2) / spread / np.sqrt(2 * np.pi), ":", color="black")
        low, middle, high = np.quantile(values, [0.25, 0.5, 0.75])
        top = panel.get_ylim()[1] * 0.05
        panel.plot([low, high], [top, top], color="black", linewidth=3)
        panel.plot([middle], [top], "o", color="black")
        panel.axvline(0, color="grey", linewidth=0.8)
        panel.set(xlabel=r"$\log_{10} q$")
        style.title(
            panel, letter, f"{width} units", f"median {10**middle:.2f}, quartiles {10**low:.2f} and {10**high:.2f}"
        )
    axes[0].set_ylabel("density")
    return figure
