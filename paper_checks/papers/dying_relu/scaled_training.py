"""Training of one ReLU unit and of a small network on all data at once, for the claims on scaled targets."""

from itertools import islice

import numpy as np

from montecarlo.training.networks import Network
from montecarlo.training.optimisers import SGD, Adam, descent
from theory.relu_unit import target_scaling

STEPS = 300
# Two hidden layers of eight units.
NETWORK = Network(inputs=2, width=8, depth=2)


def data(observations: int, inputs: int) -> tuple[np.ndarray, np.ndarray]:
    """Normal inputs, and a target that is neither linear nor a single ReLU; always the same."""
    rng = np.random.default_rng(5)
    x = rng.normal(size=(observations, inputs))
    return x, np.sin(x[:, :1]) + np.maximum(x[:, 1:2], 0)


def of_unit(theta: np.ndarray, x: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """The gradient of max(0, w.x + b) by (w, b), on the mean of eps^2/2."""
    inputs = np.column_stack([x, np.ones(len(x))])
    z = inputs @ theta
    return inputs.T @ ((np.maximum(z, 0) - targets[:, 0]) * (z > 0)) / len(x)


def one_unit(x, y, gamma: float, start: float | None = None, step: float = 1.0) -> np.ndarray:
    """The path of (w, b) of max(0, w.x + b) on the target gamma y, by gradient descent with momentum 0.9.

    The start is scaled by ``start``, by default gamma; the step size by ``step``.
    """
    first = np.array([0.6, -0.3, 0.2]) * (gamma if start is None else start)
    path = descent(lambda theta: of_unit(theta, x, gamma * y), first, 0.1 * step, 0.9)
    return np.array([first, *(theta for theta, _ in islice(path, STEPS))])


def by_parameter(scales: target_scaling.Scales) -> np.ndarray:
    """One number per parameter of the network, in the order of its rows, from one per tensor."""
    tensors = [value for pair in zip(scales.weights, scales.biases, strict=True) for value in pair]
    return np.repeat(tensors, [a * b for a, b in NETWORK.shapes])


def start(rng: np.random.Generator) -> np.ndarray:
    """Parameters (1, size): normal weights of variance 1/fan_in, normal biases."""
    rows = np.empty((1, NETWORK.size))
    for tensor, fan_in in zip(NETWORK.tensors(rows), (2, 0, 8, 0, 8, 0), strict=True):
        tensor[...] = rng.normal(size=tensor.shape) * (1 / np.sqrt(fan_in) if fan_in else 0.5)
    return rows


def after(optimiser: Adam | SGD, rows: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Parameters after training on all data at once, on the mean of eps^2/2."""
    rows, gradient = rows.copy(), np.empty_like(rows)
    for _ in range(STEPS):
        outputs, tape = NETWORK.forward(rows, x[None])
        NETWORK.gradients(rows, tape, (outputs - y) / len(x), gradient)
        optimiser.step(rows, gradient)
    return rows
