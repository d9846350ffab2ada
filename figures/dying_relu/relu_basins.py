"""How many initial values of a single ReLU reach the optimum, and where those that die begin."""

from itertools import islice

import numpy as np
from matplotlib.axes import Axes

from figures import style
from figures.contract import Arrays, Panels, Run
from figures.dying_relu import relu_maps
from montecarlo.descent.fields import gradient
from montecarlo.descent.minibatches import descend_on_minibatches
from montecarlo.descent.relu_unit import Method, descend
from montecarlo.training.optimisers import descent
from paper_checks.papers.dying_relu.fates import BUDGET, CELLS, STEP_SIZE, grid_of
from paper_checks.papers.dying_relu.section_5.basins import boundary
from theory import momentum
from theory.relu_unit.basins import separatrix

CAPTION = """\
Which initial values of a single ReLU unit die (a), and which fraction of them converges by target scale (b), momentum
(c) and size of minibatches (d). The paper has no such figure. For both targets the fraction falls with the target scale
gamma. Momentum raises it for large gamma and lowers it for small gamma.
"""
DETAILS = """\
(a) The ratio b/|w_L| below which a unit with initial w_L < 0 dies, against |w_L|/gamma. Lines: the separatrix of the
gradient flow, for the linear and for the ReLU target. Dots: where runs of gradient descent change their fate, by
bisection, without momentum and with 0.9. A dot is missing where steps lead across w_L = 0 from all initial values, or
the fate changes more than once.

(b) The fraction of initial values on a grid over [-1, 1]^2 that reach the optimum within 20 000 steps. The field
without the sign of the bias gradient has a larger fraction throughout. Momentum helps large targets, because it carries
initial values on the left across w_L = 0.

(c) The same against momentum as an average. The dotted line is where the affine model begins to oscillate.

(d) Descent on minibatches of fresh inputs: the fraction of initial values that are near the optimum at the end, against
the same for the exact gradient (line).
"""
ALT = """\
Four panels of lines and dots. The boundary of death rises with the initial weight. Dots of descent lie on it without
momentum and below it with momentum. The fraction that converges falls for small target scales, more so with large
momentum. Minibatches change it little.
"""

SCALES = (0.01, 0.015, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.5, 0.7, 1.0)
CURVES = (
    ("linear", 0.0, "linear target"),
    ("relu", 0.0, "ReLU target"),
    ("linear", 0.9, r"linear target, $\beta = 0.9$"),
    ("relu", 0.9, r"ReLU target, $\beta = 0.9$"),
    ("without-sign", 0.0, "without the sign"),
)
MOMENTA = (0.0, 0.2, 0.4, 0.5, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.93, 0.95, 0.97, 0.98, 0.99)
MOMENTUM_SCALES = (1.0, 0.3, 0.1, 0.03, 0.01)
BISECTED = (0.1, 0.2, 0.3, 0.6, 1.0, 2.0, 3.0, 6.0, 10.0, 20.0, 30.0, 60.0)
BATCHES = (1, 4, 16, 64)
BATCH_STEPS, BATCH_SCALES = 1500, (0.1, 0.5)
PARAMETERS = {
    **relu_maps.PARAMETERS,
    "cells": CELLS,
    "gamma": list(SCALES),
    "momentum": list(MOMENTA),
    "batches": list(BATCHES),
    "steps_on_minibatches": BATCH_STEPS,
}
REACHED = "fraction of initial values that converge"
RECIPE = Run(samples=1, seed=20190)
SECONDS = 4


def data(run: Run) -> dict[str, np.ndarray]:
    """Fractions of initial values, boundaries, and runs on minibatches.

    Samples are runs on minibatches from each start.

    Returns
    -------
    dict of str to array
        ``sigma`` (160), ``psi`` (2, 160) by target; ``bisected_sigma`` (12), ``bisected`` (2, 2, 12) by target and
        momentum, nan where there is no single boundary; ``gamma`` (13), ``share`` (5, 13); ``momenta`` (16),
        ``share_by_momentum`` (5, 16); ``batches`` (4), ``share_on_batches`` (2, 4), ``share_exact`` (2).
    """
    w, b = grid_of(CELLS)

    def share(gamma: float, beta: float, target: str = "linear") -> float:
        return descend(w, b, gamma, Method(STEP_SIZE, beta), target=target, steps=BUDGET, executor=run.executor).share()

    sigma = np.geomspace(0.01, 100, 160)
    by_scale = [[share(g, beta, target) for g in SCALES] for target, beta, _ in CURVES]
    run.done(1, 3)
    by_momentum = [[share(g, beta) for beta in MOMENTA] for g in MOMENTUM_SCALES]
    bisected = [[boundary(BISECTED, Method(STEP_SIZE, m), target) for m in (0.0, 0.9)] for target in ("linear", "relu")]
    run.done(2, 3)
    noisy = [[_near_on_minibatches(w, b, gamma, batch, run) for batch in BATCHES] for gamma in BATCH_SCALES]
    exact = [_near_exactly(w, b, gamma) for gamma in BATCH_SCALES]
    run.done(3, 3)
    return {
        "sigma": sigma,
        "psi": np.array([separatrix(sigma, target=t) for t in ("linear", "relu")]),
        "bisected_sigma": np.array(BISECTED),
        "bisected": np.array(bisected),
        "gamma": np.array(SCALES),
        "share": np.array(by_scale),
        "momenta": np.array(MOMENTA),
        "share_by_momentum": np.array(by_momentum),
        "batches": np.array(BATCHES),
        "share_on_batches": np.array(noisy),
        "share_exact": np.array(exact),
    }


