"""Deep networks of ReLU layers trained by gradient descent from weights of a given variance."""

import numpy as np

from montecarlo.engine.models import one_run
from montecarlo.streams.generators import generator

MOMENTUM = 0.9
TEST = 512


@one_run(columns=("solved_at", "error"))
def from_gain(
    stream, run, depth: int, width: int, inputs: int, weight_gain, output_gain, batch: int, steps: int, every: int,
    step_size, below
):  # fmt: skip
    """Learn t = |x_1| for x ~ N(0, 1) with ``depth`` ReLU layers and a linear one, without biases.

    Var[W] = weight_gain/fan_in in the first layers and output_gain/fan_in in the last one, normal; stochastic gradient
    descent with momentum 0.9 on fresh batches. A run is solved at the first look at which the mean squared error is
    below ``below`` variances of the targets.
    """
    sizes = [inputs, *[width] * depth, 1]
    rng = generator(stream, run)
    gains = [weight_gain] * depth + [output_gain]
    weights = [rng.normal(0, np.sqrt(g / a), (a, b)) for g, a, b in zip(gains, sizes[:-1], sizes[1:], strict=True)]
    return _train(rng, weights, batch, steps, every, step_size, below)


def _train(rng, weights, batch, steps, every, step_size, below):
    x_test = rng.normal(size=(TEST, weights[0].shape[0]))
    t_test, velocity, error = np.abs(x_test[:, :1]), [np.zeros_like(w) for w in weights], np.inf
    for step in range(steps + 1):
        if step % every == 0:
            error = np.mean((_forward(weights, x_test)[-1] - t_test) ** 2) / np.var(t_test)
            if error < below or not np.isfinite(error):
                return (step if error < below else -1), error
        x = rng.normal(size=(batch, weights[0].shape[0]))
        layers = _forward(weights, x)
        slope = 2 / batch * (layers[-1] - np.abs(x[:, :1]))
        for k in range(len(weights) - 1, -1, -1):
            gradient = layers[k].T @ slope
            if k:
                slope = (slope @ weights[k].T) * (layers[k] > 0)
            velocity[k] = MOMENTUM * velocity[k] - step_size * gradient
            weights[k] = weights[k] + velocity[k]
    return -1, error


def _forward(weights, x):
    """Inputs of every layer, and the output."""
    layers = [x]
    for w in weights[:-1]:
        layers.append(np.maximum(layers[-1] @ w, 0.0))
    return [*layers, layers[-1] @ weights[-1]]
