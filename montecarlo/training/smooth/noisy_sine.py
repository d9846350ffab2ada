"""A noisy sine learned by tanh networks of one input: errors and curvature."""

import numpy as np

from montecarlo.engine.models import one_run
from montecarlo.training.smooth.tanh_networks import Schedule, TanhNetwork, train

# Data lie within the first, what is looked at outside of them within the second.
INSIDE, OUTSIDE = 2 * np.pi, 3 * np.pi
COLUMNS = ("train", "test", "outside", "curvature")


def noisy_sine(rng: np.random.Generator, x: np.ndarray, noise: float) -> np.ndarray:
    """sin x and normal noise of a standard deviation, at points of any shape."""
    return np.sin(x) + noise * rng.standard_normal(x.shape)


def sine_data(seed: int, run: int, number: int, noise: float) -> tuple[np.ndarray, np.ndarray]:
    """Points (number, 1), uniform on [-2 pi, 2 pi], and targets (number,).

    Examples
    --------
    >>> x, y = sine_data(42, 0, 5, 0.0)
    >>> bool((y == np.sin(x[:, 0])).all())
    True
    """
    rng = np.random.default_rng([seed, run, 1])
    x = rng.uniform(-INSIDE, INSIDE, (number, 1))
    return x, noisy_sine(rng, x[:, 0], noise)


@one_run(columns=COLUMNS)
def tanh_sine(run, inverse_sigma, units: int, number: int, noise, first_seed: int, steps: int, test: int):
    """Mean square errors on the data, on others with noise, outside of them to 3 pi; the curvature on [-2 pi, 2 pi].

    Runs of one number have the same data and the same start, whatever sigma.
    """
    inside = np.linspace(-INSIDE, INSIDE, test)[:, None]
    outside = np.concatenate([np.linspace(-OUTSIDE, -INSIDE, test), np.linspace(INSIDE, OUTSIDE, test)])[:, None]
    network, (x, y) = TanhNetwork(units, 1, 1 / inverse_sigma), sine_data(first_seed, run, number, noise)
    raw = network.start(np.random.default_rng([first_seed, run]))
    loss = train(network, raw, Schedule(steps), lambda _first, _last: (x[None], y[None]))
    rng = np.random.default_rng([first_seed, run, 2])
    errors = [
        float(((network.outputs(raw, where) - noisy_sine(rng, where[:, 0], noise)) ** 2).mean())
        for where in (inside, outside)
    ]
    return loss, *errors, network.curvature(raw, inside)
