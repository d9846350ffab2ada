"""When the features of a GaLU layer have full rank: the probability over the sizes, and what is lost otherwise."""

from functools import partial

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from figures import style
from figures.contract import Arrays, Panels, Run
from figures.settings import Setting
from montecarlo import Job, mean, measure
from montecarlo.kernels.galu.ranks import random_features
from theory import galu
from theory.formula import Interval

CAPTION = """\
How often a random GaLU feature matrix has full rank (a to c), and which fraction of the rank is missing at m = kd (d).
The paper says that the rank is min{m, kd} with high probability. This fails with few inputs, and for m <= kd as long as
2^k is not far above m. The paper has no such figure.
"""
DETAILS = """\
Inputs and filters are normal, gates are 0-1.

(a) to (c) Fraction of matrices of full rank, in percent, by number of inputs d and by m/(kd), for 4, 8 and 12 filters.
Ranks are exact, by elimination modulo a prime. Framed: cells in which all 100 sampled matrices had full rank. There the
probability is above 0.93, at an error rate of 1e-3, and the paper's sentence may hold. With the logistic gate all cells
are 100.

There are two reasons for lower ranks. With d = 1 the rank is never above 2, and with d = 2 filters of nearly the same
direction leave too few rows that differ. An input that opens no gate is a row of zeros.

(d) The missing fraction of the rank, 1 - E[rank]/m, which is the mean training loss that remains. For large k it grows
with k for d = 1 and 2, and falls for d >= 3 (theory.galu.rank). Black: the loss from rows of zeros alone, 2^-k. Bars:
two standard errors.
"""
ALT = """\
Three heat maps of how often a feature matrix has full rank: dark with zeros for one or two inputs, yellow at 100 % for
many inputs and filters. A fourth panel shows the missing rank growing for one and two inputs and falling for three and
more.
"""

FILTERS = (4, 8, 12)
INPUTS = (1, 2, 3, 4, 6, 8, 12)
RATIOS = (0.25, 0.5, 0.75, 0.875, 1.0, 1.125, 1.25, 1.5, 2.0)
LOSS_INPUTS = (1, 2, 3, 4, 8)
LOSS_FILTERS = (2, 4, 8, 16, 32, 64)
PARAMETERS = {
    "inputs, filters": "N(0, I_d)",
    "gate": "0-1",
    "m": "round(ratio k d), at least 1",
    "k": list(FILTERS),
    "d": list(INPUTS),
    "matrices per point of (d)": "samples/2, at most 64",
}
SETTINGS = {
    "filters": Setting("filters of (a) to (c)", Interval(1, 16, integer=True), 3, 3),
    "inputs": Setting("numbers of inputs in (a) to (c)", Interval(1, 16, integer=True), 2, 8),
}
RECIPE = Run(samples=100, seed=20190)
SECONDS = 16


