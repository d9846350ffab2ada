"""Units trained from different initial weights: what the simulator starts from, learns and reports."""

import numpy as np
import pytest
from kernels_for_tests import rows_of, slopes

from montecarlo.streams.philox import stream
from montecarlo.training.arithmetic import starts
from montecarlo.training.arithmetic.blocks import LANES, new_room
from montecarlo.training.arithmetic.task import OPERATIONS, Range, draw_inputs
from montecarlo.training.deep_dense import from_gain

KEY = stream(1, "tests of starts", 0)
SETTING = {
    "unit": "nmu", "operation": "multiplication", "inputs": 4, "hidden": 0, "outputs": 2, "lower": 1.0, "upper": 2.0,
    "law": "uniform", "spread": 0.25, "first_spread": 0.5, "gate_spread": 0.0, "first_gate_spread": 0.0, "eps": 1e-7,
    "steps": 4000, "every": 100, "step_size": 2e-3, "bias": 0.1, "oob": 1.0, "ramp": 1e5, "below": 1e-3,
}  # fmt: skip


def runs(count, **changes):
    return rows_of(starts.from_start, SETTING | changes, count, key=KEY)


def test_a_multiplication_unit_learns_a_product_at_a_look_and_an_addition_unit_does_not():
    solved_at, error = runs(3).T
    assert (solved_at > 0).all()
    assert (solved_at % 100 == 0).all()
    assert (error < 1e-3).all()
    assert (runs(3, unit="nau", steps=1000)[:, 0] == -1).all()


@pytest.mark.parametrize(
    ("law", "spread", "variance"), [("uniform", 0.25, 1 / 48), ("beta", 0.5, 1 / 8), ("two_point", 0.0, 1 / 4)]
)
def test_weights_are_drawn_as_declared(law, spread, variance):
    drawn = starts._drawn(np.random.default_rng(1), law, 0.5, spread, 200_000)
    assert drawn.mean() == pytest.approx(0.5, abs=5e-3)
    assert drawn.var() == pytest.approx(variance, rel=0.02)


@pytest.mark.parametrize(
    ("unit", "operation", "hidden"),
    [("nmu", "multiplication", 0), ("nmu", "multiplication", 2), ("nau", "subtraction", 2), ("nalu", "addition", 0)],
)
def test_the_gradient_is_that_of_the_loss(unit, operation, hidden):
    """By central differences of the mean squared error on one batch, regularisers off."""
    outputs = 1 if hidden else 3
    layers, size, end = starts._network(unit, 4, hidden, outputs, 1e-7)
    plan = starts.Plan(
        OPERATIONS.index(operation), 4, outputs, Range(1.0, 2.0, False), Range(2.0, 6.0, False), end, 1, 1, 1e-3, 0.0,
        0.0, 1e5, 1e-3,
    )  # fmt: skip
    terms = np.array([[0, 2, 0, 4]]) if hidden else np.array([[0, 1, 1, 2], [1, 2, 3, 4], [2, 3, 0, 1]])
    theta = np.random.default_rng(3).uniform(0.2, 0.8, size)
    room = new_room(end + outputs + 1)
    factors, w, lanes, gradient = np.empty(size), np.zeros(size), np.empty(LANES), np.empty(size)
    draw_inputs(KEY, 0, 1, plan.interpolation, 4, room)

    def loss(at):
        starts._outputs(plan, terms, layers, at, factors, w, room)
        z = layers[-1].z
        return np.mean((room[z : z + outputs] - room[end : end + outputs]) ** 2)

    loss(theta)
    starts._descend(plan, 0, layers, theta, factors, w, room, lanes, gradient)
    np.testing.assert_allclose(gradient, slopes(loss, theta), rtol=1e-5, atol=1e-7)


def test_deep_relu_networks_learn_from_weights_that_keep_the_variance_only():
    arguments = {"depth": 20, "width": 32, "inputs": 4, "batch": 64, "steps": 300, "every": 50, "step_size": 1e-3,
                 "below": 0.5}  # fmt: skip
    solved = {}
    for name, gains in {"he": (2.0, 1.0), "torch": (1 / 3, 1 / 3)}.items():
        out = rows_of(from_gain, arguments | {"weight_gain": gains[0], "output_gain": gains[1]}, 3, key=KEY)
        solved[name] = out[:, 0]
        assert np.isfinite(out).all()
    assert (solved["he"] >= 0).all()
    assert (solved["torch"] == -1).all()
