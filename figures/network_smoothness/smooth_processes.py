"""Gaussian processes that add and that learn a noisy sine, by their length scale: errors, flat limit, likelihood."""

from functools import partial

import mpmath
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from figures import style
from figures.contract import Arrays, Panels, Run
from figures.network_smoothness.maps import LOG_ERROR
from figures.settings import Setting
from montecarlo.training.addition_processes import disc_points, fitted, squared_exponential
from montecarlo.training.exact_processes import float_likelihood, likelihood_of_length
from paper_checks.experiments.stored import stored_rows
from paper_checks.papers.network_smoothness.section_3_1.processes import nodes, through_data
from paper_checks.papers.network_smoothness.section_3_3.sweeps import LENGTHS, SINE
from theory.formula import Interval
from theory.wide_networks import flat_error_even, flat_error_odd

CAPTION = """\
Gaussian processes that learn to add from 128 points (white dots): squared errors for four length scales, the bottom row
of the paper's Figure 1 (a to d), and their causes (e, f). Yellow means small errors. Panels (g, h) are the top of
Figure 3, a noisy sine. Long length scales add best.
"""
DETAILS = """\
(a) to (d) One colour scale for all; the data are those of Table 1's first run. Dashed: the null space x_1 + x_2 = 0.
Processes return to 0 far from the data and are therefore correct there, too.

(e) Why long length scales add well: through n points of a line, without jitter and with many digits, the error falls as
the power -2 floor(n/2) of the length scale. Lines: the leading term; marks: the error.

(f) Log-likelihood of the data of (a) to (d), the amplitude fitted up to 1e5. With 60 digits it grows until the
amplitude meets its bound. The values of float64 (dots) leave the line where matrices cease to be positive definite.
Dotted: the optimum near 150 that the paper publishes.

(g, h) Errors on a noisy sine and log-likelihood, medians and ranges of 100 data sets of 64 points.
"""
ALT = """\
Four error maps that become brighter from length scale 0.2 to 50. Below: errors fall as straight lines with the length
scale, a likelihood that float64 loses above about 100, and U-shaped errors with a peaked likelihood on a noisy sine.
"""
SCALES, SEED, NUMBER, ALPHA, GRID = (0.2, 1.0, 5.0, 50.0), 42, 128, 1e-10, 121
LOGS = (-16, 0)
COUNTS, FLAT = (2, 3, 4, 5, 6, 7), np.geomspace(1.0, 1000.0, 13)
PROFILE, FLOATS = np.geomspace(20.0, 2000.0, 15), np.geomspace(20.0, 2000.0, 60)
PARAMETERS = {
    "length scales": list(SCALES), "seed of the data": SEED, "data": NUMBER, "jitter": ALPHA, "grid": GRID,
    "points of (e)": list(COUNTS), "place of (e)": 0.75, "stored by": f"paper-checks train {SINE.name}",
}  # fmt: skip
SETTINGS = {
    "scales": Setting("length scales of the maps", Interval(0.01, 1e4), 4, 4),
    "jitter": Setting("variance that is added to the diagonal, in (a) to (d) and (f)", Interval(1e-14, 1)),
}
RECIPE = Run()
SECONDS = 15
READS = (SINE,)


def data(_: Run, *, scales: tuple[float, ...] = SCALES, jitter: float = ALPHA) -> dict[str, np.ndarray]:
    """Errors on a grid, errors by length scale, likelihoods, and the stored fits of the sine.

    Returns
    -------
    dict of str to array
        ``points`` (128, 2), ``maps`` (4, 121, 121) squared errors; ``flat`` (13), ``flat_error`` and ``flat_law``
        (6, 13); ``profile`` (15), ``likelihood`` (15); ``float_profile``, ``float_likelihood`` (60); ``length`` (11),
        ``train``, ``test``, ``sine_likelihood`` (11, 100).
    """
    points = disc_points(SEED, NUMBER)
    sine = np.array([rows for p, rows in zip(SINE.points, stored_rows(SINE), strict=True) if p["noise"] == 0.25])
    return {
        "points": points,
        "maps": np.array([_map(points, scale, jitter) for scale in scales]),
        "scales": np.array(scales),
        "flat": FLAT,
        "flat_error": np.array([[_flat(n, scale) for scale in FLAT] for n in COUNTS]),
        "flat_law": np.array([_law(n) for n in COUNTS]),
        "profile": PROFILE,
        "likelihood": np.array([likelihood_of_length(points, scale, jitter) for scale in PROFILE]),
        "float_profile": FLOATS,
        "float_likelihood": np.array([float_likelihood(points, scale, jitter)[0] for scale in FLOATS]),
        "length": np.array(LENGTHS),
        "train": sine[:, :, SINE.columns.index("train")],
        "test": sine[:, :, SINE.columns.index("test")],
        "sine_likelihood": sine[:, :, SINE.columns.index("likelihood")],
    }


