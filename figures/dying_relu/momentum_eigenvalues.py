"""Momentum on the affine model: eigenvalues, paths of b/|w|, where they oscillate and how far they overshoot."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm
from matplotlib.lines import Line2D

from figures import style
from figures.contract import Arrays, Panels, Run
from figures.settings import Setting
from montecarlo import Job, mean, measure
from montecarlo.kernels.momentum.affine_model import stochastic_descent
from theory import momentum
from theory.formula import Interval
from theory.relu_unit import dead_cone_edge

CAPTION = """\
Gradient descent with momentum on the affine model: eigenvalues of a step (a), paths of the ratio b/|w| (b), speed of
decay (c) and overshoot (d). Panels (a) and (b) follow the paper's Figure 2; our copy has lost its numbers. With large
momentum paths swing through the dead cone (grey), where a ReLU would stay.
"""
DETAILS = """\
(a) The two eigenvalues of a step for the step size 0.1 while the momentum beta grows from 0 to 1. With momentum as an
average they go from 0 and 0.9 to a double root at beta = 0.669, then as a complex pair of modulus sqrt(beta) to 1. With
momentum as a sum (heavy ball) the pair ends on the unit circle at an angle.

(b) From w = 1, b = 4 to a target of scale 0.1. Lines are the closed form for the expected gradient. Dots are mean
parameters over many runs of descent along single observations, which have the same mean. Below the threshold the ratio
stays positive.

(c) Not in the paper: the number of steps in which deviations shrink by a factor e in the long run, with momentum as an
average. Above the solid line there is oscillation, and on it the decay is fastest for a given step size. Below the
dotted line eigenvalues are real and negative, hence a change of sign at each step. Below the dashed line there is
divergence.

