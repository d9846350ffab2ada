"""Figure 3 of the GaLU paper: train and test errors on noisy cluster data, exact GaLU against GaLU and ReLU by SGD."""

import numpy as np
from matplotlib.axes import Axes

from figures import style
from figures.contract import Arrays, Panels, Run
from montecarlo.training.galu_clusters import FLIPPED, SIGMA_Y
from paper_checks.experiments.stored import stored_rows
from paper_checks.papers.galu.sweeps import CLASSIFICATION, REGRESSION

CAPTION = """\
Training and test errors on the paper's cluster data against the noise of the labels, as in its Figure 3: mean squared
errors (a) and fractions of wrong labels (b). Lines are means over draws of the model, bands are their range. The exact
minimum of the GaLU network (blue) fits the noise; networks trained by SGD do so much less.
"""
DETAILS = """\
The data are those of section 4.2, with n = k = d = 30, m = 1000 and sigma_x = 0.1. In (b), labels are predicted by the
sign of a regression on -1 and 1, and p is the probability of a flipped label.

Blue: the exact minimum of the GaLU network, the closed form of the paper's section 4.1. Its training error is 0.1
sigma_y^2, because 900 features meet 1000 samples. With sigma_y of 1/2 and more its test error is far above that of
predicting a constant (dashed).

Other colours: GaLU and ReLU by SGD, both layers trained, with few steps and with many. With sigma_y of 3/4 and more,
more steps raise the test error of regression, as the paper's caption says. With sigma_y of 1/4 and less they lower it.
GaLU and ReLU by SGD are alike, GaLU with the larger test error. Their training error stays near the noise: 0.7 to 0.9
sigma_y^2 after many steps with sigma_y of 1/2 and more.

With the authors' 100,000 steps of Adam it is 0.23 to 0.26 sigma_y^2, and the test error is larger than after 20,000
steps at each level tested, sigma_y of 0, 1/2 and 1.

The paper does not state the gates, the settings of SGD and the loss for classification. We have 0-1 gates and no
biases, as the authors' public code has. We chose SGD with batches of 50, step size 0.01, and 2000 or 20000 steps. We
also chose the grids of sigma_y and p, the number of repetitions, and the squared loss for classification. The code has
the hinge loss.
"""
ALT = """\
Two panels of errors against label noise. The exact GaLU minimum (blue) has by far the highest test error and the lowest
training error; the four curves of networks trained by SGD lie close together between them.
"""

PARAMETERS = {"stored by": "paper-checks train galu/figure-3-regression galu/figure-3-classification"}
RECIPE = Run()


def data(_: Run) -> dict[str, np.ndarray]:
    """Stored errors.

    Returns
    -------
    dict of str to array
        ``sigma_y`` (6), ``p`` (7), ``stops`` (2) of SGD; ``regression`` (draws, 6, 5, 2) and ``classification``
        (draws, 7, 5, 2): errors by draw, noise, predictor (exact; GaLU, ReLU by SGD at two stops), training and test.
    """
    levels = {"regression": SIGMA_Y, "classification": FLIPPED}
    rows = {"regression": stored_rows(REGRESSION), "classification": stored_rows(CLASSIFICATION)}
    return {
        "sigma_y": np.array(SIGMA_Y),
        "p": np.array(FLIPPED),
        "stops": np.array([REGRESSION.settings["few"], REGRESSION.settings["many"]]),
        **{task: r.reshape(len(r), len(levels[task]), -1, 2) for task, (r,) in rows.items()},
    }


def _draw_regression(axes: Axes, arrays: Arrays) -> None:
    _draw_errors(axes, arrays["sigma_y"], arrays["regression"], arrays["stops"])
    axes.plot(arrays["sigma_y"], 1 + arrays["sigma_y"] ** 2, color="0.4", linestyle="--", linewidth=1)
    axes.text(1.0, 2.3, "predicting 0", color="0.3", fontsize=11, ha="right")
    axes.set(yscale="log", xlabel=r"label noise, $\sigma_y$", ylabel="mean squared error", ylim=(1e-5, 300))
    axes.legend(loc="lower right", fontsize=10)
    style.title(axes, "a", "Regression", "solid: test; dotted: training; bands: range of the draws")


def _draw_classification(axes: Axes, arrays: Arrays) -> None:
    _draw_errors(axes, arrays["p"], arrays["classification"], arrays["stops"])
    axes.axhline(0.5, color="0.4", linestyle="--", linewidth=1)
    axes.text(0.0, 0.51, "guessing", color="0.3", fontsize=11)
    axes.set(xlabel="probability of a flipped label, $p$", ylabel="fraction of wrong labels", ylim=(0, 0.56))
    style.title(axes, "b", "Classification", "lines and bands as in (a); noisy labels in both")


def _draw_errors(axes: Axes, levels: np.ndarray, errors: np.ndarray, stops: np.ndarray) -> None:
    short, long = stops
    looks = (
        ("GaLU, exact minimum", style.LINES[0], "o"),
        (f"GaLU by SGD, {short:,} steps", style.LINES[4], "v"),
        (f"GaLU by SGD, {long:,} steps", style.LINES[1], "^"),
        (f"ReLU by SGD, {short:,} steps", style.LINES[5], "<"),
        (f"ReLU by SGD, {long:,} steps", style.LINES[2], ">"),
    )
    for k, (label, color, marker) in enumerate(looks):
        for side, line in ((0, ":"), (1, "-")):
            values = errors[:, :, k, side]
            axes.plot(levels, values.mean(axis=0), line, color=color, marker=marker, markersize=4,
                      label=label if side else None)  # fmt: skip
            axes.fill_between(levels, values.min(axis=0), values.max(axis=0), color=color, alpha=0.15, linewidth=0)


draw_panel = Panels(_draw_regression, _draw_classification)
draw = style.in_rows(draw_panel, height=6.6, rows=1, columns=2)
