"""Distribution of the last layer's mean square in ReLU networks of three widths."""

from collections.abc import Mapping

import numpy as np
from matplotlib.figure import Figure

from figures import style
from figures.contract import Run
from paper_checks.experiments.stored import rows_of
from paper_checks.papers.constants.sweeps import LENGTHS, WIDTHS

NAME = "last_layer"
CAPTION = """\
Three histograms, one per width: the mean square q of the activations in the last of fifty ReLU layers with He's
weights, over 4,000 random networks each, divided by the mean square of the input. The mean of q is 1 at every width
(dashed), and yet most networks end far below it when the width is small: the ratio of depth to width sets the
spread. Black bar and dot: quartiles and median. Dotted: the normal density with the mean and variance of the
logarithms, to which products of independent factors tend.
"""
PARAMETERS = {"widths": list(WIDTHS), "depth": LENGTHS.settings["depth"], "networks": LENGTHS.runs}
NORMAL = "normal density, same mean and variance"
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
    figure = style.new_figure(height=5.4)
    axes = figure.subplots(1, len(WIDTHS), sharey=False)
    for panel, letter, width, values, color in zip(axes, "abc", WIDTHS, arrays["log10_q"], style.LINES, strict=False):
        panel.hist(values, bins=60, density=True, color=color, alpha=0.5, label=f"{LENGTHS.runs:,} networks")
        mean, spread = values.mean(), values.std()
        x = np.linspace(mean - 4 * spread, mean + 4 * spread, 200)
        panel.plot(
            x,
            np.exp(-(((x - mean) / spread) ** 2) / 2) / spread / np.sqrt(2 * np.pi),
            ":",
            color="black",
            linewidth=2,
            label=NORMAL,
        )
        low, middle, high = np.quantile(values, [0.25, 0.5, 0.75])
        top = panel.get_ylim()[1] * 0.05
        panel.plot([low, high], [top, top], color="black", linewidth=3, label="quartiles")
        panel.plot([middle], [top], "o", color="black", markersize=8, label="median")
        panel.axvline(0, color="black", linestyle="--", linewidth=1, label="mean of $q$, 1")
        panel.set(xlabel=r"$\log_{10}$ of the relative mean square $q$")
        style.title(
            panel, letter, f"{width} units", f"median {10**middle:.2f}, quartiles {10**low:.2f} and {10**high:.2f}"
        )
    axes[0].set_ylabel("probability density")
    handles = axes[0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside lower center", ncols=5)
    return figure
