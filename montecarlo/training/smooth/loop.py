"""Training by Adam with a step size that falls by a factor now and then, on fixed data or on fresh batches."""

from typing import NamedTuple

import numpy as np

from montecarlo.engine.compiled import compiled_helper
from montecarlo.streams.instructions import inlined
from montecarlo.training.optimisers import MOMENTUM, SECOND_MOMENTUM, adam_step
from montecarlo.training.smooth.data import draw_ring, set_targets
from montecarlo.training.smooth.relu import gradient, values

HALF = np.float32(0.5)


class Plan(NamedTuple):
    """How networks are trained.

    Attributes
    ----------
    steps : int
    step_size : float
        At the start.
    decay : float
        What it is multiplied by after every ``every`` steps.
    every : int
    operation : int
        What is learnt, of :mod:`montecarlo.training.smooth.data`.
    low : float
        Below 0: the data stay as they are. Else every step has a fresh batch, of squared distances in (low, 1).
    first_draw : int
        Of the fresh batches.
    symmetric : bool
        What is trained is (f(x_1, x_2) + f(x_2, x_1))/2: the second half of the data is the first with its inputs
        exchanged.

    Source: smooth, A.1, A.2.7.
    """

    steps: int
    step_size: float
    decay: float
    every: int
    operation: int
    low: float = -1.0
    first_draw: int = 0
    symmetric: bool = False


@inlined
def _set_slopes(symmetric, targets, out):
    """From outputs to the slopes of the mean squared error at them."""
    half = out.size // 2
    if symmetric:
        for i in range(half):
            mean = HALF * (out[i] + out[half + i])
            out[i] = out[half + i] = mean
    share = np.float32(2.0 / out.size)
    for i in range(out.size):
        out[i] = share * (out[i] - targets[i])


@compiled_helper
def train(stream, sample, plan, theta, x):
    """Change theta in place; ``x`` (2, number), float32, are the data or the room for fresh batches."""
    m, v, slopes = np.zeros_like(theta), np.zeros_like(theta), np.empty_like(theta)
    batch = x.shape[1]
    targets, out = np.empty(batch, dtype=np.float32), np.empty(batch, dtype=np.float32)
    set_targets(plan.operation, x, targets)
    step_size, power, second_power = plan.step_size, 1.0, 1.0
    for step in range(plan.steps):
        if plan.low >= 0.0:
            draw_ring(stream, sample, plan.first_draw + step * batch, plan.low, x)
            set_targets(plan.operation, x, targets)
        if step > 0 and step % plan.every == 0:
            step_size *= plan.decay
        values(theta, x, out)
        _set_slopes(plan.symmetric, targets, out)
        gradient(theta, x, out, slopes)
        power *= MOMENTUM
        second_power *= SECOND_MOMENTUM
        adam_step(theta, m, v, slopes, step_size, power, second_power, False)
