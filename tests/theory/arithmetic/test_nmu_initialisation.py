"""The weight variances of an NMU do what they promise, and are called feasible where a weight on [0, 1] has them."""

import mpmath
import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from theory.nmu import backward as nmu_backward
from theory.nmu import criteria as init
from theory.nmu import feasibility
from theory.nmu import moments as nmu

FANS = st.integers(1, 40)
VARIANCES = st.floats(0.01, 20)


@given(FANS, VARIANCES)
def test_forward_weight_variance_keeps_the_variance_of_the_inputs(fan_in, variance):
    weight = init.forward_weight_variance.mp(fan_in, variance)
    with mpmath.workdps(40):
        kept = ((weight + mpmath.mpf(1) / 4) * (1 + mpmath.mpf(variance))) ** fan_in - mpmath.mpf(4) ** -fan_in
        assert abs(kept - variance) < 1e-25 * variance
    if weight >= 0:
        rounding = 1e-14 * fan_in
        assert abs(nmu.centred_variance(float(weight), variance, fan_in) / variance - 1) < rounding
        assert abs(init.forward_gain(float(weight), variance, fan_in) - 1) < rounding


@given(FANS, st.integers(1, 1000), VARIANCES)
def test_backward_weight_variance_keeps_the_variance_of_the_gradient(fan_in, fan_out, variance):
    weight = init.backward_weight_variance(fan_in, fan_out, variance)
    if weight >= 0:
        rounding = 1e-14 * fan_in
        assert abs(nmu_backward.centred_variance(3.0, weight, variance, fan_in, fan_out) / 3 - 1) < rounding
        assert abs(init.backward_gain(weight, variance, fan_in, fan_out) - 1) < rounding


@given(st.integers(2, 40), st.integers(2, 1000))
def test_criteria_agree_at_the_variance_that_is_named_and_beside_it_do_not(fan_in, fan_out):
    variance = init.agreeing_input_variance(fan_in, fan_out)
    if variance > 0:
        forward = init.forward_weight_variance(fan_in, variance)
        assert abs(forward - init.backward_weight_variance(fan_in, fan_out, variance)) < 1e-12
        beside = init.forward_weight_variance(fan_in, 1.1 * variance)
        assert abs(beside - init.backward_weight_variance(fan_in, fan_out, 1.1 * variance)) > 1e-4 / fan_in


@given(FANS, VARIANCES)
def test_forward_feasible_is_a_weight_variance_between_0_and_a_quarter(fan_in, variance):
    weight = init.forward_weight_variance.mp(fan_in, variance)
    assert feasibility.forward_feasible(fan_in, variance) is (0 <= weight <= mpmath.mpf(1) / 4)


@given(FANS, st.integers(1, 10**6), VARIANCES)
def test_backward_feasible_is_a_weight_variance_between_0_and_a_quarter(fan_in, fan_out, variance):
    weight = init.backward_weight_variance.mp(fan_in, fan_out, variance)
    if min(abs(weight), abs(weight - 0.25)) > 1e-12:
        assert feasibility.backward_feasible(fan_in, fan_out, variance) is (0 <= weight <= 0.25)


def test_unit_variance_is_never_kept_by_weights_on_the_unit_interval():
    fans = np.unique(np.geomspace(1, 10**6, 60).astype(int))
    assert not feasibility.forward_feasible(fans, 1.0).any()
    assert feasibility.forward_feasible(fans[fans > 3], 1.01).all()
    assert (init.forward_excess(fans[fans <= 480]) > 0).all()


def test_backward_criterion_with_two_outputs_and_unit_variance_asks_for_a_quarter():
    fans = np.unique(np.geomspace(1, 10**6, 30).astype(int))
    assert init.backward_weight_variance(fans, 2, 1.0) == pytest.approx(0.25, rel=1e-14)
    assert feasibility.backward_feasible(fans, 2, 1.0).all()
    assert not feasibility.backward_feasible(fans, 1, 1.0).any()


def test_feasible_answers_have_the_broadcast_shape():
    assert feasibility.forward_feasible([[2], [3]], [0.1, 1.0, 2.0]).shape == (2, 3)
    assert feasibility.backward_feasible([[2], [3]], [1, 3, 5], 1.0).shape == (2, 3)
    assert isinstance(feasibility.forward_feasible(2, 0.1), bool)
    assert isinstance(feasibility.backward_feasible(2, 3, 1.0), bool)


