"""A multilayer perceptron of published layers: gradients against differences, and training on the digits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np

from montecarlo.engine.models import one_run
from montecarlo.training import matrix_layers
from montecarlo.training.images import digits
from montecarlo.training.matrix_layers import Layer

KINDS = ("relu", "srelu", "batchnorm", "dropout")
METHODS = ("descent", "momentum", "nesterov")
CHECKPOINTS = 9
LARGEST_PIXEL = 16


@dataclass
class Perceptron:
    """Layers in a row, ended by the softmax cross-entropy loss."""

    layers: list[Layer]

    @classmethod
    def of(cls, kind: str, sizes: Sequence[int], rng: np.random.Generator) -> Perceptron:
        """Linear layers with He's weights; after each but the last, by kind, an activation and batch normalisation."""
        if kind not in KINDS:
            raise ValueError(f"Perceptron.of: kind must be one of {KINDS}, got {kind!r}; choose one")
        layers: list[Layer] = []
        for position, (d, k) in enumerate(pairwise(sizes)):
            layers.append(matrix_layers.LinearDropout(rng.standard_normal((k, d)) * np.sqrt(2 / d), np.zeros((1, k))))
            if position < len(sizes) - 2:
                layers += [matrix_layers.BatchNormalization(k)] if kind == "batchnorm" else []
                layers.append(matrix_layers.SReLU() if kind == "srelu" else matrix_layers.ReLU())
        return cls(layers)

    def drop(self, rate: float, rng: np.random.Generator | None) -> None:
        """New dropout matrices for the hidden linear layers: 1/(1 - rate) or, with this rate, 0; none without rng."""
        for layer in self.layers[1:]:
            if isinstance(layer, matrix_layers.LinearDropout):
                shape = layer.parameters["W"].T.shape
                layer.r = 1.0 if rng is None else (rng.random(shape) >= rate) / (1 - rate)

    def outputs(self, x: np.ndarray) -> np.ndarray:
        for layer in self.layers:
            x = layer.forward(x)
        return x

    def loss(self, x: np.ndarray, t: np.ndarray) -> complex | float:
        return matrix_layers.softmax_cross_entropy(self.outputs(x), t)

    def backpropagate(self, x: np.ndarray, t: np.ndarray) -> None:
        """Fill the gradients of all layers."""
        dy = matrix_layers.softmax_gradient(self.outputs(x), t)
        for layer in reversed(self.layers):
            dy = layer.backward(dy)


def difference_errors(
    net: Perceptron, x: np.ndarray, t: np.ndarray, rng: np.random.Generator, step: float = 0.0
) -> list[float]:
    """The gradient along a random direction of each parameter against a difference, relative to the largest of them.

    Parameters
    ----------
    step : float
        Of a central difference; with 0 the derivative is taken by a complex step, which loses no digit and, unlike a
        difference, crosses no kink.

    Returns
    -------
    list of float
        In the order of the layers and their parameters.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> net = Perceptron.of("relu", (3, 4, 2), rng)
    >>> max(difference_errors(net, np.ones((5, 3)), np.eye(2)[[0, 1, 0, 0, 1]], rng)) < 1e-12
    True
    """
    net.backpropagate(x, t)
    pairs = []
    for layer in net.layers:
        for name, gradient in layer.gradients.items():
            direction = rng.standard_normal(gradient.shape)
            by_equations = float(np.sum(gradient * direction))
            pairs.append((by_equations, _difference(net, x, t, layer, name, direction, step)))
    largest = max(abs(v) for pair in pairs for v in pair)
    return [abs(a - b) / largest for a, b in pairs]


def _difference(net, x, t, layer: Layer, name: str, direction: np.ndarray, step: float) -> float:
    value = layer.parameters[name]

    def loss(change: np.ndarray) -> complex | float:
        layer.parameters[name] = value + change
        try:
            return net.loss(x, t)
        finally:
            layer.parameters[name] = value

    if step == 0:
        return float(np.imag(loss(1e-100j * direction)) / 1e-100)
    return float((loss(step * direction) - loss(-step * direction)) / (2 * step))


