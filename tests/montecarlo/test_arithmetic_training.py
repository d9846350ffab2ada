"""Training on the arithmetic task: every layer, gradient and step against the definitions, written out in NumPy."""

import itertools

import numpy as np
import pytest
from kernels_for_tests import row_of, rows_of, slopes

from montecarlo.streams.philox import stream
from montecarlo.training.arithmetic import layers as units, loop, weights as kinds
from montecarlo.training.arithmetic.blocks import LANES, new_room
from montecarlo.training.arithmetic.layers import forward
from montecarlo.training.arithmetic.looks import LOOKS, below_threshold, curves, sparsity_before
from montecarlo.training.arithmetic.loop import TEST, VALIDATION, Plan, mean_square, start
from montecarlo.training.arithmetic.runs import MODELS, four_inputs, many_inputs, network
from montecarlo.training.arithmetic.task import BATCH, Range, Task, draw_inputs, offset, set_targets
from montecarlo.training.optimisers import MOMENTUM, SECOND_MOMENTUM, Adam, adam_step
from theory.arithmetic import layer_regulariser

KEY = stream(1, "tests/arithmetic", 0)
PLAN = Plan(10, 5, 2, 200, 1e-3, 0.1, 1.0, 1e5, False)
FOUR = Task(4, 2, 4, 2, 1, 2, Range(1.0, 2.0, False), Range(2.0, 6.0, False), 2.16e-4)
SEVEN = Task(7, 3, 3, 1, 3, 2, Range(-2.0, 2.0, False), Range(2.0, 6.0, True), 0.1)


class Run:
    """A network with NAC parameters on -+ 2 at its start, and room for one batch at a time."""

    def __init__(self, model, task, hidden=2):
        net = network(model, task.inputs, hidden, 2.0, 2.0, 1e-7)
        self.task, self.net = task, net
        self.layers = (self.net.first, self.net.second)
        self.theta, factors, w, self.gradient = (np.zeros(net.size) for _ in range(4))
        self.vectors = (self.theta, factors, w)
        self.room, self.lanes = new_room(net.rows), np.empty(LANES)
        start(KEY, 3, self.net, self.theta)

    @property
    def x(self):
        return self.room[: self.task.inputs]

    def draw(self, step):
        draw_inputs(KEY, 3, step, self.task.interpolation, self.task.inputs, self.room)

    def outputs(self):
        for layer in self.layers:
            forward(layer, *self.vectors, self.room)
        return self.room[self.net.second.z].copy()

    def descend(self, step, plan=PLAN, begin=0):
        loop.slopes(self.task, plan, step, self.net, begin, *self.vectors, self.room, self.lanes, self.gradient)

    def mean_square(self, extrapolating, count):
        return mean_square(KEY, extrapolating, count, self.task, self.net, 0, *self.vectors, self.room)

    def own(self, layer):
        return slice(layer.at, self.net.second.at if layer.at == 0 else self.net.size)


# --- the definitions --------------------------------------------------------------------------------------------


def sigmoid(v):
    return 1 / (1 + np.exp(-v))


WEIGHTS = {
    kinds.SIGMOID: sigmoid,
    kinds.NAU: lambda v: np.minimum(np.maximum(v, -1), 1),
    kinds.NMU: lambda v: np.minimum(np.maximum(v, 0), 1),
    kinds.FREE: lambda v: v,
    kinds.UNBOUND: lambda v: v,
}


def outputs(layer, theta, z):
    """A layer by its definition; z (fan_in, observations)."""
    shape, n = (layer.fan_out, layer.fan_in), layer.fan_in * layer.fan_out
    own = theta[layer.at :]
    first, own = own[:n].reshape(shape), own[n:]
    if layer.kind == kinds.NAC:
        w, own = np.tanh(first) * sigmoid(own[:n].reshape(shape)), own[n:]
    else:
        w = WEIGHTS[layer.kind](first)
    total = w @ z
    if layer.operation == units.SUM:
        return total
    if layer.operation in (units.AFFINE, units.RELU, units.RELU6):
        total = total + own[: layer.fan_out, None]
        low, high = (-np.inf, np.inf) if layer.operation == units.AFFINE else (0, np.inf)
        return np.clip(total, low, 6 if layer.operation == units.RELU6 else high)
    if layer.operation in (units.PRODUCT, units.MASKED):
        rest = 1 - w if layer.operation == units.PRODUCT else 0 * w
        return np.prod(w[:, :, None] * z + rest[:, :, None], axis=1)
    power = np.exp(w @ np.log(np.abs(z) + layer.eps))
    if layer.operation == units.POWER:
        return power
    gate = sigmoid(own[:n].reshape(shape) @ z)
    return gate * total + (1 - gate) * power


def penalties(layer, theta, bias, oob):
    name = {kinds.NAU: "nau", kinds.NMU: "nmu", kinds.UNBOUND: "nmu"}.get(layer.kind)
    if name is None:
        return 0.0
    n = layer.fan_in * layer.fan_out
    w = theta[layer.at : layer.at + n].reshape(layer.fan_out, layer.fan_in)
    return bias * layer_regulariser(name, "bias", w) + oob * layer_regulariser(name, "oob", w)


