"""Samples that come again after a while, and draws that one sample uses twice, are refused."""

import numba
import numpy as np
import pytest

import montecarlo
from montecarlo import exp, gamma1, kernel, normal2, normal_vector, permutation, poisson1, uniform2
from montecarlo.engine.examination import BrokenKernel, examine
from montecarlo.streams.philox import stream

KEY = stream(1, "repeats", 0)


@kernel
def every_thousand(stream, first, out):
    for i in range(out.shape[0]):
        out[i, 0], _ = uniform2(stream, (first + i) % 1000, 0)


@kernel
def every_ten_thousand(stream, first, out):
    for i in range(out.shape[0]):
        out[i, 0], _ = uniform2(stream, (first + i) % 10_000, 0)


@kernel
def every_power_of_two(stream, first, out):
    for i in range(out.shape[0]):
        out[i, 0], _ = uniform2(stream, (first + i) & 65_535, 0)


@kernel
def coins(stream, first, out):
    for i in range(out.shape[0]):
        u, _ = uniform2(stream, first + i, 0)
        out[i, 0] = 1.0 if u < 0.5 else 0.0


@kernel
def rare(stream, first, out):
    for i in range(out.shape[0]):
        u, _ = uniform2(stream, first + i, 0)
        out[i, 0] = 1.0 if u < 1e-4 else 0.0


@pytest.mark.parametrize(("played", "says"), [
    (every_thousand, "after 1000"), (every_ten_thousand, "after 10"),
    (every_power_of_two, "after 65536"),
])  # fmt: skip
def test_samples_that_come_again_are_refused(played, says):
    with pytest.raises(BrokenKernel, match=says):
        examine(played, KEY, ())


@pytest.mark.parametrize("played", [coins, rare])
def test_values_that_come_again_are_not(played):
    assert examine(played, KEY, ()) is None


@kernel
def one_index(stream, first, out):
    for i in range(out.shape[0]):
        u, _ = uniform2(stream, first + i, 0)
        x, _ = normal2(stream, first + i, 0)
        out[i, 0] = u * x


@kernel
def overlapping(stream, first, n: int, out):
    for i in range(out.shape[0]):
        total, _ = montecarlo.normal2(stream, first + i, 2)
        for k in range(n):
            u, _ = uniform2(stream, first + i, k)
            total += exp(-u)
        out[i, 0] = total


@numba.njit
def step(stream, sample, k):
    u, _ = uniform2(stream, sample, k // 2)
    return u


@kernel
def in_a_helper(stream, first, out):
    for i in range(out.shape[0]):
        out[i, 0] = step(stream, first + i, 0) - step(stream, first + i, 1)


@kernel
def own_indices(stream, first, n: int, out):
    for i in range(out.shape[0]):
        total = float(poisson1(stream, first + i, n, 3.0)) + gamma1(stream, first + i, n + 1, 2.0)
        for k in range(n):
            u, v = uniform2(stream, first + i, k)
            total += u if u < v else exp(-v)
        out[i, 0] = total


@kernel(columns=2)
def computed_again(stream, first, out):
    """The second column is a function of the variable of the first."""
    for i in range(out.shape[0]):
        out[i, 0], _ = uniform2(stream, first + i, 0)
    for i in range(out.shape[0]):
        u, _ = uniform2(stream, first + i, 0)
        out[i, 1] = u * u


@kernel
def into_arrays(stream, first, out):
    factor, values, order = np.eye(3), np.empty(3), np.empty(3)
    for i in range(out.shape[0]):
        normal_vector(stream, first + i, 0, factor, values)
        permutation(stream, first + i, 1, order)
        out[i, 0] = values @ order


@pytest.mark.parametrize(("played", "arguments", "says"), [
    (one_index, (), "draw 0 of a sample is used by uniform2 and again by normal2"),
    (overlapping, (3,), "draw 2 of a sample is used by normal2 and again by uniform2"),
    (in_a_helper, (), "draw 0 of a sample is used by uniform2 and again by uniform2"),
])  # fmt: skip
def test_a_draw_that_a_sample_uses_twice_is_refused(played, arguments, says):
    with pytest.raises(BrokenKernel, match=says):
        examine(played, KEY, arguments)


@pytest.mark.parametrize(("played", "arguments"), [
    (overlapping, (2,)), (own_indices, (3,)), (computed_again, ()), (into_arrays, ()),
])  # fmt: skip
def test_draws_of_their_own_are_not(played, arguments):
    assert examine(played, KEY, arguments) is None
