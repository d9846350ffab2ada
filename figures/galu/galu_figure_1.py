"""Figure 1 of GaLU: shares of correct answers on images by kind of network and number of neurons, from stored runs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from figures import style
from figures.contract import Run
from paper_checks.experiments.stored import rows_of
from paper_checks.papers.galu.sweeps import DIGITS, WIDTHS, by_point, images_of

__all__ = ["CAPTION", "NAME", "PARAMETERS", "RECIPE", "data", "draw"]

NAME = "galu_figure_1"
CAPTION = """\
The paper's Figure 1 compares two hidden layers of k GaLU0, ReLU and linear neurons on MNIST and Fashion-MNIST, reduced
to 64 principal components; here it is scikit-learn's digits, 8 x 8 pixels and so 64 components as well, 1297 for
training and 500 for testing, parted anew in each run. Lines are means over the runs, which are the dots. (a) Test
accuracy. From 32 neurons on GaLU0 and ReLU are alike and above linear networks, as the paper finds; with few neurons a
linear network is the best of them. Training the readout layer of a ReLU network alone, which the paper leaves out of
its figure, is far below unless the layers are wide. (b) Training accuracy: with few neurons it is fitting that
separates the kinds; from 16 on nearly all but the readout's fit every image, and the linear network generalises worse.
The paper gives neither numbers of neurons nor the optimiser nor the scale of the gates' filters; ours are in the stored
results. 'paper-checks figures galu_figure_1 --images FOLDER --folder DIR' plays and draws the same for MNIST's files.
"""
KINDS = {
    "relu": "ReLU",
    "galu0": "GaLU0, logistic gate",
    "linear": "linear",
    "readout": "ReLU, readout trained only",
    "galu0-binary": "GaLU0, 0-1 gate",
}
PARAMETERS = {"stored by": "paper-checks train galu/figure-1", "kinds": list(KINDS)}
# The digits' runs are stored: neither has an influence on their arrays.
RECIPE = Run(seed=20190, images="")


def data(run: Run) -> dict[str, np.ndarray]:
    """Accuracies, stored for the digits.

    Returns
    -------
    dict of str to array
        ``width`` (w); for each kind ``<kind>_test`` and ``<kind>_train``, (w, repeats); ``images``, what they are.
    """
    sweep = images_of(Path(run.images), "galu") if run.images else DIGITS
    rows = rows_of(sweep, seed=run.seed, **run.resources)
    found = by_point(sweep, rows, "kind", "k")
    return {
        "width": np.array(WIDTHS),
        "images": np.array(run.images or "scikit-learn's digits"),
        **{
            f"{kind}_{part}": np.array([found[kind, k][part] for k in WIDTHS])
            for kind in KINDS
            for part in ("test", "train")
        },
    }


@style.applied()
def draw(arrays: Mapping[str, np.ndarray]) -> Figure:
    """Draw both panels."""
    figure = style.new_figure(height=5.6)
    test, train = figure.subplots(1, 2, sharey=True)
    _draw(test, arrays, "test")
    _draw(train, arrays, "train")
    test.set_ylabel("share of correct answers")
    test.legend(loc="lower right")
    style.title(test, "a", "Test images", str(arrays["images"]))
    style.title(train, "b", "Training images", str(arrays["images"]))
    return figure


def _draw(axes: Axes, arrays: Mapping[str, np.ndarray], part: str) -> None:
    # Kinds stand side by side, and later lines are thinner, so that all are seen.
    for place, ((kind, label), color) in enumerate(zip(KINDS.items(), style.LINES, strict=False)):
        values, beside = arrays[f"{kind}_{part}"], 2 ** (0.09 * (place - (len(KINDS) - 1) / 2))
        axes.plot(arrays["width"], values.mean(axis=1), color=color, linewidth=3.4 - 0.6 * place, label=label)
        axes.plot(arrays["width"] * beside, values, "o", color=color, markersize=2.6, alpha=0.6, markeredgewidth=0)
    axes.set_xscale("log", base=2)
    axes.set_xticks(arrays["width"], [str(k) for k in arrays["width"]])
    axes.minorticks_off()
    axes.set(xlabel="neurons of each hidden layer, $k$", ylim=(0.15, 1.02))
