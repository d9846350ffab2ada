"""Learning curves: the runs of the four-input task, look by look."""

from __future__ import annotations

import numpy as np

from montecarlo.engine.compiled import compiled_helper
from montecarlo.engine.models import simulator
from montecarlo.training.arithmetic.adam import MOMENTUM, SECOND_MOMENTUM, adam_step
from montecarlo.training.arithmetic.blocks import LANES
from montecarlo.training.arithmetic.loop import Plan, mean_square, slopes, start
from montecarlo.training.arithmetic.runs import network
from montecarlo.training.arithmetic.task import BATCH, OPERATIONS, Range, Task, draw_inputs, offset

__all__ = ["LOOKS", "curves"]

# Between the start and the end of a run.
LOOKS = 200
_NAMES = tuple(f"{what}_{k}" for what in ("test_error", "w2_0", "w2_1") for k in range(LOOKS + 1))


@compiled_helper
def _curve(stream, sample, task, network, plan, found):
    """Train one run, as :func:`montecarlo.training.arithmetic.loop.train` does; a row of ``found`` for each look."""
    size = network.size
    theta, m, v, gradient = np.empty(size), np.zeros(size), np.zeros(size), np.empty(size)
    factors, w, lanes, room = np.empty(size), np.zeros(size), np.empty(LANES), np.zeros((network.rows, BATCH))
    start(stream, sample, network, theta)
    begin = offset(stream, sample, task)
    power, second_power = 1.0, 1.0
    for step in range(plan.steps + 1):
        if step % plan.every == 0:
            look = step // plan.every
            found[0, look] = mean_square(stream, True, plan.observations, task, network, begin, theta, factors, w, room)
            found[1, look], found[2, look] = w[network.second.at], w[network.second.at + 1]
        draw_inputs(stream, sample, step + 1, task.interpolation, task.inputs, room)
        slopes(task, plan, step, network, begin, theta, factors, w, room, lanes, gradient)
        power *= MOMENTUM
        second_power *= SECOND_MOMENTUM
        adam_step(theta, m, v, gradient, plan.step_size, power, second_power, plan.single)


@simulator(columns=_NAMES)
def curves(
    stream, first, model: str, operation: str, lower, upper, test_lower, test_upper, threshold, nac_range_1,
    nac_range_2, eps, steps: int, observations: int, step_size, bias, oob, ramp, single: int, out,
):  # fmt: skip
    """The runs of :func:`montecarlo.training.arithmetic.runs.four_inputs`: the mean squared error on the test and both
    weights of the second layer at the start and after each of ``LOOKS`` equal parts of the steps.

    Raises
    ------
    ValueError
        For another model or operation, or a number of steps that has no such parts.

    Source: nau, 3.1.3.
    """
    if steps < 1 or steps % LOOKS:
        raise ValueError(f"curves: steps must be a positive multiple of {LOOKS}, got {steps}; choose another number")
    if operation not in OPERATIONS:
        raise ValueError(f"curves: operation must be one of {OPERATIONS}, got {operation!r}; choose one")
    test = Range(test_lower, test_upper, False)
    task = Task(4, 2, 4, 2, 1, OPERATIONS.index(operation), Range(lower, upper, False), test, threshold)
    built = network(model, 4, 2, nac_range_1, nac_range_2, eps)
    plan = Plan(steps, steps // LOOKS, 1, observations, step_size, bias, oob, ramp, bool(single))
    found = np.empty((3, LOOKS + 1))
    for i in range(out.shape[0]):
        _curve(stream, first + i, task, built, plan, found)
        out[i] = found.ravel()
