"""Learning curves: the runs of the four-input task, look by look."""

import numpy as np

from montecarlo.engine.compiled import compiled_helper
from montecarlo.engine.models import simulator
from montecarlo.training.arithmetic.adam import MOMENTUM, SECOND_MOMENTUM, adam_step
from montecarlo.training.arithmetic.blocks import LANES, new_room
from montecarlo.training.arithmetic.loop import Plan, mean_square, slopes, start
from montecarlo.training.arithmetic.runs import network
from montecarlo.training.arithmetic.task import OPERATIONS, Range, Task, draw_inputs, offset

# Between the start and the end of a run.
LOOKS = 200
_NAMES = tuple(f"{what}_{k}" for what in ("test_error", "w2_0", "w2_1") for k in range(LOOKS + 1))


@compiled_helper
def _curve(stream, sample, begin, theta, task, network, plan, found):
    """Train a run that has begun, as :func:`montecarlo.training.arithmetic.loop.train` does; look by look."""
    m, v, gradient = np.zeros(theta.size), np.zeros(theta.size), np.empty(theta.size)
    factors, w = np.empty(theta.size), np.zeros(theta.size)
    lanes, room = np.empty(LANES), new_room(network.rows)
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

    Examples
    --------
    >>> curves.observables[0], curves.observables[-1], curves.columns == 3 * (LOOKS + 1)
    ('test_error_0', 'w2_1_200', True)
    """
    if steps < 1 or steps % LOOKS:
        raise ValueError(f"curves: steps must be a positive multiple of {LOOKS}, got {steps}; choose another number")
    if operation not in OPERATIONS:
        raise ValueError(f"curves: operation must be one of {OPERATIONS}, got {operation!r}; choose one")
    test = Range(test_lower, test_upper, False)
    task = Task(4, 2, 4, 2, 1, OPERATIONS.index(operation), Range(lower, upper, False), test, threshold)
    built = network(model, 4, 2, nac_range_1, nac_range_2, eps)
    plan = Plan(steps, steps // LOOKS, 1, observations, step_size, bias, oob, ramp, bool(single))
    theta, found = np.empty(built.size), np.empty((3, LOOKS + 1))
    for i in range(out.shape[0]):
        start(stream, first + i, built, theta)
        _curve(stream, first + i, offset(stream, first + i, task), theta, task, built, plan, found)
        out[i] = found.ravel()
