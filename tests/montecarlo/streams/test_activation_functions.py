"""Activation functions played in loops of their own are those played one by one; the error function is mpmath's."""

import mpmath
import numpy as np
import pytest
from mpmath import mpf

from montecarlo.engine.compiled import compiled_helper
from montecarlo.kernels.signal_propagation.units import activate, activated
from montecarlo.streams.error_function import erf

# What the error function of the kernels promises, and its product with values to 12; the others promise units in the
# last place.
ABSOLUTE = {4: 1e-15, 8: 1e-14}


@compiled_helper
def one_by_one(kind, u):
    for i in range(u.shape[0]):
        u[i] = activated(kind, u[i])


@pytest.mark.parametrize("kind", range(20))
def test_a_loop_of_its_own_plays_the_same_function(kind):
    places = np.concatenate([np.linspace(-12, 12, 2001), [-1e-9, -1e-300, 0.0, 1e-300, 1e-9]])
    found, expected = places.copy(), places.copy()
    activate(kind, found)
    one_by_one(kind, expected)
    np.testing.assert_allclose(found, expected, rtol=1e-14, atol=ABSOLUTE.get(kind, 0))


def test_no_two_functions_are_the_same():
    places = np.array([-7.0, -2.5, -0.7, 0.3, 1.9, 7.0])
    values = [places.copy() for _ in range(20)]
    for kind, of_kind in enumerate(values):
        activate(kind, of_kind)
    assert len({tuple(of_kind) for of_kind in values}) == 19  # CELU with alpha 1 is ELU with alpha 1


def test_error_is_below_the_stated_bound_everywhere():
    rng = np.random.default_rng(1)
    x = np.concatenate([rng.uniform(-6.5, 6.5, 3000), rng.uniform(-1, 1, 2000), 10.0 ** rng.uniform(-300, 300, 200)])
    errors = np.array([float(mpf(erf(u)) - mpmath.erf(mpf(u))) for u in x.tolist()])
    assert np.abs(errors).max() < 1e-15
    assert np.abs(errors + 1e-15).max() > 1e-15  # what is not as near is found out


def test_it_is_odd_and_reaches_one():
    assert [erf(-x) for x in (0.25, 3.0, 6.0, np.inf)] == [-erf(x) for x in (0.25, 3.0, 6.0, np.inf)]
    assert erf(6.0) == erf(np.inf) == 1.0
