"""Figure 4 of the GaLU paper: generalisation gap against the squared norm of exact solutions, and what bounds say."""

from functools import partial

import numpy as np
from matplotlib.axes import Axes

from figures import style
from figures.contract import Arrays, Panels, Run
from figures.settings import Setting
from montecarlo.training.galu_clusters import Clusters, features, fit
from theory.formula import Interval
from theory.least_squares import losses as least_squares

CAPTION = """\
The gap between test and training error of exact GaLU solutions against their norm, as in the paper's Figure 4, and
bounds of the gap by the norm (d). The points lie near straight lines by algebra, for any features, and are therefore no
evidence for such bounds. The bounds are more than ten times the root of the gap.
"""
DETAILS = """\
The data are those of section 4.2 (n = k = d = 30, m = 1000, sigma_x = 0.1, 0-1 gates, regression). The noise sigma_y of
the labels grows from 0 to 2. Each colour is one draw of centres, gates and samples.

(a), (b) The gap against the squared norm of the solution. Each dot has its own label noise; test errors are over 4000
new points. Lines in (a) join the means over the label noise. Squared norm, training error and test error are all of the
form a + b sigma_y^2, for any features.

(c) Linear regression with isotropic normal inputs (d = 30) and no signal, where gap = |w|^2 + sigma^2 - L_S. By Lemma 1
its mean is (2m - d - 1)/m times the mean of |w|^2 (lines).

(d) The root of the gap of panel (a), an error in units of the label, and bounds of the Rademacher complexity of the
ball |w|_p <= B_p in the same units. Medians and ranges over the draws. A bound of the squared loss has constants on top
of these.

The paper does not state the kind of gate, what was varied, the number of repetitions, and whether norms are those of
all k d weights. We chose 0-1 gates, sigma_y, and all weights.
"""
ALT = """\
Four panels. Dots of gap against squared norm lie near straight lines, for both norms and for isotropic inputs. In the
last panel the two Rademacher bounds lie one and two decades above the root of the gap at every noise level.
"""

SIZES = {"n": 30, "d": 30, "k": 30, "m": 1000, "test": 4000}
SIGMA_X, HIGHEST = 0.1, 2.0
LEVELS = 21
ISOTROPIC = (40, 60, 100, 300)
PARAMETERS = {
    **SIZES,
    "sigma_x": SIGMA_X,
    "sigma_y": f"{LEVELS} levels from 0 to {HIGHEST:g}",
    "gates": "0-1",
    "isotropic": {"d": SIZES["d"], "m": list(ISOTROPIC), "beta": 0},
}
SETTINGS = {
    "sigma_x": Setting("standard deviation of the inputs about their centre, in (a), (b) and (d)", Interval(0.01, 10)),
    "highest": Setting("largest standard deviation of the label noise", Interval(0.1, 100)),
}
RECIPE = Run(samples=3, seed=20190)
SECONDS = 5


def data(run: Run, *, sigma_x: float = SIGMA_X, highest: float = HIGHEST) -> dict[str, np.ndarray]:
    """Norms and gaps of exact solutions.

    Samples are draws of the cluster model.

    Returns
    -------
    dict of str to array
        By draw and level of noise (samples, 21): ``gap``, ``train``, ``norm_l2`` and ``norm_l1``, squared norms, and
        ``mean_gap`` and ``mean_norm_l2``, means over the label noise; ``rank``, ``largest_l2`` and ``largest_entry``
        (samples) of the features; ``sigma_y`` (21); ``isotropic`` (4, 20, 2), squared norm and gap by m and level.
    """
    found, levels = [], np.linspace(0, highest, LEVELS)
    for index in range(run.samples):
        found.append(_one_draw(np.random.default_rng([run.seed, index]), sigma_x, levels))
        run.done(index + 1, run.samples)
    arrays = {key: np.stack([f[key] for f in found]) for key in found[0]}
    rng = np.random.default_rng([run.seed, run.samples, 1])
    isotropic = np.array([[_isotropic(rng, m, level) for level in levels[1:]] for m in ISOTROPIC])
    return {**arrays, "sigma_y": levels, "isotropic": isotropic}


