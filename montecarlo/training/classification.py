"""Two hidden layers trained on a classification task: ReLU, GaLU0 with logistic or with 0-1 gates, linear networks, and
ReLU with a trained readout only.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from pathlib import Path

import numpy as np

from montecarlo.engine.models import simulator
from montecarlo.training.images import digits, idx_folder
from montecarlo.training.optimisers import Adam, half_cosine

__all__ = ["KINDS", "image_networks", "images", "reduced", "train"]

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
    """Parameters (W1, b1, W2, b2, V, c); for GaLU0 filters of gates (U1, U2) that see the input and are not trained."""

    def __init__(self, kind: str, inputs: int, width: int, classes: int, rng: np.random.Generator):
        if kind not in KINDS:
            raise ValueError(f"train: kind must be one of {KINDS}, got {kind!r}; choose one")
        self.kind = kind
        # A gate passes about half of the variance; a linear unit all of it.
        gain = 1.0 if kind == "linear" else 2.0
        sizes = (inputs, width, width, classes)
        self.parameters = []
        for layer, (a, b) in enumerate(pairwise(sizes)):
            self.parameters += [
                rng.standard_normal((a, b)) * np.sqrt((gain if layer < 2 else 1.0) / a), np.zeros(b)
            ]  # fmt: skip
        self.gates = [rng.standard_normal((inputs, width)) * 4 / np.sqrt(inputs) for _ in range(2)]
        self.trained = self.parameters[4:] if kind == "readout" else self.parameters

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
            tape.append((h, g))
            h = z * g
        tape.append((h, None))
        return h @ v + c, tape

    def gradients(self, tape: list, delta: np.ndarray) -> list[np.ndarray]:
        _, _, w2, _, v, _ = self.parameters
        (x, g1), (h1, g2), (h2, _) = tape
        readout = [h2.T @ delta, delta.sum(axis=0)]
        if self.kind == "readout":
            return readout
        d2 = (delta @ v.T) * g2
        d1 = (d2 @ w2.T) * g1
        return [x.T @ d1, d1.sum(axis=0), h1.T @ d2, d2.sum(axis=0), *readout]


def train(
    data: tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray], kind: str, width: int, rng: np.random.Generator, *,
    steps: int, batch: int, step_size: float,
) -> dict[str, float]:  # fmt: skip
    """Train by Adam on the cross-entropy; the step size falls to zero along half a cosine.

    Parameters
    ----------
    data : (train_x, train_y, test_x, test_y)
        Inputs (n, d), labels (n) as integers from 0.
    kind : {"relu", "galu0", "linear", "readout", "galu0-binary"}
    width : int
        Neurons of each of the two hidden layers.

    Returns
    -------
    dict
        ``train`` and ``test``: shares of inputs that are classified correctly.
    """
    train_x, train_y, test_x, test_y = data
    classes = int(max(train_y.max(), test_y.max())) + 1
    net = _Network(kind, train_x.shape[1], width, classes, rng)
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


@lru_cache(maxsize=2)
def images(folder: str, split: tuple[int, int], components: int) -> tuple[np.ndarray, ...]:
    """Images as principal components: bundled digits, parted by ``split``, or the IDX files of a folder."""
    train_x, train_y, test_x, test_y = idx_folder(Path(folder)) if folder else digits(split)
    train_x, test_x = reduced(train_x, test_x, components)
    return train_x, train_y, test_x, test_y


@simulator(columns=("train", "test"))
def image_networks(
    stream, first, seed: int, kind: str, k: int, components: int, steps: int, batch: int, step_size, folder: str,
    digest: str, out,
):  # fmt: skip
    """Shares of correct answers of a network on images; bundled digits are parted anew in each run.

    ``digest`` names the contents of the folder: what is stored of other files is not taken for these.
    """
    del stream, digest
    for i in range(out.shape[0]):
        rng = np.random.default_rng([seed, first + i, k, KINDS.index(kind)])
        data = images(folder, (seed, 0 if folder else first + i), components)
        shares = train(data, kind, k, rng, steps=steps, batch=batch, step_size=step_size)
        out[i] = shares["train"], shares["test"]
