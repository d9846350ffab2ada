"""Distribution of the last layer's mean square in ReLU networks of three widths."""

from functools import partial

import numpy as np
from matplotlib.axes import Axes

from figures import style
from figures.contract import Arrays, Panels, Run
from paper_checks.experiments.stored import rows_of
from paper_checks.papers.constants.sweeps import LENGTHS, WIDTHS

CAPTION = """\
Histograms of the mean square q of the activations in the last of fifty ReLU layers with He's initialisation, relative
to the input, for three widths. The mean of q is 1 at every width (dashed). Most narrow networks end far below it,
because the ratio of depth to width sets the spread.
"""
DETAILS = """\
Each histogram shows 4,000 random networks. Black bar and dot: quartiles and median.

Dotted: the normal density with the mean and the variance of the logarithms. Logarithms of products of independent
factors tend to a normal distribution.
"""
ALT = """\
Three bell-shaped histograms on one logarithmic axis, each under a dotted normal curve. At 64 units the bell spans six
decades, and its median is far left of the dashed mean. At 256 and 1024 units it is narrower and closer to that line.
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


def _draw(axes: Axes, arrays: Arrays, i: int) -> None:
    values = arrays["log10_q"][i]
    axes.hist(values, bins=40, density=True, color=style.LINES[i], alpha=0.5, label=f"{LENGTHS.runs:,} networks")
    mean, spread = values.mean(), values.std()
    x = np.linspace(mean - 4 * spread, mean + 4 * spread, 200)
    density = np.exp(-(((x - mean) / spread) ** 2) / 2) / spread / np.sqrt(2 * np.pi)
    axes.plot(x, density, ":", color="black", linewidth=2, label=NORMAL)
    low, middle, high = np.quantile(values, [0.25, 0.5, 0.75])
    top = axes.get_ylim()[1] * 0.05
    axes.plot([low, high], [top, top], color="black", linewidth=3, label="quartiles")
    axes.plot([middle], [top], "o", color="black", markersize=8, label="median")
    axes.axvline(0, color="black", linestyle="--", linewidth=1, label="mean of $q$, 1")
    axes.set(xlabel=r"$\log_{10}$ of the relative mean square $q$", ylabel="probability density")
    note = f"median {10**middle:.2f}, quartiles {10**low:.2f} and {10**high:.2f}"
    style.title(axes, "abc"[i], f"{WIDTHS[i]} units", note)


draw_panel = Panels(*(partial(_draw, i=i) for i in range(len(WIDTHS))))
draw = style.in_rows(
    draw_panel, 5.4, 1, 3, lambda _, axes: style.key(axes[0, 0], loc="outside lower center", ncols=5), sharex=True
)