(d) Not in the paper: the overshoot o, how far all parameters overshoot their optimum, relative to their initial
distance from it. From the linear cone the path enters the dead cone for target scales below o/(1 + o) (w + b/3.09).
"""
ALT = """\
Eigenvalues in the complex plane turn from a line into circles as momentum grows. Paths of b over the size of w swing
into the grey dead cone at large momentum. Two heat maps over step size and momentum show the time of decay and the
overshoot.
"""

CLAIM = "relu/fig2.right"
STEP_SIZE = 0.1
MOMENTA = (0.0, 0.5, 0.67, 0.9, 0.99)
WEIGHT, BIAS, TARGET = 1.0, 4.0, 0.1
STEPS = 150
SAMPLED_STEPS = (5, 12, 20, 30, 40, 60, 80, 120)
CONE = -dead_cone_edge(0.001)
PARAMETERS = {
    "claim": CLAIM,
    "step_size": STEP_SIZE,
    "momenta": list(MOMENTA),
    "start": {"w": WEIGHT, "b": BIAS, "momentum": 0.0},
    "target": TARGET,
    "sampled_steps": list(SAMPLED_STEPS),
    "dead": "probability of a positive output below 0.001",
}
SETTINGS = {
    "step_size": Setting("of gradient descent, in (a) and (b)", Interval(0.001, 0.99)),
    "momenta": Setting("of the paths in (b)", Interval(0, 0.999), 1, 6),
    "weight": Setting("w at the start of the paths", Interval(0.01, 10)),
    "bias": Setting("b at the start of the paths", Interval(0.01, 100)),
    "gamma": Setting("target scale of the paths", Interval(0.001, 10)),
}
RECIPE = Run(samples=20_000, seed=20190)
SECONDS = 4

# Each contour of the overshoot with where its number stands.
_CONTOURS = {0.1: (0.115, 0.85), 0.2: (0.2, 0.85), 0.4: (0.5, 0.85), 0.6: (1.7, 0.85), 0.8: (3.0, 0.935)}


def data(
    run: Run,
    *,
    step_size: float = STEP_SIZE,
    momenta: tuple[float, ...] = MOMENTA,
    weight: float = WEIGHT,
    bias: float = BIAS,
    gamma: float = TARGET,
) -> dict[str, np.ndarray]:
    """Eigenvalues, closed and sampled paths, and maps over step size and momentum.

    Samples are runs of descent along single observations for each dot, at least 2.

    Returns
    -------
    dict of str to array
        ``beta`` (1001) with ``ema`` and ``heavy_ball`` (1001, 2), complex; ``steps`` (151) with ``w`` and ``b``
        (momenta, 151); ``sampled_steps`` (8) with ``sampled_w``, ``sampled_b`` and their standard errors
        ``sampled_w_se``, ``sampled_b_se`` (momenta, 8); ``map_step_size`` (240), ``map_momentum`` (200), and by cell
        (200, 240) ``radius`` and ``overshoot``, the latter nan where the path diverges. Besides ``momenta``,
        ``samples``, the settings and the two ``thresholds``.
    """
    samples = run.at_least(2)
    beta = np.linspace(0, 1, 1001)
    # The end is a limit: the system itself needs a momentum below 1.
    beta[-1] = 1 - 1e-12
    steps = np.arange(STEPS + 1)
    paths = [momentum.path([weight], bias, [gamma], step_size, m, steps) for m in momenta]
    start = {"w_1": 0.0, "w_2": weight, "b": bias, "gamma": gamma, "m_w": 0.0, "m_b": 0.0, "eta": step_size}
    jobs = [
        Job(mean(stochastic_descent, column), {**start, "beta": m, "steps": k}, CLAIM, index, run.seed, (samples,))
        for index, (m, k) in enumerate((m, k) for m in momenta for k in SAMPLED_STEPS)
        for column in (1, 2)
    ]
    estimates = [m.estimate() for m in measure(jobs, **run.resources)]
    shape = (len(momenta), len(SAMPLED_STEPS), 2)
    sampled = np.array([e.value for e in estimates]).reshape(shape)
    errors = np.array([e.se for e in estimates]).reshape(shape)
    map_step_size, map_momentum = np.geomspace(0.01, 10, 240), np.linspace(0, 0.995, 200)
    eta, rate = np.meshgrid(map_step_size, map_momentum)
    return {
        "samples": np.array(samples),
        "momenta": np.array(momenta),
        "step_size": np.array(step_size),
        "start": np.array([weight, bias]),
        "gamma": np.array(gamma),
        "beta": beta,
        "ema": momentum.eigenvalues(step_size, beta),
        "heavy_ball": momentum.eigenvalues(step_size, beta, convention="heavy-ball"),
        "thresholds": np.array([momentum.oscillation_threshold(step_size, convention=c) for c in momentum.CONVENTIONS]),
        "steps": steps,
        "w": np.array([w[:, 0] for w, _ in paths]),
        "b": np.array([b for _, b in paths]),
        "sampled_steps": np.array(SAMPLED_STEPS),
        "sampled_w": sampled[..., 0] + gamma,
        "sampled_b": sampled[..., 1],
        "sampled_w_se": errors[..., 0],
        "sampled_b_se": errors[..., 1],
        "map_step_size": map_step_size,
        "map_momentum": map_momentum,
        "radius": momentum.spectral_radius(eta, rate),
        "overshoot": np.where(momentum.is_stable(eta, rate), momentum.overshoot(eta, rate), np.nan),
    }


def _draw_eigenvalues(axes: Axes, arrays: Arrays) -> None:
    angle = np.linspace(0, 2 * np.pi, 400)
    axes.plot(np.cos(angle), np.sin(angle), color="0.6", linewidth=0.8)
    axes.axhline(0, color="0.8", linewidth=0.6, zorder=0)
    axes.axvline(0, color="0.8", linewidth=0.6, zorder=0)
    for key, size in (("heavy_ball", 4), ("ema", 16)):
        values, beta = arrays[key].ravel(), np.repeat(arrays["beta"], 2)
        shown = axes.scatter(values.real, values.imag, c=beta, s=size, cmap=style.SEQUENTIAL, vmin=0, vmax=1,
                             linewidths=0, rasterized=True)  # fmt: skip
    for threshold, label, place in zip(
        arrays["thresholds"], ("average (6)", "sum (heavy ball)"), ((-80, -140), (-140, -60)), strict=True
    ):
        axes.annotate(
            rf"{label}:" + "\n" + rf"$\beta = {threshold:.3f}$", (np.sqrt(threshold), 0), place,
            textcoords="offset points", arrowprops={"arrowstyle": "-", "linewidth": 0.7}, fontsize=11,
        )  # fmt: skip
    axes.figure.colorbar(shown, ax=axes, label=r"momentum, $\beta$")
    axes.set(xlim=(-0.25, 1.12), ylim=(-0.68, 0.68), xlabel=r"Re $\lambda$", ylabel=r"Im $\lambda$")
    axes.set_aspect("equal")
    handles = [Line2D([], [], marker="o", linestyle="", color="0.35", markersize=m) for m in (5, 2)]
    axes.legend(handles, ["momentum as an average (6)", "as a sum (heavy ball)"], loc="upper left")
    style.title(
        axes, "a", "Eigenvalues of a step", rf"step size $\eta = {arrays['step_size']:g}$; grey: the unit circle"
    )


def _draw_ratio(axes: Axes, arrays: Arrays) -> None:
    axes.axhspan(-300, -CONE, color="0.88", linewidth=0)
    axes.text(STEPS - 3, -200, "dead cone", ha="right", va="center", fontsize=11)
    for k, beta in enumerate(arrays["momenta"]):
        color = style.LINES[k]
        axes.plot(arrays["steps"], arrays["b"][k] / np.abs(arrays["w"][k]), color=color, label=rf"$\beta = {beta:g}$")
        w, error = arrays["sampled_w"][k], arrays["sampled_w_se"][k]
        # A ratio to a mean that is not known in sign, or only just, says nothing.
        known = np.abs(w) > 30 * error
        axes.plot(arrays["sampled_steps"][known], (arrays["sampled_b"][k] / np.abs(w))[known], "o", color=color,
                  markersize=4.5)  # fmt: skip
    axes.axhline(0, color="0.6", linewidth=0.6)
    axes.set_yscale("symlog", linthresh=1)
    axes.set(xlim=(0, STEPS), ylim=(-300, 100), xlabel="step, $t$", ylabel=r"$b_t \,/\, \|w_t\|$")
    axes.legend(loc="upper right", ncols=3)
    note = f"dots: mean parameters over {int(arrays['samples']):,} runs along single observations"
    w, b = arrays["start"]
    style.title(axes, "b", rf"Path from $w = {w:g}$, $b = {b:g}$ to $\gamma = {arrays['gamma']:g}$", note)


def _boundaries(axes: Axes, arrays: Arrays, color: str) -> None:
    """Threshold of oscillation on either side of eta = 1, and the limit of stability."""
    eta, top = arrays["map_step_size"], arrays["map_momentum"][-1]
    threshold = np.asarray(momentum.oscillation_threshold(eta))
    axes.plot(eta[eta <= 1], threshold[eta <= 1], color=color, linewidth=2)
    axes.plot(eta[eta >= 1], threshold[eta >= 1], color=color, linewidth=2, linestyle=":")
    beta = np.linspace(0, top, 400)
    axes.plot(momentum.stability_limit(beta), beta, color="0.25", linewidth=2, linestyle="--")
    axes.set_xscale("log")
    axes.set(xlim=(eta[0], eta[-1]), ylim=(0, top), xlabel=r"step size, $\eta$", ylabel=r"momentum, $\beta$")


def _draw_radius(axes: Axes, arrays: Arrays) -> None:
    with np.errstate(divide="ignore"):
        steps = -1 / np.log(np.where(arrays["radius"] < 1, arrays["radius"], np.nan))
    style.heatmap(
        axes, arrays["map_step_size"], arrays["map_momentum"], np.ma.masked_invalid(steps), LogNorm(0.3, 1000),
        extend="both", label="steps to shrink deviations by e",
    )  # fmt: skip
    _boundaries(axes, arrays, "white")
    style.title(axes, "c", "Decay", "solid: oscillation above; dotted, dashed: alternating signs, divergence below")


def _draw_overshoot(axes: Axes, arrays: Arrays) -> None:
    values = np.ma.masked_invalid(arrays["overshoot"])
    x, y, label = arrays["map_step_size"], arrays["map_momentum"], r"overshoot, $o = -\min_t c_t$"
    style.heatmap(axes, x, y, np.ma.masked_less(values, 1e-3), LogNorm(1e-3, 1), label=label)
    lines = axes.contour(x, y, values.filled(np.nan), levels=list(_CONTOURS), colors="black", linewidths=0.7)
    axes.clabel(lines, fmt="%g", fontsize=10, manual=list(_CONTOURS.values()))
    _boundaries(axes, arrays, "0.25")
    style.title(axes, "d", "Overshoot of the optimum", "white: below 0.001, or divergence")


draw_panel = Panels(_draw_eigenvalues, _draw_ratio, _draw_radius, _draw_overshoot)
draw = style.in_rows(draw_panel, height=11.6, rows=2, columns=2)
