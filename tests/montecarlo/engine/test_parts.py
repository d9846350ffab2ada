"""A helper has two faces: a part of compiled code that calls it, a function of its own from Python."""

import numba
import numpy as np

from montecarlo.engine.compiled import compiled_helper


@compiled_helper
def halved(x):
    for i in range(x.shape[0]):
        x[i] *= 0.5
    return x.shape[0]


@compiled_helper
def twice(x):
    return halved(x) + halved(x)


def test_a_helper_becomes_machine_code_only_where_python_calls_it():
    x = np.array([4.0, 8.0])
    assert (twice(x), x.tolist()) == (4, [1.0, 2.0])
    assert len(twice.overloads) == 1
    assert not halved.overloads
    assert (halved(x), x.tolist()) == (2, [0.5, 1.0])


inlined = numba.njit(forceinline=True)


@inlined
def squared(x):
    return x * x


@inlined
def to_the_fourth(x):
    return squared(squared(x))


@compiled_helper
def sum_of_fourth_powers(x):
    total = 0.0
    for i in range(x.shape[0]):
        total += to_the_fourth(x[i])
    return total


def test_what_asks_to_be_inlined_becomes_machine_code_only_where_python_calls_it():
    assert sum_of_fourth_powers(np.array([1.0, 2.0])) == 17.0
    assert (to_the_fourth.overloads, squared.overloads) == ({}, {})
    assert to_the_fourth(3.0) == 81.0
    assert len(to_the_fourth.overloads) == 1
