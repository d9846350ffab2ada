"""Tests of experiments: they err as rarely as they say, and with too few runs they say nothing."""

from functools import cache

import numpy as np
import pytest
from scipy.stats import binom

from paper_checks.evidence.experiment import concluded
from paper_checks.rules.means import Status
from paper_checks.rules.proportions import median, proportion, quantile, sign_test
from paper_checks.rules.rates import RATE


@cache
def bounds(n, rate):
    """The lower and the upper ends of the intervals of all counts."""
    return np.array([(i.low, i.high) for i in (proportion(k, n, rate=rate) for k in range(n + 1))]).T


@pytest.mark.parametrize("p", [0.01, 0.3, 0.5, 0.97])
@pytest.mark.parametrize("n", [1, 7, 48, 400])
def test_the_interval_of_a_proportion_misses_no_more_often_than_its_rate(n, p):
    """By summation over all counts: no simulation."""
    low, high = bounds(n, 0.05)
    missed = ~((low <= p) & (p <= high))
    assert binom.pmf(np.arange(n + 1), n, p)[missed].sum() <= 0.05


@pytest.mark.parametrize("p", [0.1, 0.5, 0.8])
def test_the_interval_of_a_quantile_misses_no_more_often_than_its_rate(p):
    """From one value to another by their ranks alone, so that the rate is that of binomial counts: no simulation."""
    ranks = quantile(np.arange(60.0), p, rate=0.1)
    low, high = int(ranks.low), int(ranks.high)
    assert 0.02 < binom.cdf(low, 60, p) + binom.sf(high, 60, p) <= 0.1
    values = np.random.default_rng(1).standard_cauchy(60)
    found = quantile(values, p, rate=0.1)
    assert (found.low, found.high) == tuple(np.sort(values)[[low, high]])


def test_too_few_runs_exclude_nothing():
    assert (median(np.ones(36)).low, median(np.ones(36)).high) == (-np.inf, np.inf)
    assert median(np.ones(37)).above(0.5) is Status.CONFIRMED
    assert proportion(0, 0).above(0.1) is Status.INCONCLUSIVE
    assert sign_test(np.ones(36)).status is Status.INCONCLUSIVE
    assert sign_test(np.ones(37)).status is Status.CONFIRMED


@pytest.mark.parametrize(("successes", "limit", "above"), [
    (500, 0.3, Status.CONFIRMED), (500, 0.7, Status.REFUTED), (500, 0.45, Status.INCONCLUSIVE),
])  # fmt: skip
def test_a_proportion_is_above_a_limit_or_not_or_open(successes, limit, above):
    found = proportion(successes, 1000)
    assert found.above(limit) is above
    assert proportion(1000 - successes, 1000).below(1 - limit) is above
    assert found.within(limit, 1.0) is above


def test_a_slip_that_was_rejected_is_good_for_every_outcome():
    for status in Status:
        found = concluded(status, "", {"rejected": True, "kept": False})
        assert (found.printed, found.killed, found.survivors) == (status, 1, ("kept",))
        assert (found.truth is Status.INCONCLUSIVE) == (status is Status.INCONCLUSIVE)


def test_a_slip_is_rejected_or_not():
    with pytest.raises(TypeError, match=r"slips\['x'\] must be True or False, got 0\.3"):
        concluded(Status.CONFIRMED, "", {"x": 0.3})


def test_a_statement_is_correct_or_not_or_has_a_status():
    assert [concluded(np.bool_(right), "").printed for right in (True, False)] == [Status.CONFIRMED, Status.REFUTED]
    for wrong in ([0.3], 1, None):
        with pytest.raises(TypeError, match=r"status must be a Status, True or False, got"):
            concluded(wrong, "")


def test_sign_test_and_median_know_their_rate():
    rng = np.random.default_rng(1)
    # 2 of 48 may disagree, 3 may not.
    for others, expected in ((2, Status.CONFIRMED), (3, Status.INCONCLUSIVE)):
        assert sign_test(np.repeat([1.0, -1.0], [48 - others, others])).status is expected
        assert sign_test(-np.repeat([1.0, -1.0], [48 - others, others])).status is not Status.CONFIRMED
    assert sign_test(np.zeros(48)).status is Status.INCONCLUSIVE
    assert pytest.approx(2e-11) == RATE
    for _ in range(50):
        found = median(rng.standard_cauchy(48))
        assert found.low < 0 < found.high
    assert (median(np.arange(37.0)).low, median(np.arange(37.0)).high) == (0, 36)
