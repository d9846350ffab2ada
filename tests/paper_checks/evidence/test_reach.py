"""What no weights reach: the bounds of Table 5's rows against a search over weights."""

import numpy as np
import pytest
from scipy.optimize import minimize

from paper_checks.papers.neural_arithmetic_units.appendix_c import reach
from theory.arithmetic import population_loss
from theory.arithmetic.population import Residual

SINGLE = 2 * (reach.SIZE - reach.OVERLAP)


def sum_error(p, overlap, single):
    """Of an NAU and an NMU for a + b; weights are alike within the overlap, the rest of both, and none."""
    groups = np.array([overlap, single, reach.INPUTS - overlap - single])
    second, first = p[:2], np.repeat(p[2:].reshape(2, 3), groups, axis=1)
    target = np.repeat([2.0, 1.0, 0.0], groups)
    rest, slopes = 1 - second, second[:, None] * first
    outer = np.outer(slopes[0], slopes[1])
    residual = Residual(
        rest[0] * rest[1], rest[0] * slopes[1] + rest[1] * slopes[0] - target, (outer + outer.T) / 2
    )  # fmt: skip
    return float(population_loss(residual, reach.LOWER, reach.UPPER))


def least(overlap, single, starts=2):
    rng = np.random.default_rng(1)
    limits = [(0, 1)] * 2 + [(-1, 1)] * 6
    ends = [
        minimize(sum_error, rng.uniform(*np.array(limits).T), (overlap, single), method="L-BFGS-B", bounds=limits).fun
        for _ in range(starts)
    ]
    return min(ends)


@pytest.mark.slow
def test_a_search_finds_no_nmu_that_adds_what_overlaps():
    assert reach.nmu_cannot_add(factor=1.5)
    assert least(reach.OVERLAP, SINGLE) > 1.5 * reach.threshold("addition")


def test_a_search_finds_one_that_adds_what_does_not():
    assert not reach.nmu_cannot_add(overlap=0)
    solution = np.array([1, 0, 1, 1, 0, 0, 0, 0], dtype=float)
    assert sum_error(solution, 0, 2 * reach.SIZE) == pytest.approx(0, abs=1e-20)


def test_the_best_affine_map_is_exact_where_the_target_is_a_sum():
    assert reach.best_affine("addition") < 1e-12 < reach.threshold("addition")
    assert reach.best_affine("subtraction") < 1e-12
