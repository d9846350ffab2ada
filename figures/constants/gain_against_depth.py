"""Signals and gradients against depth, for PyTorch's defaults, its recommended gains and gains that keep a variance."""

from functools import partial

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from figures import style
from figures.contract import Arrays, Panels, Run
from figures.settings import Setting
from paper_checks.experiments.stored import rows_of
from paper_checks.papers.constants.sweeps import ACTIVATIONS, DEPTHS, GAINS, WIDTH, starts
from theory.formula import Interval
from theory.signal_propagation import propagate

CAPTION = """\
How much of a signal (top row) and of a gradient (bottom row) is left after a number of layers, for six activation
functions and up to three initialisations. Lines are networks of infinite width; dots with bars are the median and the
quartiles of 15 random networks of 64 units. With PyTorch's default (blue), gradients vanish.
"""
DETAILS = """\
Lines are computed by theory.signal_propagation.

Blue: the default of torch.nn.Linear, a = sqrt(5), with its random biases. The biases set the level at which the
variance ends. The differences between inputs fall like the gradient.

Orange, dashed: the gain of torch.nn.init.calculate_gain, which does not exist for GELU and SiLU.

Green: the gain that keeps a variance of 1 in wide layers. For ReLU it is PyTorch's gain, so that both lines coincide.
In tanh networks gradients grow with it. In GELU and SiLU networks the variance 1 is not stable: narrow networks leave
it, and the bars become long.
"""
ALT = """\
Twelve panels, six activation functions by variance and gradient against depth. PyTorch's default (blue) falls at once
and its gradient decays, below 1e-80 at worst. The gain that keeps the variance (green) stays at 1. Dots of finite GELU
and SiLU networks scatter far from it.
"""
PARAMETERS = {"width": WIDTH, "depths": list(DEPTHS), "runs": GAINS.runs}
DEPTH = 50
SETTINGS = {"depth": Setting("layers of the lines", Interval(2, 1000, integer=True))}
RECIPE = Run(seed=20190)
SECONDS = 2

# Name, colour, line with its width and order, and how far the dots stand beside their depth. Where two initialisations
# are the same, the thin dashed line lies on the wide one.
LOOKS = {
    "default": ("PyTorch's default", style.LINES[0], "-", 1.6, 2.2, -0.8),
    "recommended": ("torch.nn.init.calculate_gain", style.LINES[1], (0, (3, 2)), 1.4, 2.3, 0.0),
    "ours": ("gain that keeps variance 1", style.LINES[2], "-", 3.2, 2.1, 0.8),
}
TITLES = {"relu": "ReLU", "tanh": "tanh", "selu": "SELU", "gelu": "GELU", "silu": "SiLU", "sigmoid": "logistic"}


def data(run: Run, *, depth: int = DEPTH) -> dict[str, np.ndarray]:
    """Lines and symbols.

    Returns
    -------
    dict of str to array
        For each activation function and start ``line_<activation>_<start>`` (2, 51), variance and gradient by layer;
        ``seen_<activation>_<start>`` (2, 3, 3), the quartiles of both at three depths.
    """
    arrays = {}
    for name in ACTIVATIONS:
        for start, (weight, bias) in starts(name).items():
            trace = propagate(name, depth, weight, bias)
            arrays[f"line_{name}_{start}"] = np.array([trace.variance, trace.gradient[::-1]])
    rows = rows_of(GAINS, seed=run.seed, **run.resources)
    for point, found in zip(GAINS.points, rows, strict=True):
        key = f"seen_{point['activation']}_{point['start']}"
        arrays.setdefault(key, np.empty((2, len(DEPTHS), 3)))
        arrays[key][:, DEPTHS.index(point["depth"])] = np.quantile(found[:, :2], [0.25, 0.5, 0.75], axis=0).T
    return arrays


def _draw(axes: Axes, arrays: Arrays, row: int, place: int) -> None:
    name = list(ACTIVATIONS)[place]
    for start in starts(name):
        _draw_start(axes, arrays, name, start, row)
    axes.axhline(1, color="black", linestyle=":", linewidth=1, label="value at the input or output, 1")
    axes.set(yscale="log", xlabel="number of layers")
    axes.set_ylabel(("variance of pre-activations\n(input: 1)", "mean square of the gradient\n(output: 1)")[row])
    style.title(axes, "abcdefghijkl"[place + row * len(ACTIVATIONS)], TITLES[name])


def _draw_start(axes: Axes, arrays: Arrays, name: str, start: str, row: int) -> None:
    says, color, line, width, order, beside = LOOKS[start]
    axes.plot(
        arrays[f"line_{name}_{start}"][row], color=color, linestyle=line, linewidth=width, zorder=order,
        label=f"{says}, infinite width",
    )  # fmt: skip
    low, middle, high = arrays[f"seen_{name}_{start}"][row].T
    axes.errorbar(
        np.array(DEPTHS) + beside, middle, [middle - low, high - middle], fmt="o", color=color, markersize=6,
        markeredgecolor="white", linewidth=1.4, zorder=3, label=f"{says}, {GAINS.runs} networks of {WIDTH} units",
    )  # fmt: skip


draw_panel = Panels(*(partial(_draw, row=row, place=place) for row in range(2) for place in range(len(ACTIVATIONS))))


def _keys(figure: Figure, axes: np.ndarray) -> None:
    keys = dict(zip(*reversed(axes[0, 0].get_legend_handles_labels()), strict=True))
    figure.legend(keys.values(), keys.keys(), loc="outside lower center", ncols=3)


draw = style.in_rows(draw_panel, 9.0, 2, len(ACTIVATIONS), _keys, width=17.0, sharex=True, sharey="row")
