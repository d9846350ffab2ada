"""Figures 1 and 6 of the dying ReLU paper: error and dead units against the scale of the targets, and with depth."""

import numpy as np
from matplotlib.axes import Axes

from figures import style
from figures.contract import Arrays, Panels, Run
from paper_checks.experiments.stored import stored_rows
from paper_checks.papers.dying_relu.stored_runs import Cell, Trained
from paper_checks.papers.dying_relu.sweeps import DEPTHS, FIGURE_1, FIGURE_6, START_DEPTHS, STARTS

CAPTION = """\
Errors and dead units of trained ReLU networks against the scale gamma of their targets, after the paper's Figures 1 and
6. The relative error (a) rises as gamma goes to 0, also for leaky units, which cannot die. The number of dead units (b)
hardly depends on gamma. It grows with depth (c), and in some settings during training (d).
"""
DETAILS = """\
Our copy of the paper has lost its data sets (probably of the UCI repository), widths, batch size, distributions of the
initial parameters, numbers of runs and of updates, and the gamma of Figure 6. All of these are our choices. Targets are
standardised and multiplied by gamma. Bands: two standard errors of the mean over runs.

(a) One hidden layer of 32 units, Friedman's first function of ten standardised inputs, 2000 updates: median over 48
runs of the mean square error over gamma^2 (1 is the error of the mean). Performance degrades, as the paper says. But
the rise follows the dashed line, which is what the updates of Adam leave when all targets are 0; gradient descent
leaves 1.3 times as much. With initial values, step sizes and epsilon of Adam scaled by layer nothing depends on gamma.

(b) Dead units (inactive on all training inputs) at the end, mean over 48 or 240 runs. There are almost none with
standardised inputs. With positive inputs they depend on the step size, and on gamma only between 1 and 1/16.

(c) Units that are dead at initialisation, by the number of ReLU layers of 24 units, for plain networks with two initial
distributions. Residual networks with batch normalisation have none.

(d) Dead units during training, gamma = 1/256. There are more in deeper plain networks with Adam 0.01. With stochastic
gradient descent of step size 0.1 there are as many as at initialisation. In residual networks hardly any die in 1000
updates unless the step size is 0.1.
"""
ALT = """\
Four panels. Relative errors rise from below 0.1 to above 1e5 as the target scale goes to 0, alike with and without
momentum. Dead units depend on inputs and step size and hardly on the scale. They grow with depth without residual
connections, and early in training.
"""
PARAMETERS = {"stored by": "paper-checks train relu/figure-1 relu/figure-6 relu/figure-6-start"}
RECIPE = Run()

GAMMAS = np.array([1.0, 4.0**-2, 4.0**-4, 4.0**-6, 4.0**-8])
ERRORS = (
    ("adam", "Adam 0.001, momentum 0.9", 0, "o"),
    ("adam-no-momentum", "the same without momentum", 1, "s"),
    ("adam-leaky", "leaky units, which cannot die", 2, "^"),
    ("sgd", "gradient descent 0.1, momentum 0.9", 3, "D"),
    ("adam-scaled", "Adam, scaled by layer", 6, "v"),
)
DEAD = (
    ("friedman1-positive", "adam-fast", "positive inputs, step size 0.01", 1, "o-"),
    ("friedman1-positive", "adam", "positive inputs, step size 0.001", 0, "s-"),
    ("friedman1", "adam-fast", "standardised: Friedman, step size 0.01", 2, "^--"),
    ("relu", "adam-fast", "standardised: one ReLU, step size 0.01", 3, "v--"),
    ("diabetes", "adam-fast", "standardised: diabetes, step size 0.01", 4, "D--"),
)
TRAINED = ((False, "adam-fast", "plain, Adam 0.01", 0), (False, "sgd", "plain, gradient descent 0.1", 2),
           (True, "adam-fast", "residual, Adam 0.01", 3), (True, "adam-fastest", "residual, Adam 0.1", 1))  # fmt: skip
DATA_A = "friedman1"
DASHES = {1: ":", 3: "--", 6: "-"}


def data(_: Run) -> dict[str, np.ndarray]:
    """The stored runs as arrays.

    Returns
    -------
    dict of str to array
        ``gamma`` (5); ``error_<method>`` (5), medians, nan where there are no runs; ``floor`` (5);
        ``dead_<data>_<method>`` (2, 5), mean and its standard error of the share of dead units; ``start_<kind>`` (2, 6)
        by ``depths``; ``trained_<kind>_<method>_<depth>`` (2, 6) by ``updates``.

    Raises
    ------
    StaleRows
        When the runs are not stored, or are those of other code.
    """
    arrays = {"gamma": GAMMAS, "depths": np.array(START_DEPTHS)}
    shallow, deep, start = (Trained(s, stored_rows(s)) for s in (FIGURE_1, FIGURE_6, STARTS))
    width, deep_width = (sweep.settings["width"] for sweep in (FIGURE_1, FIGURE_6))

    def one(name: str, method: str, gamma: float) -> Cell:
        return shallow(data=name, method=method, gamma=float(gamma))

    for method, *_ in ERRORS:
        gammas = GAMMAS[1:4] if method == "adam-scaled" else GAMMAS
        medians = {g: np.median(one(DATA_A, method, g).normalised) for g in gammas}
        arrays[f"error_{method}"] = [medians.get(g, np.nan) for g in GAMMAS]
    arrays["floor"] = np.median(one(DATA_A, "adam", 0.0).error) / GAMMAS**2
    for name, method, *_ in DEAD:
        arrays[f"dead_{name}_{method}"] = _shares([one(name, method, g).last / width for g in GAMMAS])
    for residual in (False, True):
        for law in ("uniform", "he"):
            starts = [start(residual=residual, depth=d, law=law).first / d for d in START_DEPTHS]
            arrays[f"start_{residual}_{law}"] = _shares([s / deep_width for s in starts])
    for residual, method, *_ in TRAINED:
        for depth in DEPTHS:
            cell = deep(residual=residual, depth=depth, method=method, gamma=4.0**-4)
            arrays["updates"] = np.array(list(cell.dead))
            shares = [v / (depth * deep_width) for v in cell.dead.values()]
            arrays[f"trained_{residual}_{method}_{depth}"] = _shares(shares)
    return {key: np.asarray(value) for key, value in arrays.items()}


