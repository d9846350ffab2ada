"""Figure 2 of Neural Arithmetic Units: the loss of the very simple problem, and all weights that solve it exactly."""

from functools import partial

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import FuncNorm
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patheffects import Normal, Stroke

from figures import style
from figures.contract import Arrays, Panels, Run
from figures.settings import Setting
from theory import nac_mul, nmu
from theory.arithmetic import nac_mul_second_weight
from theory.formula import Interval

CAPTION = """\
The squared error of an addition layer with weights w1 followed by a multiplication layer with weights w2, as maps; the
paper's Figure 2 shows it as surfaces. White lines and circles are all weights that solve the problem exactly. NAC
multiplication has lines of unwanted solutions, which divide by a small sum; the NMU has no such line.
"""
DETAILS = """\
The loss is (z - 13.2)^2 for x = (1, 1.2, 1.8, 2), up to 500 as in the paper; its caption says RMS loss. White colour
means 174, the loss of an output of 0. Blue is lower and red is higher. Colours change fastest around 174, because most
losses are near it. Solutions are from closed forms.

(a) NAC multiplication, eps = 1e-7, as in the authors' code. The wanted solution is the corner w1 = w2 = 1. Inside the
square there are others, one for every w1 of at most 1/13.2 = 0.076 in size: two small sums with negative weights, a
division. Between these lines the loss grows without bound as eps tends to 0.

(b) The same with eps = 0.1. The losses are lower, the lines are shorter, and a short line replaces the solution at both
upper corners.

(c) The NMU, whose w2 lies between 0 and 1 (hatched: not allowed). There are two solutions and no line; the one with w1
= -1 is not wanted.
"""
ALT = """\
Three square loss maps over the weights of two layers. Both NAC multiplication maps have white lines of exact solutions
around a red spike at negative second weights. The NMU map has only two dots in its upper corners, its lower half
hatched as not allowed.
"""

X = (1.0, 1.2, 1.8, 2.0)
TARGET = 13.2
SUMS = (X[0] + X[1], sum(X))
EPS = (1e-7, 0.1)
# The first layer is symmetric about 0, where a point would lie on a pole of the units.
FIRST = np.linspace(-1, 1, 400)
SECOND = np.linspace(-1, 1, 401)
GATE = np.linspace(0, 1, 201)
ZERO, MOST, STEEP = TARGET**2, 500.0, 1.3
"""Loss of an output of 0, largest loss of the colours, and the distance from the first within which they are linear."""

PARAMETERS = {"x": list(X), "t": TARGET, "eps": list(EPS), "w1": "-1 ... 1", "w2": "-1 ... 1; NMU: 0 ... 1"}
SETTINGS = {"eps": Setting("added to every input of the NAC, of (a) and (b)", Interval(1e-300, 1), 2, 2)}
RECIPE = Run()


def data(_: Run, *, eps: tuple[float, ...] = EPS) -> dict[str, np.ndarray]:
    """The losses on a grid of both weights, and the curves of exact solutions.

    Returns
    -------
    dict of str to array
        ``first`` (400), ``second`` (401), ``gate`` (201); ``nac_mul`` (2, 400, 401) by eps and ``nmu`` (400, 201), the
        loss (z - t)^2; ``curve_first`` (2000) and ``curve_second`` (2, 2000), the exact solutions of the first unit.
    """
    hidden = FIRST[:, np.newaxis] * np.array(SUMS)
    with np.errstate(over="ignore"):
        outputs = [[nac_mul.forward([[w, w]], hidden, e)[:, 0] for w in SECOND] for e in eps]
        errors = (np.swapaxes(np.array(outputs), 1, 2) - TARGET) ** 2
    products = [nmu.forward([[w, w]], hidden)[:, 0] for w in GATE]
    curve = np.geomspace(1e-4, 1, 2000)
    return {
        "first": FIRST,
        "second": SECOND,
        "gate": GATE,
        "nac_mul": errors,
        "nmu": (np.array(products).T - TARGET) ** 2,
        "curve_first": curve,
        "curve_second": np.array([nac_mul_second_weight(curve, *SUMS, e) for e in eps]),
        "eps": np.array(eps),
    }