@pytest.mark.parametrize("fan_in", [2, 3, 7, 26, 100, 1000])
def test_forward_input_variances_are_where_feasibility_ends(fan_in):
    below, above, top = feasibility.forward_input_variances(fan_in)
    assert feasibility.forward_feasible(fan_in, [0.999 * below, above + 1e-3, 0.999 * top]).all()
    assert not feasibility.forward_feasible(fan_in, [1.001 * below, 1.0, 1.001 * top]).any()


def test_forward_input_variances_in_the_limit():
    below, above, top = feasibility.forward_input_variances(400)
    assert below * 2.0**400 == pytest.approx(1, rel=1e-9)
    assert above == 1
    assert 3 < top < 3.02
    assert feasibility.forward_input_variances(1) == (0.5, np.inf, np.inf)


def test_excess_over_a_quarter_is_what_float64_cannot_show():
    assert init.unit_forward_weight_variance(40) == 0.25
    assert init.forward_excess(40) == pytest.approx(4.0**-40 / 80, rel=1e-12)


@pytest.mark.parametrize("fan_out", [1, 2, 10, 1000])
def test_backward_weight_variance_approaches_a_quarter_like_its_expansion(fan_out):
    fan_in = 10**5
    expansion = 0.25 - np.log(fan_out / 2) / (2 * fan_in)
    assert (
        abs(init.unit_backward_weight_variance(fan_in, fan_out) - expansion)
        < np.log(fan_out / 2) ** 2 / fan_in**2 + 1e-15
    )


def test_forward_weight_variance_approaches_its_limit():
    for variance in (0.1, 1.0, 2.0, 10.0):
        gap = init.forward_weight_variance(10**6, variance) - init.forward_limit(variance)
        assert gap * 10**6 * (1 + variance) == pytest.approx(np.log(variance), abs=1e-4)


@pytest.mark.parametrize("fan_in", [1, 10, 1000, 10**6])
@pytest.mark.parametrize("variance", [1e-6, 1.0, 1e6])
def test_variances_stay_accurate_at_the_ends_of_what_is_used(fan_in, variance):
    for value, exact in (
        (init.forward_weight_variance(fan_in, variance), init.forward_weight_variance.mp(fan_in, variance)),
        (init.backward_weight_variance(fan_in, 300, variance), init.backward_weight_variance.mp(fan_in, 300, variance)),
    ):
        assert abs(value - exact) <= 1e-13 * abs(exact)


def test_zero_of_the_forward_variance_is_found_to_full_relative_accuracy():
    variance = np.nextafter(14.0, 20)
    exact = init.forward_weight_variance.mp(2, float(variance))
    assert init.forward_weight_variance(2, variance) == pytest.approx(float(exact), rel=1e-12)
    assert init.forward_weight_variance(2, 14.0) == 0


@given(st.floats(1e-6, 0.2499))
def test_laws_on_the_unit_interval_have_the_variance(variance):
    shape = feasibility.beta_shape(variance)
    assert scipy.stats.beta(shape, shape).var() == pytest.approx(variance, rel=1e-9)


def test_a_variance_that_no_beta_law_has_is_refused():
    with pytest.raises(ValueError, match="weight_variance must be"):
        feasibility.beta_shape(0.25)


@pytest.mark.parametrize("fan_in", [0, -1, 2.0, True, 10**7])
def test_forward_input_variances_names_what_it_wants(fan_in):
    with pytest.raises(ValueError, match=r"forward_input_variances: fan_in must be an integer in \[1, 1000000\]"):
        feasibility.forward_input_variances(fan_in)


def test_arguments_outside_the_domain_are_refused():
    with pytest.raises(ValueError, match="fan_in must be"):
        feasibility.forward_feasible(0, 1.0)
    with pytest.raises(ValueError, match="input_variance must be"):
        feasibility.forward_feasible(2, -1.0)
    with pytest.raises(ValueError, match="fan_out must be"):
        feasibility.backward_feasible(2, 1.5, 1.0)
