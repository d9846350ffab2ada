"""Learning curves: the runs of the four-input task, look by look."""

from montecarlo.engine.models import simulator
from montecarlo.training.arithmetic.looks import TEST, WEIGHT_1, WEIGHT_2, look_by_look
from montecarlo.training.arithmetic.loop import Plan
from montecarlo.training.arithmetic.runs import network
from montecarlo.training.arithmetic.task import OPERATIONS, Range, Task

# Between the start and the end of a run.
LOOKS = 200
_NAMES = tuple(f"{what}_{k}" for what in ("test_error", "w2_0", "w2_1") for k in range(LOOKS + 1))


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
    for i in range(out.shape[0]):
        found = look_by_look(stream, first + i, task, built, plan)
        out[i] = found[[TEST, WEIGHT_1, WEIGHT_2]].ravel()
