"""Other data and another model for tanh networks that add: normal points, and networks that are made symmetric."""

import numpy as np

from montecarlo.engine.models import one_run
from montecarlo.training.addition_processes import disc_points
from montecarlo.training.optimisers import Adam
from montecarlo.training.smooth.runs import BANDS, KINDS, normal_points
from montecarlo.training.smooth.tanh_addition import function_of
from montecarlo.training.smooth.tanh_descent import loss_and_gradient, pull_all_back
from montecarlo.training.smooth.tanh_networks import Schedule, TanhNetwork, train

# Rows of parameters by unit, where the inputs are exchanged: w_1, w_2, b, v.
EXCHANGED = [1, 0, 2, 3]


def doubled(weights: np.ndarray, units: int) -> np.ndarray:
    """The weights of twice as many units that are (f(x_1, x_2) + f(x_2, x_1))/2.

    Examples
    --------
    >>> doubled(np.array([1.0, 2.0, 3.0, 4.0, 5.0]), 1).tolist()
    [1.0, 2.0, 2.0, 1.0, 3.0, 3.0, 2.0, 2.0, 5.0]
    """
    rows = weights[:-1].reshape(4, units)
    both = np.concatenate([rows, rows[EXCHANGED]], axis=1)
    both[3] /= 2
    return np.append(both.ravel(), weights[-1])


def folded(gradient: np.ndarray, units: int) -> np.ndarray:
    """The gradient by weights, given that by those of :func:`doubled`."""
    rows = gradient[:-1].reshape(4, 2 * units)
    both = rows[:, :units] + rows[EXCHANGED, units:]
    both[3] /= 2
    return np.append(both.ravel(), gradient[-1])


def train_symmetric(network: TanhNetwork, raw: np.ndarray, schedule: Schedule, x: np.ndarray, y: np.ndarray) -> None:
    """Train (f(x_1, x_2) + f(x_2, x_1))/2 in place on all data (n, 2), (n,) at each step.

    Source: smooth, A.2.7.
    """
    x, y = np.ascontiguousarray(x, np.float32), np.asarray(y, np.float32)
    adam, slopes, by_raw = Adam(schedule.step_size), np.empty(2 * network.size - 1, np.float32), np.empty(network.size)
    for step in range(schedule.steps):
        both = doubled(network.weights(raw), network.units).astype(np.float32)
        loss_and_gradient(both, 2 * network.units, x, y, slopes)
        by_weights = folded(slopes.astype(np.float64), network.units)
        pull_all_back(raw, network.units, network.factors, network.normalise, by_weights, by_raw)
        adam.step(raw, by_raw, schedule.decay ** (step // schedule.every))


@one_run(columns=tuple(f"{kind}_{name}" for kind in KINDS for name in ("train", "inside", "outside")))
def symmetric_tanh(run, inverse_sigma, units: int, number: int, first_seed: int, steps: int, grid: int, half_width):
    """Mean squared errors on the data, and at the points of a grid inside and outside of the disc.

    Of a normalised network, and of one that is made symmetric, with the same data and the same start.

    Source: smooth, A.2.7.
    """
    network = TanhNetwork(units, 2, 1 / inverse_sigma)
    x, row = disc_points(first_seed + run, number), []
    y = x.sum(axis=1)
    for symmetric in (False, True):
        raw = network.start(np.random.default_rng([first_seed, run]))
        if symmetric:
            train_symmetric(network, raw, Schedule(steps), x, y)
        else:
            train(network, raw, Schedule(steps), lambda _first, _last: (x[None], y[None]))
        points, values = function_of(network, raw, grid, half_width)
        fits = network.outputs(raw, x)
        if symmetric:
            # The grid is its own mirror image.
            values, fits = (values + values.T) / 2, (fits + network.outputs(raw, x[:, ::-1])) / 2
        errors, within = (values - points.sum(axis=-1)) ** 2, (points**2).sum(axis=-1) <= 1
        row += [((fits - y) ** 2).mean(), errors[within].mean(), errors[~within].mean()]
    return row


def on_normal_points(
    network: TanhNetwork, run: int, *, number: int, first_seed: int, steps: int
) -> tuple[np.ndarray, float]:
    """Parameters after learning to add from standard normal points, and the loss at the last step."""
    raw = network.start(np.random.default_rng([first_seed, run]))
    x = normal_points(first_seed + run, number).T
    return raw, train(network, raw, Schedule(steps), lambda _first, _last: (x[None], x.sum(axis=1)[None]))


@one_run(columns=("train", *(f"band_{k}" for k in range(BANDS))))
def unbounded_tanh(run, inverse_sigma, units: int, number: int, first_seed: int, steps: int, grid: int):
    """Mean squared errors on normal data, and at the points of a grid by distance from 0, up to three.

    Source: smooth, A.2.6.
    """
    network = TanhNetwork(units, 2, 1 / inverse_sigma)
    raw, loss = on_normal_points(network, run, number=number, first_seed=first_seed, steps=steps)
    points, values = function_of(network, raw, grid, BANDS / 2)
    errors, band = (values - points.sum(axis=-1)) ** 2, np.floor(2 * np.hypot(*np.moveaxis(points, -1, 0)))
    return [loss, *(errors[band == k].mean() for k in range(BANDS))]
