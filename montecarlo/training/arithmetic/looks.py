"""Every look at a run: errors and weights, when the error is below the threshold, the look before the best one."""

import numpy as np

from montecarlo.engine.compiled import compiled_helper
from montecarlo.engine.models import simulator
from montecarlo.training.arithmetic.adam import MOMENTUM, SECOND_MOMENTUM, adam_step
from montecarlo.training.arithmetic.blocks import LANES, new_room
from montecarlo.training.arithmetic.loop import Plan, mean_square, slopes, sparsity_of, start
from montecarlo.training.arithmetic.runs import network
from montecarlo.training.arithmetic.task import OPERATIONS, Range, Task, draw_inputs, offset

# What is kept of a look, row by row: errors, and the first two weights of the second layer.
ROWS = TEST, VALIDATION, SPARSITY, WEIGHT_1, WEIGHT_2 = range(5)


@compiled_helper
def _looks(stream, sample, begin, theta, task, network, plan, found):
    """Train a run that has begun, as :func:`montecarlo.training.arithmetic.loop.train` does; look by look."""
    m, v, gradient = np.zeros(theta.size), np.zeros(theta.size), np.empty(theta.size)
    factors, w = np.empty(theta.size), np.zeros(theta.size)
    lanes, room = np.empty(LANES), new_room(network.rows)
    power, second_power = 1.0, 1.0
    for step in range(plan.steps + 1):
        if step % plan.every == 0:
            look = step // plan.every
            for row, extrapolating in ((TEST, True), (VALIDATION, False)):
                error = mean_square(
                    stream, extrapolating, plan.observations, task, network, begin, theta, factors, w, room
                )
                found[row, look] = error
            found[SPARSITY, look] = max(sparsity_of(network.first, w), sparsity_of(network.second, w))
            found[WEIGHT_1, look], found[WEIGHT_2, look] = w[network.second.at], w[network.second.at + 1]
        draw_inputs(stream, sample, step + 1, task.interpolation, task.inputs, room)
        slopes(task, plan, step, network, begin, theta, factors, w, room, lanes, gradient)
        power *= MOMENTUM
        second_power *= SECOND_MOMENTUM
        adam_step(theta, m, v, gradient, plan.step_size, power, second_power, plan.single)


def look_by_look(stream, sample, task, built, plan) -> np.ndarray:
    """Errors and weights of each look of a run, one row of ``ROWS`` each (5, looks)."""
    theta, found = np.empty(built.size), np.empty((len(ROWS), plan.steps // plan.every + 1))
    start(stream, sample, built, theta)
    _looks(stream, sample, offset(stream, sample, task), theta, task, built, plan, found)
    return found


@simulator(columns=("solved_at", "above_at", "looks_below", "longest_wait"))
def below_threshold(
    stream, first, model: str, operation: str, inputs: int, size: int, overlap: int, hidden: int, lower, upper,
    two_sided: int, test_lower, test_upper, threshold, nac_range_1, nac_range_2, eps, steps: int, every: int,
    last: int, observations: int, step_size, bias, oob, ramp, single: int, out,
):  # fmt: skip
    """When the test error of runs of :func:`montecarlo.training.arithmetic.runs.many_inputs` is below the threshold.

    Of a run: the first look below the threshold, the last one that is not, how many are, and the longest time from one
    of them to the next or to the end; -1 where there is none.

    Source: nau, eq. (12), 3.1.2.
    """
    span, test = Range(lower, upper, False), Range(test_lower, test_upper, bool(two_sided))
    places = inputs - (2 * size - overlap) + 1
    task = Task(inputs, size, size, overlap, places, OPERATIONS.index(operation), span, test, threshold)
    built = network(model, inputs, hidden, nac_range_1, nac_range_2, eps)
    plan = Plan(steps, every, last, observations, step_size, bias, oob, ramp, bool(single))
    for i in range(out.shape[0]):
        found = look_by_look(stream, first + i, task, built, plan)
        out[i] = threshold_times(found[TEST], threshold, every)


def threshold_times(test: np.ndarray, threshold: float, every: int) -> tuple[int, ...]:
    """What :func:`below_threshold` says of a run, from its test errors look by look.

    Examples
    --------
    >>> threshold_times(np.array([9, 8, 1, 7, 7, 1, 7]), threshold=5, every=10)
    (20, 60, 2, 30)
    >>> threshold_times(np.array([9, 8, 1, 1]), threshold=5, every=10)
    (20, 10, 2, 10)
    >>> threshold_times(np.array([9, 8]), threshold=5, every=10)
    (-1, 10, 0, -1)
    """
    below, above = np.flatnonzero(test < threshold), np.flatnonzero(~(test < threshold))
    above_at = int(above[-1]) * every if len(above) else -1
    if not len(below):
        return -1, above_at, 0, -1
    waits = np.diff(np.append(below, len(test)))
    return int(below[0]) * every, above_at, len(below), int(waits.max()) * every


@simulator(columns=("best_at", "test_error", "sparsity_error", "sparsity_before"))
def sparsity_before(
    stream, first, model: str, operation: str, lower, upper, test_lower, test_upper, threshold, nac_range_1,
    nac_range_2, eps, steps: int, every: int, last: int, observations: int, step_size, bias, oob, ramp, single: int,
    out,
):  # fmt: skip
    """The runs of :func:`montecarlo.training.arithmetic.runs.four_inputs`: the sparsity error of the best of the last
    looks, and of the look before it.

    Source: nau, 3.1.3.
    """
    span, test = Range(lower, upper, False), Range(test_lower, test_upper, False)
    task = Task(4, 2, 4, 2, 1, OPERATIONS.index(operation), span, test, threshold)
    built = network(model, 4, 2, nac_range_1, nac_range_2, eps)
    plan = Plan(steps, every, last, observations, step_size, bias, oob, ramp, bool(single))
    for i in range(out.shape[0]):
        found = look_by_look(stream, first + i, task, built, plan)
        validation = np.where(np.isfinite(found[VALIDATION]), found[VALIDATION], np.inf)
        first_of_last = max(0, len(validation) - last)
        best = first_of_last + int(np.argmin(validation[first_of_last:]))
        out[i] = best * every, found[TEST, best], found[SPARSITY, best], found[SPARSITY, max(0, best - 1)]
