"""Weight and bias variances at which gradients neither die out nor grow, by activation function."""

import numpy as np
from matplotlib.axes import Axes

from figures import style
from figures.contract import Arrays, Panels, Run
from figures.settings import Setting
from theory.formula import Interval
from theory.signal_propagation import activation, edge_of_chaos, fixed_points

CAPTION = """\
The edge of chaos of wide networks (a), and the factor by which one layer multiplies a squared gradient (b), for common
activation functions. On a line in (a), variances and gradients are both kept. Gradients vanish to the left of the line
and explode to the right. Arrows mark common initialisations without biases.
"""
DETAILS = """\
(a) On a line, a variance q stays the same from layer to layer, and chi = 1: the mean square of a gradient stays the
same too. Arrows: PyTorch's default (1/3), LeCun and Glorot (1), He (2), and calculate_gain for tanh, (5/3)^2 = 25/9.
ReLU has a fixed point at 2 only.

(b) The factor chi at the stable fixed point without biases, against sigma_w^2. Fifty layers multiply the mean square of
a gradient by chi^50.
"""
ALT = """\
Left: bias variance rises steeply with weight variance along the edges of five activation functions. Arrows mark common
initialisations, a star ReLU. Right: the factor of a layer on the gradient, above 1 nearly everywhere and up to 1.8 for
hard tanh.
"""
VARIANCES, HIGHEST = (1e-3, 30.0), 4.0
PARAMETERS = {"variances": list(VARIANCES), "weights": [0.9, HIGHEST]}
SETTINGS = {
    "variances": Setting("least and most variance that is kept, along the lines of (a)", Interval(1e-6, 1e4), 2, 2),
    "highest": Setting("largest sigma_w^2 that is shown", Interval(1, 25, open_low=True)),
}
RECIPE = Run()
SECONDS = 8

SHOWN = {"tanh": "tanh", "erf": "erf", "hardtanh": "hard tanh", "selu": "SELU", "elu": "ELU"}
# Where each name begins, clear of the curves.
STARTS = {
    "PyTorch's default": (1 / 3, 0.42), "LeCun, Glorot": (1.0, 0.42), "He": (2.0, 0.42), "gain 5/3": (25 / 9, 0.16),
}  # fmt: skip


def data(_: Run, *, variances: tuple[float, ...] = VARIANCES, highest: float = HIGHEST) -> dict[str, np.ndarray]:
    """Both panels.

    Returns
    -------
    dict of str to array
        For each activation function ``edge_<name>`` (3, n), weight variance, bias variance and kept variance, where a
        bias variance is not negative; ``weights`` (n); ``chi_<name>`` (n), nan where no variance is kept stably.
    """
    weights = np.linspace(PARAMETERS["weights"][0], highest, 60)
    arrays = {"weights": weights}
    for name in SHOWN:
        arrays[f"edge_{name}"] = _edge(name, variances)
        stable = [[p.chi for p in fixed_points(name, w) if p.slope < 1] for w in weights]
        arrays[f"chi_{name}"] = np.array([chi[0] if chi else np.nan for chi in stable])
    return arrays


def _edge(name: str, variances: tuple[float, ...]) -> np.ndarray:
    phi, found = activation(name), []
    for q in np.geomspace(*variances, 80):
        if q >= phi.second_moment(q) / phi.slope_second_moment(q):
            edge = edge_of_chaos(phi, q)
            found.append((edge.weight_variance, edge.bias_variance, q))
    return np.array(found).reshape(-1, 3).T


def _draw_edge(axes: Axes, arrays: Arrays) -> None:
    for color, (name, title) in zip(style.LINES, SHOWN.items(), strict=False):
        weight, bias, _ = arrays[f"edge_{name}"]
        axes.plot(weight, bias, color=color, label=title)
    axes.plot([2], [0], "*", color="black", markersize=12, label="ReLU", clip_on=False, zorder=5)
    for name, (weight, height) in STARTS.items():
        axes.annotate(name, (weight, 0), (weight, height), rotation=90, ha="center", va="bottom", fontsize=10,
                      arrowprops={"arrowstyle": "-|>", "color": "grey"})  # fmt: skip
    axes.set(xlim=(0, arrays["weights"][-1]), ylim=(0, 2))
    axes.set(xlabel=r"weight variance times fan-in, $\sigma_w^2$", ylabel=r"bias variance, $\sigma_b^2$")
    axes.legend(loc="upper left")
    style.title(axes, "a", "Edge of chaos", "arrows: common initialisations, without biases")


def _draw_factor(axes: Axes, arrays: Arrays) -> None:
    for color, (name, title) in zip(style.LINES, SHOWN.items(), strict=False):
        axes.plot(arrays["weights"], arrays[f"chi_{name}"], color=color, label=title)
    axes.axhline(1, color="grey", linewidth=0.8)
    axes.set(xlabel=r"weight variance times fan-in, $\sigma_w^2$")
    axes.set_ylabel(r"$\chi$, factor of a layer on the squared gradient")
    style.title(axes, "b", "Gradients without biases", "at the stable fixed point; colours as in (a)")


draw_panel = Panels(_draw_edge, _draw_factor)
draw = style.in_rows(draw_panel, height=6.2, rows=1, columns=2)
