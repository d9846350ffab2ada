"""Double descent of least squares: expected test loss, medians, quantile bands, and the optimal ridge penalty."""

import numpy as np
from matplotlib.axes import Axes

from figures import style
from figures.contract import Arrays, Panels, Run
from figures.settings import Setting
from montecarlo import Job, law, mean, measure
from montecarlo.kernels.least_squares import average, fit
from theory import least_squares
from theory.formula import Interval

CAPTION = """\
The test loss of least squares with d = 20 normal inputs, against the number of samples per input (a), and its
distribution near its peak (b, c). This is the setting of the paper's Lemma 1, which has no figure. At m = d the loss
has a peak, and its distribution has a heavy tail, so that averages mislead.
"""
DETAILS = """\
Lemma 1 covers m > d + 1. For m < d the solution is that of least norm.

(a) Test loss against m/d with sigma = 1/2 and |beta| = 1. The line is the closed form of the expected loss, infinite
for m = d - 1, d and d + 1. Dots are sampled medians, and bars go from the 5 % to the 95 % quantile over training sets.
Crosses are sampled means where the variance exists. With the optimal ridge penalty d sigma^2/|beta|^2 there is no peak
(green, sampled means). Grey: the loss of predicting 0.

(b) The distribution of the test loss at the paper's m = d + 2 with sigma = 1, sampled (dots) and exact (line). The
vertical lines are the paper's upper bound d + 3 (its lower bound 1 is left of the axis) and the exact mean d + 1. One
training set in five is above the mean, and the tail falls with the power -3/2.

(c) The distribution of the average excess over n fits at m = d + 2, d = 1. Its mean is 1 for every n (dotted), but two
of three averages lie below it. The spread shrinks only as n^(-1/3).
"""
ALT = """\
Top: test loss against samples per input has a sharp peak with long bars at m = d, which the green ridge curve lacks.
Bottom left: dots on a line that falls over four decades, a heavy tail. Bottom right: four distribution functions that
cross the mean above 2/3.
"""

INPUTS, NOISE, SIGNAL = 20, 0.5, 1.0
SAMPLES_PER_FIT = (2, 5, 8, 11, 14, 16, 17, 18, 19, 20, 21, 22, 23, 24, 26, 29, 33, 40, 50, 70, 100)
LEVELS = (0.05, 0.5, 0.95)
DRAWS = (1, 8, 64, 512)
PARAMETERS = {
    "d": INPUTS,
    "sigma": NOISE,
    "norm_of_beta": SIGNAL,
    "m": list(SAMPLES_PER_FIT),
    "levels": list(LEVELS),
    "draws_per_average": list(DRAWS),
}
SETTINGS = {
    "sigma": Setting("standard deviation of the label noise, in (a)", Interval(0.01, 100)),
    "norm_beta": Setting("|beta|, the size of the signal, in (a)", Interval(0.01, 100)),
}
RECIPE = Run(samples=2**14, seed=20190)
SECONDS = 8

CLAIM = "galu/double-descent"
_CAP = 1e100


def data(run: Run, *, sigma: float = NOISE, norm_beta: float = SIGNAL) -> dict[str, np.ndarray]:
    """Sampled quantiles and means of test losses by number of samples, and laws at m = d + 2.

    Samples are training sets per point.

    Returns
    -------
    dict of str to array
        ``m`` (21), ``quantiles`` (21, 3) by level, ``mean``, ``ridge`` and ``ridge_se`` (21), test losses;
        ``expected`` (100), the closed form for m = 1 ... 100. At m = d + 2: ``levels`` (105), ``two_more_sampled``
        (105), quantiles; ``two_more_loss`` and ``two_more_beyond`` (300), the exact probability above a loss;
        ``averages`` (4, 105), quantiles by number of fits in an average. ``samples`` and the settings.
    """
    records = [r.estimate() for r in measure(_jobs(run.samples, run.seed, sigma, norm_beta), **run.resources)]
    by_m, rest = records[: 3 * len(SAMPLES_PER_FIT)], records[3 * len(SAMPLES_PER_FIT) :]
    levels = np.array([0.001, 0.003, *np.linspace(0.01, 0.99, 99), 0.997, 0.999, 0.9997, 0.9999])
    loss = np.geomspace(1.5, 3e4, 300)
    return {
        "m": np.array(SAMPLES_PER_FIT),
        "quantiles": np.array([[r.quantile(p) for p in LEVELS] for r in by_m[::3]]),
        "mean": np.array([r.value for r in by_m[1::3]]),
        "ridge": np.array([r.value for r in by_m[2::3]]),
        "ridge_se": np.array([r.se for r in by_m[2::3]]),
        "expected": np.asarray(least_squares.expected_test_loss(sigma, INPUTS, np.arange(1, 101), norm_beta)),
        "levels": levels,
        "two_more_sampled": np.array([rest[0].quantile(p) for p in levels]),
        "two_more_loss": loss,
        "two_more_beyond": 1 - np.asarray(least_squares.excess_law(loss - 1, 1.0, INPUTS, INPUTS + 2)),
        "averages": np.array([[r.quantile(p) for p in levels] for r in rest[1:]]),
        "samples": np.array(run.samples),
        "sigma": np.array(sigma),
        "norm_beta": np.array(norm_beta),
    }


