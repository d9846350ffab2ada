"""Which initial weights an NMU would need to keep variances, where weights on [0, 1] can, and what the default does."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from figures import style
from figures.contract import Arrays, Panels, Run
from figures.settings import Setting
from theory.formula import Interval
from theory.nmu import criteria as nmu_initialisation, feasibility as nmu_feasibility

CAPTION = """\
The weight variance with which an NMU layer keeps the variance of its inputs (a) or of its gradient (b), and the gain of
one layer for two initialisations (c). Hatched: no weight on [0, 1] with mean 1/2 has such a variance. With the
authors' default (blue) signals and gradients vanish in wide layers; the paper proposes Var W = 1/4 (orange).
"""
DETAILS = """\
The paper gives the two criteria as formulas and has no such figure. Weights lie on [0, 1] and have mean 1/2, so that
their variance is at most 1/4.

(a) Forward criterion. V_- and V_+ are the input variances at which it asks for Var W = 1/4, V_0 that at which it asks
for 0. Between V_- and V_+ it asks for more than 1/4, above V_0 for less than 0. V_- falls like 2^-H, V_0 tends to 3,
and V_+ tends to 1 but stays above it. Unit variance is therefore infeasible for every number of inputs.

(b) Backward criterion at Var z = 1: feasible for at least 2 and at most 2^(H_in + 1) outputs.

