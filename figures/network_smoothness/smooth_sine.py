"""Figure 3, bottom, of network smoothness: a noisy sine learned by tanh networks, by 1/sigma."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from figures import style
from figures.contract import Run
from figures.network_smoothness.limits import tanh_limit
from montecarlo.training.smooth.noisy_sine import INSIDE, OUTSIDE, sine_data
from montecarlo.training.smooth.tanh_networks import Schedule, TanhNetwork, train
from paper_checks.experiments.stored import rows_of
from paper_checks.papers.network_smoothness.by_length import at_lengths
from paper_checks.papers.network_smoothness.tanh_sweeps import SINE, SINE_LENGTHS
from theory.wide_networks import tanh_extrema_length

__all__ = ["CAPTION", "NAME", "PARAMETERS", "RECIPE", "SECONDS", "data", "draw"]

NAME = "smooth_sine"
CAPTION = """\
The bottom row of the paper's Figure 3: tanh networks with weights of a fixed standard deviation, fitted to y = sin x +
noise on [-2 pi, 2 pi] and looked at to 3 pi. (a) to (c) One run, three values of 1/sigma: dots are the data, the yellow
line the sine, the others the network, within the data and beyond; dashed: the process of very many units that has seen
the same data and knows the noise. Large weights bend it near 0 and hardly elsewhere:
half of the units are steepest within |x| < 1 whatever sigma, so that 1/sigma is a length scale there only. (d) Mean
square errors of all runs, medians with the range of the runs: the test error is least in between, as the paper says;
the training error is least where the weights are largest. (e) Curvature of the learned functions falls with 1/sigma
over its whole range. Beside it the length scale, by its extrema at the origin, of a random network of infinite width:
it grows with 1/sigma, but not in proportion.
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
    number = SINE.settings["number"]
    x, y = sine_data(run.seed, SINE.runs_at(0), number, NOISE)
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


@style.applied()
def draw(arrays: Mapping[str, np.ndarray]) -> Figure:
    """Draw five panels."""
    figure = style.new_figure(height=8.4)
    panels = figure.subplot_mosaic([["a", "a", "b", "b", "c", "c"], ["d", "d", "d", "e", "e", "e"]])
    for letter, length, fit, limit in zip("abc", SHOWN, arrays["fits"], arrays["limits"], strict=True):
        _draw_fit(panels[letter], arrays, fit)
        panels[letter].plot(arrays["place"], limit, "--", color="black", linewidth=1, label="very many units")
        style.title(panels[letter], letter, rf"$1/\sigma = {length:g}$")
    panels["c"].legend(loc="lower left")
    panels["a"].set_ylabel("$y$")
    for (column, label), color in zip({"train": "training", "test": "test"}.items(), style.LINES, strict=False):
        _draw_runs(panels["d"], arrays["lengths"], arrays[column], color, label)
    panels["d"].axhline(NOISE**2, color="black", linestyle=":", label="variance of the noise")
    panels["d"].set(ylabel="mean square error", ylim=(0.02, 10))
    _draw_runs(panels["e"], arrays["lengths"], arrays["curvature"], style.LINES[2], "curvature, trained")
    panels["e"].plot(arrays["lengths"], arrays["wide_length"], "--", color="black", label="length scale, random")
    panels["e"].set_ylabel("root mean square of $f''$; length")
    for letter, text in (("d", "Errors"), ("e", "Smoothness")):
        panels[letter].set(xscale="log", yscale="log", xlabel=r"$1/\sigma$")
        panels[letter].set_xticks(arrays["lengths"], [f"{v:g}" for v in arrays["lengths"]], minor=False)
        panels[letter].minorticks_off()
        panels[letter].legend()
        style.title(panels[letter], letter, text)
    return figure


def _draw_fit(axes: Axes, arrays: Mapping[str, np.ndarray], fit: np.ndarray) -> None:
    place = arrays["place"]
    inside = np.abs(place) <= INSIDE
    axes.plot(place, np.sin(place), color=style.LINES[4], linewidth=1.5)
    axes.plot(arrays["x"], arrays["y"], "o", color=style.LINES[1], markersize=4)
    axes.plot(place, np.where(inside, fit, np.nan), color=style.LINES[0], linewidth=1.5)
    axes.plot(place, np.where(inside, np.nan, fit), color=style.LINES[3], linewidth=1.5)
    axes.set(xlabel="$x$", ylim=(-3, 3))


def _draw_runs(axes: Axes, lengths: np.ndarray, values: np.ndarray, color: str, label: str) -> None:
    axes.plot(lengths, np.median(values, axis=1), "o-", color=color, linewidth=2, label=label)
    axes.fill_between(lengths, values.min(axis=1), values.max(axis=1), color=color, alpha=0.2, linewidth=0)
