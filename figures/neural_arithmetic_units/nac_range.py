"""The range of a neural accumulator's parameters that gives its weights Glorot's variance, and where none does."""

import numpy as np
from matplotlib.axes import Axes

from figures import style
from figures.contract import Arrays, Panels, Run
from figures.settings import Setting
from theory import nac
from theory.formula import Interval
from theory.nac.ranges import weight_range_large, weight_range_small

CAPTION = """\
The range r of the two parameters that gives a NAC's weights Glorot's variance (a), and the variance that exact and
approximate ranges give (b), against the number of inputs and outputs. The paper has a formula and no such figure. For a
sum of 4 or less (grey) no range exists.
"""
DETAILS = """\
A weight of the neural accumulator is W = tanh(W_hat) sigmoid(M_hat) with both parameters from U[-r, r].

(a) The r for which Var[W] = 2/(fan_in + fan_out). Dots are some integers, the first at 5. For wide layers r is sqrt(12
Var[W]) to leading order. Towards a sum of 4 it grows without bound, like the dashed line. A sum of up to 4, such as two
inputs and two outputs, asks for a variance of at least 1/2, which no r attains.

(b) With the exact range the variance is Glorot's, wherever that range exists. The form for small r gives too little: 56
% of it is missing at a sum of 5 and 7 % at a sum of 100. The form for large r is within 3 % up to a sum of 8, and its r
never falls below 1.
"""
ALT = """\
Left: the exact range falls from above 300 at four inputs and outputs to 0.1 at 2000. It lies between an approximation
for small ranges that is too low and one for large ranges that is too high. Right: the variances that they give.
"""

LIMIT = 4
LEAST_SUM, MOST_SUM = 2, 2000
CLOSEST = 0.02
DOTS = (5, 6, 7, 8, 10, 12, 16, 20, 30, 50, 100, 200, 500, 1000)
PARAMETERS = {
    "w_hat, m_hat": "U[-r, r]",
    "variance": "2/(fan_in + fan_out)",
    "dots": list(DOTS),
    "lines": f"fan_in + fan_out from {LIMIT} + {CLOSEST:g} to {MOST_SUM}",
}
SETTINGS = {"highest": Setting("largest number of inputs and outputs", Interval(50, 20_000, integer=True))}
RECIPE = Run()

_LABEL = r"$H_{\mathrm{in}} + H_{\mathrm{out}}$"


