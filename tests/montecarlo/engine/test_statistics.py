"""Statistics: unbiased values, exactly, from each sample once."""

import itertools
import math
import statistics
from fractions import Fraction

import numpy as np
import pytest
from kernels_for_tests import area, triple, uniform

from montecarlo import Job, covariance, mean, measure, moment, probability_below, variance
from montecarlo.engine.job import CHUNK

ROWS = [(1, 5, 0), (2, -3, 0), (7, 2, 0), (-4, 8, 0)]


def values(statistic, rows, parameter=0.0):
    """What a statistic makes of given rows, as exact numbers."""
    out = np.asfortranarray(rows, dtype=np.float64)
    return [Fraction(float(v)) for v in statistic.values(out, np.empty(len(rows)), parameter)]


@pytest.mark.parametrize("rows", [ROWS, ROWS[:2], [*ROWS, (3, 3, 0)]], ids=["four", "two", "five"])
def test_variance_and_covariance_are_unbiased(rows):
    """The mean over all orders of the rows is the expectation under sampling without replacement."""
    for statistic, i, j in (
        (variance(triple, 0), 0, 0), (variance(triple, 1), 1, 1),
        (covariance(triple, 0, 1), 0, 1), (covariance(triple, 1, 0), 0, 1),
    ):  # fmt: skip
        orders = [values(statistic, order) for order in itertools.permutations(rows)]
        mean_i, mean_j = (Fraction(sum(row[k] for row in rows), len(rows)) for k in (i, j))
        exact = sum((row[i] - mean_i) * (row[j] - mean_j) for row in rows) / (len(rows) - 1)
        # Each value has a dozen roundings at most.
        assert float(statistics.mean(map(statistics.mean, orders))) == pytest.approx(float(exact), rel=12 * 2.0**-53)


@pytest.mark.parametrize("n", [1, 2, 7, 63, 64, 127, 128, 129, 320])
def test_every_sample_is_used_in_one_value_at_most(n):
    rows = [(float(i * i), 0.0, 0.0) for i in range(n)]
    before = values(variance(triple, 0), rows)
    assert len(before) == (n // 64 if n >= 64 else min(n // 2, 1))
    used = 0
    for i in range(n):
        after = values(variance(triple, 0), [*rows[:i], (-1000.0, 0.0, 0.0), *rows[i + 1 :]])
        changed = sum(a != b for a, b in zip(before, after, strict=True))
        assert changed <= 1
        used += changed
    assert used == (len(before) * 64 if n >= 64 else n * len(before))


def test_moments_and_probabilities_are_means_of_the_sample():
    assert values(moment(triple, 3, 1), ROWS, 3.0) == [125, -27, 8, 512]
    assert values(moment(triple, 1, 1), ROWS, 1.0) == [5, -3, 2, 8]
    assert values(probability_below(triple, 2.0, 1), ROWS, 2.0) == [0, 1, 1, 0]
    assert values(mean(triple, 1), ROWS) == [5, -3, 2, 8]


@pytest.mark.parametrize("samples", [3, 2**14 + 1, 2**14 + 2, 2**15 + 3])
@pytest.mark.parametrize("statistic", [variance(area), covariance(area, 0, 0)], ids=["variance", "covariance"])
def test_chunks_of_one_row_have_no_value_and_do_no_harm(statistic, samples):
    (moments,) = measure([Job(statistic, {"side": 1}, "tests/odd", looks=(samples,))])
    chunks, rest = divmod(samples, CHUNK)
    assert moments.n == chunks * CHUNK // 64 + min(rest // 2, 1)
    assert math.isfinite(moments.mean)


@pytest.mark.parametrize(("statistic", "point", "value"), [
    (mean(triple, 1), {"slope": 2.0, "shift": 0}, 1.5),
    (variance(triple, 1), {"slope": 2.0, "shift": 0}, 5 / 12),
    (covariance(triple, 0, 1), {"slope": 2.0, "shift": 0}, 2 / 12),
    (covariance(triple, 0, 1), {"slope": -3.0, "shift": 0}, -3 / 12),
    (moment(uniform, 4), {}, 1 / 5),
    (moment(uniform, "k"), {"k": 2}, 1 / 3),
    (probability_below(uniform, 0.25), {}, 1 / 4),
    (probability_below(uniform, "t"), {"t": 0.75}, 3 / 4),
], ids=str)  # fmt: skip
def test_each_statistic_finds_the_known_value(statistic, point, value):
    (moments,) = measure([Job(statistic, point, "tests/known", looks=(2**18,))])
    estimate = moments.estimate()
    assert abs(estimate.value - value) < 6 * estimate.se
    assert abs(estimate.value - 1.05 * value) > 6 * estimate.se, "the check could not fail"
