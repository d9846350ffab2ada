"""Activation functions that are played in loops of their own are those that are played one by one."""

import numpy as np
import pytest

from montecarlo.engine.compiled import compiled_helper
from montecarlo.kernels.signal_propagation.units import activate, activated

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
