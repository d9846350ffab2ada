"""Training of small ReLU networks on all data at once, in plain NumPy, for the claims on scaled targets."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

__all__ = ["after_adam", "after_descent", "data", "network", "one_unit"]

STEPS = 300


def data(observations: int, inputs: int) -> tuple[np.ndarray, np.ndarray]:
    """Normal inputs, and a target that is neither linear nor a single ReLU; always the same."""
    rng = np.random.default_rng(5)
    x = rng.normal(size=(observations, inputs))
    return x, np.sin(x[:, :1]) + np.maximum(x[:, 1:2], 0)


def network(rng: np.random.Generator, widths: list[int]) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Normal weights of variance 1/fan_in and normal biases."""
    weights = [rng.normal(size=(b, a)) / np.sqrt(a) for a, b in pairwise(widths)]
    return weights, [0.5 * rng.normal(size=b) for b in widths[1:]]


def one_unit(x, y, gamma: float, start: float | None = None, step: float = 1.0) -> np.ndarray:
    """The path of (w, b) of max(0, w.x + b) on the target gamma y, by gradient descent with momentum 0.9.

    The start is scaled by ``start``, by default gamma; the step size by ``step``.
    """
    theta = np.array([0.6, -0.3, 0.2]) * (gamma if start is None else start)
    inputs, m = np.column_stack([x, np.ones(len(x))]), np.zeros(3)
    path = [theta]
    for _ in range(STEPS):
        z = inputs @ theta
        gradient = inputs.T @ ((np.maximum(z, 0) - gamma * y[:, 0]) * (z > 0)) / len(x)
        m = 0.9 * m + 0.1 * gradient
        theta = theta - 0.1 * step * m
        path.append(theta)
    return np.array(path)


def gradients(weights, biases, x, y) -> list[np.ndarray]:
    """Of the mean of eps^2/2, weights first."""
    hidden = [x]
    for w, b in zip(weights[:-1], biases[:-1], strict=True):
        hidden.append(np.maximum(hidden[-1] @ w.T + b, 0))
    delta = (hidden[-1] @ weights[-1].T + biases[-1] - y) / len(x)
    by_weight, by_bias = [], []
    for w, h in zip(reversed(weights), reversed(hidden), strict=True):
        by_weight.insert(0, delta.T @ h)
        by_bias.insert(0, delta.sum(axis=0))
        delta = (delta @ w) * (h > 0)
    return [*by_weight, *by_bias]


def _train(weights, biases, x, y, update):
    parameters = [*weights, *biases]
    for k in range(1, STEPS + 1):
        layers = len(weights)
        steps = update(k, gradients(parameters[:layers], parameters[layers:], x, y))
        parameters = [p - s for p, s in zip(parameters, steps, strict=True)]
    return parameters[: len(weights)], parameters[len(weights) :]


def after_descent(weights, biases, x, y, steps, _gamma, _by):
    """Parameters after gradient descent with momentum 0.9 and the step size 0.1 times ``steps`` of each tensor."""
    rates = 0.1 * np.concatenate([steps.weights, steps.biases])
    m = [0.0] * len(rates)

    def update(_k, gradient):
        m[:] = [0.9 * v + 0.1 * g for v, g in zip(m, gradient, strict=True)]
        return [r * v for r, v in zip(rates, m, strict=True)]

    return _train(weights, biases, x, y, update)


def after_adam(weights, biases, x, y, steps, gamma, by):
    """Parameters after Adam, step size 0.01 times ``steps``, epsilon 1e-8 times gamma^2/s of each tensor."""
    rates = 0.01 * np.concatenate([steps.weights, steps.biases])
    eps = 1e-8 * gamma**2 / np.concatenate([by.weights, by.biases])
    m, v = [0.0] * len(rates), [0.0] * len(rates)

    def update(k, gradient):
        m[:] = [0.9 * a + 0.1 * g for a, g in zip(m, gradient, strict=True)]
        v[:] = [0.999 * a + 0.001 * g * g for a, g in zip(v, gradient, strict=True)]
        first, second = 1 - 0.9**k, 1 - 0.999**k
        return [
            r * (a / first) / (np.sqrt(c / second) + e) for r, a, c, e in zip(rates, m, v, eps, strict=True)
        ]  # fmt: skip

    return _train(weights, biases, x, y, update)