def data(run: Run, *, filters: tuple[int, ...] = FILTERS, inputs: tuple[int, ...] = INPUTS) -> dict[str, np.ndarray]:
    """Fractions of full rank on the grid, and mean ranks at m = kd.

    Samples are matrices per cell, at least 8.

    Returns
    -------
    dict of str to array
        ``filters`` (3), ``inputs`` (d), ``ratios`` (9), ``rows`` and ``full`` (3, d, 9), number of rows and share of
        full rank; ``loss_inputs`` (5), ``loss_filters`` (6), ``loss`` and ``loss_se`` (5, 6), 1 - E[rank]/m at m = kd
        with its standard error; ``loss_one_input`` (6), its exact value for d = 1, and ``zero_rows`` (6), the
        expected share of rows of zeros. ``samples``.
    """
    samples = run.at_least(8)
    k, d, ratio = np.meshgrid(filters, inputs, RATIOS, indexing="ij")
    rows = np.maximum(1, np.rint(ratio * k * d)).astype(int)
    statistic = mean(random_features)
    jobs = [
        Job(statistic, {"m": a, "d": b, "k": c}, "figures/galu_rank", index, run.seed, (samples,))
        for index, (a, b, c) in enumerate(zip(rows.flat, d.flat, k.flat, strict=True))
    ]
    loss, loss_se = np.empty((2, len(LOSS_INPUTS), len(LOSS_FILTERS)))
    for i, few in enumerate(LOSS_INPUTS):
        for j, many in enumerate(LOSS_FILTERS):
            rng = np.random.default_rng([run.seed, few, many])
            missing = _missing(few, many, min(64, samples // 2), rng)
            loss[i, j], loss_se[i, j] = missing.mean(), missing.std(ddof=1) / np.sqrt(len(missing))
    return {
        "filters": np.array(filters),
        "inputs": np.array(inputs),
        "ratios": np.array(RATIOS),
        "rows": rows,
        "full": np.array([m.mean for m in measure(jobs, **run.resources)]).reshape(rows.shape),
        "samples": np.array(samples),
        "loss_inputs": np.array(LOSS_INPUTS),
        "loss_filters": np.array(LOSS_FILTERS),
        "loss": loss,
        "loss_se": loss_se,
        "loss_one_input": np.array([1 - galu.expected_rank_one_input(k, k) / k for k in LOSS_FILTERS]),
        "zero_rows": 2.0 ** -np.array(LOSS_FILTERS),
    }


def _missing(d: int, k: int, count: int, rng: np.random.Generator) -> np.ndarray:
    """1 - rank/m of random gates at m = k d."""
    m = k * d
    gates = (rng.standard_normal((m, d)) @ rng.standard_normal((k, d)).T > 0 for _ in range(count))
    return np.array([1 - galu.rank(g.astype(int), d) / m for g in gates])


def _keys(figure: Figure, axes: np.ndarray) -> None:
    where = {"ax": axes[0], "location": "top", "shrink": 0.5, "aspect": 40, "pad": 0.02}
    figure.colorbar(axes[0, 0].images[0], label="matrices of full rank (%)", **where)


def _draw_map(axes: Axes, arrays: Arrays, i: int) -> None:
    percent = 100 * arrays["full"][i]
    axes.imshow(percent, origin="lower", aspect="auto", vmin=0, vmax=100, cmap=style.SEQUENTIAL)
    for row, values in enumerate(percent):
        for column, value in enumerate(values):
            axes.text(column, row, f"{value:.0f}", ha="center", va="center", fontsize=10,
                      color="black" if value > 55 else "white")  # fmt: skip
            if value == 100:
                axes.add_patch(Rectangle((column - 0.46, row - 0.46), 0.92, 0.92, fill=False, linewidth=1.6))
    axes.set_xticks(range(len(arrays["ratios"])), [f"{v:g}" for v in arrays["ratios"]])
    axes.set_yticks(range(len(arrays["inputs"])), [f"{v}" for v in arrays["inputs"]])
    axes.set(xlabel="examples per feature, $m / (kd)$", ylabel="number of inputs, $d$")
    k = arrays["filters"][i]
    style.title(axes, "abc"[i], f"Full rank, $k$ = {k} filters", f"0-1 gate, {arrays['samples']} matrices per cell")


def _draw_loss(axes: Axes, arrays: Arrays) -> None:
    k = arrays["loss_filters"]
    for i, d in enumerate(arrays["loss_inputs"]):
        if d == 1:
            axes.plot(k, arrays["loss_one_input"], ":", color=style.LINES[i], linewidth=2)
        axes.errorbar(
            k, np.where(arrays["loss"][i] > 0, arrays["loss"][i], np.nan), 2 * arrays["loss_se"][i],
            fmt="o" if d == 1 else "o-", color=style.LINES[i], markersize=5, linewidth=1.6, capsize=3,
            label=f"$d$ = {d}" + (", dotted: exact" if d == 1 else ""),
        )  # fmt: skip
    axes.plot(k, arrays["zero_rows"], "--", color="black", linewidth=1.4, label="rows of zeros, $2^{-k}$")
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xticks(k, [f"{v}" for v in k])
    axes.set(ylim=(3e-5, 1.4), xlabel="number of filters, $k$")
    axes.set_ylabel(r"remaining training loss, $1 - E[\mathrm{rank}]/m$")
    axes.legend(loc="lower left")
    style.title(axes, "d", "What is missing at $m = kd$", "full rank would leave a loss of 0")


draw_panel = Panels(*(partial(_draw_map, i=i) for i in range(len(FILTERS))), _draw_loss)
draw = style.in_rows(draw_panel, 9.6, 2, 2, _keys)
