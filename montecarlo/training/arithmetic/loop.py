"""One run: two layers trained by Adam on fresh batches, looked at now and then."""

from typing import NamedTuple

import numpy as np

from montecarlo.engine.compiled import compiled_helper
from montecarlo.streams.draws import normal2, uniform2
from montecarlo.streams.instructions import magnitude
from montecarlo.streams.vector_math import expm1
from montecarlo.training.arithmetic.blocks import LANES, new_room
from montecarlo.training.arithmetic.layers import GATED, Layer, backward, forward
from montecarlo.training.arithmetic.task import BATCH, Task, draw_inputs, offset, set_targets
from montecarlo.training.arithmetic.weights import NAC, SIGMOID, regularise
from montecarlo.training.optimisers import MOMENTUM, SECOND_MOMENTUM, adam_step

# Samples whose draws make the fixed observations; runs have smaller indices.
VALIDATION, TEST = 2**62, 2**62 + 1
# What a look sees, row by row: errors, and the first two weights of the second layer.
ROWS = TEST_ERROR, VALIDATION_ERROR, SPARSITY, WEIGHT_1, WEIGHT_2 = range(5)


class Network(NamedTuple):
    """Two layers: the parameters of both, the rows of a room, the first of the target and of room for two sums."""

    first: Layer
    second: Layer
    size: int
    rows: int
    t: int


class Plan(NamedTuple):
    """How long a run is, and what it is pulled by.

    Attributes
    ----------
    steps : int
        Updates.
    every : int
        Updates between two looks.
    last : int
        Looks among which the best is taken.
    observations : int
        Of the validation and of the test.
    step_size : float
    bias, oob : float
        Factors of the regularisers; that of the bias grows to its value as bias (1 - exp(-step/ramp)).
    ramp : float
    single : bool
        Whether parameters are rounded to float32.

    Source: nau, 3.1.2, C.4.
    """

    steps: int
    every: int
    last: int
    observations: int
    step_size: float
    bias: float
    oob: float
    ramp: float
    single: bool


@compiled_helper
def start(stream, sample, network, theta):
    """Parameters at the start; biases are 0."""
    for layer in (network.first, network.second):
        entries = layer.fan_in * layer.fan_out
        gates = layer.at + entries * (2 if layer.kind == NAC else 1)
        biases = gates + (entries if layer.operation == GATED else 0)
        end = network.second.at if layer.dx < 0 else network.size
        for j in range(layer.at, end):
            v = 2.0 * uniform2(stream, sample, j)[0] - 1.0
            if layer.kind == SIGMOID:
                theta[j] = layer.centre + layer.spread * normal2(stream, sample, j)[0]
            elif j < gates:
                theta[j] = layer.centre + layer.spread * v
            else:
                theta[j] = layer.gate_spread * v if j < biases else 0.0


@compiled_helper
def _outputs(task, network, begin, theta, factors, w, room):
    """Targets and outputs of the inputs that are in the room."""
    set_targets(task, begin, room, network.t)
    forward(network.first, theta, factors, w, room)
    forward(network.second, theta, factors, w, room)


