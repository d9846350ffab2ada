"""Kernels of a single ReLU: sweeps over starts, against what they put together, and the draws that make its inputs."""

import numpy as np
import pytest
from kernels_for_tests import rows_of

from montecarlo.descent.fields import gradient
from montecarlo.descent.minibatches import from_grid
from montecarlo.kernels.relu_unit import _inputs
from montecarlo.streams.draws import normal2, normal4
from montecarlo.streams.philox import stream
from paper_checks.papers.dying_relu.fates import grid_of


@pytest.mark.parametrize("batch", [1, 5, 8])
def test_a_step_from_a_grid_is_on_average_along_the_expected_gradient(batch):
    cells, runs = 4, 1500
    found = rows_of(from_grid, (0.3, 0.1, batch, 1, cells), runs * cells**2, key=stream(3, "tests/grid", 0))
    start = np.array([x.ravel() for x in grid_of(cells)]).T
    moved = found.reshape(runs, cells**2, 2) - start
    se, off = moved.std(axis=0) / np.sqrt(runs), moved.mean(axis=0) + 0.1 * gradient(*start.T, 0.3)[[0, 2]].T
    often = start[:, 1] > -np.abs(start[:, 0])
    assert np.all(np.abs(off)[often] <= 5 * se[often])
    # As many inputs in a batch, as many times smaller is the variance.
    once = rows_of(from_grid, (0.3, 0.1, 1, 1, cells), runs * cells**2, key=stream(4, "tests/grid", 0))
    ratio = (once.reshape(moved.shape) - start).var(axis=0)[-1] / moved.var(axis=0)[-1]
    np.testing.assert_allclose(ratio, batch, rtol=0.25)


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