def _keys(figure: Figure, axes: np.ndarray) -> None:
    label = "loss, $(z - 13.2)^2$"
    bar = figure.colorbar(axes[0, 0].collections[0], ax=axes, label=label, extend="max", pad=0.01, shrink=0.85)
    ticks = [0, 100, 160, 170, ZERO, 180, 200, 300, 500]
    bar.set_ticks(ticks, labels=[f"{loss:.0f}" for loss in ticks])
    bar.minorticks_off()
    outlined = [Stroke(linewidth=5, foreground="black"), Normal()]
    solutions = Line2D([], [], marker="o", color="white", markeredgecolor="black", markersize=9, path_effects=outlined,
                       label="exact solutions")  # fmt: skip
    figure.legend(handles=[solutions, *axes[0, 2].get_legend_handles_labels()[0]], loc="outside lower center", ncols=2)


def _draw_nac_mul(axes: Axes, arrays: Arrays, index: int) -> None:
    _map(axes, arrays["first"], arrays["second"], arrays["nac_mul"][index])
    _solutions(axes, arrays["curve_first"], arrays["curve_second"][index])
    style.title(axes, "ab"[index], rf"NAC multiplication, $\epsilon$ = {arrays['eps'][index]:g}")


def _draw_nmu(axes: Axes, arrays: Arrays) -> None:
    _map(axes, arrays["first"], arrays["gate"], arrays["nmu"])
    _dots(axes, [-1, 1])
    axes.axhspan(-1, 0, facecolor="0.85", edgecolor="0.6", hatch="//", label="not allowed, $w_2 < 0$")
    style.title(axes, "c", "NMU")


def _to_colour(loss):
    """From -1 for a loss of 0 over 0 for that of an output of 0 to 1 for the largest."""
    far = np.arcsinh((np.asarray(loss) - ZERO) / STEEP)
    return np.where(far < 0, far / np.arcsinh(ZERO / STEEP), far / np.arcsinh((MOST - ZERO) / STEEP))


def _to_loss(colour):
    """Inverse of the colours."""
    side = np.where(np.asarray(colour) < 0, ZERO, MOST - ZERO)
    return ZERO + STEEP * np.sinh(np.asarray(colour) * np.arcsinh(side / STEEP))


def _map(axes: Axes, first, second, loss) -> None:
    axes.pcolormesh(
        first, second, np.minimum(loss, MOST).T, norm=FuncNorm((_to_colour, _to_loss), 0, MOST), cmap=style.DIVERGING,
        shading="nearest", rasterized=True,
    )  # fmt: skip
    axes.set(xlabel="weights of the first layer, $w_1$", ylabel="weights of the second layer, $w_2$")
    axes.set(xlim=(-1, 1), ylim=(-1, 1), aspect="equal")


def _dots(axes: Axes, at) -> None:
    axes.plot(at, np.ones(len(at)), "o", color="white", markeredgecolor="black", markersize=9, clip_on=False, zorder=5)


def _solutions(axes: Axes, first, second) -> None:
    inside = np.where(np.abs(second) <= 1, second, np.nan)
    for side in (-1, 1):
        axes.plot(side * first, inside, color="black", linewidth=5)
        axes.plot(side * first, inside, color="white", linewidth=2.5)
        if abs(second[-1] - 1) < 1e-3:  # at w_1 = 1
            _dots(axes, [side])


draw_panel = Panels(partial(_draw_nac_mul, index=0), partial(_draw_nac_mul, index=1), _draw_nmu)
draw = style.in_rows(draw_panel, 4.7, 1, 3, _keys, sharex=True, sharey=True)