@compiled_helper
def mean_square(stream, extrapolating, count, task, network, begin, theta, factors, w, room):
    """Mean squared error on the first ``count`` observations of a fixed set, validation or test."""
    total, sample = 0.0, TEST if extrapolating else VALIDATION
    span = task.extrapolation if extrapolating else task.interpolation
    for block in range((count + BATCH - 1) // BATCH):
        draw_inputs(stream, sample, block + 1, span, task.inputs, room)
        _outputs(task, network, begin, theta, factors, w, room)
        for i in range(min(BATCH, count - block * BATCH)):
            total += (room[network.second.z, i] - room[network.t, i]) ** 2
    return total / count


@compiled_helper
def slopes(task, plan, step, network, begin, theta, factors, w, room, lanes, gradient):
    """The gradient of the mean squared error on the batch in the room and of the regularisers.

    Source: nau, eq. (6), 3.1.2, eq. (70) as corrected.
    """
    first, second = network.first, network.second
    _outputs(task, network, begin, theta, factors, w, room)
    for i in range(BATCH):
        room[second.dz, i] = (2.0 / BATCH) * (room[second.z, i] - room[network.t, i])
    for j in range(gradient.size):
        gradient[j] = 0.0
    backward(second, theta, factors, w, room, lanes, gradient)
    backward(first, theta, factors, w, room, lanes, gradient)
    bias = -plan.bias * expm1(-step / plan.ramp)
    regularise(first.kind, first.at, first.fan_in * first.fan_out, theta, bias, plan.oob, gradient)
    regularise(second.kind, second.at, second.fan_in * second.fan_out, theta, bias, plan.oob, gradient)


@compiled_helper
def sparsity_of(layer, w):
    """The largest distance of any |w| from the nearer one of 0 and 1 (nau, eq. 14)."""
    found = 0.0
    for j in range(layer.at, layer.at + layer.fan_in * layer.fan_out):
        size = magnitude(w[j])
        found = max(found, min(size, magnitude(1.0 - size)))
    return found


@compiled_helper
def train(stream, sample, task, network, plan, looks, kept):
    """Train one run; ``looks`` (rows, looks) takes what each sees, ``kept`` (network.size) the weights of the best one.

    Weights lie where W_hat has its entry. Validation errors are found at the last looks alone, of which one is best.
    """
    size = network.size
    theta, m, v, gradient = np.empty(size), np.zeros(size), np.zeros(size), np.empty(size)
    factors, w, lanes, room = np.empty(size), np.zeros(size), np.empty(LANES), new_room(network.rows)
    start(stream, sample, network, theta)
    begin, second = offset(stream, sample, task), network.second.at
    power, second_power, least = 1.0, 1.0, np.inf
    for step in range(plan.steps + 1):
        if step % plan.every == 0 or step == plan.steps:
            seen = looks[:, (step + plan.every - 1) // plan.every]
            seen[TEST_ERROR] = mean_square(
                stream, True, plan.observations, task, network, begin, theta, factors, w, room
            )
            seen[VALIDATION_ERROR] = np.inf
            if step > plan.steps - plan.last * plan.every:
                seen[VALIDATION_ERROR] = mean_square(
                    stream, False, plan.observations, task, network, begin, theta, factors, w, room
                )
            seen[SPARSITY] = max(sparsity_of(network.first, w), sparsity_of(network.second, w))
            seen[WEIGHT_1], seen[WEIGHT_2] = w[second], w[second + 1]
            if seen[VALIDATION_ERROR] < least:
                least = seen[VALIDATION_ERROR]
                for j in range(size):
                    kept[j] = w[j]
        draw_inputs(stream, sample, step + 1, task.interpolation, task.inputs, room)
        slopes(task, plan, step, network, begin, theta, factors, w, room, lanes, gradient)
        power *= MOMENTUM
        second_power *= SECOND_MOMENTUM
        adam_step(theta, m, v, gradient, plan.step_size, power, second_power, plan.single)


def trained(stream, sample: int, task: Task, network: Network, plan: Plan) -> tuple[np.ndarray, int, np.ndarray]:
    """What each look at a run has seen (rows, looks), which one is best, and the weights there.

    The best has the least validation error of the last looks: it is inf or nan where no error of theirs is finite.
    """
    looks, kept = np.empty((len(ROWS), -(-plan.steps // plan.every) + 1)), np.zeros(network.size)
    train(stream, sample, task, network, plan, looks, kept)
    first = max(0, plan.steps // plan.every - plan.last + 1)
    validation = looks[VALIDATION_ERROR, first:]
    return looks, first + int(np.argmin(np.where(np.isfinite(validation), validation, np.inf))), kept
