"""Figures 5, 8 and 10 of network smoothness: images under attacks and noise, by 1/sigma and by weight decay."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from figures import style
from figures.contract import Run
from montecarlo.training.smooth.robustness import DEVIATIONS, NORMS
from paper_checks.experiments.stored import rows_of
from paper_checks.papers.network_smoothness.by_length import at_lengths
from paper_checks.papers.network_smoothness.section_3_5.images import best_gain, by_decay
from paper_checks.papers.network_smoothness.section_3_5.sweeps import DECAYS, IMAGE_LENGTHS, MNIST, images_of

NAME = "smooth_robustness"
CAPTION = """\
The paper's Figures 5, 8 and 10 are of MNIST and CIFAR-10; here it is 5000 images of MNIST, after 1000 steps. Test
accuracy, mean over the stored runs. The networks are tanh networks with weights of a fixed standard deviation, by
1/sigma, under a sign step of a Euclidean norm (a), under projected gradient ascent with restarts (b), which is never
weaker, and with white noise (c). ReLU networks with weight decay are shown under the sign step (d) and with noise (e).
Clean accuracy, at norm 0, falls as 1/sigma grows, and lines cross: robust networks are less accurate. (f) Gain of the
best setting over the baseline (sigma = 1; no weight decay), as in the last row of the paper's Figure 10. The command
'paper-checks figures smooth_robustness --images FOLDER --folder DIR' trains and draws the same for MNIST's IDX files or
the binary version of CIFAR-10.
"""
PARAMETERS = {"stored by": f"paper-checks train {MNIST.name}", "1/sigma": list(IMAGE_LENGTHS), "decay": list(DECAYS)}
# The runs on MNIST are stored: neither has an influence on their arrays.
RECIPE = Run(seed=20190, images="")
KINDS = ("tanh", "relu")
ATTACKS = {"sign": NORMS, "ascent": NORMS, "noise": DEVIATIONS}


def data(run: Run) -> dict[str, np.ndarray]:
    """Mean accuracies and gains, stored for MNIST.

    Returns
    -------
    dict of str to array
        ``<kind>_<attack>`` (settings, sizes): kinds tanh, by 1/sigma, and relu, by weight decay; attacks sign, ascent
        and noise; the first size is 0. ``<kind>_gain`` (norms, runs); ``images``, what they are.
    """
    sweep = images_of(Path(run.images), "smooth") if run.images else MNIST
    rows = rows_of(sweep, seed=run.seed, **run.resources)

    def means(kind: str, attack: str) -> np.ndarray:
        columns = ["clean", *(f"{attack}_{size:g}" for size in ATTACKS[attack])]
        by_column = [
            at_lengths(sweep, rows, column, kind="tanh") if kind == "tanh" else by_decay(sweep, rows, column)
            for column in columns
        ]
        return np.array([[found[setting].mean() for found in by_column] for setting in by_column[0]])

    return {
        "images": np.array(run.images or "5000 images of MNIST"),
        **{f"{kind}_{attack}": means(kind, attack) for kind in KINDS for attack in ATTACKS},
        **{f"{kind}_gain": best_gain(sweep, rows, kind, "sign") for kind in KINDS},
    }


@style.applied()
def draw(arrays: Mapping[str, np.ndarray]) -> Figure:
    """Draw six panels."""
    figure = style.new_figure(height=8.6)
    panels = figure.subplots(2, 3)
    shown = {"a": ("tanh", "sign"), "b": ("tanh", "ascent"), "c": ("tanh", "noise"), "d": ("relu", "sign"),
             "e": ("relu", "noise")}  # fmt: skip
    for axes, (letter, (kind, attack)) in zip(panels.flat, shown.items(), strict=False):
        _draw_shares(axes, arrays[f"{kind}_{attack}"], kind, attack)
        style.title(axes, letter, f"{'tanh' if kind == 'tanh' else 'ReLU'}, {attack}", str(arrays["images"]))
    for kind, label, color in zip(KINDS, (r"tanh, $1/\sigma$", "ReLU, weight decay"), style.LINES, strict=False):
        values = 100 * arrays[f"{kind}_gain"]
        panels[1, 2].plot(NORMS, values.mean(axis=1), "o-", color=color, linewidth=2, label=label)
        panels[1, 2].plot(NORMS, values, ".", color=color, markersize=3, alpha=0.4)
    panels[1, 2].set(xlabel="Euclidean norm of the sign step", ylabel="gain, percentage points", ylim=(0, None))
    panels[1, 2].legend()
    style.title(panels[1, 2], "f", "Best setting less baseline", str(arrays["images"]))
    return figure


def _draw_shares(axes: Axes, shares: np.ndarray, kind: str, attack: str) -> None:
    settings = [rf"$1/\sigma = {v:g}$" for v in IMAGE_LENGTHS] if kind == "tanh" else [f"decay {v:g}" for v in DECAYS]
    for line, label, color in zip(shares, settings, style.LINES, strict=False):
        axes.plot((0.0, *ATTACKS[attack]), line, "o-", color=color, linewidth=2, label=label)
    sizes = "standard deviation of noise" if attack == "noise" else "Euclidean norm of the perturbation"
    axes.set(xlabel=sizes, ylabel="share of correct answers", ylim=(0, 1.02))
    axes.legend()
