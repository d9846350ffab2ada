"""Figure 8: the error of the Taylor approximation to the expectation of the NAC multiplication unit."""

import math
from collections.abc import Sequence
from dataclasses import astuple, fields, replace
from functools import partial
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import BoundaryNorm, Normalize, SymLogNorm
from matplotlib.figure import Figure

from figures import style
from figures.contract import Arrays, Panels, Run
from figures.settings import Setting
from montecarlo import Job, Moments, measure
from montecarlo.kernels.nac_mul import outputs as kernels
from paper_checks.papers.neural_arithmetic_units.appendix_b import figure_8
from paper_checks.papers.neural_arithmetic_units.appendix_b.figure_8 import CLAIM, EPS, R_W, R_Z, SAMPLES
from theory import nac_mul
from theory.formula import Interval

CAPTION = """\
The error of the second-order Taylor form of E[z_out] for a NAC multiplication unit with one input. Panel (a) is the
paper's Figure 8, which compares with a simulation; panels (b) to (d) use the exact mean, which the paper does not have.
Blue: too small; red: too large. The speckle of (a) is sampling noise.
"""
DETAILS = """\
The unit is z_out = (z + eps)^W with W ~ U[-r_w, r_w] and z ~ U[0, r_z].

(a) Taylor form minus a Monte Carlo mean of 100,000 observations, for 46 values of r_w and 50 of r_z.

(b) The error of the approximation itself, on the same colours. The noise of (a) reaches this size where r_w is large.

(c) The noise: Monte Carlo minus exact, in standard errors from the exact variance. There is no pattern, and the
variance is one, so the sampled model and the exact form agree.

(d) The relative error. The Taylor form is too small at small r_z, by 7 % in the corner r_z = 1, r_w = 0.5. It is too
large by up to 0.5 % to the right of the heavy line, which starts at r_z = 11.89 for small r_w. Above r_w = 0.44 it is
too small at every r_z shown.
"""
ALT = """\
Four maps over the size of inputs and of weights. The error of the Taylor form is blue on the left and at the top and
red in the middle, noisy against Monte Carlo and smooth against the exact mean. The difference of these two is noise,
and contours show errors from below -2 % to above 0.5 %.
"""

FAN_IN, MOST = 1, 1000
PARAMETERS = {
    "claim": CLAIM,
    "eps": EPS,
    "fan_in": FAN_IN,
    "r_w": "0.001 + 0.011 i, i = 0 ... 45",
    "r_z": "1 ... 50",
    "w": "U[-r_w, r_w]",
    "z": "U[0, r_z]",
}
SETTINGS = {
    "r_w": Setting("largest half width of the weights", Interval(0, 1, open_low=True)),
    "r_z": Setting("largest end of the inputs", Interval(0, 1e6, open_low=True)),
    "eps": Setting("added to every input", Interval(0, 1e6, open_low=True)),
    "fan_in": Setting("inputs of the unit", Interval(1, MOST, integer=True), dear=True),
}
RECIPE = Run(samples=SAMPLES, seed=20190)
SECONDS = 3

# Percent; three steps to a decade on either side of zero.
_LEVELS = (0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10)
# Points (r_z, r_w) near which a contour gets its label: where the lines are apart.
_LABELS = (
    (4, 0.42), (7, 0.42), (9, 0.33), (8, 0.21), (8, 0.15), (7.5, 0.1), (6, 0.065), (42, 0.475), (33, 0.465),
    (45, 0.28), (32, 0.145), (32, 0.1), (32, 0.065), (32, 0.042),
)  # fmt: skip


