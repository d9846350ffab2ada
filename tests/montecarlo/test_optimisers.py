"""Optimisers: that there is one of each, with the recursions that papers print, and one path of descent."""

from itertools import islice

import numpy as np
import pytest

from montecarlo.training.optimisers import SGD, Adam, Method, descent, half_cosine


def test_runs_side_by_side_are_those_of_each_alone():
    gradients = np.random.default_rng(1).normal(size=(5, 3, 4))
    for make in (lambda: SGD(0.1, 0.9), lambda: Adam(0.1)):
        together, optimiser = np.ones((3, 4)), make()
        for g in gradients:
            optimiser.step(together, g)
        for run in range(3):
            alone, optimiser = np.ones(4), make()
            for g in gradients[:, run]:
                optimiser.step(alone, g)
            np.testing.assert_array_equal(alone, together[run])


def test_step_sizes_by_parameter_and_factors_multiply():
    for make in (SGD, Adam):
        one, other = np.array([1.0, 1.0]), np.array([1.0])
        make(np.array([0.1, 0.2])).step(one, np.array([3.0, 3.0]), 0.5)
        make(0.05).step(other, np.array([3.0]))
        assert one[0] == pytest.approx(other[0], rel=1e-15)
        assert 1 - one[1] == pytest.approx(2 * (1 - one[0]), rel=1e-14)


def test_adam_knows_neither_scale_nor_sign_of_gradients_beyond_epsilon():
    small, large = np.array([1.0]), np.array([1.0])
    for optimiser, theta, scale in ((Adam(0.1, epsilon=0.0), small, 1e-6), (Adam(0.1, epsilon=0.0), large, -1e3)):
        for g in (1.0, 2.0, 0.5):
            optimiser.step(theta, scale * np.array([g]))
    assert 1 - small[0] == pytest.approx(large[0] - 1, rel=1e-12)


@pytest.mark.parametrize("convention", ["ema", "heavy-ball"])
def test_the_path_of_descent_is_that_of_plain_steps(convention):
    method = Method(0.2, 0.7, convention)
    theta, m = np.array([1.0, -2.0]), np.array([0.3, 0.0])
    path = islice(descent(np.sinh, theta, 0.2, 0.7, convention=convention, m=m), 6)
    for found, momentum in path:
        m = 0.7 * m + method.weight * np.sinh(theta)
        theta = theta - 0.2 * m
        np.testing.assert_allclose(found, theta, rtol=1e-15)
        np.testing.assert_allclose(momentum, m, rtol=1e-15)


def test_paths_keep_their_past():
    path = [theta for theta, _ in islice(descent(lambda x: x, [1.0], 0.5), 3)]
    assert [float(theta[0]) for theta in path] == [0.5, 0.25, 0.125]


def test_the_factor_falls_from_one_to_nothing():
    factors = [half_cosine(k, 20) for k in range(1, 21)]
    assert factors == sorted(factors, reverse=True)
    assert 0.99 < factors[0] < 1
    assert factors[-1] == 0
