"""How variance travels through many layers of multiplication units: kept for a while, lost, or exploded."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import Normalize, TwoSlopeNorm

from figures import style
from figures.contract import Arrays, Panels, Run
from montecarlo import Job, measure, variance
from montecarlo.kernels.arithmetic import depth as kernels
from theory.nac_mul import depth as nac_mul_depth
from theory.nmu import depth as nmu_depth, moments as nmu

CAPTION = """\
How the variance of signals changes with the depth of networks of NMU layers (a to c) and of NAC multiplication layers
(d). The paper speaks of exploding variance in depth and has no such figure. Formulas for one layer, applied layer by
layer (dashed), are wrong for a stack, because units of a layer share their inputs.
"""
DETAILS = """\
(a) Exact variance of an output after l layers of H neural multiplication units, with inputs +-1 and weights 0 or 1.
Among weights on [0, 1] with mean 1/2 only these keep unit variance for large H. The variance is kept for about 2^H
layers (line: half is left), and then all outputs are 1: what has become equal stays equal.

(b) Rows of that map, exact (lines) and simulated layers (dots with bars of three standard errors). The one-layer
formulas (dashed) leave the second moment at 1 and the variance above 0.94 for ever. This is unstable: a relative
deviation, such as rounding, is multiplied by H/2 in each layer.

(c) The same weights behind inputs that are uniform with unit variance instead of +-1: second moment of the second
layer, exact and by the one-layer formula (dashed, 1). The layer's first two moments do not determine those of the next.

