"""Networks of the published layers on the digits, and their gradients against finite differences."""

from functools import partial

import numpy as np
from matplotlib.axes import Axes

from figures import style
from figures.contract import Arrays, Panels, Run
from montecarlo.training.perceptron import CHECKPOINTS, KINDS, difference_errors
from paper_checks.experiments.stored import stored_rows
from paper_checks.papers.nerva.section_9 import networks
from paper_checks.papers.nerva.sweeps import DIGITS, NETWORKS, RATE

CAPTION = """\
Networks built from the paper's equations, with T^r and the shape of R corrected, trained on scikit-learn's digits:
losses (a, b), test accuracies (c), and gradients compared with numerical differences (d). The paper has no experiments.
Gradients agree with the differences up to rounding (solid lines in d); with a wrong equation they do not (dashed).
"""
DETAILS = """\
Networks have two hidden layers of 64 units.

(a) Training loss per example against steps, trained with momentum: medians of the runs, bands from the least to the
largest. (b) The same for ReLU with the three methods of section 8, at one learning rate.

(c) Test accuracy, one dot per run, the median in black. At the larger rate 14 of 48 SReLU networks leave the range of
float64, because the gradients of its four parameters are sums over all examples and neurons.

(d) The largest difference between a directional derivative and a central difference of half-width h, relative to the
largest derivative, for small networks. With T^r and the shape of R corrected, the published equations follow the error
of the difference, h^2 on the right and rounding on the left, until h crosses a kink. The wrong equations are T^r as
published with t_l > t_r, DX without the variance, and DW without R. Triangles on the left: the same by a complex step
instead of a difference.
"""
ALT = """\
Four panels. Training losses fall fastest with batch normalisation and with either momentum. Median test accuracies are
96 to 98 %, but 90 % for gradient descent and 95 % for SReLU at the larger rate, whose runs spread from 34 to 98 %.
Numerical gradients agree to 1e-10 with the corrected equations and stay far off with wrong ones.
"""
PARAMETERS = {"stored by": f"paper-checks train {DIGITS.name}"}
RECIPE = Run()
ROUNDING = True

WIDTHS = 10.0 ** np.arange(-12.0, 0.0, 0.5)
METHODS = {"descent": "gradient descent", "momentum": "momentum", "nesterov": "Nesterov momentum"}
LABELS = {"relu": "ReLU", "srelu": "SReLU", "batchnorm": "batch normalisation, ReLU", "dropout": "dropout, ReLU"}
SHORT = {"relu": "ReLU", "srelu": "SReLU", "batchnorm": "batch norm.", "dropout": "dropout"}


def data(_: Run) -> dict[str, np.ndarray]:
    """The stored runs, and errors of gradients.

    Returns
    -------
    dict of str to array
        ``steps`` (9), ``loss`` (8, runs, 9), ``test`` and ``lasted`` (8, runs), by network as in the sweep; ``h``
        (24), ``right`` (4, 25) and ``wrong`` (3, 25): errors by width of the difference, the last by a complex step.
    """
    rows = np.array(stored_rows(DIGITS))
    return {
        "steps": DIGITS.settings["steps"] * np.arange(CHECKPOINTS) // (CHECKPOINTS - 1),
        "loss": rows[:, :, :CHECKPOINTS],
        "test": rows[:, :, DIGITS.columns.index("test")],
        "lasted": rows[:, :, DIGITS.columns.index("lasted")],
        "h": WIDTHS,
        "right": np.array([_errors(kind) for kind in KINDS]),
        "wrong": np.array([_errors(*wrong) for wrong in networks.WRONG.values()]),
    }


def _errors(kind: str, *wrong: type) -> list[float]:
    """By width of the difference, and by a complex step; with a layer of one kind replaced where that is asked for."""
    found = []
    for step in (*WIDTHS, 0.0):
        x, t, rng = networks.batch(KINDS.index(kind))
        net = networks.network(kind, rng)
        net = networks.wrong_network(net, *wrong) if wrong else net
        found.append(max(difference_errors(net, x, t, rng, step)))
    return found


def _of(**values: str) -> int:
    return NETWORKS.index({**values, "rate": RATE})


def _draw_losses(axes: Axes, arrays: Arrays, by: str) -> None:
    if by == "kind":
        places = {label: _of(kind=kind, method="momentum") for kind, label in LABELS.items()}
        style.title(axes, "a", "Training with momentum", f"{arrays['loss'].shape[1]} runs each")
    else:
        places = {label: _of(kind="relu", method=method) for method, label in METHODS.items()}
        style.title(axes, "b", "ReLU by three methods", f"learning rate {RATE} per example")
    for i, (label, place) in enumerate(places.items()):
        look = {"alpha": 0.15, "markersize": 4, "label": label}
        style.median_and_range(axes, arrays["steps"], arrays["loss"][place].T, "o-", style.LINES[i], **look)
    axes.set(yscale="log", xlabel="steps", ylabel="training loss per example")
    axes.legend(title="median and range")


def _draw_accuracies(axes: Axes, arrays: Arrays) -> None:
    for i, (point, found) in enumerate(zip(DIGITS.points, 100 * arrays["test"], strict=True)):
        color = style.LINES[list(LABELS).index(point["kind"])]
        axes.plot(found, i + np.linspace(-0.28, 0.28, len(found)), "o", color=color, markersize=3.5)
        axes.plot([np.median(found)] * 2, [i - 0.38, i + 0.38], color="black", linewidth=2)
        lost = int((arrays["lasted"][i] < arrays["steps"][-1]).sum())
        if lost:
            axes.annotate(
                f"{lost} of {len(found)} runs left the range of float64", (2, i - 0.5), va="center", fontsize=10
            )
    names = [f"{SHORT[p['kind']]}, {p['method']}, {p['rate']}" for p in DIGITS.points]
    axes.set_yticks(range(len(names)), names, fontsize=10)
    axes.invert_yaxis()
    axes.plot([], [], "o", color="grey", markersize=3.5, label="a run")
    axes.plot([], [], color="black", linewidth=2, label="median")
    axes.legend(loc="upper left")
    axes.set(xlabel="test accuracy (%)", xlim=(0, 101))
    style.title(axes, "c", "Images not trained on", "network, method, learning rate per example")


def _draw_errors(axes: Axes, arrays: Arrays) -> None:
    h = arrays["h"]
    wrong = [kind for kind, *_ in networks.WRONG.values()]
    for errors, line, kinds in ((arrays["right"], "-", KINDS), (arrays["wrong"], "--", wrong)):
        for kind, values in zip(kinds, errors, strict=True):
            color, label = style.LINES[KINDS.index(kind)], LABELS[kind] if line == "-" else None
            axes.plot(h, np.maximum(values[:-1], 1e-17), line, color=color, linewidth=1.6, label=label)
            axes.plot(h[0] / 6, max(values[-1], 1e-17), "<", color=color, markersize=7)
    axes.plot([], [], "--", color="grey", linewidth=1.6, label="with a wrong equation")
    axes.plot([], [], "<", color="grey", markersize=7, label="complex step")
    axes.set(xscale="log", yscale="log", ylim=(1e-17, 10))
    axes.set(xlabel="half-width of the difference, $h$", ylabel="relative difference")
    axes.legend(loc="lower right", fontsize=10)
    style.title(axes, "d", "Gradients against differences", "solid: published, two of them corrected")


draw_panel = Panels(
    partial(_draw_losses, by="kind"), partial(_draw_losses, by="method"), _draw_accuracies, _draw_errors
)
draw = style.in_rows(draw_panel, height=10.0, rows=2, columns=2)
