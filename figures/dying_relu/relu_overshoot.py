"""Where momentum carries a single ReLU from the linear cone through its optimum into the dead cone."""

from functools import partial

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from figures import style
from figures.contract import Arrays, Panels, Run
from figures.dying_relu.relu_maps import draw_fates, patches
from figures.settings import Setting
from montecarlo.descent.relu_unit import Method, descend
from theory import momentum
from theory.formula import Interval
from theory.relu_unit import critical_scale

CAPTION = """\
Which ReLU units momentum carries from the linear cone into the dead cone, by momentum and target scale (a, b) or step
size (c). This quantifies a hypothesis of the paper, which has no such figure. Grey and black units are in the dead
cone; the orange line is a closed form for the border. Panel (d) shows where momentum oscillates.
"""
DETAILS = """\
(a) The unit starts in the linear cone, at w_L = 0.5 and b = 2, with step size 0.1 and momentum as an average, on the
linear target. The orange line is gamma_crit = o/(1 + o) (w_L + b/3.09), o being the overshoot of the affine model.
Below it the affine path enters the dead cone. Units below it die. So do some just above, which are less active on their
way and go further.

(b) The same on the ReLU target. (c) By step size, at gamma = 0.1.

(d) Eigenvalues of a step at the optimum of the ReLU, where the curvatures are 0.101, 0.5 and 0.899. Above a curve the
mode oscillates. The affine model, of curvature 1, oscillates from a smaller momentum on (dashed).
"""
ALT = """\
Three maps of fates in blue, grey and black. The boundary of the blue converging region follows the orange closed form
closely, by target scale and by step size. A fourth panel shows four falling curves above which modes oscillate.
"""

WEIGHT, BIAS, STEP_SIZE, STEPS, SCALE = 0.5, 2.0, 0.1, 20_000, 0.1
CURVATURES = (0.8989422804014327, 0.5, 0.10105771959856733)
PARAMETERS = {
    "start": {"w": WEIGHT, "b": BIAS, "momentum": 0.0},
    "step_size": STEP_SIZE,
    "steps": STEPS,
    "gamma_of_c": SCALE,
    "curvatures": list(CURVATURES),
    "dead": "probability of a positive output below 0.001",
}
SETTINGS = {
    "weight": Setting("w_L at the start", Interval(0.01, 10)),
    "bias": Setting("b at the start, at least 3.1 times w_L", Interval(0.01, 100)),
    "step_size": Setting("of gradient descent, in (a) and (b)", Interval(0.001, 0.99)),
    "gamma": Setting("target scale of (c)", Interval(0.001, 1)),
}
RECIPE = Run()
SECONDS = 2


def data(
    run: Run, *, weight: float = WEIGHT, bias: float = BIAS, step_size: float = STEP_SIZE, gamma: float = SCALE
) -> dict[str, np.ndarray]:
    """Fates over target scale, momentum and step size, with their closed forms.

    Returns
    -------
    dict of str to array
        ``beta`` (90), ``gamma`` (120), ``outcome`` (2, 90, 120) by target, beta and gamma; ``critical`` (90);
        ``eta`` (100), ``outcome_eta`` (90, 100), ``critical_eta`` (90, 100); ``line_eta`` (200), ``threshold``
        (4, 200), that of the affine model last. ``start`` (2), ``step_size`` and ``gamma_of_c``, the settings.
    """
    start, beta = (weight, bias), np.linspace(0.6, 0.99, 90)
    critical = critical_scale([weight], bias, step_size, beta)  # Says at once where a start is not in the linear cone.
    scales = np.geomspace(0.003, 1.0, 120)
    outcome = np.empty((2, beta.size, scales.size), dtype=np.int8)
    for k, target in enumerate(("linear", "relu")):
        for i, value in enumerate(beta):
            outcome[k, i] = _descend(start, scales, Method(step_size, value), run, target)
        run.done(k + 1, 3)
    eta = np.geomspace(0.01, 0.9, 100)
    by_step = np.empty((beta.size, eta.size), dtype=np.int8)
    for i, value in enumerate(beta):
        for j, step in enumerate(eta):
            by_step[i, j] = _descend(start, gamma, Method(step, value), run)
    run.done(3, 3)
    line = np.geomspace(0.003, 1, 200)
    return {
        "beta": beta,
        "gamma": scales,
        "outcome": outcome,
        "critical": critical,
        "eta": eta,
        "outcome_eta": by_step,
        "critical_eta": critical_scale([weight], bias, eta, beta[:, None]),
        "start": np.array(start),
        "step_size": np.array(step_size),
        "gamma_of_c": np.array(gamma),
        "line_eta": line,
        "threshold": np.array([momentum.oscillation_threshold(line, curvature=mu) for mu in (*CURVATURES, 1.0)]),
    }


def _descend(
    start: tuple[float, float], gamma: np.ndarray | float, method: Method, run: Run, target: str = "linear"
) -> np.ndarray:
    return descend(*start, gamma, method, target=target, steps=STEPS, executor=run.executor).outcome


def _draw_by_scale(axes: Axes, arrays: Arrays, k: int) -> None:
    gamma, beta, (weight, bias) = arrays["gamma"], arrays["beta"], arrays["start"]
    draw_fates(axes, gamma, beta, arrays["outcome"][k])
    axes.plot(arrays["critical"], beta, color=style.LINES[1], linewidth=2.5)
    axes.set(xscale="log", xlim=gamma[[0, -1]], ylim=beta[[0, -1]])
    axes.set(xlabel=r"target scale $\gamma$", ylabel=r"momentum $\beta$")
    note = f"from w = {weight:g}, b = {bias:g}, step size {arrays['step_size']:g}"
    style.title(axes, "ab"[k], ("Linear target", "ReLU target")[k], note)


def _draw_by_step_size(axes: Axes, arrays: Arrays) -> None:
    eta, beta, scale = arrays["eta"], arrays["beta"], arrays["gamma_of_c"]
    draw_fates(axes, eta, beta, arrays["outcome_eta"])
    axes.contour(eta, beta, arrays["critical_eta"] - scale, levels=[0], colors=style.LINES[1], linewidths=2.5)
    axes.set(xscale="log", xlabel=r"step size $\eta$", ylabel=r"momentum $\beta$")
    style.title(axes, "c", "By step size", rf"from the same initial values, $\gamma$ = {scale:g}, linear target")


def _draw_oscillation(axes: Axes, arrays: Arrays) -> None:
    for i, mu in enumerate(CURVATURES):
        axes.plot(arrays["line_eta"], arrays["threshold"][i], color=style.LINES[i], label=f"ReLU, curvature {mu:.3f}")
    axes.plot(arrays["line_eta"], arrays["threshold"][3], "--", color="black", label="affine model, curvature 1")
    axes.set(xscale="log", xlabel=r"step size $\eta$", ylabel=r"momentum $\beta$", ylim=(0, 1), xlim=(0.003, 1))
    axes.legend(loc="lower left")
    style.title(axes, "d", "Oscillation at the optimum", "above a curve this mode oscillates")


def _keys(figure: Figure, _: np.ndarray) -> None:
    line = Line2D([], [], color=style.LINES[1], linewidth=2.5, label="closed form")
    figure.legend(handles=[*patches(), line], loc="outside lower center", ncols=5)


draw_panel = Panels(partial(_draw_by_scale, k=0), partial(_draw_by_scale, k=1), _draw_by_step_size, _draw_oscillation)
draw = style.in_rows(draw_panel, 10.6, 2, 2, _keys)
