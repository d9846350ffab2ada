"""Arithmetic units trained from different initial weights until they compute an operation.

One layer computes an operation on two of its inputs in each output. Two layers compute the published task: an operation
on two sums of inputs.
"""

from typing import NamedTuple

import numpy as np

from montecarlo.engine.compiled import compiled_helper
from montecarlo.engine.models import one_run
from montecarlo.streams.generators import generator
from montecarlo.training.arithmetic import layers as units, weights as kinds
from montecarlo.training.arithmetic.blocks import LANES, new_room
from montecarlo.training.arithmetic.layers import Layer, backward, forward
from montecarlo.training.arithmetic.loop import TEST
from montecarlo.training.arithmetic.runs import layers_of
from montecarlo.training.arithmetic.task import BATCH, OPERATIONS, Range, draw_inputs
from montecarlo.training.arithmetic.weights import regularise
from montecarlo.training.optimisers import MOMENTUM, SECOND_MOMENTUM, adam_step

# The first layer of a network whose last layer is this unit.
BEFORE = {"nmu": "nau", "nau": "nau", "nac_mul": "nac_add", "nac_add": "nac_add", "nalu": "nalu"}
# Blocks of observations of the test.
BLOCKS = 8
LAWS = ("uniform", "beta", "two_point")


class Plan(NamedTuple):
    """What is learnt, and how.

    Attributes
    ----------
    operation : int
        Index in ``OPERATIONS``.
    inputs, outputs : int
    interpolation, extrapolation : Range
        Of training and of the test.
    t : int
        First row of the targets.
    steps, every : int
        Updates at most, and between two looks.
    step_size, bias, oob, ramp, below : float
        Factors of the regularisers as in :class:`montecarlo.training.arithmetic.loop.Plan`; a run is solved at the
        first look at which the mean squared error of the test is below ``below`` variances of the targets.
    """

    operation: int
    inputs: int
    outputs: int
    interpolation: Range
    extrapolation: Range
    t: int
    steps: int
    every: int
    step_size: float
    bias: float
    oob: float
    ramp: float
    below: float


@compiled_helper
def _fill_sum(room, start, stop, row):
    for i in range(BATCH):
        room[row, i] = 0.0
    for j in range(start, stop):
        for i in range(BATCH):
            room[row, i] += room[j, i]


@compiled_helper
def _outputs(plan, terms, layers, theta, factors, w, room):
    """Targets and outputs of the inputs that are in the room."""
    more = plan.t + plan.outputs
    for o in range(plan.outputs):
        row = plan.t + o
        _fill_sum(room, terms[o, 0], terms[o, 1], row)
        _fill_sum(room, terms[o, 2], terms[o, 3], more)
        for i in range(BATCH):
            a, b = room[row, i], room[more, i]
            room[row, i] = a + b if plan.operation == 0 else a - b if plan.operation == 1 else a * b
    for layer in layers:
        forward(layer, theta, factors, w, room)


@compiled_helper
def _error(stream, plan, terms, layers, theta, factors, w, room):
    """Mean squared error of the test over the variance of the targets, which is averaged over the outputs."""
    count, squares, spread = BLOCKS * BATCH, 0.0, 0.0
    first, second = np.zeros(plan.outputs), np.zeros(plan.outputs)
    z = layers[len(layers) - 1].z
    for block in range(BLOCKS):
        draw_inputs(stream, TEST, block + 1, plan.extrapolation, plan.inputs, room)
        _outputs(plan, terms, layers, theta, factors, w, room)
        for o in range(plan.outputs):
            for i in range(BATCH):
                t = room[plan.t + o, i]
                squares += (room[z + o, i] - t) ** 2
                first[o] += t
                second[o] += t * t
    for o in range(plan.outputs):
        spread += second[o] - first[o] ** 2 / count
    return squares / spread


@compiled_helper
def _descend(plan, step, layers, theta, factors, w, room, lanes, gradient):
    """Fill the gradient of the mean squared error on the batch in the room and of the regularisers."""
    last = layers[len(layers) - 1]
    for o in range(plan.outputs):
        for i in range(BATCH):
            room[last.dz + o, i] = (2.0 / (BATCH * plan.outputs)) * (room[last.z + o, i] - room[plan.t + o, i])
    for j in range(gradient.size):
        gradient[j] = 0.0
    for k in range(len(layers)):
        backward(layers[len(layers) - 1 - k], theta, factors, w, room, lanes, gradient)
    bias = -plan.bias * np.expm1(-step / plan.ramp)
    for layer in layers:
        regularise(layer.kind, layer.at, layer.fan_in * layer.fan_out, theta, bias, plan.oob, gradient)


