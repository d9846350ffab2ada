"""The inputs of a single ReLU unit: which draws the kernel sums, exactly, for every way in which its draws can end."""

import numpy as np
import pytest

from montecarlo.kernels.relu_unit import _inputs
from montecarlo.streams.draws import normal2, normal4
from montecarlo.streams.philox import stream

COUNT = 64


def drawn(key, draw: int, size: int) -> np.ndarray:
    """The normals of one draw, (COUNT, 2) or (COUNT, 4)."""
    of_a_sample = normal2 if size == 2 else normal4
    return np.array([of_a_sample(key, i, draw) for i in range(COUNT)])


# By number of inputs the draws beyond the first, (draw, normals that it gives), and how many of the last are used. The
# last pair is used whole with 4, 8, ... inputs alone.
DRAWS = {
    1: ([], 0), 2: ([], 0), 3: ([(2, 2)], 1), 4: ([(2, 2)], 2), 5: ([(2, 4)], 3), 6: ([(2, 4)], 4),
    7: ([(2, 4), (6, 2)], 1), 8: ([(2, 4), (6, 2)], 2), 9: ([(2, 4), (6, 4)], 3), 10: ([(2, 4), (6, 4)], 4),
    12: ([(2, 4), (6, 4), (10, 2)], 2),
}  # fmt: skip


@pytest.mark.parametrize("fan_in", DRAWS)
def test_each_input_is_a_normal_of_its_own(fan_in):
    key = stream(7, "inputs of a ReLU unit", fan_in)
    last, first, rest = _inputs(key, 0, fan_in, COUNT)
    pair = drawn(key, 0, 2)
    draws, used = DRAWS[fan_in]
    others = [pair[:, 1]] if fan_in > 1 else []
    for place, (draw, size) in enumerate(draws):
        values = drawn(key, draw, size)
        others += list(values.T[: used if place == len(draws) - 1 else size])
    assert len(others) == fan_in - 1
    assert np.array_equal(last, pair[:, 0])
    assert np.array_equal(first, others[0] if others else np.zeros(COUNT))
    assert np.allclose(rest, np.sum(others, axis=0) if others else 0.0, rtol=0, atol=1e-14)
    # An input that is left out, or taken twice, is seen.
    assert not others or np.abs(rest - np.sum(others[:-1], axis=0)).max() > 0.1
