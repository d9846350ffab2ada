"""Figure 3, bottom, of network smoothness: a noisy sine learned by tanh networks, by 1/sigma."""

from functools import partial

import numpy as np
from matplotlib.axes import Axes

from figures import style
from figures.contract import Arrays, Panels, Run
from figures.network_smoothness.limits import tanh_limit
from montecarlo.training.smooth.noisy_sine import INSIDE, OUTSIDE, sine_data
from montecarlo.training.smooth.tanh_networks import Schedule, TanhNetwork, train
from paper_checks.experiments.stored import rows_of
from paper_checks.papers.network_smoothness.by_length import at_lengths
from paper_checks.papers.network_smoothness.tanh_sweeps import SINE, SINE_LENGTHS
from theory.wide_networks import tanh_extrema_length

CAPTION = """\
Tanh networks with weights of a fixed standard deviation sigma, fitted to a noisy sine: the bottom row of the paper's
Figure 3. Panels (a) to (c) show one fit at three values of 1/sigma, panels (d) to (f) errors, curvature and length
scale against it. The test error is least in the middle, as the paper says.
"""
DETAILS = """\
Networks are fitted to y = sin x + noise on [-2 pi, 2 pi], the shaded range, and drawn to 3 pi.

(a) to (c) Data (dots), sine (yellow), network (blue), and the Gaussian process of infinitely many units that has seen
the same data and knows the noise (dashed). Large weights bend the process near 0 and hardly elsewhere. Half of the
units are steepest within |x| < 1 whatever sigma is, so that 1/sigma is a length scale there only.

(d) Mean squared errors of all runs, medians with the range of the runs. The training error is least where the weights
are largest.

(e) Curvature of the learned functions: it falls with 1/sigma over the whole range.

(f) Length scale of a random network of infinite width, from its extrema at the origin: it grows with 1/sigma, but not
in proportion.
"""
ALT = """\
Three fits of a noisy sine: wild spikes near 0 at small 1/sigma, a fair fit in the middle, a flat curve for large ones.
Below, test error has a minimum, curvature falls by three decades, and the length scale grows faster than in proportion.
"""
SHOWN = (0.125, 0.5, 4.0)
NOISE, UNITS, STEPS = 0.25, SINE.settings["units"], SINE.settings["steps"]
PARAMETERS = {"stored by": f"paper-checks train {SINE.name}", "shown": list(SHOWN), "noise": NOISE, "units": UNITS}
# A run of its own: the stored ones have other numbers.
RECIPE = Run(seed=20190)
SECONDS = 2


def data(run: Run) -> dict[str, np.ndarray]:
    """One run at three values of 1/sigma, and the stored errors of all.

    Returns
    -------
    dict of str to array
        ``x``, ``y`` the data (n); ``place`` (p), ``fits`` and ``limits`` (3, p); ``lengths`` (w), ``train``, ``test``,
        ``curvature`` (w, runs); ``wide_length`` (w), of a random network of infinite width.
    """
    x, y = sine_data(run.seed, SINE.runs_at(0), SINE.settings["number"], NOISE)
    place = np.linspace(-OUTSIDE, OUTSIDE, 601)
    fits, limits = [], []
    for part, length in enumerate(SHOWN):
        network = TanhNetwork(UNITS, 1, 1 / length)
        raw = network.start(np.random.default_rng([run.seed, SINE.runs_at(0)]))
        train(network, raw, Schedule(STEPS), lambda _first, _last: (x[None], y[None]))
        fits.append(network.outputs(raw, place[:, None]))
        limits.append(tanh_limit(1 / length, x, y, NOISE**2, place[:, None]))
        run.done(part + 1, len(SHOWN))
    rows, lengths = rows_of(SINE, seed=run.seed, **run.resources), np.array(SINE_LENGTHS)
    stored = {
        column: np.array(list(at_lengths(SINE, rows, column, noise=NOISE).values()))
        for column in ("train", "test", "curvature")
    }
    wide = tanh_extrema_length(1 / lengths, 1 / lengths)
    return {"x": x[:, 0], "y": y, "place": place, "fits": np.array(fits),
            "limits": np.array(limits), "lengths": lengths, **stored, "wide_length": wide}  # fmt: skip


def _draw_fit(axes: Axes, arrays: Arrays, i: int) -> None:
    place = arrays["place"]
    axes.axvspan(-INSIDE, INSIDE, color="0.93", linewidth=0, label="range of the data")
    axes.plot(place, np.sin(place), color=style.LINES[4], linewidth=2.5, label="$\\sin x$")
    axes.plot(arrays["x"], arrays["y"], "o", color="0.35", markersize=4, label="data with noise")
    axes.plot(place, arrays["fits"][i], color=style.LINES[0], linewidth=1.7, label=f"network of {UNITS} units")
    axes.plot(place, arrays["limits"][i], "--", color="black", linewidth=1.2, label="process of infinitely many units")
    axes.set(xlabel="$x$", ylabel="$y$", ylim=(-3, 3))
    style.title(axes, "abc"[i], rf"Fit at $1/\sigma = {SHOWN[i]:g}$")


def _draw_errors(axes: Axes, arrays: Arrays) -> None:
    for name, column, color in (("training", "train", style.LINES[0]), ("test", "test", style.LINES[1])):
        label = f"{name}, median and range"
        style.median_and_range(axes, arrays["lengths"], arrays[column], "o-", color, linewidth=2, label=label)
    axes.axhline(NOISE**2, color="black", linestyle=":", label="variance of the noise")
    axes.set(ylabel="mean squared error", ylim=(0.01, 30))
    _by_length(axes, arrays, "d", "Errors")


def _draw_curvature(axes: Axes, arrays: Arrays) -> None:
    label = "trained networks, median and range"
    style.median_and_range(axes, arrays["lengths"], arrays["curvature"], "o-", style.LINES[2], linewidth=2, label=label)
    axes.set_ylabel("root mean square of $f''$")
    _by_length(axes, arrays, "e", "Curvature")


def _draw_length(axes: Axes, arrays: Arrays) -> None:
    lengths, wide = arrays["lengths"], arrays["wide_length"]
    axes.plot(lengths, wide, "s-", color=style.LINES[3], label="random, infinite width")
    axes.plot(lengths, wide[0] * lengths / lengths[0], ":", color="black", label=r"proportional to $1/\sigma$")
    axes.set_ylabel("length scale at $x = 0$, units of $x$")
    _by_length(axes, arrays, "f", "Length scale")


def _by_length(axes: Axes, arrays: Arrays, letter: str, text: str) -> None:
    """Axes, key and title of what is drawn against 1/sigma."""
    axes.set(xscale="log", yscale="log", xlabel=r"$1/\sigma$ of the weights")
    axes.set_xticks(arrays["lengths"], [f"{v:g}" for v in arrays["lengths"]], fontsize=9, minor=False)
    axes.xaxis.minorticks_off()
    axes.legend(fontsize=10)
    style.title(axes, letter, text)


draw_panel = Panels(*(partial(_draw_fit, i=i) for i in range(len(SHOWN))), _draw_errors, _draw_curvature, _draw_length)
draw = style.in_rows(draw_panel, 9.2, 2, 3, lambda _, axes: style.key(axes[0, 0], loc="outside upper center", ncols=5))