def loss(layers, theta, x, t, bias=0.0, oob=0.0):
    found = outputs(layers[1], theta, outputs(layers[0], theta, x))[0]
    return ((found - t) ** 2).mean() + sum(penalties(layer, theta, bias, oob) for layer in layers)


def targets(task, begin, x):
    a = x[begin : begin + task.size_a].sum(axis=0)
    b = x[begin + task.size_a - task.overlap :][: task.size_b].sum(axis=0)
    return (np.add, np.subtract, np.multiply)[task.operation](a, b)


# --- data -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("operation", range(3))
def test_targets_are_those_of_the_two_sums(operation):
    task = SEVEN._replace(operation=operation)
    room = np.zeros((12, BATCH))
    draw_inputs(KEY, 0, 1, task.interpolation, 7, room)
    for begin in range(task.places):
        set_targets(task, begin, room, 8)
        np.testing.assert_allclose(room[8], targets(task, begin, room), rtol=1e-13)


@pytest.mark.parametrize("two_sided", [False, True])
def test_inputs_are_uniform_independent_and_new_in_each_step_and_run(two_sided):
    """Two sides are mirror images with equal shares."""
    x, found = np.empty((8, BATCH)), []
    for sample, step in itertools.product(range(2), range(1, 200)):
        draw_inputs(KEY, sample, step, Range(1.0, 2.0, two_sided), 7, x)
        found.append(x.copy())
    rows = np.array(found).transpose(1, 0, 2).reshape(8, -1)
    assert len(np.unique(rows)) == pytest.approx(rows.size, rel=1e-3)
    assert 1 < np.abs(rows).min() < 1.001
    assert 1.999 < np.abs(rows).max() < 2
    mean, variance = (0.0, 7 / 3) if two_sided else (1.5, 1 / 12)
    assert np.abs(rows.mean(axis=1) - mean).max() < 6 * np.sqrt(variance / rows.shape[1])
    assert np.abs(np.cov(rows) - variance * np.eye(8)).max() < 6 * variance / np.sqrt(rows.shape[1])
    assert np.abs(np.abs(rows).mean(axis=1) - 1.5).max() < 6 * np.sqrt(1 / 12 / rows.shape[1])


def test_offsets_are_drawn_once_per_run_and_reach_all_places():
    found = [offset(KEY, run, SEVEN) for run in range(60)]
    assert set(found) == {0, 1, 2}
    assert {offset(KEY, run, FOUR) for run in range(20)} == {0}


@pytest.mark.parametrize("model", MODELS)
def test_starts_are_within_their_ranges_and_of_each_run(model):
    run = Run(model, SEVEN)
    other = np.empty_like(run.theta)
    start(KEY, 4, run.net, other)
    for layer in run.layers:
        n = layer.fan_in * layer.fan_out * (2 if layer.kind == kinds.NAC else 1)
        own = run.theta[run.own(layer)]
        deviations = 6 if layer.kind == kinds.SIGMOID else 1
        assert (np.abs(own[:n] - layer.centre) < deviations * layer.spread).all()
        assert (own[:n] != other[run.own(layer)][:n]).all()
        limit = layer.gate_spread if layer.operation == units.GATED else 0.0
        assert (np.abs(own[n:]) <= limit).all()


# --- one step ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("task", [FOUR, SEVEN], ids=["four inputs", "seven"])
@pytest.mark.parametrize("model", MODELS)
def test_gradients_are_those_of_the_definition(model, task):
    run = Run(model, task, hidden=3)
    theta = run.theta
    theta += 0.3 * np.cos(np.arange(theta.size))  # some clamped weights out of bounds, biases that are not 0
    run.draw(5)
    run.gradient[:] = np.nan
    x, bias = run.x.copy(), 0.1 * (1 - np.exp(-0.7))
    t, found = targets(task, 0, x), run.outputs()
    run.descend(70_000)
    np.testing.assert_allclose(found, outputs(run.layers[1], theta, outputs(run.layers[0], theta, x))[0], rtol=1e-11)
    expected = slopes(lambda at: loss(run.layers, at, x, t, bias, 1.0), theta)
    np.testing.assert_allclose(run.gradient, expected, rtol=2e-5, atol=1e-6 * np.abs(run.gradient).max())


@pytest.mark.parametrize("model", ["nalu", "nac_mul"])
def test_logarithms_of_zero_and_of_what_is_hardly_a_number_are_those_of_any_number(model):
    layer = network(model, 4, 2, 1.0, 1.0, eps=0.0)[model == "nac_mul"]
    room, special = np.ones((40, BATCH)), (0.0, -3.0, 5e-324, 2.0**-1023, np.inf, np.nan, 1.7e308)
    room[layer.x, : len(special)] = special
    forward(layer, np.ones(40), np.ones(40), np.ones(40), room)
    with np.errstate(divide="ignore"):
        np.testing.assert_allclose(room[layer.own], np.log(np.abs(room[layer.x])), rtol=1e-15)


