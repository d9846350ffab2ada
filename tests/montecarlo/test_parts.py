"""A helper has two faces: a part of compiled code that calls it, a function of its own from Python."""

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