def _shares(runs: list[np.ndarray]) -> np.ndarray:
    return np.array([[v.mean() for v in runs], [v.std(ddof=1) / np.sqrt(len(v)) for v in runs]])


def _line(axes: Axes, x: np.ndarray, values: np.ndarray, color: int, *form: str, **options) -> None:
    mean, error = 100 * values
    axes.fill_between(x, mean - 2 * error, mean + 2 * error, color=style.LINES[color], alpha=0.15, linewidth=0)
    axes.plot(x, mean, *form, color=style.LINES[color], **{"markersize": 5.5, "linewidth": 1.6, **options})


def _gamma_axis(axes: Axes) -> None:
    axes.set_xscale("log", base=4)
    axes.set_xticks(GAMMAS, ["1", "1/16", "1/256", "$4^{-6}$", "$4^{-8}$"])
    axes.minorticks_off()
    axes.invert_xaxis()
    axes.set_xlabel(r"scale of the targets, $\gamma$ (to 0 on the right)")


def _draw_errors(axes: Axes, arrays: Arrays) -> None:
    gamma = arrays["gamma"]
    for method, label, color, mark in ERRORS:
        axes.plot(gamma, arrays[f"error_{method}"], mark + "-", color=style.LINES[color], label=label, markersize=6,
                  linewidth=1.4, markerfacecolor="none" if color in (1, 2) else None)  # fmt: skip
    axes.plot(
        gamma, arrays["floor"], "--", color="0.4", linewidth=1.4, label=r"Adam 0.001 with targets 0, over $\gamma^2$"
    )
    axes.axhline(1, color="0.7", linewidth=0.8, zorder=0)
    axes.set(yscale="log", ylim=(0.01, 1e6))
    _gamma_axis(axes)
    axes.set_ylabel(r"mean square error / $\gamma^2$, median of runs")
    axes.legend(loc="upper left")
    style.title(axes, "a", "Error, one hidden layer", "standardised inputs; 48 runs of 2000 updates")


def _draw_dead(axes: Axes, arrays: Arrays) -> None:
    # Later lines and marks are smaller: where several are at 0, all are seen.
    for place, (name, method, label, color, form) in enumerate(DEAD):
        size = {"linewidth": max(4.6 - 0.8 * place, 1.0), "markersize": max(12 - 1.6 * place, 3.5)}
        _line(axes, arrays["gamma"], arrays[f"dead_{name}_{method}"], color, form, label=label, **size)
    _gamma_axis(axes)
    axes.set(ylim=(-1.5, 60), ylabel="dead units at the end, %")
    axes.legend(loc="upper left")
    note = "Adam, momentum 0.9; 48 runs of 2000 updates (240 for the orange line)"
    style.title(axes, "b", "Dead units, one hidden layer", note)


def _draw_starts(axes: Axes, arrays: Arrays) -> None:
    depths = arrays["depths"]
    kinds = (("False_uniform", r"plain, weights and biases $U[\pm 1/\sqrt{n}]$", 0, "o-"),
             ("False_he", r"plain, weights $N(0, 2/n)$, biases 0", 2, "s-"),
             ("True_uniform", "residual, either distribution", 1, "v-"))  # fmt: skip
    for kind, label, color, form in kinds:
        _line(axes, depths, arrays[f"start_{kind}"], color, form, label=label)
    axes.set_xscale("log")
    axes.set_xticks(depths, [str(d) for d in depths])
    axes.minorticks_off()
    axes.set(xlabel="ReLU layers", ylabel="dead units at initialisation, %")
    axes.legend(loc="upper left")
    style.title(axes, "c", "Dead at initialisation", "48 runs, 24 units in each layer, 512 inputs")


def _draw_training(axes: Axes, arrays: Arrays) -> None:
    updates = arrays["updates"]
    for place, (residual, method, label, color) in enumerate(TRAINED):
        for depth in DEPTHS:
            _line(axes, updates, arrays[f"trained_{residual}_{method}_{depth}"], color, DASHES[depth],
                  label=label if depth == 6 else None, linewidth=max(4.6 - 0.9 * place, 1.0))  # fmt: skip
    for depth in DEPTHS:
        axes.plot([], [], DASHES[depth], color="0.3", label=f"{depth} ReLU layer{'s' if depth > 1 else ''}")
    axes.set_xscale("symlog", linthresh=10)
    axes.set_xticks(updates, [str(u) for u in updates])
    axes.minorticks_off()
    axes.set(xlim=(0, updates[-1]), ylim=(-2, 130), yticks=[0, 20, 40, 60, 80, 100], xlabel="updates")
    axes.set_ylabel("dead units, %")
    axes.legend(loc="upper left", ncols=2)
    style.title(axes, "d", r"Dead during training, $\gamma = 1/256$", "mean of 240 runs; residual with Adam 0.01: 48")


draw_panel = Panels(_draw_errors, _draw_dead, _draw_starts, _draw_training)
draw = style.in_rows(draw_panel, height=10.6, rows=2, columns=2)
