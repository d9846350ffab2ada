"""Learning rate schedulers as published beside what their names mean elsewhere, and momentum when the rate drops."""

from functools import partial

import numpy as np
from matplotlib.axes import Axes

from figures import style
from figures.contract import Arrays, Panels, Run
from figures.settings import Setting
from theory.formula import Interval
from theory.momentum import deviation

CAPTION = """\
Learning rates as the paper's schedulers define them (blue) and as usual (orange, dashed), divided by the first rate,
against steps (a to c). Panel (d) shows two forms of momentum when the rate drops. Two published schedulers lower the
rate much more than the usual ones. The paper shows no such figure.
"""
DETAILS = """\
(a) Time-based. The published recursion divides the rate, which has fallen already, by 1 + d i. Dashed: 1/(1 + d i).

(b) Step-based. The published rate drops at r - 1, 2r - 1, ...; the dashed one at r, 2r, ...

(c) Multi-step with milestones 30 and 80. The published exponent grows at every multiple of a milestone, the dashed one
once at each milestone.

(d) Momentum as published (and in Keras) on a quadratic loss of curvature 1, and as in PyTorch, where the rate
multiplies the whole sum. Both have the same path while the rate is constant (theory.momentum, dots). They differ after
it drops to a tenth.
"""
ALT = """\
Published schedulers (blue) against the usual ones (orange). The time-based rate collapses to 1e-12 within 85 steps. The
step-based one drops a step early, the multi-step one keeps dropping, and momentum bounces higher after a drop of the
rate.
"""
DECAY, PERIOD, MILESTONES, RATE, MOMENTUM = 0.01, 30, (30, 80), 0.02, 0.9
CHANGE, DROP, STEPS = 0.5, 40, 240
PARAMETERS = {
    "d": DECAY, "r": PERIOD, "change rate": CHANGE, "milestones": list(MILESTONES), "Gamma": CHANGE,
    "momentum": MOMENTUM, "rate": RATE, "drop at": DROP, "steps": STEPS,
}  # fmt: skip
SETTINGS = {
    "d": Setting("decay of the time-based rate, for each step", Interval(0, 1)),
    "r": Setting("steps between drops of the step-based rate", Interval(1, 240, integer=True)),
    "milestones": Setting("steps at which the multi-step rate drops", Interval(1, 240, integer=True), 2, 2),
    "rate": Setting("learning rate of (d)", Interval(0, 1, open_low=True)),
    "momentum": Setting("of (d)", Interval(0, 0.999)),
}
RECIPE = Run()


def data(
    _: Run,
    *,
    d: float = DECAY,
    r: int = PERIOD,
    milestones: tuple[int, ...] = MILESTONES,
    rate: float = RATE,
    momentum: float = MOMENTUM,
) -> dict[str, np.ndarray]:
    """Rates and paths.

    Returns
    -------
    dict of str to array
        ``i`` (240), the steps; ``time``, ``step``, ``multi`` (2, 240), as published and as their names mean elsewhere;
        ``path`` (2, 241), the deviations of published momentum and of PyTorch's; ``constant`` (41), those of a
        constant rate; the settings.
    """
    i, (first, second) = np.arange(STEPS), milestones
    return {
        "i": i,
        "time": np.array([np.cumprod(1 / (1 + d * np.maximum(i - 1, 0))), 1 / (1 + d * i)]),
        "step": CHANGE ** np.array([(1 + i) // r, i // r]),
        "multi": CHANGE ** np.array([i // first + i // second, 1 * (i >= first) + (i >= second)]),
        "path": np.array([_path(of_sum, rate, momentum) for of_sum in (False, True)]),
        "constant": deviation(rate, momentum, np.arange(DROP + 1), convention="heavy-ball"),
        "d": np.array(d),
        "r": np.array(r),
        "milestones": np.array(milestones),
        "momentum": np.array(momentum),
    }


def _path(of_sum: bool, first: float, momentum: float) -> np.ndarray:
    """Deviations from 1; the rate multiplies each gradient, or the sum of them."""
    velocity, found = 0.0, [1.0]
    for step in range(STEPS):
        rate = first * (1.0 if step < DROP else 0.1)
        velocity = momentum * velocity - found[-1] * (1.0 if of_sum else rate)
        found.append(found[-1] + velocity * (rate if of_sum else 1.0))
    return np.array(found)


def _draw_rates(axes: Axes, arrays: Arrays, key: str, other: str) -> None:
    for i, (line, label) in enumerate((("-", "as published"), ("--", other))):
        where = "default" if key == "time" else "steps-post"
        axes.plot(arrays["i"], arrays[key][i], line, color=style.LINES[i], drawstyle=where, label=label, linewidth=1.8)
    axes.set(yscale="log", xlabel="step, i", ylabel=r"learning rate, $\eta_i / \eta_0$")
    if key == "time":
        axes.set_ylim(1e-12, 2)
    axes.legend(loc="lower left")
    first, second = arrays["milestones"]
    titles = {
        "time": ("a", f"Time-based, d = {arrays['d']:g}"),
        "step": ("b", f"Step-based, r = {arrays['r']}"),
        "multi": ("c", f"Multi-step, {first} and {second}"),
    }
    style.title(axes, *titles[key])


def _draw_path(axes: Axes, arrays: Arrays) -> None:
    for i, label in enumerate(("as published, Keras", "PyTorch")):
        axes.plot(arrays["path"][i], color=style.LINES[i], linewidth=1.8, label=label)
    steps = np.arange(len(arrays["constant"]))[::4]
    axes.plot(steps, arrays["constant"][::4], "o", color="black", markersize=4, label="theory.momentum, constant rate")
    axes.axvline(DROP, color="grey", linewidth=0.8, linestyle=":")
    axes.axhline(0, color="grey", linewidth=0.8)
    axes.set(xlabel="step", ylabel="deviation from the minimum")
    axes.legend(loc="upper right")
    style.title(axes, "d", f"Momentum {arrays['momentum']:g} when the rate drops", "to a tenth, at the dotted line")


draw_panel = Panels(
    partial(_draw_rates, key="time", other="1/(1 + d i)"),
    partial(_draw_rates, key="step", other="PyTorch's StepLR"),
    partial(_draw_rates, key="multi", other="once at each milestone"),
    _draw_path,
)
draw = style.in_rows(draw_panel, height=8.6, rows=2, columns=2)