def test_clamps_pass_the_gradient_on_the_closed_interval_only():
    run = Run("nmu", FOUR)
    run.theta[:] = [1.0, -1.0, 1.5, -1.5, 0.5, 0.5, 0.5, 0.5, 1.0, 0.0]
    run.draw(1)
    run.descend(1, PLAN._replace(bias=0.0, oob=0.0))
    assert (run.gradient[[0, 1, 8, 9]] != 0).all()
    assert (run.gradient[[2, 3]] == 0).all()


def test_the_optimiser_is_the_projects_adam():
    rng = np.random.default_rng(1)
    theta = rng.normal(size=7)
    other, adam, m, v, powers = theta.copy(), Adam(1e-3), np.zeros(7), np.zeros(7), [1.0, 1.0]
    for _ in range(50):
        g = rng.normal(size=7) * 10.0 ** rng.integers(-6, 3, size=7)
        powers = [powers[0] * MOMENTUM, powers[1] * SECOND_MOMENTUM]
        adam_step(theta, m, v, g, 1e-3, *powers, False)
        adam.step(other, g)
        np.testing.assert_allclose(theta, other, rtol=1e-13)


def test_single_precision_is_a_rounding_of_the_parameters():
    theta, m, v = np.array([0.3]), np.zeros(1), np.zeros(1)
    adam_step(theta, m, v, np.array([1.0]), 1e-3, MOMENTUM, SECOND_MOMENTUM, True)
    assert theta[0] == np.float64(np.float32(theta[0])) == pytest.approx(0.299, rel=1e-6)


# --- whole runs -------------------------------------------------------------------------------------------------


def test_errors_are_those_of_the_same_fixed_observations_for_all_runs():
    run = Run("nmu", FOUR)
    for extrapolating, span, sample in ((False, FOUR.interpolation, VALIDATION), (True, FOUR.extrapolation, TEST)):
        x = np.empty((2, 4, BATCH))
        for block in range(2):
            draw_inputs(KEY, sample, block + 1, span, 4, x[block])
        x = x.transpose(1, 0, 2).reshape(4, -1)[:, :200]
        value = run.mean_square(extrapolating, 200)
        assert value == pytest.approx(loss(run.layers, run.theta, x, targets(FOUR, 0, x)), rel=1e-12)


TINY = {
    "operation": "multiplication", "lower": 1.0, "upper": 2.0, "test_lower": 2.0, "test_upper": 6.0, "eps": 1e-7,
    "threshold": 2.16e-4, "every": 1000, "last": 4, "observations": 300, "step_size": 1e-3, "bias": 0.1, "oob": 1.0,
    "ramp": 1e4, "single": 0, "nac_range_1": 2.0, "nac_range_2": 2.0,
}  # fmt: skip
MORE = {"inputs": 4, "size": 2, "overlap": 2, "hidden": 2, "two_sided": 0}


def test_the_task_is_learnt():
    rows = rows_of(four_inputs, {**TINY, "model": "nmu", "steps": 24_000}, 3, key=KEY)
    named = dict(zip(four_inputs.observables, rows.T, strict=True))
    solved = named["solved_at"] >= 0
    assert solved.any()
    assert (named["test_error"][solved] < 2.16e-4).all()
    assert (named["sparsity_error"][solved] < 1e-2).all()
    np.testing.assert_allclose([named["w2_0"][solved], named["w2_1"][solved]], 1, atol=1e-3)


def test_learning_curves_are_of_the_same_runs():
    for model in ("nalu", "nmu"):
        values = {**TINY, "model": model, "steps": 2 * LOOKS, "every": 2, "last": 1, "threshold": 40.0}
        whole = row_of(four_inputs, values, first=3, key=KEY)
        error, *second = rows_of(curves, values, first=3, key=KEY).reshape(3, LOOKS + 1)
        assert error[-1] == whole["test_error"]
        assert [float(f"{w[-1]:.7g}") for w in second] == [whole["w2_0"], whole["w2_1"]]
        below = np.flatnonzero(error < 40)
        assert whole["solved_at"] == (2 * below[0] if len(below) else -1)
        assert error[0] != error[1]


def test_looks_are_at_the_same_runs():
    values = {**TINY, "steps": 40, "every": 4, "last": 6, "threshold": 40.0}
    for model in ("nac_mul", "nmu"):
        values["model"] = model
        whole = row_of(four_inputs, values, first=3, key=KEY)
        best, error, sparsity, before = rows_of(sparsity_before, values, first=3, key=KEY)[0]
        assert [best, error, sparsity] == [whole["best_at"], whole["test_error"], whole["sparsity_error"]]
        assert before != sparsity
        earlier = row_of(four_inputs, {**values, "steps": int(best) - 4, "last": 1}, first=3, key=KEY)
        assert earlier["sparsity_error"] == before


def test_a_run_is_below_the_threshold_from_the_same_look_on():
    values = {**TINY, **MORE, "model": "nau", "operation": "addition", "steps": 400, "every": 4}
    for threshold in (5.0, 0.0):
        values["threshold"] = threshold
        look = rows_of(below_threshold, values, first=3, key=KEY)[0]
        assert look[0] == row_of(many_inputs, values, first=3, key=KEY)["solved_at"]
    assert look.tolist() == [-1, 400, 0, -1]
