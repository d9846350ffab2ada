"""Simulators of the arithmetic task: a run is a sample, its row what is reported of it.

**Numbers.** float64, where the published experiments have float32: what a rounding to 24 bits changes is not the unit's
doing. ``single=1`` rounds the parameters to float32 after every update, which shows what it changes: of 80 NMUs and 40
networks of NAC multiplication on the very simple function, 2 and 0 fail that succeed in float64, none the other way
round, and all others are solved at the same look.
"""

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from montecarlo.engine.models import one_run
from montecarlo.training.arithmetic import layers as units, weights as kinds
from montecarlo.training.arithmetic.layers import Layer
from montecarlo.training.arithmetic.loop import SPARSITY, TEST_ERROR, VALIDATION_ERROR, Network, Plan, trained
from montecarlo.training.arithmetic.task import OPERATIONS, Range, Task

# By name: the unit of either layer. A unit is a kind of weights, and what is done with them.
UNITS = {
    "nac_add": (kinds.NAC, units.SUM),
    "nac_mul": (kinds.NAC, units.POWER),
    "nalu": (kinds.NAC, units.GATED),
    "nau": (kinds.NAU, units.SUM),
    "nmu": (kinds.NMU, units.PRODUCT),
    "linear": (kinds.FREE, units.AFFINE),
    "relu": (kinds.FREE, units.RELU),
    "relu6": (kinds.FREE, units.RELU6),
    "nac_mul_sigmoid": (kinds.SIGMOID, units.POWER),
    "nmu_unclamped": (kinds.UNBOUND, units.PRODUCT),
    "nmu_masked": (kinds.NMU, units.MASKED),
}
MODELS = {
    "nac_add": ("nac_add", "nac_add"),
    "nac_mul": ("nac_add", "nac_mul"),
    "nalu": ("nalu", "nalu"),
    "nau": ("nau", "nau"),
    "nmu": ("nau", "nmu"),
    "linear": ("linear", "linear"),
    "relu": ("relu", "linear"),
    "relu6": ("relu6", "linear"),
    "nac_mul_sigmoid": ("nac_add", "nac_mul_sigmoid"),
    "nmu_unclamped": ("nau", "nmu_unclamped"),
    "nmu_masked": ("nau", "nmu_masked"),
}
REPORTED = ("best_at", "validation_error", "test_error", "sparsity_error", "solved_at")
WEIGHTS = (*(f"w1_{o}{h}" for o in range(2) for h in range(4)), "w2_0", "w2_1")


def _start(kind: int, fan_in: int, fan_out: int, nac_range: float) -> dict[str, float]:
    """Centre and spread of the initial distributions: uniform, for a sigmoid normal with that standard deviation."""
    glorot = math.sqrt(6 / (fan_in + fan_out))
    centre, spread = {
        kinds.NAC: (0.0, nac_range),
        kinds.NAU: (0.0, min(0.5, glorot)),
        kinds.NMU: (0.5, 0.25),
        kinds.UNBOUND: (0.5, 0.25),
        kinds.SIGMOID: (0.0, math.sqrt(2 / (fan_in + fan_out))),
        kinds.FREE: (0.0, glorot),
    }[kind]
    return {"centre": centre, "spread": spread, "gate_spread": glorot}


def _parameters(kind: int, operation: int, fan_in: int, fan_out: int) -> int:
    matrices = 1 + (kind == kinds.NAC) + (operation == units.GATED)
    return fan_in * fan_out * matrices + (fan_out if units.AFFINE <= operation <= units.RELU6 else 0)


def layers_of(
    names: Sequence[str], sizes: Sequence[int], nac_ranges: Sequence[float], eps: float
) -> tuple[tuple[Layer, ...], int, int]:
    """Layers of units one after the other, the number of their parameters, and the first row behind theirs."""
    layers: list[Layer] = []
    at, x, z = 0, 0, (sizes[0] + 3) // 4 * 4
    for name, (fan_in, fan_out), nac_range in zip(names, pairwise(sizes), nac_ranges, strict=True):
        unit = kind, _ = UNITS[name]
        # Slopes by the inputs of the second layer are those by the outputs of the first.
        layers.append(Layer(
            *unit, fan_in, fan_out, **_start(kind, fan_in, fan_out, nac_range), eps=eps, at=at, x=x, z=z,
            dz=z + fan_out, dx=layers[-1].dz if layers else -1, own=z + 2 * fan_out,
        ))  # fmt: skip
        at, x, z = at + _parameters(*unit, fan_in, fan_out), z, layers[-1].own + fan_in + 3 * fan_out
    return tuple(layers), at, z


