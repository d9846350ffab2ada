"""Counts of many settings: what chance alone may do where probabilities differ, and what is noticed."""

import itertools

import numpy as np
import pytest
from scipy.stats import binom, fisher_exact

from paper_checks.rules import strata as rules
from paper_checks.rules.means import Status
from paper_checks.rules.rates import RATE
from paper_checks.rules.strata import Stratum, average, more_often, split

LEVEL = 0.05
SETTINGS = [(0.1, 0.9), (0.5, 0.5), (0.8, 0.3)]


def drawn(n, first, second):
    """All outcomes of so many runs in two settings, with their probabilities."""
    for counts in itertools.product(range(n + 1), repeat=4):
        chance = np.prod([binom.pmf(k, n, p) for k, p in zip(counts, (*first, *second), strict=True)])
        a, b, c, d = counts
        yield [Stratum(a, n, c, n), Stratum(b, n, d, n)], chance


@pytest.mark.parametrize("law", SETTINGS)
@pytest.mark.parametrize("p_value", [rules.p_value_of_difference, rules.p_value_of_one_law])
def test_equal_probabilities_that_differ_by_setting_are_rejected_as_often_as_declared_at_most(p_value, law):
    assert sum(chance for strata, chance in drawn(4, law, law) if p_value(strata) <= LEVEL) <= LEVEL


@pytest.mark.parametrize("p_value", [rules.p_value_of_difference, rules.p_value_of_one_law])
def test_one_setting_is_the_exact_test_of_two_counts(p_value):
    for a, b in itertools.product(range(7), repeat=2):
        table = [[a, 6 - a], [b, 6 - b]]
        assert p_value([Stratum(a, 6, b, 6)]) == pytest.approx(fisher_exact(table).pvalue)


def test_differences_of_one_direction_are_told_with_it():
    rng = np.random.default_rng(1)
    seldom, often = rng.binomial(10, 0.35, 26), rng.binomial(10, 0.85, 26)
    strata = [Stratum(int(a), 10, int(b), 10) for a, b in zip(often, seldom, strict=True)]
    assert more_often(strata) is Status.CONFIRMED
    assert more_often([s.swapped for s in strata]) is Status.REFUTED
    assert more_often(strata[:3]) is Status.INCONCLUSIVE


def test_differences_of_both_directions_are_told_by_squares_alone():
    strata = [Stratum(9, 10, 1, 10), Stratum(1, 10, 9, 10)] * 4
    assert rules.p_value_of_one_law(strata) < RATE < 0.5 < rules.p_value_of_difference(strata)


def test_numbers_of_runs_may_differ():
    strata = [Stratum(30, 40, 3, 10), Stratum(38, 40, 5, 10)]
    for p_value in (rules.p_value_of_difference, rules.p_value_of_one_law):
        assert p_value(strata) == pytest.approx(p_value([s.swapped for s in strata]))


@pytest.mark.parametrize("p", [0.1, 0.5])
def test_several_counts_of_one_probability_are_rejected_as_often_as_declared_at_most(p):
    found = 0.0
    for counts in itertools.product(range(5), repeat=4):
        if rules.p_value_of_one_probability(counts, 4) <= LEVEL:
            found += np.prod(binom.pmf(counts, 4, p))
    assert 0 < found <= LEVEL
    assert rules.p_value_of_one_probability([2, 9, 2, 9, 3], 10) < 1e-3


@pytest.mark.parametrize("probabilities", [(0.02, 0.5, 0.9), (0.3, 0.3, 0.3), (0.01, 0.01, 0.99), (1, 1, 0.9)])
@pytest.mark.parametrize("rate", [1e-4, 0.05, 0.5])
def test_the_average_of_unequal_probabilities_is_missed_as_often_as_declared_at_most(probabilities, rate):
    n, law = 6, np.ones(1)
    for p in probabilities:
        law = np.convolve(law, binom.pmf(np.arange(n + 1), n, p))
    mean = np.mean(probabilities)
    missed = 0.0
    for total, chance in enumerate(law):
        found = average([(total, 3 * n)], rate)
        missed += chance * (not found.low <= mean <= found.high)
    assert missed <= rate


@pytest.mark.parametrize("tied", [False, True])
def test_values_of_one_law_are_split_as_improbably_as_declared_at_most(tied):
    rng, plays, told = np.random.default_rng(3), 2000, 0
    for _ in range(plays):
        values = rng.integers(0, 5, 20) if tied else rng.random(20)
        told += rules.p_value_of_difference([split(values[:12], values[12:])]) <= LEVEL
    assert told <= plays * LEVEL + 5 * (plays * LEVEL) ** 0.5


def test_values_that_lie_apart_are_told_with_their_order():
    larger, smaller = np.arange(100, 120), np.arange(30)
    assert more_often([split(larger, smaller)]) is Status.CONFIRMED
    assert more_often([split(np.full(20, np.inf), smaller)]) is Status.CONFIRMED
    assert more_often([split(smaller, larger)]) is not Status.CONFIRMED