@compiled_helper
def _train(stream, sample, plan, terms, layers, theta, rows):
    """The look at which the run is solved, -1 where it never is, and the last error."""
    size = theta.size
    m, v, gradient = np.zeros(size), np.zeros(size), np.empty(size)
    factors, w, lanes, room = np.empty(size), np.zeros(size), np.empty(LANES), new_room(rows)
    power, second_power, error = 1.0, 1.0, np.inf
    for step in range(plan.steps + 1):
        if step % plan.every == 0:
            error = _error(stream, plan, terms, layers, theta, factors, w, room)
            if error < plan.below:
                return step, error
        draw_inputs(stream, sample, step + 1, plan.interpolation, plan.inputs, room)
        _outputs(plan, terms, layers, theta, factors, w, room)
        _descend(plan, step, layers, theta, factors, w, room, lanes, gradient)
        power *= MOMENTUM
        second_power *= SECOND_MOMENTUM
        adam_step(theta, m, v, gradient, plan.step_size, power, second_power, False)
    return -1, error


def _network(unit: str, inputs: int, hidden: int, outputs: int, eps: float) -> tuple[tuple[Layer, ...], int, int]:
    """One layer, or two; the number of their parameters, and the first row behind theirs."""
    names, sizes = ([BEFORE[unit], unit], [inputs, hidden, outputs]) if hidden else ([unit], [inputs, outputs])
    return layers_of(names, sizes, [0.0] * len(names), eps)


def _drawn(rng: np.random.Generator, law: str, centre: float, spread: float, size: int) -> np.ndarray:
    if law not in LAWS:
        raise ValueError(f"from_start: law must be one of {', '.join(LAWS)}, got {law!r}; choose one")
    if law == "beta":
        return rng.beta(spread, spread, size)
    if law == "two_point":
        return rng.integers(0, 2, size).astype(float)
    return centre + spread * rng.uniform(-1.0, 1.0, size)


@one_run(columns=("solved_at", "error"))
def from_start(
    stream, run, unit: str, operation: str, inputs: int, hidden: int, outputs: int, lower, upper, law: str, spread,
    first_spread, gate_spread, first_gate_spread, eps, steps: int, every: int, step_size, bias, oob, ramp, below
):  # fmt: skip
    """One layer (``hidden`` = 0), or two, from weights of a distribution.

    ``law`` is that of the parameters of the last layer: uniform on c -+ spread with c = 1/2 for NMU and 0 for others,
    Beta(spread, spread), or 0 and 1 alike. Those of the first of two layers are uniform on -+ first_spread, gates on
    -+ gate_spread. Training inputs are U[lower, upper]. The test's are U[upper, 3 upper], for a lower < 0 with a random
    sign. One layer: output o is x_p o x_q, where p and q are drawn once per run and output. Two layers: the sum of the
    first half of the inputs o the sum of all.

    Source: nau, eq. (12), 3.1.3, C.4.
    """
    layers, _, end = _network(unit, inputs, hidden, outputs, eps)
    plan = Plan(
        OPERATIONS.index(operation), inputs, outputs, Range(lower, upper, False), Range(upper, 3 * upper, lower < 0),
        end, steps, every, step_size, bias, oob, ramp, below,
    )  # fmt: skip
    centre = 0.5 if unit == "nmu" else 0.0
    rng = generator(stream, run)
    if hidden:
        terms = np.array([[0, inputs // 2, 0, inputs]])
    else:
        pairs = np.array([rng.choice(inputs, 2, replace=False) for _ in range(outputs)])
        terms = np.column_stack([pairs[:, 0], pairs[:, 0] + 1, pairs[:, 1], pairs[:, 1] + 1])
    theta = []
    for layer in layers:
        last, entries = layer is layers[-1], layer.fan_in * layer.fan_out
        how = (law, centre, spread) if last else ("uniform", 0.0, first_spread)
        theta += [_drawn(rng, *how, entries) for _ in range(1 + (layer.kind == kinds.NAC))]
        if layer.operation == units.GATED:
            theta.append(_drawn(rng, "uniform", 0.0, gate_spread if last else first_gate_spread, entries))
    return _train(stream, run, plan, terms, layers, np.concatenate(theta), end + outputs + 1)
