"""The vector fields of a single ReLU on the axis of its target, with and without the sign of the bias gradient."""

from functools import partial

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from figures import style
from figures.contract import Arrays, Panels, Run
from figures.settings import Setting
from montecarlo import Job, mean, measure
from montecarlo.descent import fields as relu_field
from montecarlo.kernels import relu_unit as kernels
from theory.formula import Interval
from theory.relu_unit import axis, dead_cone_edge, objective

CAPTION = """\
Directions of gradient descent for a single ReLU unit, by its weight w_L and bias b, after the paper's Figure 3. Colour
is the probability that the unit is active, white lines bound the dead and the linear cone, the white dot is the
optimum. Samples of the model (f) agree with the gradient that has its sign (a to c).
"""
DETAILS = """\
Our copy of the paper has lost the target scales of its figure. In the cones the probability is below 0.001 or above
0.999. Dashes are where one component of the gradient vanishes for w_L > 0.

(a), (b) The exact gradient on the linear target. A smaller gamma shows the same field from further away: the line that
attracts in the lower right moves into the dead cone.

(c) The exact gradient on the ReLU target, which is smaller for w_L < 0.

(d), (e) The field without the sign alpha in the gradient of the bias. Only here does the lower left quadrant move up
towards the linear cone, as the paper's text says.

(f) Samples of the model at b = -|w_L|/2 (dots, with standard errors smaller than the dots).
"""
ALT = """\
Five maps of stream lines over the probability that a unit is active, yellow above and dark purple below, all flowing
towards the white optimum or into the dead cone. A last panel shows sampled dots on the gradient with its sign and far
from the dashed one without.
"""

CLAIM = "relu/fig3"
CONE = -dead_cone_edge(0.001)
PANELS = (
    ("a", "linear", 0, "exact gradient, linear target"),
    ("b", "linear", 1, "exact gradient, linear target"),
    ("c", "relu", 1, "exact gradient, ReLU target"),
    ("d", "without-sign", 0, "without the sign of the bias gradient"),
    ("e", "without-sign", 1, "without the sign of the bias gradient"),
)
GAMMAS = (1.0, 0.1)
HALF, CELLS = 1.0, 60
NULLCLINES = {"weight": style.LINES[1], "bias": style.LINES[3]}
RATIO, PLAYED_GAMMA = -0.5, 1.0
PARAMETERS = {
    "window": [-HALF, HALF],
    "cells": CELLS,
    "panels": [[letter, target, GAMMAS[which]] for letter, target, which, _ in PANELS],
    "dead": "probability of a positive output below 0.001",
    "sampled": {"b/|w|": RATIO, "gamma": PLAYED_GAMMA},
}
SETTINGS = {"gammas": Setting("target scales, of (a) and (d), and of the other fields", Interval(0.001, 1), 2, 2)}
RECIPE = Run(samples=400_000, seed=20190)


def data(run: Run, *, gammas: tuple[float, ...] = GAMMAS) -> dict[str, np.ndarray]:
    """The fields on a grid, their nullclines, and a sampled bias gradient.

    Samples are inputs for each dot of (f), at least 2.

    Returns
    -------
    dict of str to array
        ``x`` (60), cell centres of w_L and b; ``down_w``, ``down_b`` (5, 60, 60), minus the gradient by panel, b and
        w_L; ``kappa`` (300) with ``weight_nullcline``, ``bias_nullcline`` for gamma = 1; ``w`` (20), ``sampled``,
        ``sampled_se``; ``line_w`` (401), ``exact``, ``without_sign``. ``samples``.
    """
    samples = run.at_least(2)
    x = HALF * (2 * (np.arange(CELLS) + 0.5) / CELLS - 1)
    w, b = np.meshgrid(x, x)
    fields = np.array([relu_field.gradient(w, b, gammas[i], target=target) for _, target, i, _ in PANELS])
    kappa = -np.geomspace(0.02, 30, 300)
    played = np.linspace(-1, 1, 20)
    jobs = [
        Job(
            mean(kernels.linear_target, kernels.BIAS),
            {"w_rest": 0.0, "w_last": v, "b": RATIO * abs(v), "gamma": PLAYED_GAMMA, "fan_in": 1},
            CLAIM, index, run.seed, (samples,),
        )
        for index, v in enumerate(played)
    ]  # fmt: skip
    estimates = [m.estimate() for m in measure(jobs, **run.resources)]
    line = np.linspace(-1, 1, 402)
    return {
        "samples": np.array(samples),
        "gammas": np.array(gammas),
        "x": x,
        "down_w": -fields[:, 0],
        "down_b": -fields[:, 2],
        "kappa": kappa,
        "weight_nullcline": axis.weight_nullcline(kappa, 1.0),
        "bias_nullcline": axis.bias_nullcline(kappa, 1.0),
        "w": played,
        "sampled": np.array([e.value for e in estimates]),
        "sampled_se": np.array([e.se for e in estimates]),
        "line_w": line,
        "exact": axis.bias_gradient(line, RATIO * np.abs(line), PLAYED_GAMMA),
        "without_sign": axis.bias_gradient_without_sign(line, RATIO * np.abs(line), PLAYED_GAMMA),
    }


