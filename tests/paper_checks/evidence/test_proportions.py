"""Tests of experiments: they err as rarely as they say, and with too few runs they say nothing.

Of many settings: what chance alone may do where probabilities differ, and what is noticed.
"""

import itertools
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from scipy.stats import binom, fisher_exact

from paper_checks import Status, concluded
from paper_checks.claims import catalogue
from paper_checks.judging.verdict import Verdict
from paper_checks.record import DEFAULT, Record
from paper_checks.report.describe import describe
from paper_checks.report.site.evidence import shown
from paper_checks.rules import strata as rules
from paper_checks.rules.proportions import median, proportion, quantile, sign_test
from paper_checks.rules.rates import RATE
from paper_checks.rules.strata import Stratum, average, more_often, split


@cache
def bounds(n, rate):
    """The lower and the upper ends of the intervals of all counts."""
    return np.array([(i.low, i.high) for i in (proportion(k, n, rate=rate) for k in range(n + 1))]).T


@pytest.mark.slow
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


def test_a_statement_is_correct_or_not_or_has_a_status():
    assert [concluded(np.bool_(right), "").printed for right in (True, False)] == [Status.CONFIRMED, Status.REFUTED]


TABLE = [{"gamma": 0.1, "units that die": 394}, {"gamma": 0.03, "units that die": 62}]


@pytest.mark.parametrize(("given", "says"), [
    *(({"status": wrong}, r"status must be a Status, True or False, got") for wrong in ([0.3], 1, None)),
    ({"slips": {"x": 0.3}}, r"slips\['x'\] must be True or False, got 0\.3"),
    ({"points": [{"gamma": 1}]}, r"points must be of PointFinding, got \{'gamma': 1\}; give rows of a table as"),
    ({"table": [*TABLE, {"gamma": 1}]}, r"must have the columns \['gamma', 'units that die'\], got \['gamma'\]"),
])  # fmt: skip
def test_what_an_experiment_cannot_conclude_is_refused(given, says):
    with pytest.raises((TypeError, ValueError), match=says):
        concluded(**{"status": True, "says": "", **given})


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


LEVEL = 0.05
SETTINGS = [(0.1, 0.9), (0.5, 0.5), (0.8, 0.3)]


def drawn(n, first, second):
    """All outcomes of so many runs in two settings, with their probabilities."""
    for counts in itertools.product(range(n + 1), repeat=4):
        chance = np.prod([binom.pmf(k, n, p) for k, p in zip(counts, (*first, *second), strict=True)])
        a, b, c, d = counts
        yield [Stratum(a, n, c, n), Stratum(b, n, d, n)], chance


@pytest.mark.slow
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


CLAIM = catalogue.load().select(["relu/text.other-regions"])[0]


@pytest.fixture(scope="module")
def verdict():
    saved = next(v for v in Record.read(DEFAULT).verdicts if v.id == CLAIM.id)
    return replace(saved, findings=(concluded(Status.REFUTED, "units die", table=TABLE),))


def test_a_table_is_saved_with_its_verdict_if_there_is_one_and_shown_on_a_page(verdict):
    saved = Verdict.from_dict(verdict.to_dict()).findings[0]
    for table in ((saved.columns, saved.rows), shown(CLAIM, verdict.findings[0], {})):
        assert table == (("gamma", "units that die"), (("0.1", "394"), ("0.03", "62")))
    plain = replace(verdict, findings=(concluded(Status.REFUTED, "units die"),))
    assert not {"columns", "rows"} & set(plain.to_dict()["findings"][0])
    assert Verdict.from_dict(plain.to_dict()) == plain


def test_a_terminal_shows_a_table_with_aligned_columns(verdict):
    lines = describe(CLAIM, verdict).splitlines()
    head = next(i for i, line in enumerate(lines) if "units that die" in line and "gamma" in line)
    assert [line.split() for line in lines[head + 1 :]] == [["0.1", "394"], ["0.03", "62"]]
    assert len({len(line) for line in lines[head : head + 3]}) == 1
