"""Descent along the expected gradient of an NAU-NMU network: that gradient, and what becomes of starts."""

import numpy as np
import pytest
from kernels_for_tests import rows_of

from montecarlo.descent.nmu_network import descend, expected_slopes, same_starts
from montecarlo.streams.philox import stream
from montecarlo.training.arithmetic.loop import Plan
from montecarlo.training.arithmetic.runs import network
from montecarlo.training.arithmetic.task import Range, Task
from theory.arithmetic.population import nmu_gradient

KEY = stream(1, "tests/nmu-descent", 0)


@pytest.mark.parametrize(("n", "begin", "sizes", "span"), [(4, 0, (2, 4, 2), (1, 2)), (9, 2, (3, 3, 1), (-2, 2))])
def test_the_expected_gradient_is_the_closed_form(n, begin, sizes, span):
    task = Task(n, *sizes, 1, 2, Range(*map(float, span), False), Range(2.0, 6.0, False), 1.0)
    w, gradient = np.random.default_rng(1).uniform(-1, 1, size=2 * n + 2), np.empty(2 * n + 2)
    expected_slopes(task, begin, w, gradient)
    a, b = np.zeros((2, n))
    a[begin : begin + sizes[0]] = 1
    b[begin + sizes[0] - sizes[2] :][: sizes[1]] = 1
    by_w1, by_w2 = nmu_gradient(w[: 2 * n].reshape(2, n), w[2 * n :], a, b, *span)
    np.testing.assert_allclose(gradient, [*by_w1.ravel(), *by_w2], rtol=1e-11, atol=1e-11)


def test_descent_without_noise_finds_the_solution_or_stays_where_a_unit_is_off():
    task, built = Task(4, 2, 4, 2, 1, 2, *[Range(1.0, 2.0, False)] * 2, 0.0), network("nmu", 4, 2)
    plan, found = Plan(30_000, 1000, 1, 1, 1e-3, 0.1, 1.0, 1e5, False), []
    for run in range(40):
        w = np.empty(built.size)
        descend(KEY, run, task, built, plan, w)
        found.append(np.sort(w[8:]))
    ends = np.array(found)
    solved = (np.abs(ends - 1) < 1e-2).all(axis=1)
    off = (ends[:, 0] == 0) & (ends[:, 1] > 0.99)
    assert solved.sum() > 30
    assert (solved | off).all()


def test_a_row_has_both_ways_from_one_start():
    values = {"lower": 1.0, "upper": 2.0, "steps": 200, "every": 100, "step_size": 1e-3, "bias": 0.1, "oob": 1.0,
              "ramp": 1e5}  # fmt: skip
    out = rows_of(same_starts, values, 2, key=KEY)
    # After few steps they are near each other, and differ by noise.
    assert np.abs(out[:, :2] - out[:, 2:]).max() < 0.05
    assert (out[:, :2] != out[:, 2:]).all()
