"""The NMU: moments of any order, and which weight variances weights on [0, 1] can have."""

import pytest
import scipy.stats
from hypothesis import given, strategies as st

from theory.nmu import criteria as init, feasibility, moments as nmu

# Laws as {value: probability}; skewed, so that no odd moment vanishes by accident.
WEIGHTS = {1 / 4: 1 / 3, 1: 1 / 2, -1 / 2: 1 / 6}
INPUTS = {-1: 2 / 5, 3 / 2: 3 / 5}


@pytest.mark.parametrize("order", range(1, 9))
def test_moments_of_any_order_are_those_of_discrete_laws(order):
    factor = sum(p * q * (w * z + 1 - w) ** order for w, p in WEIGHTS.items() for z, q in INPUTS.items())
    raw = [sum(p * x**k for x, p in law.items()) for law in (WEIGHTS, INPUTS) for k in range(1, order + 1)]
    assert nmu.raw_moment(order)(*raw, 2) == pytest.approx(factor**2, rel=1e-12)


def test_certain_inputs_and_weights_have_no_variance():
    assert nmu.variance(0.3, 0, 7.0, 0, [1, 10, 1000]).tolist() == [0, 0, 0]
    assert nmu.covariance(0.3, 7.0, 0, 5) == nmu.covariance(0.0, 7.0, 3.0, 5) == nmu.mean(1.0, 0.0, 3) == 0.0
    # W = 0 makes every factor 1, W = 1 makes it z.
    assert nmu.mean(0.0, 123.0, 10**6) == 1.0
    assert nmu.mean(1.0, -2.0, 3) == -8.0


@given(st.integers(1, 40), st.integers(1, 10**6), st.floats(0.01, 20))
def test_backward_feasible_is_a_weight_variance_between_0_and_a_quarter(fan_in, fan_out, variance):
    weight = init.backward_weight_variance.mp(fan_in, fan_out, variance)
    if min(abs(weight), abs(weight - 0.25)) > 1e-12:
        assert feasibility.backward_feasible(fan_in, fan_out, variance) is (0 <= weight <= 0.25)


def test_feasible_answers_have_the_broadcast_shape():
    assert feasibility.forward_feasible([[2], [3]], [0.1, 1.0, 2.0]).shape == (2, 3)
    assert feasibility.backward_feasible([[2], [3]], [1, 3, 5], 1.0).shape == (2, 3)
    assert isinstance(feasibility.forward_feasible(2, 0.1), bool)
    assert isinstance(feasibility.backward_feasible(2, 3, 1.0), bool)


@given(st.floats(1e-6, 0.2499))
def test_laws_on_the_unit_interval_have_the_variance(variance):
    shape = feasibility.beta_shape(variance)
    assert scipy.stats.beta(shape, shape).var() == pytest.approx(variance, rel=1e-9)
