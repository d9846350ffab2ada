"""What networks become with very many units, drawn beside trained ones: a Gaussian process that has seen the same data.

Of a network whose first layer stays where it starts and whose second one is random, the mean given the data is a sum of
the hidden units with weights that follow from least squares; with as many units as ``UNITS`` the process is that of
infinitely many to about a hundredth.
"""

from collections.abc import Callable

import numpy as np
from scipy import linalg

from montecarlo.training.smooth.tanh_networks import TanhNetwork

UNITS = 20_000


def tanh_limit(sigma: float, x: np.ndarray, y: np.ndarray, noise: float, places: np.ndarray) -> np.ndarray:
    """At places (m, inputs), given data (n, inputs), (n,) with a variance of noise; weights as the networks' start."""
    network = TanhNetwork(UNITS, x.shape[1], sigma)
    w, b, *_ = network.tensors(network.weights(network.start(np.random.default_rng(0))))
    shares = np.append(np.full(UNITS, sigma**2 / UNITS), sigma**2)
    return _mean(lambda at: np.tanh(at @ w + b), shares, x, y, noise, places)


def relu_limit(x: np.ndarray, y: np.ndarray, noise: float, places: np.ndarray) -> np.ndarray:
    """The same of ReLU networks with PyTorch's start: all of a layer uniform within 1/sqrt(fan_in)."""
    w = np.random.default_rng(0).uniform(-1, 1, (x.shape[1] + 1, UNITS)) / np.sqrt(x.shape[1])
    return _mean(
        lambda at: np.maximum(at @ w[:-1] + w[-1], 0), np.full(UNITS + 1, 1 / (3 * UNITS)), x, y, noise, places
    )


def _mean(
    units: Callable[[np.ndarray], np.ndarray], shares: np.ndarray, x: np.ndarray, y: np.ndarray, noise: float,
    places: np.ndarray,
) -> np.ndarray:  # fmt: skip
    """``shares``: variances of the second layer, its bias last."""
    hidden = np.column_stack([units(x), np.ones(len(x))])
    covariance = (hidden * shares) @ hidden.T + noise * np.eye(len(x))
    second = shares * (hidden.T @ linalg.solve(covariance, y, assume_a="pos"))
    return np.concatenate([units(part) @ second[:-1] for part in np.array_split(places, 256)]) + second[-1]
