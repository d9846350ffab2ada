"""Reproduction of printed counts and medians: what chance alone may do, and what is noticed."""

from functools import cache

import numpy as np
import pytest
from scipy.stats import binom

from paper_checks.rules import reproduction
from paper_checks.rules.means import Status
from paper_checks.rules.rates import RATE
from paper_checks.rules.reproduction import levels, printed_level, reproduced_count, reproduced_median

verdict = cache(reproduced_count)
# What is less probable is left out of sums: of at most 401 terms, a ten-thousandth of the rate that they are held to.
NEGLIGIBLE = RATE / 401 / 1e4


@pytest.fixture(autouse=True, scope="module")
def known_counts():
    """What is asked of the same counts again and again is worked out once."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("p_value", "proportion"):
            patch.setattr(reproduction, name, cache(getattr(reproduction, name)))
        yield


def chances(n, probability, printed, m):
    """The probability of each verdict on n runs against a printed count."""
    found = dict.fromkeys(Status, 0.0)
    for k, weight in enumerate(binom.pmf(np.arange(n + 1), n, probability)):
        if weight > NEGLIGIBLE:
            found[verdict(k, n, printed, m)] += weight
    return found


@pytest.mark.parametrize("probability", [0.02, 0.3, 0.5])
def test_one_law_on_both_sides_is_refuted_with_the_declared_probability_at_most(probability):
    m, n = 10, 60
    refuted = sum(
        binom.pmf(k, m, probability) * chances(n, probability, k, m)[Status.REFUTED] for k in range(m + 1)
    )  # fmt: skip
    assert refuted <= RATE


@pytest.mark.parametrize("printed", [13, 26, 94])
def test_the_number_of_runs_tells_agreement_with_a_printed_rate_of_100(printed):
    found = chances(400, printed / 100, printed, 100)
    assert found[Status.CONFIRMED] > 0.999
    assert found[Status.REFUTED] < RATE


@pytest.mark.parametrize(("probability", "printed"), [(0.6, 13), (0.75, 26), (0.35, 94)])
def test_another_rate_is_told_apart(probability, printed):
    found = chances(400, probability, printed, 100)
    assert found[Status.REFUTED] > 0.97
    assert found[Status.CONFIRMED] < RATE


def test_ten_printed_seeds_tell_little():
    assert reproduced_count(400, 400, 3, 10) is Status.REFUTED
    assert reproduced_count(200, 400, 3, 10) is Status.CONFIRMED
    assert reproduced_count(0, 10, 3, 10) is Status.INCONCLUSIVE
    assert {reproduced_count(k, 10, printed, 10) for k in range(11) for printed in range(11)} == {Status.INCONCLUSIVE}


@pytest.mark.parametrize("m", [13, 26, 94])
def test_the_median_of_so_many_is_within_its_levels(m):
    level, rate = printed_level(m, 1e-3), 1e-3
    # The median lies below a level where at least so many values do.
    assert binom.sf((m + 1) // 2 - 1, m, level.low) <= rate / 2 * (1 + 1e-9)
    assert binom.cdf(m // 2, m, level.high) <= rate / 2 * (1 + 1e-9)
    assert printed_level(m).low < level.low < 0.5 < level.high < printed_level(m).high


def test_a_printed_number_is_as_good_as_its_digits():
    values = np.repeat(1000.0 * np.arange(1, 41), 10)
    for digits, shares in ((1, (0.175, 0.45)), (2, (0.3, 0.325)), (3, (0.3, 0.325))):
        below, up_to = levels(values, 1.3e4, digits, rate=0.05)
        assert (below.value, up_to.value) == shares
        assert below.low < below.value < below.high < up_to.high


def test_a_median_on_a_tie_agrees():
    ties = np.repeat([12e3, 13e3, 14e3], [100, 200, 100])
    assert reproduced_median(ties, 1.3e4, 94) is Status.CONFIRMED
    assert reproduced_median(ties, 1.2e4, 94) is Status.INCONCLUSIVE
    assert reproduced_median(ties, 1.1e4, 94) is Status.REFUTED


def test_medians_agree_differ_or_stay_open():
    values = np.random.default_rng(1).gamma(4, 1e4, size=400)
    middle = float(np.median(values))
    assert reproduced_median(values, middle, 94) is Status.CONFIRMED
    assert reproduced_median(values, 3 * middle, 94) is Status.REFUTED
    assert reproduced_median(values, 3 * middle, 2) is not Status.REFUTED
    assert reproduced_median(values[:15], middle, 94) is Status.INCONCLUSIVE
    assert reproduced_median(values[:0], middle, 94) is Status.INCONCLUSIVE