def _map(points: np.ndarray, scale: float, jitter: float) -> np.ndarray:
    amplitude, coefficients = fitted(points, points.sum(axis=1), scale, jitter)
    axis = np.linspace(-1.5, 1.5, GRID)
    places = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    found = amplitude * squared_exponential(places, points, scale) @ coefficients
    return ((found - places.sum(axis=1)) ** 2).reshape(GRID, GRID)


def _flat(n: int, scale: float) -> float:
    x = mpmath.mpf(PARAMETERS["place of (e)"])
    return float(abs(x - through_data(nodes(n), nodes(n), mpmath.mpf(float(scale)), x)))


def _law(n: int) -> np.ndarray:
    x, half = PARAMETERS["place of (e)"], n // 2
    product = float(mpmath.fprod(x - v for v in nodes(n)))
    if n % 2:
        return np.abs(flat_error_odd(product, half, FLAT))
    return np.abs(flat_error_even(x, product, half, FLAT))


def _draw_map(axes: Axes, arrays: Arrays, i: int) -> None:
    errors = np.log10(np.maximum(arrays["maps"][i], 1e-18))
    axes.imshow(
        errors, extent=(-1.5, 1.5, -1.5, 1.5), origin="lower", cmap=f"{style.SEQUENTIAL}_r", vmin=LOGS[0], vmax=LOGS[1]
    )
    axes.plot((-1.5, 1.5), (1.5, -1.5), "--", color="black", linewidth=1, label="null space, $x_1 + x_2 = 0$")
    style.points(axes, *arrays["points"].T, "data")
    axes.set(xticks=(-1, 0, 1), yticks=(-1, 0, 1), xlabel=r"$x_1$", ylabel="$x_2$")
    style.title(axes, "abcd"[i], f"Length scale {arrays['scales'][i]:g}")


def _draw_flat(axes: Axes, arrays: Arrays) -> None:
    for i, n in enumerate(COUNTS):
        mark, color = "x" if n % 2 else "o", style.LINES[i]
        axes.plot(arrays["flat"], arrays["flat_law"][i], color=color, linewidth=1)
        axes.plot(arrays["flat"], arrays["flat_error"][i], mark, color=color, markersize=5, label=f"n = {n}")
    axes.plot([], [], color="grey", linewidth=1, label="leading term")
    axes.set(xscale="log", yscale="log", xlabel="length scale", ylabel="absolute error at $x = 3/4$")
    axes.legend(fontsize=9, loc="lower left", handlelength=1)
    style.title(axes, "e", "Limit of long scales")


def _draw_likelihood(axes: Axes, arrays: Arrays) -> None:
    axes.plot(arrays["profile"], arrays["likelihood"], color=style.LINES[0], label="60 digits")
    axes.plot(arrays["float_profile"], arrays["float_likelihood"], ".", color=style.LINES[1], label="float64")
    axes.axvline(150, color="black", linestyle=":", label="published optimum")
    axes.set(xscale="log", xlabel="length scale", ylabel="log-likelihood", ylim=(1340, 1445))
    axes.legend(fontsize=9, loc="upper left", frameon=True, framealpha=1, edgecolor="none")
    style.title(axes, "f", "Likelihood, adding")


def _draw_sine(axes: Axes, arrays: Arrays) -> None:
    for i, (name, text) in enumerate((("train", "training"), ("test", "test"))):
        label = f"{text}, median and range"
        style.median_and_range(axes, arrays["length"], arrays[name], "o-", style.LINES[i], markersize=3, label=label)
    axes.axhline(0.25**2, color="black", linestyle=":", label="variance of the noise")
    axes.set(xscale="log", yscale="log", xlabel="length scale", ylabel="mean squared error")
    axes.legend(fontsize=9)
    style.title(axes, "g", "Errors, noisy sine")


def _draw_sine_likelihood(axes: Axes, arrays: Arrays) -> None:
    look = {"markersize": 3, "label": "median and range"}
    style.median_and_range(axes, arrays["length"], arrays["sine_likelihood"], "o-", style.LINES[2], **look)
    axes.set(xscale="log", xlabel="length scale", ylabel="log-likelihood")
    axes.legend(fontsize=9)
    style.title(axes, "h", "Likelihood, noisy sine")


draw_panel = Panels(
    *(partial(_draw_map, i=i) for i in range(4)), _draw_flat, _draw_likelihood, _draw_sine, _draw_sine_likelihood
)


def _keys(figure: Figure, axes: np.ndarray) -> None:
    figure.colorbar(axes[0, 0].images[0], ax=axes[0], extend="both", label=LOG_ERROR, pad=0.01)
    style.key(axes[0, 0], loc="outside upper center", ncols=2)


draw = style.in_rows(draw_panel, 8.4, 2, 4, _keys, width=15.0)
