"""Regression by ReLU networks, many independent runs trained at once, and how many units are dead.

Each run owns a Philox generator, so that a run is the same whatever runs are trained beside it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from montecarlo.training.networks import Network
from montecarlo.training.optimisers import SGD, Adam


def batches(rng: np.random.Generator, n: int, batch: int, steps: int) -> np.ndarray:
    """Indices of mini-batches, (steps, batch): a new random order in each pass; an incomplete last one is left out."""
    if not 1 <= batch <= n:
        raise ValueError(f"batches: batch must be between 1 and {n}, got {batch}; choose a smaller one")
    passes = -(-steps // (n // batch))
    orders = rng.permuted(np.tile(np.arange(n), (passes, 1)), axis=1)
    return orders[:, : n // batch * batch].reshape(-1, batch)[:steps]


@dataclass(frozen=True)
class Runs:
    """What is left of the runs.

    Attributes
    ----------
    error : array (runs, checkpoints)
        Mean square error on all training data.
    dead : array (runs, checkpoints, depth)
        Units that are inactive on all training data, by layer.
    died : array (runs, checkpoints, depth)
        Those of them that were active at the first checkpoint, unit by unit: what was dead there and is not is the rest
        of the difference.
    parameters : array (runs, size)
        At the end.
    """

    error: np.ndarray
    dead: np.ndarray
    died: np.ndarray
    parameters: np.ndarray


def train(
    network: Network,
    optimiser: Adam | SGD,
    x: np.ndarray,
    y: np.ndarray,
    *,
    runs: int,
    seed: int,
    batch: int,
    checkpoints: Sequence[int],
    first: int = 0,
    law: str = "uniform",
    start_scale: float | np.ndarray = 1.0,
) -> Runs:
    """Train by mini-batches on half the mean square error, up to the last checkpoint.

    Parameters
    ----------
    network : Network
    optimiser : Adam or SGD
        A new one: it keeps its moving averages.
    x, y : arrays (n, inputs), (n,)
    runs, seed : int
        Run r draws from Philox with the key (seed, r).
    batch : int
    checkpoints : increasing sequence of int
        Updates after which to look; 0 is before the first.
    first : int
        The first run.
    law : {"uniform", "he"}
        See :meth:`Network.start`.
    start_scale : float or array (size,)
        Times the parameters at the start.

    Returns
    -------
    Runs

    Examples
    --------
    >>> x = np.linspace(-1, 1, 32)[:, None]
    >>> done = train(Network(1, 8, 1), Adam(0.01), x, np.abs(x[:, 0]), runs=2, seed=1, batch=8,
    ...              checkpoints=[0, 300])
    >>> bool((done.error[:, 1] < 0.1 * done.error[:, 0]).all()), done.dead.shape
    (True, (2, 2, 1))
    """
    rngs = [np.random.Generator(np.random.Philox(key=[seed, run])) for run in range(first, first + runs)]
    rows = network.start(rngs, law) * start_scale
    order = np.stack([batches(rng, len(x), batch, max(checkpoints[-1], 1)) for rng in rngs], axis=1)
    gradient = np.empty_like(rows)
    errors, dead, done = [], [], 0
    for checkpoint in checkpoints:
        for step in range(done, checkpoint):
            seen = order[step]
            outputs, tape = network.forward(rows, x[seen])
            network.gradients(rows, tape, (outputs - y[seen][:, :, None]) / batch, gradient)
            optimiser.step(rows, gradient)
        done = checkpoint
        outputs, _ = network.forward(rows, x[None])
        errors.append(((outputs[:, :, 0] - y) ** 2).mean(axis=1))
        dead.append(network.dead(rows, x[None]))
    units = np.stack(dead, axis=1)
    died = units & ~units[:, :1]
    return Runs(np.stack(errors, axis=1), units.sum(axis=3), died.sum(axis=3), rows)
