"""Mean and variance of the two multiplication units against their number of inputs."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from figures import style
from figures.contract import Arrays, Panels, Run
from figures.settings import Setting
from montecarlo import Job, mean, measure, variance
from montecarlo.kernels.nac_mul.outputs import unit as nac_mul_unit
from montecarlo.kernels.nmu.outputs import unit as nmu_unit
from theory import nac_mul, nmu
from theory.formula import Interval
from theory.initialisation import Uniform

CAPTION = """\
Mean (left) and variance (right) of the output of two multiplication units against their number of inputs H. Solid lines
are exact, dashed lines the paper's formulas, dots a simulation with three standard errors. The paper's forms for NAC
multiplication are too small; those for the NMU are exact if inputs have mean 0.
"""
DETAILS = """\
Inputs are independent. The paper has the formulas and no such figure. Panels (c), (d), (g) and (h) show everything
relative to the exact line.

(a) to (d) The NAC multiplication unit with W ~ U[-1/2, 1/2], z ~ U[1, 2] and eps = 1e-8. The second-order Taylor forms
are too small at every H, although the inputs stay away from zero. The mean is too small by 0.1 % at H = 1 and 3 % at H
= 30, the variance by 15 % and 23 %. Most of the error of the variance is there for a single input.

(e) to (h) The NMU with W ~ U[1/4, 3/4]. For centred inputs, z ~ U[-1/2, 1/2], the paper's mean (1/2)^H and its variance
are exact, although the paper introduces them as approximations. They do not apply to inputs with another mean, z ~ U[1,
2]. There mean and variance grow with H instead of vanishing.
"""
ALT = """\
Eight panels against the number of inputs. For NAC multiplication the dashed Taylor forms lie below the exact mean and
variance, by up to 3 % and 23 %. For the NMU they coincide for centred inputs, which vanish, while inputs on [1, 2]
grow.
"""

CLAIMS = {"nac_mul": "nau/eq10.mean", "nmu": "nau/eq55"}
LINE_FAN_IN = np.arange(1, 31)
FAN_IN = np.array([1, 2, 3, 5, 8, 10])
R_W, LOW, HIGH, EPS = 0.5, 1.0, 2.0, 1e-8
MEAN_W, HALF_W = 0.5, 0.25
# Means of the inputs of the NMU: U[-1/2, 1/2] and U[1, 2].
MEANS_Z, HALF_Z = (0.0, 1.5), 0.5
PARAMETERS = {
    "claims": CLAIMS,
    "fan_in": "1 ... 30",
    "sampled_fan_in": FAN_IN.tolist(),
    "nac_mul": {"eps": EPS, "w": "U[-1/2, 1/2]", "z": "U[1, 2]"},
    "nmu": {"w": "U[1/4, 3/4]", "z": ["U[-1/2, 1/2]", "U[1, 2]"]},
}
SETTINGS = {
    "r_w": Setting("half width of the weights of the NAC multiplication unit", Interval(0, 0.9, open_low=True)),
    "low": Setting("lower end of its inputs", Interval(0, 100)),
    "high": Setting("upper end of its inputs, above the lower one", Interval(0, 100, open_low=True)),
    "eps": Setting("added to every input", Interval(0, 1, open_low=True)),
    "half_w": Setting("half width of the weights of the NMU about 1/2", Interval(0, 0.5, open_low=True)),
}
RECIPE = Run(samples=1_000_000, seed=20190)

_ERRORS = 3


def data(
    run: Run, *, r_w: float = R_W, low: float = LOW, high: float = HIGH, eps: float = EPS, half_w: float = HALF_W
) -> dict[str, np.ndarray]:
    """Exact, the paper's and measured moments of both units.

    Samples are observations per dot, at least 4.

    Returns
    -------
    dict of str to array
        ``fan_in`` (30) and ``sampled_fan_in`` (6). For the NAC multiplication unit ``nac_mul_mean``,
        ``nac_mul_variance`` (30), for the NMU ``nmu_mean``, ``nmu_variance`` (2, 30) by ``mean_z`` (2); the paper's
        forms under the same names with ``_paper``, those of the NMU (30) for centred inputs only. With ``_sampled``
        and ``_se`` the measured values and their standard errors, (6) and (2, 6), and with ``_at_sampled`` the exact
        values there. Besides ``samples``.
    """
    samples = run.at_least(4)
    unit = {"w": Uniform(-r_w, r_w), "z": Uniform(low, high), "eps": eps}
    arrays = {
        "samples": np.array(samples),
        "fan_in": LINE_FAN_IN,
        "sampled_fan_in": FAN_IN,
        "mean_z": np.array(MEANS_Z),
        **_exact(unit, half_w, LINE_FAN_IN),  # Refuses settings before anything is sampled.
        **{f"{key}_at_sampled": values for key, values in _exact(unit, half_w, FAN_IN).items()},
        **{f"{key}_paper": values for key, values in _as_in_the_paper(unit, half_w).items()},
    }
    half = {"mean_w": MEAN_W, "half_w": half_w, "half_z": HALF_Z}
    points = {
        "nac_mul": [{"r_w": r_w, "a": low, "b": high, "eps": eps, "fan_in": int(h)} for h in FAN_IN],
        "nmu": [{**half, "mean_z": m, "fan_in": int(h)} for m in MEANS_Z for h in FAN_IN],
    }
    # The mean and the variance at a point share their stream.
    jobs = {
        f"{name}_{statistic.__name__}": [
            Job(statistic(kernel), point, CLAIMS[name], index, run.seed, (samples,))
            for index, point in enumerate(points[name])
        ]
        for name, kernel in (("nac_mul", nac_mul_unit), ("nmu", nmu_unit))
        for statistic in (mean, variance)
    }
    measured = iter(measure([job for group in jobs.values() for job in group], **run.resources))
    for key, group in jobs.items():
        estimates = [next(measured).estimate() for _ in group]
        shape = arrays[f"{key}_at_sampled"].shape
        arrays[f"{key}_sampled"] = np.array([e.value for e in estimates]).reshape(shape)
        arrays[f"{key}_se"] = np.array([e.se for e in estimates]).reshape(shape)
    return arrays


def _exact(unit: Mapping[str, Any], half_w: float, fan_in: np.ndarray) -> dict[str, np.ndarray]:
    mean_z = np.array(MEANS_Z)[:, np.newaxis]
    return {
        "nac_mul_mean": nac_mul.exact_mean(**unit, fan_in=fan_in),
        "nac_mul_variance": nac_mul.exact_variance(**unit, fan_in=fan_in),
        "nmu_mean": nmu.mean(MEAN_W, mean_z, fan_in),
        "nmu_variance": nmu.variance(MEAN_W, half_w**2 / 3, mean_z, HALF_Z**2 / 3, fan_in),
    }


def _as_in_the_paper(unit: Mapping[str, Any], half_w: float) -> dict[str, np.ndarray]:
    return {
        "nac_mul_mean": nac_mul.taylor_mean(**unit, fan_in=LINE_FAN_IN),
        "nac_mul_variance": nac_mul.taylor_variance(**unit, fan_in=LINE_FAN_IN),
        "nmu_mean": nmu.half_mean(LINE_FAN_IN),
        "nmu_variance": nmu.centred_variance(half_w**2 / 3, HALF_Z**2 / 3, LINE_FAN_IN),
    }


def _draw_nac_mul(axes: Axes, arrays: Arrays, moment: str) -> None:
    key = f"nac_mul_{moment}"
    axes.plot(arrays["fan_in"], arrays[key], color=style.LINES[0], label="exact")
    axes.plot(arrays["fan_in"], arrays[f"{key}_paper"], "--", color=style.LINES[1], label="the paper's Taylor form")
    _draw_dots(axes, arrays, key, (), style.LINES[0])
    _labelled(axes, _MOMENTS[moment])
    axes.legend(loc="upper left")
    dots = f"dots: {int(arrays['samples']):,} observations, bars: {_ERRORS} standard errors"
    style.title(axes, "ab"[moment == "variance"], f"NAC multiplication unit, {moment}", dots)


def _draw_nmu(axes: Axes, arrays: Arrays, moment: str) -> None:
    key = f"nmu_{moment}"
    for row, (color, label) in enumerate(_INPUTS):
        axes.plot(arrays["fan_in"], arrays[key][row], color=color, linewidth=3.5, alpha=0.6, label=f"exact, {label}")
        _draw_dots(axes, arrays, key, (row,), color)
    paper = arrays[f"{key}_paper"]
    axes.plot(arrays["fan_in"], paper, "--", color=style.LINES[1], label="the paper's form, $E[z] = 0$")
    axes.set_yscale("log")
    # Room for the legend.
    low, high = axes.get_ylim()
    axes.set_ylim(low, high * (high / low) ** 0.3)
    _labelled(axes, _MOMENTS[moment])
    axes.legend(loc="upper left")
    style.title(axes, "ef"[moment == "variance"], f"NMU, {moment}", "dots and bars as above")


def _draw_differences(axes: Axes, arrays: Arrays, unit: str, moment: str) -> None:
    """Differences from the exact form in percent; dots of two inputs side by side."""
    key, exact = f"{unit}_{moment}", arrays[f"{unit}_{moment}"]
    paper = arrays[f"{key}_paper"] / (exact if unit == "nac_mul" else exact[0])
    axes.axhline(0, color="0.6", linewidth=0.8, zorder=0)
    axes.plot(arrays["fan_in"], 100 * (paper - 1), "--", color=style.LINES[1])
    for row, (color, _) in enumerate(_INPUTS[: 1 if unit == "nac_mul" else 2]):
        chosen, shift = ((), 0) if unit == "nac_mul" else ((row,), 0.3 * (row - 0.5))
        _draw_dots(axes, arrays, key, chosen, color, shift, relative=True)
    axes.yaxis.set_major_formatter(lambda value, _: f"{style.signed(round(value, 9))} %")
    _labelled(axes, "difference")
    letter = ("cd" if unit == "nac_mul" else "gh")[moment == "variance"]
    style.title(axes, letter, "Relative to the exact form")


def _labelled(axes: Axes, label: str) -> None:
    axes.set(xlim=(0, 30.5), xticks=[1, 5, 10, 15, 20, 25, 30], xlabel="number of inputs, $H$", ylabel=label)


def _draw_dots(
    axes: Axes, arrays: Arrays, key: str, row: tuple, color: str, shift: float = 0, relative: bool = False
) -> None:
    """Measured values, or their difference from the exact ones in percent."""
    fan_in, exact = arrays["sampled_fan_in"], arrays[f"{key}_at_sampled"][row]
    values, errors = arrays[f"{key}_sampled"][row], _ERRORS * arrays[f"{key}_se"][row]
    if relative:
        values, errors = 100 * (values / exact - 1), 100 * errors / exact
    axes.errorbar(fan_in + shift, values, errors, fmt="o", color=color, markersize=4.5, capsize=3, linewidth=1.2)


_MOMENTS = {"mean": r"$E[z_{\mathrm{out}}]$", "variance": r"$\mathrm{Var}[z_{\mathrm{out}}]$"}
_INPUTS = ((style.LINES[0], "$z$ ~ U[−1/2, 1/2]"), (style.LINES[2], "$z$ ~ U[1, 2]"))
draw_panel = Panels(*(
    partial(drawing, moment=moment)
    for drawing in (
        _draw_nac_mul, partial(_draw_differences, unit="nac_mul"), _draw_nmu, partial(_draw_differences, unit="nmu")
    )
    for moment in _MOMENTS
))  # fmt: skip
draw = style.in_rows(
    draw_panel, 14.5, 4, 2, lambda figure, _: figure.align_ylabels(), sharex=True, height_ratios=(3, 1.3, 3, 1.3)
)
