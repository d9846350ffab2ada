"""Figure 1 of GaLU: accuracy on images by kind of network and number of neurons, from stored runs."""

from functools import partial
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes

from figures import style
from figures.contract import Arrays, Panels, Run
from paper_checks.experiments.stored import rows_of
from paper_checks.papers.galu.sweeps import MNIST, WIDTHS, by_point, images_of

CAPTION = """\
Accuracy of networks with two hidden layers of k GaLU0, ReLU or linear neurons on images of MNIST, as in the paper's
Figure 1. Small dots are runs, lines join their means. With many neurons, GaLU0 and ReLU are better than linear
networks, as the paper finds; with 8 and fewer, linear networks are the best.
"""
DETAILS = """\
The paper uses MNIST and Fashion-MNIST, reduced to 64 principal components. Here it is 5000 images of MNIST, 4000
for training and 1000 for testing, divided at random in each run. The authors' public code divides each component by
its standard deviation; ours does not. The kinds stand side by side at each k, so that the dots do not hide each other.

(a) Test accuracy. From 32 neurons on ReLU and GaLU0 with the logistic gate are above linear networks, GaLU0 with the
0-1 gate from 64 on. A ReLU network of which only the last layer is trained is far below the others; the paper leaves it
out of its figure.

(b) Training accuracy. Wide GaLU0 and ReLU networks fit all images.

The text of the paper states neither the numbers of neurons, which our copy of its Figure 1 has lost, nor the
optimiser nor the scale of the gates' filters. Ours are in the stored results. In the authors' public code the setting
shown for MNIST has filters a sixteenth as large as ours.

The command 'paper-checks figures galu_figure_1 --images FOLDER --folder DIR' trains and draws the same for the four
files of MNIST or Fashion-MNIST.
"""
ALT = """\
Accuracy on test and training images against the number of neurons for five kinds of network. ReLU and the
logistic-gated GaLU0 rise to about 0.95 on test images, linear levels off at 0.9, and a ReLU network with only its
readout trained rises slowly from 0.23.
"""
KINDS = {
    "relu": "ReLU",
    "galu0": "GaLU0, logistic gate",
    "linear": "linear",
    "readout": "ReLU, readout trained only",
    "galu0-binary": "GaLU0, 0-1 gate",
}
PARAMETERS = {"stored by": f"paper-checks train {MNIST.name}", "kinds": list(KINDS)}
# Runs on MNIST are stored: neither has an influence on their arrays.
RECIPE = Run(seed=20190, images="")


def data(run: Run) -> dict[str, np.ndarray]:
    """Accuracies, stored for 5000 images of MNIST.

    Returns
    -------
    dict of str to array
        ``width`` (w); for each kind ``<kind>_test`` and ``<kind>_train``, (w, repeats); ``images``, what they are.
    """
    sweep = images_of(Path(run.images), "galu") if run.images else MNIST
    found = by_point(sweep, rows_of(sweep, seed=run.seed, **run.resources), "kind", "k")
    return {
        "width": np.array(WIDTHS),
        "images": np.array(run.images or "5000 of MNIST"),
        **{
            f"{kind}_{part}": np.array([found[kind, k][part] for k in WIDTHS])
            for kind in KINDS
            for part in ("test", "train")
        },
    }


def _draw(axes: Axes, arrays: Arrays, part: str) -> None:
    # Kinds stand side by side, so that all are seen.
    for place, ((kind, label), color) in enumerate(zip(KINDS.items(), style.LINES, strict=False)):
        values, beside = arrays[f"{kind}_{part}"], 2 ** (0.07 * (place - (len(KINDS) - 1) / 2))
        across, mark = arrays["width"] * beside, "so^Dv"[place]
        axes.plot(across, values, "o", color=color, markersize=3.6, alpha=0.35, markeredgewidth=0)
        axes.plot(
            across, values.mean(axis=1), mark, linestyle="-", color=color, linewidth=1.6, markersize=6,
            markeredgecolor="white", label=label,
        )  # fmt: skip
    axes.set_xscale("log", base=2)
    axes.set_xticks(arrays["width"], [str(k) for k in arrays["width"]])
    axes.minorticks_off()
    axes.set(xlabel="neurons of each hidden layer, $k$", ylabel="accuracy, fraction of images", ylim=(0.1, 1.02))
    style.title(axes, *(("a", "Test images") if part == "test" else ("b", "Training images")), str(arrays["images"]))


draw_panel = Panels(partial(_draw, part="test"), partial(_draw, part="train"))
draw = style.in_rows(
    draw_panel, 5.6, 1, 2, lambda _, axes: axes[0, 0].legend(loc="lower right", title="mean, and one dot per run"),
    sharey=True,
)  # fmt: skip
