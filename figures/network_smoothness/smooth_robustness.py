"""Figures 5, 8 and 10 of network smoothness: images under attacks and noise, by 1/sigma and by weight decay."""

from functools import partial
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes

from figures import style
from figures.contract import Arrays, Panels, Run
from montecarlo.training.smooth.robustness import DEVIATIONS, NORMS
from paper_checks.experiments.stored import rows_of
from paper_checks.papers.network_smoothness.section_3_5.images import BY, best_gain
from paper_checks.papers.network_smoothness.section_3_5.sweeps import DECAYS, IMAGE_LENGTHS, MNIST, images_of

CAPTION = """\
Test accuracy of networks on perturbed images of MNIST, by the size of the perturbation, for tanh networks by 1/sigma (a
to c) and ReLU networks by weight decay (d, e). The paper's Figures 5, 8 and 10 do this for MNIST and CIFAR-10. Lines
cross: networks that are more robust are less accurate on clean images.
"""
DETAILS = """\
There are 5000 images of MNIST and 1000 training steps. Lines are means over the stored runs. Weights of the tanh
networks have a fixed standard deviation sigma.

(a) A sign step of a Euclidean norm. (b) Projected gradient ascent with restarts, which is never weaker. (c) White
noise. (d) The sign step and (e) noise for ReLU networks with weight decay. Clean accuracy, at norm 0, falls as 1/sigma
grows.

(f) Gain of the best setting over the baseline (sigma = 1; no weight decay), as in the last row of the paper's Figure
10.

The command 'paper-checks figures smooth_robustness --images FOLDER --folder DIR' trains and draws the same for MNIST's
IDX files or the binary version of CIFAR-10.
"""
ALT = """\
Six panels. Accuracies fall with the size of a perturbation, from 0.9 to near 0 for the least regularised networks and
less for smoother ones. Lines cross, and noise harms less. Gains reach 52 points for ReLU with weight decay, 17 for
tanh.
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
        by_column = [BY[kind](sweep, rows, column) for column in columns]
        return np.array([[found[setting].mean() for found in by_column] for setting in by_column[0]])

    return {
        "images": np.array(run.images or "5000 images of MNIST"),
        **{f"{kind}_{attack}": means(kind, attack) for kind in KINDS for attack in ATTACKS},
        **{f"{kind}_gain": best_gain(sweep, rows, kind, "sign") for kind in KINDS},
    }


def _draw_accuracies(axes: Axes, arrays: Arrays, kind: str, attack: str) -> None:
    settings = [rf"$1/\sigma = {v:g}$" for v in IMAGE_LENGTHS] if kind == "tanh" else [f"decay {v:g}" for v in DECAYS]
    for line, label, color in zip(arrays[f"{kind}_{attack}"], settings, style.LINES, strict=False):
        axes.plot((0.0, *ATTACKS[attack]), line, "o-", color=color, linewidth=2, label=label)
    sizes = "standard deviation of the noise" if attack == "noise" else "Euclidean norm of the perturbation"
    axes.set(xlabel=sizes, ylabel="accuracy, fraction of images", ylim=(0, 1.02))
    axes.legend()
    letter, name = "abcde"[SHOWN.index((kind, attack))], "tanh" if kind == "tanh" else "ReLU"
    style.title(axes, letter, f"{name}, {attack}", str(arrays["images"]))


def _draw_gains(axes: Axes, arrays: Arrays) -> None:
    for kind, label, color in zip(KINDS, (r"tanh, $1/\sigma$", "ReLU, weight decay"), style.LINES, strict=False):
        values = 100 * arrays[f"{kind}_gain"]
        axes.plot(NORMS, values.mean(axis=1), "o-", color=color, linewidth=2, label=f"{label}: mean; dots: runs")
        axes.plot(NORMS, values, ".", color=color, markersize=3, alpha=0.4)
    axes.set(xlabel="Euclidean norm of the sign step", ylabel="gain of accuracy, percentage points")
    axes.legend(loc="upper left")
    axes.set_ylim(top=90)
    style.title(axes, "f", "Best setting less baseline", str(arrays["images"]))


SHOWN = (("tanh", "sign"), ("tanh", "ascent"), ("tanh", "noise"), ("relu", "sign"), ("relu", "noise"))
draw_panel = Panels(*(partial(_draw_accuracies, kind=kind, attack=attack) for kind, attack in SHOWN), _draw_gains)
draw = style.in_rows(draw_panel, height=8.6, rows=2, columns=3)