def data(_: Run, *, highest: int = MOST_SUM) -> dict[str, np.ndarray]:
    """The range, its leading orders, and the variances they give.

    Returns
    -------
    dict of str to array
        ``total`` (600), fan_in + fan_out as a real number above 4; there ``exact``, ``small`` and ``large``, the range
        and its leading orders, and ``exact_variance``, ``small_variance`` and ``large_variance``, what the weights get.
        ``fan_total`` (n), integers from 5 on, with ``fan_range`` and ``fan_variance``.
    """
    total = LIMIT + np.geomspace(CLOSEST, highest - LIMIT, 600)
    ranges = {
        "exact": nac.weight_range_for_variance(2 / total),
        "small": weight_range_small(2 / total),
        "large": weight_range_large(2 / total),
    }
    fan_total = np.array([total for total in DOTS if total <= highest])
    # Only the sum matters.
    fan_range = nac.weight_range(fan_total // 2, fan_total - fan_total // 2)
    return {
        "total": total,
        **ranges,
        **{f"{key}_variance": nac.weight_variance(values) for key, values in ranges.items()},
        "fan_total": fan_total,
        "fan_range": fan_range,
        "fan_variance": nac.weight_variance(fan_range),
    }


def _by_inputs(axes: Axes, arrays: Arrays) -> None:
    """The axis that both panels have, and the numbers of inputs and outputs without a range."""
    highest = round(float(arrays["total"][-1]))
    ticks = [2, 4, 10, 20, 50, 100, 200, 500, 1000, 2000] if highest <= MOST_SUM else [4, 10, 100, 1000, 10_000]
    ticks = [tick for tick in ticks if tick <= highest]
    axes.axvspan(LEAST_SUM, LIMIT, color="0.9", linewidth=0, zorder=0)
    axes.axvline(LIMIT, color="0.4", linewidth=1, zorder=1)
    axes.set_xlim(LEAST_SUM, highest)
    axes.set_xticks(ticks, [f"{tick}" for tick in ticks])
    axes.minorticks_off()
    axes.set_xlabel(rf"number of inputs and outputs, {_LABEL}")


def _curves(axes: Axes, arrays: Arrays, suffix: str) -> None:
    small = r"small $r$: $r = \sqrt{12\, \mathrm{Var}[W]}$"
    large = r"large $r$: $r = (1 + \sqrt{2\, \mathrm{Var}[W]}) / (1 - 2\, \mathrm{Var}[W])$"
    for key, color, line, label in (
        ("exact", style.LINES[0], "-", "exact $r$; dots: some integers"),
        ("small", style.LINES[2], "-.", small),
        ("large", style.LINES[1], "--", large),
    ):
        axes.plot(arrays["total"], arrays[key + suffix], line, color=color, linewidth=2, label=label)


def _draw_range(axes: Axes, arrays: Arrays) -> None:
    axes.set(xscale="log", yscale="log")
    _curves(axes, arrays, "")
    axes.plot(arrays["fan_total"], arrays["fan_range"], "o", color=style.LINES[0], markersize=5.5)
    axes.text(2.83, 1, "no range", rotation=90, ha="center", va="center")
    axes.annotate(
        f"5: $r = {arrays['fan_range'][0]:.2f}$", (arrays["fan_total"][0], arrays["fan_range"][0]), (10, 4),
        textcoords="offset points",
    )  # fmt: skip
    axes.set_ylim(min(0.1, arrays["small"][-1]), 500)
    axes.set_yticks([0.1, 0.3, 1, 3, 10, 30, 100, 300], ["0.1", "0.3", "1", "3", "10", "30", "100", "300"])
    axes.set_ylabel(r"half width of the parameters, $r$")
    axes.legend(loc="upper right")
    _by_inputs(axes, arrays)
    style.title(axes, "a", "Range that gives Glorot's variance", f"grey: {_LABEL} up to {LIMIT}")


def _draw_variance(axes: Axes, arrays: Arrays) -> None:
    axes.set(xscale="log", yscale="log")
    wanted = np.array([LEAST_SUM, LIMIT])
    axes.plot(wanted, 2 / wanted, ":", color="0.2", linewidth=2, label=f"2 / ({_LABEL}), not attained")
    _curves(axes, arrays, "_variance")
    axes.plot(arrays["fan_total"], arrays["fan_variance"], "o", color=style.LINES[0], markersize=5.5)
    axes.axhline(0.5, color="0.4", linewidth=1, zorder=1)
    axes.annotate(
        r"limit $r \to \infty$: 1/2", (arrays["total"][-1], 0.5), (-6, 5), textcoords="offset points", ha="right"
    )
    axes.set(ylim=(min(8e-4, arrays["exact_variance"][-1]), 1.2), yticks=[0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 0.5, 1])
    axes.set_yticklabels(["0.001", "0.003", "0.01", "0.03", "0.1", "0.3", "0.5", "1"])
    axes.set_ylabel(r"variance of the weights, $\mathrm{Var}[W]$")
    axes.legend(handles=axes.lines[:1], loc="lower left", bbox_to_anchor=(0.18, 0))
    _by_inputs(axes, arrays)
    style.title(axes, "b", "Variance of the weights", "what each of the three ranges in (a) gives")


draw_panel = Panels(_draw_range, _draw_variance)
draw = style.in_rows(draw_panel, height=6.2, rows=1, columns=2)