(d) NAC multiplication with eps = 0: the second moment of log|z| is multiplied by exactly H Var[W] in each layer,
whatever the inputs. Contours are powers of ten. Only Var[W] = 1/H keeps it at every depth (white).
"""
ALT = """\
Four panels. A map turns from yellow to dark where NMU layers lose their variance, along a line that doubles the depth
with each unit of width. Curves drop from 1 to 0 while dashed formulas stay. A second moment explodes above 1e80. A map
goes from blue to red around gain 1.
"""

WIDTHS = np.arange(2, 21)
LAYERS = np.unique(np.geomspace(1, 10**6, 181).round().astype(int))
ROWS = (3, 5, 7)
ROW_LAYERS = 3000
SAMPLED_LAYERS = np.array([1, 2, 4, 8, 16, 32, 64, 128])
GAINS = np.geomspace(0.25, 4, 161)
NAC_LAYERS = np.arange(1, 51)
NAC_WIDTH = 10
PARAMETERS = {
    "signs": {"weights": "0 or 1", "inputs": "+-1", "width": "2 ... 20", "layers": "1 ... 1e6"},
    "measured": {"width": list(ROWS), "layers": SAMPLED_LAYERS.tolist()},
    "second_layer": {"weights": "0 or 1", "inputs": "U[-sqrt(3), sqrt(3)]", "width": "1 ... 20"},
    "nac_mul": {"gain": "H Var[W] = 1/4 ... 4", "layers": "1 ... 50"},
}
RECIPE = Run(samples=100_000, seed=20190)
SECONDS = 2

_ERRORS = 3
# Contours of (d), each with where its number stands.
LEVELS = {
    -20: (0.33, 38), -10: (0.55, 38), -3: (0.5, 10), -1: (0.92, 25), 1: (1.08, 32), 3: (1.8, 11), 10: (1.9, 35),
    20: (3.2, 38),
}  # fmt: skip


def data(run: Run) -> dict[str, np.ndarray]:
    """Exact variances in depth, and measured ones.

    Samples are networks per dot, at least 4.

    Returns
    -------
    dict of str to array
        ``width`` (19), ``layers`` (n), ``variance`` (n, 19); ``row_width`` (3), ``sampled_layers`` (8),
        ``row_layers`` (k), ``row_variance`` and ``row_independent`` (3, k), ``sampled`` and ``se`` (3, 8);
        ``second_width`` (20), ``second`` and
        ``second_independent`` (20), second moments; ``gain`` (161), ``nac_layers`` (50), ``log_growth`` (50, 161),
        decimal logarithms.
    """
    samples = run.at_least(4)
    points = [
        {"distance": 0.5, "sd_z": 1.0, "width": width, "layers": int(layers)}
        for width in ROWS
        for layers in SAMPLED_LAYERS
    ]
    jobs = [
        Job(variance(kernels.nmu_layers, 0), point, "figures/depth_maps", i, run.seed, (samples,))
        for i, point in enumerate(points)
    ]
    estimates = [m.estimate() for m in measure(jobs, **run.resources)]
    shape = (len(ROWS), len(SAMPLED_LAYERS))
    second_width = np.arange(1, 21)
    growth = nac_mul_depth.log_second_moment(GAINS / NAC_WIDTH, 1.0, NAC_WIDTH, NAC_LAYERS[:, np.newaxis])
    few = LAYERS[LAYERS <= ROW_LAYERS]
    return {
        "samples": np.array(samples),
        "width": WIDTHS,
        "layers": LAYERS,
        "variance": nmu_depth.signs_variance(WIDTHS, LAYERS[:, np.newaxis]),
        "row_width": np.array(ROWS),
        "row_layers": few,
        "row_variance": nmu_depth.signs_variance(np.array(ROWS)[:, np.newaxis], few),
        "row_independent": np.array([_as_if_independent(h)[few - 1] for h in ROWS]),
        "sampled_layers": SAMPLED_LAYERS,
        "sampled": np.array([e.value for e in estimates]).reshape(shape),
        "se": np.array([e.se for e in estimates]).reshape(shape),
        "second_width": second_width,
        "second": np.array([nmu_depth.binary_second_layer_square(int(h))(1.0) for h in second_width]),
        "second_independent": nmu_depth.binary_second_layer_square_independent(1.0, second_width),
        "gain": GAINS,
        "nac_layers": NAC_LAYERS,
        "log_growth": np.log10(growth),
    }


def _as_if_independent(width: int) -> np.ndarray:
    """1 - E[z]^2 layer by layer: the second moment is exactly 1, which (54) and (55) in float64 cannot hold."""
    means = [0.0]
    for _ in range(ROW_LAYERS):
        means.append(nmu.mean(0.5, means[-1], width))
    return 1 - np.square(means[1:])


def _draw_map(axes: Axes, arrays: Arrays) -> None:
    of_map, label = [arrays[key] for key in ("width", "layers", "variance")], r"$\mathrm{Var}[z]$ after $\ell$ layers"
    style.heatmap(axes, *of_map, Normalize(0, 1), label=label)
    axes.contour(*of_map, levels=[0.5], colors="white", linewidths=2)
    axes.set(yscale="log", xlabel="width, $H$", ylabel=r"layers, $\ell$", xticks=[2, 5, 10, 15, 20])
    style.title(axes, "a", "NMU, weights 0 or 1, inputs ±1", "exact; line: half of the variance is left")


def _draw_rows(axes: Axes, arrays: Arrays) -> None:
    rows = (arrays[key] for key in ("row_width", "row_variance", "row_independent", "sampled", "se"))
    for width, exact, independent, sampled, se, color in zip(*rows, style.LINES, strict=False):
        axes.plot(arrays["row_layers"], exact, color=color, linewidth=2, label=f"$H = {width}$")
        axes.plot(arrays["row_layers"], independent, "--", color=color, linewidth=1.2)
        axes.errorbar(arrays["sampled_layers"], sampled, _ERRORS * se, fmt="o", color=color, markersize=5, capsize=3)
    axes.set_xscale("log")
    axes.set(xlim=(0.8, ROW_LAYERS), ylim=(0, 1.08), xlabel=r"layers, $\ell$", ylabel=r"$\mathrm{Var}[z]$")
    axes.legend(loc="lower left")
    style.title(axes, "b", "Rows of the map", "dots: measured; dashed: the one-layer formula, layer by layer")


def _draw_second(axes: Axes, arrays: Arrays) -> None:
    axes.plot(arrays["second_width"], arrays["second"], "o-", color=style.LINES[0], label="exact")
    axes.plot(
        arrays["second_width"], arrays["second_independent"], "s--", color=style.LINES[1], label="one-layer formula"
    )
    axes.set(yscale="log", xlabel="width, $H$", ylabel=r"$E[z^2]$ after two layers", xticks=[1, 5, 10, 15, 20])
    axes.legend(loc="upper left")
    style.title(axes, "c", "Second layer, inputs uniform", r"weights 0 or 1, $\mathrm{Var}[x] = 1$")


def _draw_nac(axes: Axes, arrays: Arrays) -> None:
    of_map = [arrays[key] for key in ("gain", "nac_layers", "log_growth")]
    look = {"cmap": style.DIVERGING, "shading": "nearest", "rasterized": True}
    mesh = axes.pcolormesh(*of_map, norm=TwoSlopeNorm(0, -30, 30), **look)
    lines = axes.contour(*of_map, levels=list(LEVELS), colors="0.3", linewidths=0.8)
    axes.clabel(lines, fmt=lambda level: f"$10^{{{level:.0f}}}$", manual=list(LEVELS.values()))
    axes.axvline(1, color="0.2", linewidth=1)
    axes.set_xscale("log", base=2)
    axes.set(xlabel=r"$H\,\mathrm{Var}[W]$", ylabel=r"layers, $\ell$")
    axes.set_xticks([0.25, 0.5, 1, 2, 4], ["1/4", "1/2", "1", "2", "4"])
    # After the contours' labels, whose places follow from the size of the panel.
    axes.figure.colorbar(mesh, ax=axes, label=r"$\log_{10}$ of the factor on $E[\log^2|z|]$")
    style.title(axes, "d", "NAC multiplication, logarithms", r"any inputs, $E[W] = 0$, $\epsilon = 0$")


draw_panel = Panels(_draw_map, _draw_rows, _draw_second, _draw_nac)
draw = style.in_rows(draw_panel, height=10.4, rows=2, columns=2)