def data(
    run: Run, *, r_w: float = float(R_W[-1]), r_z: float = float(R_Z[-1]), eps: float = EPS, fan_in: int = FAN_IN
) -> dict[str, np.ndarray]:
    """The three expectations on the paper's grid, and what the Monte Carlo error should be.

    Samples are observations per cell, at least 2.

    Parameters
    ----------
    run : Run
    r_w, r_z : float
        The largest half width and the largest input; the grid is stretched to them.
    eps : float
    fan_in : int
        Inputs of the unit, independent.

    Returns
    -------
    dict of str to array
        ``r_w`` (46), ``r_z`` (50), and by cell (46, 50): ``taylor``, ``exact``, ``monte_carlo``;
        ``standard_error`` of the latter from the exact variance and ``sample_standard_error`` from the observations;
        ``excess_kurtosis`` of one observation, exact; ``moments`` (46, 50, 7), the fields of
        :class:`montecarlo.Moments` in the order of ``moment_names``. Besides ``samples``, and ``sign_change``, the
        r_z at which the approximation is exact for the smallest r_w.
    """
    samples = run.at_least(2)
    widths, inputs = R_W * (r_w / R_W[-1]), R_Z * (r_z / R_Z[-1])
    half, most = (grid.ravel() for grid in np.meshgrid(widths, inputs, indexing="ij"))
    exact = nac_mul.exact_mean(half, 0.0, most, eps, fan_in)
    variance = nac_mul.exact_variance(half, 0.0, most, eps, fan_in)
    measured = measure(_jobs(samples, run.seed, half, most, eps, fan_in), **run.resources)
    return {
        "r_w": widths,
        "r_z": inputs,
        "samples": np.array(samples),
        "taylor": _by_cell(nac_mul.taylor_mean(half**2 / 3, most / 2, eps, fan_in)),
        "exact": _by_cell(exact),
        "monte_carlo": _by_cell([m.mean for m in measured]),
        "standard_error": _by_cell(np.sqrt(variance / samples)),
        "sample_standard_error": _by_cell([m.estimate().se for m in measured]),
        "excess_kurtosis": _by_cell(figure_8.excess_kurtosis(half, most, variance, eps, fan_in)),
        "sign_change": np.array(nac_mul.taylor_sign_change(float(widths[0]), eps)),
        "moments": _by_cell([astuple(m) for m in measured]),
        "moment_names": np.array([f.name for f in fields(Moments)]),
    }


def _jobs(samples: int, seed: int, r_w: np.ndarray, r_z: np.ndarray, eps: float, fan_in: int) -> list[Job]:
    """The mean of the unit in each cell; with one input as the claim simulates it."""
    values = {"a": 0.0, "eps": eps, "fan_in": fan_in}
    points = [{"r_w": w, "b": z, **values} for w, z in zip(r_w, r_z, strict=True)]
    play = kernels.factor if fan_in == 1 else kernels.unit
    return replace(figure_8.FIGURE_8, runs=samples, play=play, points=points).jobs(seed)


def _by_cell(values: Sequence) -> np.ndarray:
    values = np.array(values, dtype=np.float64)
    return values.reshape(len(R_W), len(R_Z), *values.shape[1:])


class Noise(NamedTuple):
    """How the squared standardised errors of all cells compare with their law.

    ``mean_square`` is the mean over the cells of ((Monte Carlo - exact) / standard error)^2, whose expectation is 1.
    ``spread`` is the exact standard deviation of that mean, sqrt(sum(2 + excess kurtosis / n)) / cells, and
    ``normal_spread`` what it would be with normal observations. ``largest`` is the largest error in magnitude.
    """

    mean_square: float
    spread: float
    normal_spread: float
    largest: float


def standardised(arrays: Arrays) -> np.ndarray:
    """Monte Carlo minus exact in units of its standard error, by cell."""
    return (arrays["monte_carlo"] - arrays["exact"]) / arrays["standard_error"]


def noise(arrays: Arrays) -> Noise:
    """Compare the Monte Carlo errors of all cells with what the exact moments predict.

    The mean of n independent values with excess kurtosis k has excess kurtosis k / n, so the square of its
    standardised error has variance 2 + k / n; the streams of the cells are independent.
    """
    z = standardised(arrays)
    spread = math.sqrt(np.sum(2 + arrays["excess_kurtosis"] / arrays["samples"])) / z.size
    return Noise(float(np.mean(z**2)), spread, math.sqrt(2 / z.size), float(np.max(np.abs(z))))


