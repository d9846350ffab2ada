"""Optimisers: that there is one of each, with the recursions that papers print, and one path of descent."""

from itertools import islice

import numpy as np
import pytest

from montecarlo.training.optimisers import SGD, Adam, Method, descent, half_cosine


@pytest.mark.parametrize("momentum", [0.0, 0.9])
@pytest.mark.parametrize("make", [SGD, Adam])
def test_optimisers_agree_with_scalar_recursions_where_parameters_have_steps_of_their_own(make, momentum):
    rows, steps = np.ones((2, 2)), np.array([0.1, 0.2])
    optimiser, theta, m, v = make(steps, momentum), np.ones(2), 0.0, 0.0
    for k, g in enumerate([0.5, -2.0, 1e-3, 3.0], 1):
        m = momentum * m + (1 - momentum) * g
        v = 0.999 * v + 0.001 * g * g
        adam = m / (1 - momentum**k) / ((v / (1 - 0.999**k)) ** 0.5 + 1e-8)
        theta -= steps * half_cosine(k, 9) * (m if make is SGD else adam)
        optimiser.step(rows, np.full((2, 2), g), half_cosine(k, 9))
        np.testing.assert_allclose(rows, [theta, theta], rtol=1e-14)


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