def _near_exactly(w: np.ndarray, b: np.ndarray, gamma: float) -> float:
    """The share of starts from which the exact gradient ends within gamma/2 of the optimum."""
    path = descent(lambda at: gradient(*at, gamma)[[0, 2]], [w, b], STEP_SIZE)
    (u, c), _ = next(islice(path, BATCH_STEPS - 1, None))
    return np.mean(np.hypot(u - gamma, c) < 0.5 * gamma)


def _near_on_minibatches(w: np.ndarray, b: np.ndarray, gamma: float, batch: int, run: Run) -> float:
    """The same share on minibatches of fresh inputs."""
    weights, biases = (np.tile(start.ravel(), run.samples) for start in (w, b))
    u, c = descend_on_minibatches(
        weights, biases, gamma, STEP_SIZE, batch=batch, steps=BATCH_STEPS, seed=run.seed, executor=run.executor
    )
    return np.mean(np.hypot(u - gamma, c) < 0.5 * gamma)


def _draw_boundary(axes: Axes, arrays: Arrays) -> None:
    for i, text in enumerate(("linear target", "ReLU target")):
        axes.plot(arrays["sigma"], arrays["psi"][i], color=style.LINES[i], label=f"flow, {text}")
        for j, (marker, beta) in enumerate((("o", 0), ("^", 0.9))):
            axes.plot(arrays["bisected_sigma"], arrays["bisected"][i, j], marker, color=style.LINES[i], markersize=6,
                      fillstyle="full" if j == 0 else "none", label=rf"descent, $\beta$ = {beta}")  # fmt: skip
    axes.set(xscale="log", xlabel=r"$|w_L|/\gamma$", ylabel="critical $b/|w_L|$ for $w_L < 0$")
    axes.legend(loc="upper left", fontsize=9.5)
    style.title(axes, "a", "The boundary between life and death", "units with initial values below it die")


def _draw_by_scale(axes: Axes, arrays: Arrays) -> None:
    for i, (_, beta, text) in enumerate(CURVES):
        look = "o-" if beta == 0 else "s--"
        axes.plot(arrays["gamma"], arrays["share"][i], look, color=style.LINES[i], markersize=4, label=text)
    axes.set(xscale="log", xlabel=r"target scale $\gamma$", ylabel=REACHED, ylim=(0, 1))
    axes.legend(loc="lower right")
    style.title(axes, "b", "Convergence by target scale", f"step size {STEP_SIZE}, initial values on [-1, 1]²")


def _draw_by_momentum(axes: Axes, arrays: Arrays) -> None:
    for i, gamma in enumerate(MOMENTUM_SCALES):
        axes.plot(arrays["momenta"], arrays["share_by_momentum"][i], "o-", color=style.LINES[i], markersize=4,
                  label=f"$\\gamma$ = {gamma:g}")  # fmt: skip
    axes.axvline(momentum.oscillation_threshold(STEP_SIZE), color="0.3", linestyle=":", label="onset of oscillation")
    axes.set(xlabel=r"momentum $\beta$", ylabel=REACHED, ylim=(0, 1))
    axes.legend(loc="lower left", ncols=2)
    style.title(axes, "c", "Convergence by momentum", "linear target")


def _draw_on_minibatches(axes: Axes, arrays: Arrays) -> None:
    for i, gamma in enumerate(BATCH_SCALES):
        color = style.LINES[i]
        axes.plot(arrays["batches"], arrays["share_on_batches"][i], "o", color=color, label=f"$\\gamma$ = {gamma}")
        axes.axhline(arrays["share_exact"][i], color=color)
    axes.set(xscale="log", xlabel="inputs in a minibatch", ylim=(0, 1))
    axes.set_ylabel(r"fraction of initial values that end within $\gamma/2$")
    axes.set_xticks(arrays["batches"], [str(n) for n in arrays["batches"]])
    axes.minorticks_off()
    axes.legend(loc="lower right")
    style.title(axes, "d", "On minibatches", f"after {BATCH_STEPS} steps; lines: the exact gradient")


draw_panel = Panels(_draw_boundary, _draw_by_scale, _draw_by_momentum, _draw_on_minibatches)
draw = style.in_rows(draw_panel, height=10.4, rows=2, columns=2)
