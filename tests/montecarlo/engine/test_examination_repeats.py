"""Samples that come again after a while, and draws that one sample uses twice, are refused."""

import math

import numba
import numpy as np
import pytest
from kernels_for_tests import rare

from montecarlo import estimate, exp, gamma1, kernel, mean, normal2, normal_vector, permutation, poisson1, uniform2
from montecarlo.engine.examination import BrokenKernel, examine
from montecarlo.streams.philox import stream

KEY = stream(1, "repeats", 0)


@kernel
def repeating(stream, first, period: int, out):
    for i in range(out.shape[0]):
        out[i, 0], _ = uniform2(stream, (first + i) % period, 0)


@pytest.mark.parametrize(("period", "after"), [(1000, 1000), (10_000, 10), (2**16, 2**16)])
def test_samples_that_come_again_are_refused(period, after):
    with pytest.raises(BrokenKernel, match=f"after {after}"):
        examine(repeating, KEY, (period,))


def test_samples_that_come_again_later_are_refused_in_a_run():
    with pytest.raises(BrokenKernel, match=f"the same rows again after {2**18}; use first"):
        estimate(mean(repeating), {"period": 2**18}, samples=2_000_000, seed=1)


@kernel(columns=2)
def several_times(stream, first, times: int, levels: float, out):
    for i in range(out.shape[0]):
        u, v = uniform2(stream, (first + i) // times, 0)
        out[i, 0] = math.floor(levels * u)
        out[i, 1] = math.floor(levels * v)


@pytest.mark.parametrize("levels", [2, 100, 1e12])
@pytest.mark.parametrize("times", [2, 3, 8, 500])
def test_samples_that_come_several_times_in_a_row_are_refused(times, levels):
    with pytest.raises(BrokenKernel, match=r"near each other: .* use first \+ i in every draw, and no quotient"):
        examine(several_times, KEY, (times, levels))
    assert examine(several_times, KEY, (1, levels)) is None


@pytest.mark.parametrize("p", [0.5, 1e-4])
def test_values_that_come_again_are_not(p):
    assert examine(rare, KEY, (p,)) is None


@kernel
def one_index(stream, first, out):
    for i in range(out.shape[0]):
        u, _ = uniform2(stream, first + i, 0)
        x, _ = normal2(stream, first + i, 0)
        out[i, 0] = u * x


@kernel
def overlapping(stream, first, n: int, out):
    for i in range(out.shape[0]):
        total, _ = normal2(stream, first + i, 2)
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
    (overlapping, (2,)), (own_indices, (3,)), (computed_again, ()),
    pytest.param(into_arrays, (), marks=pytest.mark.slow),
])  # fmt: skip
def test_draws_of_their_own_are_not(played, arguments):
    assert examine(played, KEY, arguments) is None