(c) The factor by which one layer multiplies the variance of its inputs (solid) and of the gradient (dashed, as many
outputs as inputs) at Var z = 1. U[1/4, 3/4], the default of the authors' code, has variance 1/48. Its factors are
(13/24)^H - 4^-H and H/2 (13/24)^H, and both vanish. With 1/4, the largest variance, which the paper proposes, a weight
is 0 or 1. Then the forward factor is 1 - 4^-H, while the backward one is H/2 and grows.
"""
ALT = """\
Two maps of the weight variance that keeps the variance of signals, large parts of them hatched because no such weight
exists. Below, gains of one layer: with the default of the authors' code they fall to 5e-14 and 1e-12 at 50 inputs.
With Var W = 1/4 that of the inputs stays near 1, and that of the gradient rises to 25.
"""

MOST_INPUTS, MOST_OUTPUTS = 20, 4096
LEAST_INPUT_VARIANCE, MOST_INPUT_VARIANCE = 5e-7, 30.0
GAIN_INPUTS = 50
DEFAULT, LARGEST = 1 / 48, 1 / 4
PARAMETERS = {
    "law": "weights on [0, 1] with mean 1/2, inputs of mean zero",
    "fan_in": f"1 ... {MOST_INPUTS} in the maps, 1 ... {GAIN_INPUTS} for the gains",
    "fan_out": f"1 ... {MOST_OUTPUTS} in the map, fan_in for the gains",
    "input_variance": f"{LEAST_INPUT_VARIANCE:g} ... {MOST_INPUT_VARIANCE:g} forward, 1 elsewhere",
    "gain_weight_variance": {"U[1/4, 3/4]": "1/48", "0 or 1": "1/4"},
}
SETTINGS = {
    "weight_variance": Setting("of the weights in (c), beside the largest", Interval(0, LARGEST)),
    "gain_inputs": Setting("most inputs in (c)", Interval(10, 200, integer=True)),
}
RECIPE = Run()

# Infeasible because the variance would be above 1/4, and because it would be negative.
_ABOVE = {"facecolor": "0.93", "edgecolor": "0.6", "hatch": "///", "linewidth": 0, "fill": True, "zorder": 2}
_BELOW = {**_ABOVE, "facecolor": "0.84", "edgecolor": "0.5", "hatch": "\\\\\\"}


def data(_: Run, *, weight_variance: float = DEFAULT, gain_inputs: int = GAIN_INPUTS) -> dict[str, np.ndarray]:
    """Both criteria on a grid, their limits, and the gains of two laws.

    Returns
    -------
    dict of str to array
        ``fan_in`` (20), ``input_variance`` (400), ``fan_out`` (n, integers, all of them up to 30); the weight variances
        ``forward`` (400, 20) and ``backward`` (n, 20) with ``forward_feasible`` and ``backward_feasible``;
        ``forward_limits`` (3, 20), V_-, V_+ and V_0, infinite where there is none; ``backward_limits`` (2, 20), least
        and most outputs; ``gain_fan_in`` (n), ``gain_weight_variance`` (2), ``forward_gain`` and ``backward_gain``
        (2, n).
    """
    fan_in = np.arange(1, MOST_INPUTS + 1)
    input_variance = np.geomspace(LEAST_INPUT_VARIANCE, MOST_INPUT_VARIANCE, 400)
    spaced = np.geomspace(30, MOST_OUTPUTS, 200).round().astype(int)
    fan_out = np.unique(np.concatenate([np.arange(1, 31), spaced]))
    variance, outputs = input_variance[:, None], fan_out[:, None]
    gain_fan_in, variances = np.arange(1, gain_inputs + 1), np.array([weight_variance, LARGEST])
    law = variances[:, None]
    # At Var z = 1 the limits are the integers 2 and 2^(H + 1), but for rounding.
    limits = [nmu_feasibility.backward_least_fan_out, nmu_feasibility.backward_most_fan_out]
    least, most = np.array([limit(fan_in, 1.0).round() for limit in limits])
    return {
        "fan_in": fan_in,
        "input_variance": input_variance,
        "fan_out": fan_out,
        "forward": nmu_initialisation.forward_weight_variance(fan_in, variance),
        "forward_feasible": nmu_feasibility.forward_feasible(fan_in, variance),
        "forward_limits": np.array([nmu_feasibility.forward_input_variances(int(h)) for h in fan_in]).T,
        "backward": nmu_initialisation.unit_backward_weight_variance(fan_in, outputs),
        "backward_feasible": (least <= outputs) & (outputs <= most),
        "backward_limits": np.array([least, most]),
        "gain_fan_in": gain_fan_in,
        "gain_weight_variance": variances,
        "forward_gain": nmu_initialisation.forward_gain(law, 1.0, gain_fan_in),
        "backward_gain": nmu_initialisation.backward_gain(law, 1.0, gain_fan_in, gain_fan_in),
    }


def _keys(figure: Figure, axes: dict[str, Axes]) -> None:
    bar = figure.colorbar(axes["a"].collections[0], ax=axes["b"], ticks=[0, 0.05, 0.1, 0.15, 0.2, 0.25])
    bar.set_label(r"weight variance asked for, $\mathrm{Var}[W]$ (both maps)")


def _map(axes: Axes, arrays: Arrays, y_edges: np.ndarray, key: str) -> None:
    values = np.ma.masked_where(~arrays[f"{key}_feasible"], arrays[key])
    axes.set(yscale="log", xlim=(0.5, MOST_INPUTS + 0.5), xticks=[1, 5, 10, 15, 20])
    axes.set_xlabel(r"number of inputs, $H_{\mathrm{in}}$")
    axes.pcolormesh(
        _edges(arrays["fan_in"]), y_edges, values, cmap=style.SEQUENTIAL, norm=Normalize(0, 0.25), rasterized=True
    )


def _edges(centres: np.ndarray) -> np.ndarray:
    """Half way between neighbours, and as far outside at the ends."""
    inner = (centres[1:] + centres[:-1]) / 2
    return np.concatenate([[2 * centres[0] - inner[0]], inner, [2 * centres[-1] - inner[-1]]])


def _label(axes: Axes, text: str, x: float, y: float) -> None:
    box = {"boxstyle": "round,pad=0.2", "facecolor": "white", "edgecolor": "none"}
    axes.text(x, y, text, bbox=box, ha="center", va="center", zorder=4)


def _draw_forward(axes: Axes, arrays: Arrays) -> None:
    variance, x_edges = arrays["input_variance"], _edges(arrays["fan_in"])
    _map(axes, arrays, np.exp(_edges(np.log(variance))), "forward")
    bottom, top = variance[0], variance[-1]
    lower, upper, zero = (np.minimum(limit, top) for limit in arrays["forward_limits"])
    axes.stairs(upper, x_edges, baseline=np.maximum(lower, bottom), **_ABOVE)
    axes.stairs(np.full(zero.shape, top), x_edges, baseline=zero, **_BELOW)
    for limit, color in zip((lower, upper, zero), (style.LINES[1], style.LINES[6], style.LINES[3]), strict=True):
        axes.stairs(np.where(limit < top, limit, np.nan), x_edges, baseline=None, color=color, linewidth=2, zorder=3)
    axes.set(ylim=(bottom, top), ylabel=r"variance of the inputs, $\mathrm{Var}[z]$")
    _label(axes, r"$V_-$: $\mathrm{Var}[W] = 1/4$", 5, 1e-4)
    _label(axes, r"$V_+$: $\mathrm{Var}[W] = 1/4$", 15, 0.45)
    _label(axes, r"$V_0$: $\mathrm{Var}[W] = 0$", 15.5, 6)
    _label(axes, r"$\mathrm{Var}[W] > 1/4$", 14, 0.02)
    _label(axes, r"$\mathrm{Var}[W] < 0$", 10, 13)
    style.title(axes, "a", "Forward criterion", "hatched: no weight on [0, 1] with mean 1/2 has this variance")


def _draw_backward(axes: Axes, arrays: Arrays) -> None:
    outputs, x_edges = arrays["fan_out"], _edges(arrays["fan_in"])
    _map(axes, arrays, _edges(outputs), "backward")
    bottom, top = 0.7, float(outputs[-1])
    least, most = arrays["backward_limits"]
    # Between the integers that are feasible and those that are not.
    least, most = least - 0.5, np.minimum(most + 0.5, top)
    axes.stairs(least, x_edges, baseline=bottom, **_ABOVE)
    axes.stairs(np.full(most.shape, top), x_edges, baseline=most, **_BELOW)
    axes.stairs(least, x_edges, baseline=None, color=style.LINES[1], linewidth=2, zorder=3)
    seen = np.where(most < top, most, np.nan)
    axes.stairs(seen, x_edges, baseline=None, color=style.LINES[3], linewidth=2, zorder=3)
    axes.set_ylim(bottom, top)
    axes.set_yscale("log", base=2)
    axes.set_yticks([1, 4, 16, 64, 256, 1024, 4096], ["1", "4", "16", "64", "256", "1024", "4096"])
    axes.set_ylabel(r"number of outputs, $H_{\mathrm{out}}$")
    _label(axes, r"$\mathrm{Var}[W] < 0$", 4.2, 700)
    _label(axes, r"$2^{H_{\mathrm{in}} + 1}$", 9.6, 240)
    _label(axes, r"$\mathrm{Var}[W] > 1/4$", 14, 1.03)
    style.title(
        axes, "b", "Backward criterion", r"$\mathrm{Var}[z] = 1$; feasible for 2 to $2^{H_{\mathrm{in}} + 1}$ outputs"
    )


def _draw_gains(axes: Axes, arrays: Arrays) -> None:
    fans = arrays["gain_fan_in"]
    axes.axhline(1, color="0.6", linewidth=0.8, zorder=0)
    for key, dashes in (("forward_gain", "-"), ("backward_gain", "--")):
        for values, color in zip(arrays[key], style.LINES, strict=False):
            axes.plot(fans, values, dashes, color=color, linewidth=2, marker="o", markersize=3)
    axes.set_yscale("log")
    least = min(1e-14, 0.5 * np.min(arrays["forward_gain"]))
    axes.set(xlim=(0.5, fans[-1] + 0.5), ylim=(least, 300), ylabel="variance is multiplied by")
    axes.set_xlabel(r"number of inputs, $H_{\mathrm{in}}$")
    step = 10 if fans[-1] <= 100 else 20
    axes.set_xticks([1, *range(step, fans[-1] + 1, step)])
    axes.set_yticks([y for y in 10.0 ** np.arange(-120, 1, 3 if least > 1e-30 else 12) if y > least])
    variance = arrays["gain_weight_variance"][0]
    default = r"authors' code, $U[1/4, 3/4]$, $\mathrm{Var}[W] = 1/48$"
    handles = [
        Patch(color=style.LINES[0], label=default if variance == DEFAULT else rf"$\mathrm{{Var}}[W] = {variance:g}$"),
        Patch(color=style.LINES[1], label=r"proposed by the paper, $\mathrm{Var}[W] = 1/4$"),
        Line2D([], [], color="0.3", linewidth=2, label="forward, of the inputs"),
        Line2D([], [], color="0.3", linewidth=2, linestyle="--",
               label=r"backward, of the gradient, $H_{\mathrm{out}} = H_{\mathrm{in}}$"),
    ]  # fmt: skip
    axes.legend(handles=handles, loc="lower left", handlelength=2.6)
    style.title(axes, "c", "Gain of one layer", r"$\mathrm{Var}[z] = 1$; grey: the variance is kept")


draw_panel = Panels(_draw_forward, _draw_backward, _draw_gains)
draw = style.in_mosaic(draw_panel, 10.4, "ab;cc", _keys, height_ratios=[1.35, 1])
