"""Kernels for sweeps over starts of a single ReLU, against what they put together."""

from itertools import islice

import numpy as np
import pytest
from kernels_for_tests import rows_of

from montecarlo.descent.fates import CONE
from montecarlo.descent.fields import gradient
from montecarlo.descent.minibatches import from_grid
from montecarlo.descent.plain import from_anywhere
from montecarlo.streams.philox import stream
from montecarlo.training.optimisers import descent
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


def test_starts_on_a_grid_descend_to_where_the_field_takes_them():
    start = [x.ravel() for x in grid_of(4)]
    found = rows_of(from_grid, (0.3, 0.1, 4096, 25, 4), 20, key=stream(3, "tests/grid", 0))
    end, _ = next(islice(descent(lambda at: gradient(*at, 0.3)[[0, 2]], start, 0.1), 24, None))
    np.testing.assert_allclose(found, np.tile(end.T, (2, 1))[:20], atol=0.03)
    assert (found[16:] != found[:4]).any()


def test_plain_iteration_ends_where_descent_on_the_field_does():
    found = rows_of(from_anywhere, (0.1, 100, 2000), 24, key=stream(4, "tests/plain", 0))
    starts, ends = found[:, :6].T, found[:, 6:].astype(bool)
    *w, b, gamma, beta = starts
    turned = w[::-1]
    across, across_turned = np.hypot(w[0], w[1]), np.hypot(turned[0], turned[1])
    ways = [(w[2], across, "ema"), (-w[2], across, "ema"), (w[0], across_turned, "ema"), (w[2], across, "heavy-ball")]
    for i, (along, over, convention) in enumerate(ways):
        path = descent(
            lambda at: gradient(at[0], at[2], gamma, across=at[1])[:3], [along, over, b], 0.1, beta,
            convention=convention,
        )  # fmt: skip
        (u, v, c), _ = next(islice(path, 99, None))
        np.testing.assert_array_equal(ends[:, 2 * i], c < -CONE * np.hypot(u, v))
        (u, v, c), _ = next(islice(path, 1899, None))
        np.testing.assert_array_equal(ends[:, 2 * i + 1], np.sqrt((u - gamma) ** 2 + v * v + c * c) < 0.01 * gamma)
    assert all(set(column) == {False, True} for column in ends.T[:2])
    assert (b[::4] < -CONE * np.linalg.norm(w, axis=0)[::4]).all()
