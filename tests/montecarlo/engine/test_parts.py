"""A helper has two faces: a part of compiled code that calls it, a function of its own from Python."""

import numba
import numpy as np

from montecarlo.engine.compiled import compiled_helper


@numba.njit(forceinline=True)
def squared(x):
    return x * x


@compiled_helper
def sum_of_squares(x):
    total = 0.0
    for i in range(x.shape[0]):
        total += squared(x[i])
    return total


@compiled_helper
def twice(x):
    return sum_of_squares(x) + sum_of_squares(x)


def test_what_compiled_code_calls_becomes_machine_code_only_where_python_calls_it():
    x = np.array([1.0, 2.0])
    assert twice(x) == 10.0
    assert len(twice.overloads) == 1
    assert not sum_of_squares.overloads
    assert not squared.overloads
    assert (sum_of_squares(x), squared(3.0)) == (5.0, 9.0)
    assert len(squared.overloads) == 1