def _jobs(samples: int, seed: int, sigma: float, norm_beta: float) -> list[Job]:
    """Distribution, mean and mean with a ridge for each m, then the distributions at m = d + 2 and of averages."""
    every = {"cap": _CAP, "d": INPUTS, "pairs": 0, "uniform": 0}
    common = {**every, "sigma": sigma, "norm_beta": norm_beta}
    jobs = []
    for k, m in enumerate(SAMPLES_PER_FIT):
        for what, ridge, name in (
            (law(fit, 4), 0.0, "law"),
            (mean(fit, 4), 0.0, "mean"),
            (mean(fit, 4), INPUTS * sigma**2 / norm_beta**2, "ridge"),
        ):
            jobs.append(Job(what, {**common, "ridge": ridge, "m": m}, f"{CLAIM}.{name}", k, seed, (samples,)))
    two_more = {**every, "sigma": 1.0, "norm_beta": 0.0, "ridge": 0.0, "m": INPUTS + 2}
    jobs.append(Job(law(fit, 4), two_more, f"{CLAIM}.two-more", 0, seed, (16 * samples,)))
    for k, n in enumerate(DRAWS):
        jobs.append(Job(law(average), {"draws": n, "d": 1, "m": 3}, f"{CLAIM}.average", k, seed, (4 * samples,)))
    return jobs


def _draw_descent(axes: Axes, arrays: Arrays) -> None:
    ratio = arrays["m"] / INPUTS
    low, median, high = arrays["quantiles"].T
    everywhere = np.arange(1, len(arrays["expected"]) + 1)
    finite = np.isfinite(arrays["expected"])
    axes.axvspan((INPUTS - 1.5) / INPUTS, (INPUTS + 1.5) / INPUTS, color="0.9", linewidth=0)
    for part in (everywhere < INPUTS, everywhere > INPUTS):
        here = part & finite
        axes.plot(everywhere[here] / INPUTS, arrays["expected"][here], color=style.LINES[0], linewidth=1.8,
                  label="expected, closed form" if part[0] else None)  # fmt: skip
    axes.errorbar(ratio, median, [median - low, high - median], fmt="o", color=style.LINES[1], markersize=5,
                  linewidth=1.1, label="sampled median, 5 % to 95 %")  # fmt: skip
    light = np.abs(arrays["m"] - INPUTS) > 3
    axes.plot(ratio[light], arrays["mean"][light], "x", color="black", markersize=7, label="sampled mean")
    axes.plot(ratio, arrays["ridge"], "s-", color=style.LINES[2], markersize=4, linewidth=1,
              label="sampled mean, optimal ridge")  # fmt: skip
    sigma, signal = float(arrays["sigma"]), float(arrays["norm_beta"])
    of_zero = sigma**2 + signal**2
    axes.axhline(of_zero, color="0.5", linewidth=1, linestyle="--")
    axes.text(5.0, of_zero * 1.08, "predicting 0", ha="right", color="0.3", fontsize=11)
    axes.text((INPUTS + 2) / INPUTS, 240 * of_zero, "grey: infinite mean", fontsize=10.5)
    axes.set(yscale="log", xscale="log")
    axes.set_xticks([0.1, 0.2, 0.5, 1, 2, 5], ["0.1", "0.2", "0.5", "1", "2", "5"])
    axes.set(xlim=(0.09, 5.5), ylim=(0.8 * sigma**2, 400 * of_zero))
    axes.set(xlabel="samples per input, $m/d$", ylabel=r"test loss, $L_D(w)$")
    axes.legend(loc="upper left")
    style.title(axes, "a", "Double descent", rf"$d = {INPUTS}$, $\sigma = {sigma:g}$, $\|\beta\| = {signal:g}$; "
                f"{int(arrays['samples']):,} training sets per point")  # fmt: skip


def _draw_two_more(axes: Axes, arrays: Arrays) -> None:
    axes.plot(arrays["two_more_loss"], arrays["two_more_beyond"], color=style.LINES[0], label="exact")
    axes.plot(
        arrays["two_more_sampled"], 1 - arrays["levels"], "o", color=style.LINES[1], markersize=3.5, label="sampled"
    )
    for value, text, look in ((INPUTS + 1, "mean $d+1$", "-"), (INPUTS + 3, "published bound $d+3$", ":")):
        axes.axvline(value, color="black", linewidth=1, linestyle=look, label=text)
    axes.set(xscale="log", yscale="log")
    axes.set(xlim=(1.5, 3e4), ylim=(5e-5, 1.3), xlabel=r"test loss, $x$", ylabel="P(test loss > x)")
    axes.legend(loc="upper right")
    style.title(axes, "b", "Tail at $m = d + 2$", rf"$d = {INPUTS}$, $\sigma = 1$")


def _draw_averages(axes: Axes, arrays: Arrays) -> None:
    for k, n in enumerate(DRAWS):
        values = arrays["averages"][k]
        below = np.interp(1.0, values, arrays["levels"])
        axes.plot(values, arrays["levels"], color=style.LINES[k], label=f"n = {n}: {below:.0%} below the mean")
    axes.axvline(1, color="black", linewidth=1, linestyle=":")
    axes.axhline(2 / 3, color="0.6", linewidth=0.8)
    axes.text(3.9, 2 / 3 - 0.015, "2/3", ha="right", va="top", color="0.3")
    axes.set(xlim=(0, 4), ylim=(0, 1), xlabel=r"average of $\|w - \beta\|^2$ over n fits, relative to its mean",
             ylabel="distribution function")  # fmt: skip
    axes.legend(loc="lower right")
    style.title(axes, "c", "Averages mislead at $m = d + 2$", r"$d = 1$, $\sigma = 1$")


draw_panel = Panels(_draw_descent, _draw_two_more, _draw_averages)
draw = style.in_mosaic(draw_panel, 9.6, "aa;bc", height_ratios=[1.15, 1])
