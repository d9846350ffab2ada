"""Every look at a run: errors and weights, when the error is below the threshold, the look before the best one."""

import numpy as np

from montecarlo.engine.models import one_run
from montecarlo.training.arithmetic.loop import SPARSITY, TEST_ERROR, WEIGHT_1, WEIGHT_2, Plan, trained
from montecarlo.training.arithmetic.runs import network
from montecarlo.training.arithmetic.task import OPERATIONS, Range, Task

# Of a learning curve, between the start and the end of a run.
LOOKS = 200


@one_run(columns=("solved_at", "above_at", "looks_below", "longest_wait"))
def below_threshold(
    stream, run, model: str, operation: str, inputs: int, size: int, overlap: int, hidden: int, lower, upper,
    two_sided: int, test_lower, test_upper, threshold, nac_range_1, nac_range_2, eps, steps: int, every: int,
    last: int, observations: int, step_size, bias, oob, ramp, single: int
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
    looks, _, _ = trained(stream, run, task, built, plan)
    return threshold_times(looks[TEST_ERROR], threshold, every)


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


@one_run(columns=("best_at", "test_error", "sparsity_error", "sparsity_before"))
def sparsity_before(
    stream, run, model: str, operation: str, lower, upper, test_lower, test_upper, threshold, nac_range_1,
    nac_range_2, eps, steps: int, every: int, last: int, observations: int, step_size, bias, oob, ramp, single: int
):  # fmt: skip
    """The runs of :func:`montecarlo.training.arithmetic.runs.four_inputs`: the sparsity error of the best of the last
    looks, and of the look before it.

    Source: nau, 3.1.3.
    """
    span, test = Range(lower, upper, False), Range(test_lower, test_upper, False)
    task = Task(4, 2, 4, 2, 1, OPERATIONS.index(operation), span, test, threshold)
    built = network(model, 4, 2, nac_range_1, nac_range_2, eps)
    plan = Plan(steps, every, last, observations, step_size, bias, oob, ramp, bool(single))
    looks, best, _ = trained(stream, run, task, built, plan)
    return best * every, looks[TEST_ERROR, best], looks[SPARSITY, best], looks[SPARSITY, max(0, best - 1)]


@one_run(columns=tuple(f"{what}_{k}" for what in ("test_error", "w2_0", "w2_1") for k in range(LOOKS + 1)))
def curves(
    stream, run, model: str, operation: str, lower, upper, test_lower, test_upper, threshold, nac_range_1,
    nac_range_2, eps, steps: int, observations: int, step_size, bias, oob, ramp, single: int
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
    looks, _, _ = trained(stream, run, task, built, plan)
    return looks[[TEST_ERROR, WEIGHT_1, WEIGHT_2]].ravel()