def _as_in_the_paper(arrays: Arrays) -> bool:
    """Whether the grid is the paper's, and the lines are where they are expected."""
    return arrays["r_w"][-1] == R_W[-1] and arrays["r_z"][-1] == R_Z[-1]


def _labelled(axes: Axes, arrays: Arrays) -> None:
    axes.set(xlabel="largest input, $r_z$", ylabel="half width of the weights, $r_w$")
    if _as_in_the_paper(arrays):
        axes.set_xticks([1, 10, 20, 30, 40, 50])


def _draw_error(axes: Axes, arrays: Arrays, reference: str) -> None:
    """Taylor minus a reference; linear within 0.001, logarithmic outside."""
    ticks = [-0.1, -0.01, -0.001, 0, 0.001, 0.01, 0.1]
    bar = style.heatmap(
        axes, arrays["r_z"], arrays["r_w"], arrays["taylor"] - arrays[reference], SymLogNorm(1e-3, vmin=-0.1, vmax=0.1),
        style.DIVERGING, ticks=ticks, label=r"error of $E[z_{\mathrm{out}}]$",
    )  # fmt: skip
    bar.ax.set_yticklabels(list(map(style.signed, ticks)))
    bar.minorticks_off()
    _labelled(axes, arrays)
    samples = int(arrays["samples"])
    if reference == "exact":
        style.title(axes, "b", "Taylor − Exact", "the error of the approximation itself, on the same colours")
    else:
        note = f"{samples:,} observations in each cell" + (", as in the paper" if samples == SAMPLES else "")
        style.title(axes, "a", "Taylor − Monte Carlo", note)


def _draw_noise(axes: Axes, arrays: Arrays) -> None:
    seen = noise(arrays)
    style.heatmap(
        axes, arrays["r_z"], arrays["r_w"], standardised(arrays), Normalize(-4, 4), style.DIVERGING, extend="both",
        label="standard errors of the Monte Carlo mean",
    )  # fmt: skip
    normal = f"{seen.normal_spread:.3f} with normal tails"
    note = f"mean of squares {seen.mean_square:.3f}, expected 1 ± {seen.spread:.3f} ({normal})"
    _labelled(axes, arrays)
    style.title(axes, "c", "Monte Carlo − Exact", note)


def _draw_relative_error(axes: Axes, arrays: Arrays) -> None:
    r_z, r_w = arrays["r_z"], arrays["r_w"]
    percent = 100 * (arrays["taylor"] / arrays["exact"] - 1)
    levels = np.array([-level for level in reversed(_LEVELS)] + [0, *_LEVELS])
    beyond = "both" if np.max(np.abs(percent)) > levels[-1] else "neither"
    colours = {"cmap": style.DIVERGING, "norm": BoundaryNorm(levels, 256, extend=beyond)}
    mesh = axes.contourf(r_z, r_w, percent, levels=levels, extend=beyond, **colours)
    bar = axes.figure.colorbar(mesh, ax=axes, ticks=levels, label="relative error of the Taylor form, percent")
    bar.ax.set_yticklabels(list(map(style.signed, levels)))
    lines = axes.contour(r_z, r_w, percent, levels=levels[levels != 0], colors="black", linewidths=0.6)
    axes.clabel(lines, fmt=style.signed, fontsize=10, manual=_LABELS if _as_in_the_paper(arrays) else False)
    axes.contour(r_z, r_w, percent, levels=[0], colors="black", linewidths=2.8)
    start = float(arrays["sign_change"])
    axes.annotate(rf"$r_z = {start:.2f}$ as $r_w \to 0$", (start, r_w[0]), (8, 6), textcoords="offset points")
    _labelled(axes, arrays)
    style.title(axes, "d", "Taylor / Exact − 1", "heavy line: the error changes sign")


draw_panel = Panels(
    partial(_draw_error, reference="monte_carlo"), partial(_draw_error, reference="exact"), _draw_noise,
    _draw_relative_error,
)  # fmt: skip


def _keys(_: Figure, axes: np.ndarray) -> None:
    for panel in axes.flat:
        panel.label_outer(remove_inner_ticks=False)


draw = style.in_rows(draw_panel, 11.2, 2, 2, _keys)
