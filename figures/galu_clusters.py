"""Figure 3 of the GaLU paper: train and test errors on noisy cluster data, exact GaLU against GaLU and ReLU by SGD."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Executor

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from figures import style
from montecarlo import Store
from montecarlo.galu_clusters import Clusters, descend, features, fit, network

__all__ = ["CAPTION", "NAME", "PARAMETERS", "RECIPE", "data", "draw"]

NAME = "galu_clusters"
CAPTION = """\
Figure 3 of the paper: train and test errors on the cluster data of section 4.2 with n = k = d = 30, m = 1000 and
sigma_x = 0.1, against the noise of the labels; lines are means over draws of the model, bands go from the least to the
largest. (a) Mean squared errors of regression against sigma_y, (b) misclassified shares against the probability p of a
flipped label, by the sign of a regression on -1 and 1. Blue: the exact minimum of the GaLU network, which the paper's
section 4.1 recommends; its training error is 0.1 sigma_y^2, as 900 features meet 1000 samples, its test error far above
that of predicting a constant (dashed). Others: GaLU and ReLU by SGD, both layers trained, with few steps and with
many. With noisy labels more steps lower the training error and raise the test error, as the paper's caption says. GaLU
and ReLU by SGD are alike, as the paper says; but their training error is not small: about 0.75 sigma_y^2 after many
steps. What holds of the exact minimum does not carry over to trained networks.
Left open by the paper and chosen here: 0-1 gates, SGD with batches of 50, step size 0.01 and 2000 or 20000 steps, no
biases, the squared loss for classification too, the grids of sigma_y and p, and the number of repetitions.
"""

SIZES = {"n": 30, "d": 30, "k": 30, "m": 1000, "test": 4000}
SIGMA_X = 0.1
SIGMA_Y = (0.0, 0.125, 0.25, 0.5, 0.75, 1.0)
FLIPPED = (0.0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5)
DESCENT = {"units": SIZES["k"], "stops": (2000, 20_000), "step_size": 0.01, "batch": 50}
ARMS = ("exact", "galu", "relu")
PARAMETERS = {
    **SIZES,
    "sigma_x": SIGMA_X,
    "sigma_y": list(SIGMA_Y),
    "p": list(FLIPPED),
    "sgd": {**DESCENT, "stops": list(DESCENT["stops"])},
}
RECIPE = {"samples": 2, "seed": 20190}


def data(
    *,
    samples: int = RECIPE["samples"],
    executor: Executor | None = None,  # noqa: ARG001 - the interface of all figures
    store: Store | None = None,  # noqa: ARG001
    progress: Callable[[int, int], None] | None = None,
    seed: int = RECIPE["seed"],
) -> dict[str, np.ndarray]:
    """Errors by draw, noise level, arm (exact; GaLU, ReLU by SGD at two stops) and train or test.

    Parameters
    ----------
    samples : int
        Draws of the cluster model; each takes about a minute of one core.
    executor, store
        Without influence.
    progress : callable (draws done, draws), optional
    seed : int

    Returns
    -------
    dict of arrays
    """
    regression, classes = [], []
    for index in range(samples):
        regression.append(_sweep(np.random.default_rng([seed, index, 0]), SIGMA_Y, classes=False))
        classes.append(_sweep(np.random.default_rng([seed, index, 1]), FLIPPED, classes=True))
        if progress:
            progress(index + 1, samples)
    return {
        "sigma_y": np.array(SIGMA_Y),
        "p": np.array(FLIPPED),
        "regression": np.array(regression),
        "classification": np.array(classes),
    }


def _sweep(rng: np.random.Generator, levels: tuple[float, ...], *, classes: bool) -> np.ndarray:
    """Errors (levels, 5 predictors, 2) for one draw of centres, gates and points."""
    model = Clusters.drawn(rng, SIZES["n"], SIZES["d"], SIZES["k"], SIGMA_X, classes=classes)
    (x, y), (new, new_y) = model.sample(rng, SIZES["m"]), model.sample(rng, SIZES["test"])
    inside, outside = features(x, model.gates), features(new, model.gates)
    inverse = fit(inside, y, outside, new_y).inverse
    rows = []
    for level in levels:
        if classes:
            targets, new_targets = (np.where(rng.random(len(b)) < level, 1 - b, b) * 2 - 1 for b in (y, new_y))
        else:
            targets, new_targets = (b + level * rng.normal(size=len(b)) for b in (y, new_y))
        w = inverse @ targets
        found = [(inside @ w, outside @ w)]
        for gates in (model.gates, None):
            for layers in descend(rng, x, targets, gates, **DESCENT):
                found.append((network(x, layers, gates), network(new, layers, gates)))
        rows.append(
            [[_error(f, t, classes) for f, t in zip(pair, (targets, new_targets), strict=True)] for pair in found]
        )
    return np.array(rows)


def _error(predicted: np.ndarray, targets: np.ndarray, classes: bool) -> float:
    return float(np.mean((predicted > 0) != (targets > 0)) if classes else np.mean((predicted - targets) ** 2))


def draw(arrays: Mapping[str, np.ndarray]) -> Figure:
    """Draw the two panels."""
    figure = style.new_figure(6.6)
    left, right = figure.subplots(1, 2)
    _draw_errors(left, arrays["sigma_y"], arrays["regression"])
    left.plot(arrays["sigma_y"], 1 + arrays["sigma_y"] ** 2, color="0.4", linestyle="--", linewidth=1)
    left.text(0.02, 1.1, "predicting 0", color="0.3", fontsize=11)
    left.set_yscale("log")
    left.set(xlabel=r"label noise, $\sigma_y$", ylabel="mean squared error", ylim=(1e-5, 300))
    left.legend(loc="lower right", fontsize=10)
    style.title(left, "a", "Regression", "solid: test; dotted: training")
    _draw_errors(right, arrays["p"], arrays["classification"])
    right.axhline(0.5, color="0.4", linestyle="--", linewidth=1)
    right.text(0.0, 0.51, "guessing", color="0.3", fontsize=11)
    right.set(xlabel="probability of a flipped label, $p$", ylabel="share of wrong labels", ylim=(0, 0.56))
    style.title(right, "b", "Classification", "solid: test; dotted: training; noisy labels in both")
    return figure


def _draw_errors(axes: Axes, levels: np.ndarray, errors: np.ndarray) -> None:
    short, long = DESCENT["stops"]
    looks = (
        ("GaLU, exact minimum", style.LINES[0], "o"),
        (f"GaLU by SGD, {short:,} steps", style.LINES[4], "v"),
        (f"GaLU by SGD, {long:,} steps", style.LINES[1], "^"),
        (f"ReLU by SGD, {short:,} steps", style.LINES[5], "<"),
        (f"ReLU by SGD, {long:,} steps", style.LINES[2], ">"),
    )
    for k, (label, color, marker) in enumerate(looks):
        for side, line in ((0, ":"), (1, "-")):
            values = errors[:, :, k, side]
            axes.plot(levels, values.mean(axis=0), line, color=color, marker=marker, markersize=4,
                      label=label if side else None)  # fmt: skip
            axes.fill_between(levels, values.min(axis=0), values.max(axis=0), color=color, alpha=0.15, linewidth=0)