def _one_draw(rng: np.random.Generator, sigma_x: float, levels: np.ndarray) -> dict[str, np.ndarray]:
    model = Clusters.drawn(rng, SIZES["n"], SIZES["d"], SIZES["k"], sigma_x)
    (x, y), (new, new_y) = model.sample(rng, SIZES["m"]), model.sample(rng, SIZES["test"])
    inside, outside = features(x, model.gates), features(new, model.gates)
    found = fit(inside, y, outside, new_y)
    targets = y + levels[:, None] * rng.normal(size=(len(levels), len(y)))
    w = targets @ found.inverse.T
    train = np.mean((w @ inside.T - targets) ** 2, axis=1)
    variance = levels**2
    return {
        "gap": np.mean((w @ outside.T - new_y) ** 2, axis=1) + variance - train,
        "train": train,
        "norm_l2": np.sum(w**2, axis=1),
        "norm_l1": np.sum(np.abs(w), axis=1) ** 2,
        "mean_gap": found.test[0] - found.train[0] + variance * (found.test[1] - found.train[1]),
        "mean_norm_l2": found.norm[0] + variance * found.norm[1],
        "rank": np.array(found.rank),
        "largest_l2": np.array(np.sqrt(np.max(np.sum(inside**2, axis=1)))),
        "largest_entry": np.array(np.max(np.abs(inside))),
    }


def _isotropic(rng: np.random.Generator, m: int, level: float) -> tuple[float, float]:
    """|w|^2 and the gap, the test error in closed form."""
    x, y = rng.normal(size=(m, SIZES["d"])), level * rng.normal(size=m)
    w = np.linalg.lstsq(x, y, rcond=None)[0]
    return float(w @ w), float(level**2 + w @ w - np.mean((x @ w - y) ** 2))


def _draw_gap(axes: Axes, arrays: Arrays, p: int) -> None:
    for index, (norm, gap) in enumerate(zip(arrays[f"norm_l{p}"], arrays["gap"], strict=True)):
        square = np.corrcoef(norm, gap)[0, 1] ** 2
        axes.plot(
            norm, gap, "o", color=style.LINES[index], markersize=4.5, label=rf"draw {index + 1}, $R^2 = {square:.2f}$"
        )
        if p == 2:
            axes.plot(arrays["mean_norm_l2"][index], arrays["mean_gap"][index], color=style.LINES[index], linewidth=1.6)
    if p == 2:
        axes.plot([], [], color="grey", linewidth=1.6, label="means over the label noise")
    axes.set(xlim=(0, None), ylim=(0, None))
    axes.set(xlabel=rf"squared norm, $\|w\|_{p}^2$", ylabel="gap: test error less training error")
    axes.legend(loc="upper left")
    note = "a dot for each level of label noise" if p == 2 else "the same solutions"
    style.title(axes, "a" if p == 2 else "b", rf"GaLU on clusters, $\ell_{p}$", note)


def _draw_isotropic(axes: Axes, arrays: Arrays) -> None:
    for index, m in enumerate(ISOTROPIC):
        slope = least_squares.gap_slope(SIZES["d"], m)
        label = f"m = {m}, slope {slope:.2f}"
        axes.plot(*arrays["isotropic"][index].T, "o", color=style.LINES[index], markersize=4.5, label=label)
        norms = arrays["isotropic"][index][:, 0]
        ends = np.array([norms.min(), norms.max()])
        axes.plot(ends, slope * ends, color=style.LINES[index], linewidth=1.2)
    axes.plot([], [], color="grey", linewidth=1.2, label="slope by Lemma 1")
    axes.set(xscale="log", yscale="log")
    axes.set(xlabel=r"squared norm, $\|w\|_2^2$", ylabel="gap: test error less training error")
    axes.legend(loc="upper left")
    style.title(axes, "c", "Isotropic inputs, no signal", r"slope: $(2m - d - 1)/m$")


def _draw_bounds(axes: Axes, arrays: Arrays) -> None:
    m, width = SIZES["m"], SIZES["k"] * SIZES["d"]
    level = arrays["sigma_y"][1:]
    l2 = np.sqrt(arrays["norm_l2"] / m) * arrays["largest_l2"][:, None]
    l1 = np.sqrt(2 * np.log(2 * width) * arrays["norm_l1"] / m) * arrays["largest_entry"][:, None]
    for values, label, color in (
        (np.sqrt(arrays["gap"]), "root of the gap", style.LINES[0]),
        (l2, r"bound for $\|w\|_2$", style.LINES[1]),
        (l1, r"bound for $\|w\|_1$", style.LINES[2]),
    ):
        style.median_and_range(axes, level, values.T[1:], "-", color, alpha=0.25, linewidth=1.8, label=label)
    ratios = [np.median(b[:, -1] / np.sqrt(arrays["gap"][:, -1])) for b in (l2, l1)]
    axes.set_yscale("log")
    axes.set(xlabel=r"label noise, $\sigma_y$", ylabel="error, units of the label")
    axes.legend(loc="lower right", title="median and range of the draws")
    note = f"at the largest noise the bounds are {ratios[0]:.0f} and {ratios[1]:.0f} times the root of the gap"
    style.title(axes, "d", "Root of the gap and its Rademacher bounds", note)


draw_panel = Panels(partial(_draw_gap, p=2), partial(_draw_gap, p=1), _draw_isotropic, _draw_bounds)
draw = style.in_rows(draw_panel, height=9.6, rows=2, columns=2)
