"""Survival of a single ReLU: separatrix, critical scale, theory's iteration, and what the command line says of it."""

import mpmath
import numpy as np
import pytest

from montecarlo.descent.fates import DEAD, OPTIMUM, STUCK
from montecarlo.descent.relu_unit import Method, descend
from theory.momentum import affine_model
from theory.momentum.overshooting import overshoot, overshoot_step
from theory.momentum.trajectory import deviation
from theory.relu_unit import axis
from theory.relu_unit.basins import gradient, separatrix
from theory.relu_unit.survival import survives

AXIS = {
    "linear": (axis.weight_gradient, axis.bias_gradient),
    "relu": (axis.relu_target_weight_gradient, axis.relu_target_bias_gradient),
}


@pytest.mark.parametrize("target", ["linear", "relu"])
def test_gradient_of_the_separatrix_is_that_of_the_axis(target):
    sigma, psi = np.meshgrid([1e-3, 0.1, 1.0, 30.0], [0.05, 0.5, 1.0, 3.0])
    for mine, formula in zip(gradient(sigma, psi, target), AXIS[target], strict=True):
        np.testing.assert_allclose(mine, formula(-sigma, psi * sigma, 1.0), rtol=1e-10)


@pytest.mark.slow
@pytest.mark.parametrize("target", ["linear", "relu"])
def test_separatrix_agrees_with_another_integration(target):
    """By Taylor series in mpmath, along log sigma."""

    def rate(x, y):
        size = mpmath.exp(x)
        weight, bias = (f._mpmath(-size, y * size, mpmath.mpf(1)) for f in AXIS[target])
        return -y - bias / weight

    path = mpmath.odefun(rate, mpmath.log(0.5), separatrix(0.5, target=target), tol=1e-12)
    assert abs(separatrix(1.0, target=target) - path(mpmath.log(1))) < 1e-10


def test_separatrix_starts_where_it_should():
    # Slope 0.2452 at 0: see the module.
    assert separatrix(1e-4) == pytest.approx(0.62203597641487266147 + 0.24522e-4, abs=1e-8)
    assert separatrix(1e-4, target="relu") == pytest.approx(np.sqrt(2e-4), rel=0.02)
    assert separatrix([[0.1, 1.0]]).shape == (1, 2)


def test_longer_steps_than_are_stable_kill_above_any_overshoot_and_are_refused():
    """With eta = 2.5 the affine path from w = 0.5, b = 2 gets into the dead cone at gamma = 0.7, 1 and 1.1."""
    for gamma, when in ((0.7, 3), (1.0, 5), (1.1, 9)):
        w, b = affine_model.path([0.5], 2.0, [gamma], 2.5, 0.0, np.arange(10))
        assert np.flatnonzero(b < -3.0902323061678135 * np.abs(w[:, 0]))[0] == when
    assert np.isnan(survives([0.5], 2.0, 0.7, 2.5, steps=300).critical_scale)
    assert survives([0.5], 2.0, 1.0, 1e5, steps=300).why.endswith("take shorter steps")


@pytest.mark.parametrize("size", [5e-324, 1e-300, 1e-200, 1e-9])
@pytest.mark.parametrize("w", [[1.0], [0.6, 0.8]])
def test_weights_whose_squares_leave_float64_are_followed(size, w):
    w = np.maximum(size * np.array(w), 5e-324)
    assert bool(survives(w, 0.1, 0.1, 0.1, 0.5))
    assert not bool(survives(w, -0.1, 0.1, 0.1, 0.5))


def test_a_path_through_zero_weights_says_what_to_do():
    """Far in the linear cone a step of size 1/2 takes w half of the way from -gamma to gamma."""
    found = survives([-1.0], 1000.0, 1.0, 0.5)
    assert found.survives is None
    assert found.why.startswith("out of bounds, w = 0, ")
    assert found.why.endswith("start elsewhere, or change the step size")


def test_overshoot_at_the_limit_of_stability_is_that_of_paths_up_to_it():
    assert overshoot([6.0, 6.1], 0.5).tolist() == [3.0, np.inf]
    assert overshoot(6.0 * (1 - 1e-9), 0.5) == pytest.approx(3.0, rel=1e-6)
    assert -min(deviation(6.0, 0.5, np.arange(200))) == pytest.approx(3.0, rel=1e-12)
    assert np.isinf(overshoot_step([6.0, 6.1], 0.5)).all()


def test_fates_by_theory_are_those_of_the_simulator():
    rng = np.random.default_rng(11)
    for _ in range(6):
        w, b = rng.normal(size=3), 2 * rng.normal()
        fate = survives(w, b, 0.3, 0.1, 0.9, target="relu", steps=800)
        across = np.linalg.norm(w[:2])
        outcome = descend(w[2], b, 0.3, Method(0.1, 0.9), across=across, target="relu", steps=800).outcome
        assert fate.survives == {OPTIMUM: True, DEAD: False, STUCK: False}.get(int(outcome))


def test_dead_from_the_start_and_never_decided():
    assert survives([0.1], -5.0, 1.0, 0.1).step == 0
    assert "start" in survives([0.1], -5.0, 1.0, 0.1).why
    assert survives([1.0], 0.5, 0.5, 0.001, steps=3).survives is None
    # Steps too long for the energy to be trusted: rest is awaited.
    assert survives([0.5], 0.5, 1.0, 0.2, 0.5).why == "at rest at the optimum"


def test_a_fate_is_true_or_false_and_an_undecided_one_neither():
    assert bool(survives([0.5], 2.0, 0.1, 0.1, 0.5)) is True
    assert bool(survives([0.5], 2.0, 0.1, 0.1, 0.9)) is False
    open_ = survives([0.5], 2.0, 0.1, 0.1, 0.5, steps=1)
    assert open_.survives is None
    with pytest.raises(ValueError, match=r"survives: the result must be known .*; allow more steps"):
        bool(open_)
