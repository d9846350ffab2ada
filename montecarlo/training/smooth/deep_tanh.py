"""Addition on the disc by tanh networks of several hidden layers, each layer normalised by eq. (7)."""

from itertools import pairwise

import numpy as np

from montecarlo.engine.models import one_run
from montecarlo.training.addition_processes import disc_points, square_grid
from montecarlo.training.optimisers import Adam
from montecarlo.training.smooth.tanh_addition import TASKS
from montecarlo.training.smooth.tanh_networks import Schedule

Layers = list[tuple[np.ndarray, np.ndarray]]


def normalised(raw: np.ndarray, factor: float) -> np.ndarray:
    """Weights factor w/std(w), or factor w of a single one."""
    return raw * (factor / raw.std(ddof=1) if raw.size > 1 else factor)


def pulled_back(raw: np.ndarray, factor: float, gradient: np.ndarray) -> np.ndarray:
    """The gradient by w, from that by the weights of :func:`normalised`."""
    if raw.size == 1:
        return factor * gradient
    deviation, along = raw.std(ddof=1), float((raw * gradient).sum())
    return factor / deviation * (gradient - along / ((raw.size - 1) * deviation**2) * (raw - raw.mean()))


def acting(raw: Layers, sigma: float) -> Layers:
    """The weights and biases that act: std sigma/sqrt(fan_in) and sigma."""
    return [(normalised(w, sigma / np.sqrt(len(w))), normalised(b, sigma)) for w, b in raw]


def activations(layers: Layers, x: np.ndarray) -> list[np.ndarray]:
    """Inputs of each layer, and the outputs of the last, which is linear."""
    found = [x]
    for w, b in layers[:-1]:
        found.append(np.tanh(found[-1] @ w + b))
    return [*found, found[-1] @ layers[-1][0] + layers[-1][1]]


def gradients(raw: Layers, sigma: float, x: np.ndarray, y: np.ndarray) -> tuple[float, Layers]:
    """Mean squared error, and its gradients by the parameters of each layer.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> raw = [(rng.normal(size=(2, 5)), rng.normal(size=5)), (rng.normal(size=(5, 1)), rng.normal(size=1))]
    >>> x = rng.normal(size=(7, 2))
    >>> loss, found = gradients(raw, 0.5, x, x.sum(axis=1))
    >>> raw[0][0][1, 2] += 1e-6
    >>> bool(abs((gradients(raw, 0.5, x, x.sum(axis=1))[0] - loss) / 1e-6 - found[0][0][1, 2]) < 1e-5)
    True
    """
    layers = acting(raw, sigma)
    inputs = activations(layers, x)
    error = inputs[-1][:, 0] - y
    delta = (2 / len(y)) * error[:, None]
    found: Layers = []
    for (w, b), (weights, _), before in zip(raw[::-1], layers[::-1], inputs[-2::-1], strict=True):
        by_weights = before.T @ delta, delta.sum(axis=0)
        found.append((pulled_back(w, sigma / np.sqrt(len(w)), by_weights[0]), pulled_back(b, sigma, by_weights[1])))
        delta = (delta @ weights.T) * (1 - before**2)
    return float((error**2).mean()), found[::-1]


def curvature(values: np.ndarray, step: float) -> float:
    """The root of the mean of the sum of all squared second differences of values on a square grid."""
    inner = values[1:-1, 1:-1]
    first = values[2:, 1:-1] - 2 * inner + values[:-2, 1:-1]
    second = values[1:-1, 2:] - 2 * inner + values[1:-1, :-2]
    mixed = (values[2:, 2:] - values[2:, :-2] - values[:-2, 2:] + values[:-2, :-2]) / 4
    return float(np.sqrt((first**2 + second**2 + 2 * mixed**2).mean()) / step**2)


@one_run(columns=("train", "inside", "curvature"))
def deep_addition(
    run, inverse_sigma, hidden: int, units: int, number: int, first_seed: int, steps: int, grid: int, half_width
):
    """Mean squared errors at the last step and on the disc, and curvature on a square, after training."""
    schedule, task = Schedule(steps), TASKS["addition"]
    points, inside = square_grid(grid, half_width)
    rng = np.random.default_rng([first_seed, run])
    sizes = [2, *[units] * hidden, 1]
    raw = [(rng.normal(size=(n, m)), rng.normal(size=m)) for n, m in pairwise(sizes)]
    x = disc_points(first_seed + run, number, 0.0)
    adam = [(Adam(schedule.step_size), Adam(schedule.step_size)) for _ in raw]
    for step in range(steps):
        loss, found = gradients(raw, 1 / inverse_sigma, x, task(x))
        factor = schedule.decay ** (step // schedule.every)
        for pair, by, parameters in zip(adam, found, raw, strict=True):
            for one, g, tensor in zip(pair, by, parameters, strict=True):
                one.step(tensor, g, factor)
    values = activations(acting(raw, 1 / inverse_sigma), points)[-1][:, 0]
    error = float(((values - task(points))[inside] ** 2).mean())
    return loss, error, curvature(values.reshape(grid, grid), points[1, 0] - points[0, 0])