def _keys(figure: Figure, axes: np.ndarray) -> None:
    figure.colorbar(axes[0, 0].collections[0], ax=axes, label="probability that the unit is active", shrink=0.5)
    keys = [
        Line2D([], [], color="0.75", linewidth=1.5, label="edges of the cones (white)"),
        *(Line2D([], [], linestyle="--", color=colour, linewidth=2, label=f"{name} gradient is 0")
          for name, colour in NULLCLINES.items()),
        Line2D([], [], linestyle="", marker="o", color="white", markeredgecolor="black", markersize=8, label="optimum"),
    ]  # fmt: skip
    figure.legend(handles=keys, loc="outside lower center", ncols=4)


def _draw_field(axes: Axes, arrays: Arrays, index: int) -> None:
    letter, _, which, text = PANELS[index]
    gamma = float(arrays["gammas"][which])
    x = arrays["x"]
    u, v = arrays["down_w"][index], arrays["down_b"][index]
    w, b = np.meshgrid(np.linspace(-HALF, HALF, 241) + 1e-9, np.linspace(-HALF, HALF, 241))
    active = objective.activation_probability(w[..., None], b)
    axes.pcolormesh(w, b, active, cmap=style.SEQUENTIAL, vmin=0, vmax=1, shading="nearest", rasterized=True)
    size = np.hypot(u, v)
    # Where the field has underflowed there is no direction to draw.
    hidden = size < 1e-12
    axes.streamplot(
        x, x, *(np.where(hidden, np.nan, part / np.maximum(size, 1e-300)) for part in (u, v)),
        color="black", linewidth=0.7, density=1.25, arrowsize=0.8, broken_streamlines=True,
    )  # fmt: skip
    for side in (-1, 1):
        for end in (-1, 1):
            axes.plot([0, side * HALF], [0, end * CONE * HALF], color="white", linewidth=1.3)
    for name, colour in NULLCLINES.items():
        at = gamma * arrays[f"{name}_nullcline"]
        axes.plot(at, arrays["kappa"] * at, "--", color=colour, linewidth=2)
    axes.plot([gamma], [0], "o", color="white", markeredgecolor="black", markersize=8, zorder=5, clip_on=False)
    axes.set(xlim=(-HALF, HALF), ylim=(-HALF, HALF), aspect="equal", xlabel="weight $w_L$", ylabel="bias $b$")
    style.title(axes, letter, f"$\\gamma$ = {gamma:g}", text)


def _draw_sampled(axes: Axes, arrays: Arrays) -> None:
    axes.axhline(0, color="0.7", linewidth=0.8)
    line = arrays["line_w"]
    axes.plot(line, arrays["exact"], color=style.LINES[0], label="gradient, eq. (32) with its sign")
    left = line < 0
    axes.plot(line[left], arrays["without_sign"][left], "--", color=style.LINES[1], label="without the sign")
    axes.errorbar(arrays["w"], arrays["sampled"], 3 * arrays["sampled_se"], fmt="o", color="black", markersize=4,
                  label="samples of the model")  # fmt: skip
    axes.set(xlabel="weight $w_L$", ylabel=r"$\partial J/\partial b$ at $b = -|w_L|/2$, $\gamma = 1$")
    axes.set_box_aspect(1)
    axes.set_ylim(top=1.45)
    axes.legend(loc="upper center")
    style.title(axes, "f", "Which of them is correct", f"{int(arrays['samples']):,} samples for each dot")


draw_panel = Panels(*(partial(_draw_field, index=i) for i in range(len(PANELS))), _draw_sampled)
draw = style.in_rows(draw_panel, 9.0, 2, 3, _keys)