def network(
    model: str, inputs: int, hidden: int, nac_range_1: float = 0.0, nac_range_2: float = 0.0, eps: float = 1e-7
) -> Network:
    """The two layers of a model, and where everything of them is.

    Parameters
    ----------
    model : str
        One of ``MODELS``; "nac_mul" and "nmu" have an adding first layer.
    inputs, hidden : int
    nac_range_1, nac_range_2 : float
        W_hat and M_hat of a NAC layer start uniform on -+ its range. The other starts are built in: dense layers and
        gates on -+ r with r = sqrt(6/(fan_in + fan_out)), NAU on -+ min(r, 1/2), NMU on [1/4, 3/4], biases at 0;
        sigmoid weights of a normal distribution with variance 2/(fan_in + fan_out).
    eps : float
        In the logarithm.

    Raises
    ------
    ValueError
        For another model.

    Source: nau, Tables 2 and 6, 2.1.3.

    Examples
    --------
    >>> built = network("nmu", inputs=4, hidden=2)
    >>> built.first.fan_in, built.second.fan_in, built.size
    (4, 2, 10)
    """
    if model not in MODELS:
        raise ValueError(f"network: model must be one of {sorted(MODELS)}, got {model!r}; choose one")
    layers, size, end = layers_of(MODELS[model], (inputs, hidden, 1), (nac_range_1, nac_range_2), eps)
    return Network(*layers, size, rows=end + 2, t=end)


def _operation(name: str) -> int:
    if name not in OPERATIONS:
        raise ValueError(f"arithmetic task: operation must be one of {OPERATIONS}, got {name!r}; choose one")
    return OPERATIONS.index(name)


def _row(stream, sample: int, task: Task, built: Network, plan: Plan) -> tuple[list[float], np.ndarray]:
    """What is reported of a run, -1 where no look was finite, and the weights of its best look."""
    looks, best, kept = trained(stream, sample, task, built, plan)
    below = np.flatnonzero(looks[TEST_ERROR] < task.threshold)
    solved_at = min(int(below[0]) * plan.every, plan.steps) if len(below) else -1
    known = looks[[VALIDATION_ERROR, TEST_ERROR, SPARSITY], best]
    if not np.isfinite(known[0]):
        return [-1, -1.0, -1.0, -1.0, solved_at], kept
    return [min(best * plan.every, plan.steps), *known, solved_at], kept


@one_run(columns=(*REPORTED, *WEIGHTS))
def four_inputs(
    stream, run, model: str, operation: str, lower, upper, test_lower, test_upper, threshold, nac_range_1,
    nac_range_2, eps, steps: int, every: int, last: int, observations: int, step_size, bias, oob, ramp, single: int
):  # fmt: skip
    """t = (x_1 + x_2) o (x_1 + x_2 + x_3 + x_4), two hidden units; the weights of the best look, to seven digits.

    Source: nau, 3.1.3.
    """
    span, test = Range(lower, upper, False), Range(test_lower, test_upper, False)
    task = Task(4, 2, 4, 2, 1, _operation(operation), span, test, threshold)
    built = network(model, 4, 2, nac_range_1, nac_range_2, eps)
    plan = Plan(steps, every, last, observations, step_size, bias, oob, ramp, bool(single))
    row, w = _row(stream, run, task, built, plan)
    return [*row, *(float(f"{v:.7g}") for v in (*w[:8], *w[built.second.at :][:2]))]


@one_run(columns=REPORTED)
def many_inputs(
    stream, run, model: str, operation: str, inputs: int, size: int, overlap: int, hidden: int, lower, upper,
    two_sided: int, test_lower, test_upper, threshold, nac_range_1, nac_range_2, eps, steps: int, every: int,
    last: int, observations: int, step_size, bias, oob, ramp, single: int
):  # fmt: skip
    """Two subsets of ``size`` neighbouring inputs that share ``overlap``, behind an offset drawn once per run.

    ``two_sided``: the test's inputs are on [-test_upper, -test_lower] with probability 1/2.

    Source: nau, eq. (12), Algorithm 1.
    """
    span, test = Range(lower, upper, False), Range(test_lower, test_upper, bool(two_sided))
    places = inputs - (2 * size - overlap) + 1
    task = Task(inputs, size, size, overlap, places, _operation(operation), span, test, threshold)
    built = network(model, inputs, hidden, nac_range_1, nac_range_2, eps)
    plan = Plan(steps, every, last, observations, step_size, bias, oob, ramp, bool(single))
    return _row(stream, run, task, built, plan)[0]
