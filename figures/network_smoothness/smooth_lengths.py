"""The length scale of random networks against the standard deviation of their weights, along a line, and by width."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from matplotlib.axes import Axes

from figures import style
from figures.contract import Arrays, Panels, Run
from figures.settings import Setting
from montecarlo import measure
from paper_checks.papers.network_smoothness.section_3_3.turns_along_lines import SIGMA, TURNS, WIDTHS, of_the_process
from theory import wide_networks
from theory.formula import Interval

CAPTION = """\
Length scales of random networks before training, against the standard deviation sigma of their weights and biases, as
in the authors' code. The paper scales 'the weights' and shows trained networks only. By extrema the length is near
1/sigma for large sigma (a, b). By zeros it is not, and it differs from place to place (c).
"""
DETAILS = """\
Panels (a) to (c) are for very many units. A length scale is that of the squared exponential kernel with as many zeros,
or extrema, in a unit of length.

(a) Length scales at the origin; dotted: 1/sigma. By zeros the length stays near 1, that of a straight line, for small
sigma.

(b) Their local exponents. -1 would be proportionality to 1/sigma, as for biases that are not scaled.

(c) Zeros in a unit of length beside the origin: a network has no single length scale.

(d) Networks of H units against the process of infinitely many, on a segment of length 4 from the origin. Bars: two
standard errors; dashed: slopes of -1.
"""
ALT = """\
Four panels. Length scales by zeros stay at 1 for small sigma, while those by extrema follow a steep line. Local
exponents go from 0 to -1/2 and from -2 to -1. Zeros become rare away from the origin. What finite networks lack falls
along lines of slope -1.
"""
LOWEST, HIGHEST, REACH, SHOWN = 0.05, 50.0, 6.0, (0.5, 1.0, 2.0, 5.0)
PARAMETERS = {"sigma": [LOWEST, HIGHEST], "sigmas of (c)": list(SHOWN), "sigma of (d)": SIGMA, "widths": list(WIDTHS)}
SETTINGS = {
    "lowest": Setting("least sigma of (a) and (b)", Interval(0.001, 1)),
    "highest": Setting("largest sigma of (a) and (b)", Interval(1, 1000, open_low=True)),
    "shown": Setting("sigmas of (c)", Interval(0.01, 50), 1, 7),
    "reach": Setting("largest distance from the origin in (c)", Interval(0.1, 100)),
}
RECIPE = Run(samples=20_000, seed=20190)
SECONDS = 16
WEIGHTS = r"standard deviation of the weights, $\sigma$"


def data(
    run: Run,
    *,
    lowest: float = LOWEST,
    highest: float = HIGHEST,
    shown: tuple[float, ...] = SHOWN,
    reach: float = REACH,
) -> dict[str, np.ndarray]:
    """Lengths, exponents, densities of zeros, and what networks of finite width lack.

    ``run.samples`` first layers are drawn for each width, each with eight second ones.

    Returns
    -------
    dict of str to array
        ``sigma`` (61); ``tanh`` and ``erf`` (2, 61), lengths by zeros and by extrema; ``exponents`` (2, 61) of erf;
        ``place`` (121); ``zeros_at`` (4, 121); ``width`` (6); ``missing`` and ``error`` (2, 6), zeros and extrema that
        are missing relative to the process, with standard errors.
    """
    sigma, places = np.geomspace(lowest, highest, 61), np.linspace(0.0, reach, 121)

    def by_sigma(*forms: Callable) -> np.ndarray:
        return np.array([form(sigma, sigma) for form in forms])

    missing, error = np.transpose(_missing(run), (1, 0, 2))
    return {
        "sigma": sigma,
        "tanh": by_sigma(wide_networks.tanh_zeros_length, wide_networks.tanh_extrema_length),
        "erf": by_sigma(wide_networks.erf_zeros_length, wide_networks.erf_extrema_length),
        "exponents": np.array([wide_networks.erf_zeros_exponent(sigma), wide_networks.erf_extrema_exponent(sigma)]),
        "place": places,
        "shown": np.array(shown),
        "zeros_at": np.array([wide_networks.tanh_zeros_at(s, s, places) for s in shown]),
        "width": np.array(WIDTHS),
        "missing": missing,
        "error": error,
    }


def _missing(run: Run) -> list[tuple[np.ndarray, np.ndarray]]:
    """Of zeros and of extrema: what the networks have fewer than the process, relative to it, and its error."""
    rows = [m.estimate() for m in measure(replace(TURNS, runs=run.at_least(2)).jobs(run.seed), **run.resources)]
    means = np.array([r.mean(axis=0) for r in rows]).T
    errors = np.array([r.std(axis=0, ddof=1) / np.sqrt(len(r)) for r in rows]).T
    limits = [of_the_process(extrema) for extrema in (False, True)]
    return [(1 - m / limit, e / limit) for m, e, limit in zip(means, errors, limits, strict=True)]


def _draw_lengths(axes: Axes, arrays: Arrays) -> None:
    for i, by in enumerate(("zeros", "extrema")):
        axes.plot(arrays["sigma"], arrays["tanh"][i], color=style.LINES[i], linewidth=1.8, label=f"tanh, by {by}")
        axes.plot(arrays["sigma"], arrays["erf"][i], "--", color=style.LINES[i], label=f"erf, by {by}")
    axes.plot(arrays["sigma"], 1 / arrays["sigma"], ":", color="black", label=r"$1/\sigma$")
    axes.set(xscale="log", yscale="log", xlabel=WEIGHTS, ylabel="length scale at the origin")
    axes.legend()
    style.title(axes, "a", "Length scale of random networks")


def _draw_exponents(axes: Axes, arrays: Arrays) -> None:
    for i, by in enumerate(("zeros", "extrema")):
        axes.plot(arrays["sigma"], arrays["exponents"][i], color=style.LINES[i], linewidth=1.8, label=f"erf, by {by}")
    axes.axhline(-1, color="black", linestyle=":", label="proportional to " r"$1/\sigma$")
    axes.set(xscale="log", xlabel=WEIGHTS, ylabel=r"$d \log(\mathrm{length}) / d \log \sigma$")
    axes.legend(loc="upper right")
    style.title(axes, "b", "Local exponents")


def _draw_zeros(axes: Axes, arrays: Arrays) -> None:
    for i, sigma in enumerate(arrays["shown"]):
        axes.plot(arrays["place"], arrays["zeros_at"][i], color=style.LINES[i], label=rf"$\sigma = {sigma:g}$")
    axes.set(xlabel="distance from the origin", ylabel="zeros per unit of length", ylim=(0, None))
    axes.legend()
    style.title(axes, "c", "Zeros beside the origin, tanh")


def _draw_widths(axes: Axes, arrays: Arrays) -> None:
    width = arrays["width"]
    for i, what in enumerate(("zeros", "extrema")):
        missing, error = arrays["missing"][i], arrays["error"][i]
        axes.errorbar(width, missing, 2 * error, fmt="o", color=style.LINES[i], label=what, markersize=5, capsize=3)
        axes.plot(width, missing[3] * width[3] / width, "--", color=style.LINES[i], linewidth=1)
    axes.plot([], [], "--", color="grey", linewidth=1, label="slope −1")
    axes.set(xscale="log", yscale="log", xlabel="hidden units, $H$", ylabel="fraction that is missing")
    axes.legend()
    style.title(axes, "d", "Networks of finite width", rf"tanh, $\sigma = {SIGMA:g}$; bars: two standard errors")


draw_panel = Panels(_draw_lengths, _draw_exponents, _draw_zeros, _draw_widths)
draw = style.in_rows(draw_panel, height=9.4, rows=2, columns=2)