def _updated(method: str, theta: np.ndarray, delta: np.ndarray, gradient: np.ndarray, rate: float, mu: float):
    """theta' and Delta' of section 8."""
    if method == "descent":
        return theta - rate * gradient, delta
    delta = mu * delta - rate * gradient
    return (theta + delta if method == "momentum" else theta + mu * delta - rate * gradient), delta


def _losses(
    net: Perceptron, method: str, rate: float, mu: float, batches: Callable[[], tuple[np.ndarray, np.ndarray]],
    steps: int, x: np.ndarray, t: np.ndarray,
) -> list[float]:  # fmt: skip
    """Of all examples, without dropout, before and after each part of the steps of one method while it is finite.

    The velocity is zero at the start. Where the loss leaves float64 the parameters are put back.
    """
    deltas = [{name: np.zeros_like(v) for name, v in layer.parameters.items()} for layer in net.layers]
    found = [net.loss(x, t)]
    while len(found) < CHECKPOINTS:
        before = [dict(layer.parameters) for layer in net.layers]
        for _ in range(steps // (CHECKPOINTS - 1)):
            net.backpropagate(*batches())
            for layer, delta in zip(net.layers, deltas, strict=True):
                for name, gradient in layer.gradients.items():
                    layer.parameters[name], delta[name] = _updated(
                        method, layer.parameters[name], delta[name], gradient, rate, mu
                    )
        net.drop(0.0, None)
        loss = net.loss(x, t)
        if not np.isfinite(loss):
            for layer, parameters in zip(net.layers, before, strict=True):
                layer.parameters = parameters
            return found
        found.append(loss)
    return found


@lru_cache(maxsize=2)
def _data(split: tuple[int, int]) -> tuple[np.ndarray, ...]:
    """Pixels from 0 to 1, targets as rows with a single 1."""
    train_x, train_y, test_x, test_y = digits(split)
    return train_x / LARGEST_PIXEL, np.eye(10)[train_y], test_x / LARGEST_PIXEL, np.eye(10)[test_y]


def _share(net: Perceptron, x: np.ndarray, t: np.ndarray) -> float:
    """Of examples whose largest output is where the target is 1."""
    return float(np.mean(net.outputs(x).argmax(1) == t.argmax(1)))


@one_run(columns=(*(f"loss_{i}" for i in range(CHECKPOINTS)), "train", "test", "gradient", "lasted"))
def train_on_digits(run, seed: int, kind: str, method: str, width: int, steps: int, batch: int, rate, mu, drop_rate):
    """Losses per example before, between and after, accuracies, the largest error of a gradient.

    A run whose loss leaves float64 stays where it was at the checkpoint before; ``lasted`` counts its steps until then.
    """
    rng = np.random.default_rng([seed, run])
    train_x, train_t, test_x, test_t = _data((seed, run))
    net = Perceptron.of(kind, (train_x.shape[1], width, width, 10), rng)

    def drawn():
        rows = rng.integers(0, len(train_x), batch)
        if kind == "dropout":
            net.drop(drop_rate, rng)
        return train_x[rows], train_t[rows]

    # A learning rate that is too large ends beyond float64.
    with np.errstate(over="ignore", invalid="ignore"):
        losses = _losses(net, method, rate / batch, mu, drawn, steps, train_x, train_t)
        lasted = (len(losses) - 1) * (steps // (CHECKPOINTS - 1))
        losses += [losses[-1]] * (CHECKPOINTS - len(losses))
        shares = _share(net, train_x, train_t), _share(net, test_x, test_t)
        gradient = max(difference_errors(net, train_x[:40], train_t[:40], rng))
    return *(np.array(losses) / len(train_x)), *shares, gradient, lasted
