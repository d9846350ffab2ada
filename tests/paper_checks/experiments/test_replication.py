"""Published numbers beside ours: seldom falsely rejected, rejected as often as promised, refused where unclear."""

import numpy as np
import pytest

from paper_checks import OPEN, WRONG, Cell, Cells, Published, Replicates, Status, standard_error
from paper_checks.rules.prediction import half_width, mean
from paper_checks.rules.replication import count, median

LAWS = {
    "normal": lambda rng, n: rng.normal(5, 1, n),
    "skewed": lambda rng, n: np.exp(0.8 * rng.normal(size=n)),
    "two groups": lambda rng, n: 5.0 * (rng.random(n) < 0.8) + rng.normal(0, 0.1, n),
}
SIZES = [(10, 10), (10, 40), (94, 376)]
REPEATED = 300


def printed(values, digits=6):
    return f"{values:.{digits}g}"


def of_mean(theirs, ours):
    error = theirs.std(ddof=1) / np.sqrt(len(theirs))
    return mean(Published(printed(theirs.mean()), len(theirs), error=error), ours, 0.01).p


def of_median(theirs, ours):
    return median(Published(printed(np.median(theirs)), len(theirs), "median"), ours, 0.01).p


@pytest.mark.slow
@pytest.mark.parametrize(("n", "m"), SIZES)
@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("test", [of_mean, of_median])
def test_what_is_of_one_law_is_seldom_rejected(test, law, n, m):
    rng = np.random.default_rng(n + m)
    p = np.array([test(LAWS[law](rng, n), LAWS[law](rng, m)) for _ in range(REPEATED)])
    # At the level 300 tests reject so many with a probability of 1e-3.
    assert (p <= 0.05).sum() <= 28
    assert (p <= 0.01).sum() <= 10


@pytest.mark.slow
@pytest.mark.parametrize("rate", [0.13, 0.5, 0.94])
def test_counts_of_one_rate_are_seldom_rejected(rate):
    rng = np.random.default_rng(3)
    pairs = rng.binomial(50, rate, 500), rng.binomial(200, rate, 500)
    p = np.array([count(Published(a, 50, "count"), b, 200, 0.01).p for a, b in zip(*pairs, strict=True)])
    assert (p <= 0.05).sum() <= 42
    assert (p <= 0.01).sum() <= 14


def test_a_count_is_rejected_as_often_as_promised_at_the_difference_that_is_noticed():
    level, rng = 1e-3, np.random.default_rng(4)
    low, high = count(Published(50, 100, "count"), 200, 400, level).noticed
    for rate in (low / 100, high / 100):
        p = [count(Published(k, 100, "count"), 200, 400, level).p for k in rng.binomial(100, rate, 2000)]
        assert 0.77 < np.mean(np.array(p) <= level) < 0.9


def test_a_mean_is_rejected_as_often_as_promised_at_the_difference_that_is_noticed():
    level, rng = 1e-2, np.random.default_rng(5)
    ours = rng.normal(5, 1, 400)
    shift = mean(Published("5.0", 20, error=1 / np.sqrt(20)), ours, level).noticed[1] - ours.mean()
    rejected = 0
    for _ in range(REPEATED):
        theirs = rng.normal(ours.mean() + shift, 1, 20)
        published = Published(printed(theirs.mean()), 20, error=theirs.std(ddof=1) / np.sqrt(20))
        rejected += mean(published, ours, level).p <= level
    assert 0.75 < rejected / REPEATED < 0.99


@pytest.mark.slow
def test_a_median_is_rejected_as_often_as_promised_at_the_difference_that_is_noticed():
    level, rng = 1e-3, np.random.default_rng(6)
    ours = np.sort(rng.random(400))
    low, high = median(Published("0.50", 100, "median"), ours, level).noticed
    for middle in (low, high):
        drawn = np.median(middle - 0.5 + rng.random((REPEATED, 100)), axis=1)
        p = [median(Published(printed(v), 100, "median"), ours, level).p for v in drawn]
        assert 0.7 < np.mean(np.array(p) <= level) < 0.95


def test_a_half_width_is_compared_from_below_only():
    ours = np.random.default_rng(7).normal(size=100)
    level = 1e-3
    assert half_width(Published("0.03", 20, "half width"), ours, level).p <= level
    assert half_width(Published("0.5", 20, "half width"), ours, level).p > level
    assert half_width(Published("50.", 20, "half width"), ours, level).p > 0.9


def test_a_half_width_that_no_value_could_miss_is_not_reproduced():
    """Of values that are equal but for a few, samples of four have the half width 0 in most cases."""
    ours = np.r_[np.zeros(96), np.ones(4)]
    found = half_width(Published("0.5", 4, "half width"), ours, 1e-3)
    assert (found.low, found.least) == (0.0, 1.0)
    assert half_width(Published("0.5", 40, "half width"), np.arange(100.0), 1e-3).least < 1e-3


def test_a_standard_error_has_the_divisor_of_the_number_of_runs():
    ours, level = np.random.default_rng(7).normal(size=100), 1e-3
    found = half_width(Published("0.25", 10, "standard error"), ours, level)
    assert found.ours == pytest.approx(ours.std(ddof=1) * 0.9**0.5 / 10**0.5)
    assert found.p > 0.1
    assert half_width(Published("0.05", 10, "standard error"), ours, level).p <= level


def test_a_median_of_runs_that_are_never_done_is_beyond_all_others():
    ours = np.r_[np.arange(30.0), np.full(70, np.inf)]
    assert median(Published("10", 40, "median"), ours, 1e-3).p < 1e-3
    assert median(Published("28", 4, "median"), ours, 1e-3).p > 1e-3


def test_a_skewed_mean_without_its_error_is_not_judged():
    ours = np.exp(2 * np.random.default_rng(8).normal(size=40))
    assert mean(Published("9e9", 10), ours, 1e-3).least == 1


FEW = [1e6, 2e6, 4e6]


def test_a_mean_is_not_judged_where_every_possible_value_would_agree():
    far = {"value": "9.0e9", "n": 3, "error": 6e5}
    assert mean(Published(**far), FEW, 1e-4).least == 0
    assert mean(Published(**far, possible=(0, 1e8)), FEW, 1e-4).least == 1
    near = Published("4.9e6", 3, error=6e5, possible=(0, 5e6))
    assert [mean(near, FEW, level).least for level in (1e-4, 0.2)] == [1, 0]


def test_a_mean_is_not_judged_where_a_difference_of_its_own_size_would_be_missed():
    ours, level = np.random.default_rng(9).normal(5, 1, 400), 1e-3
    noticed = mean(Published("5.00", 20, error=0.2), ours, level).noticed[1] - ours.mean()
    for value, least in ((0.9 * noticed, 1), (1.1 * noticed, 0)):
        small = Published(printed(value), 20, error=0.2, possible=(0, np.inf))
        assert mean(small, ours, level).least == least
        # A quantity of either sign may have a mean near 0.
        assert mean(Published(printed(value), 20, error=0.2), ours, level).least == 0
    # What is rejected stays rejected.
    assert mean(Published("0.00", 20, error=0.2, possible=(0, np.inf)), ours, level).p <= level


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"value": "0.5", "n": 0}, "n must be a number of runs"),
        ({"value": "0.5", "n": None}, "n must be a number of runs"),
        ({"value": "0.5", "n": True}, "n must be a number of runs"),
        ({"value": 0.5, "n": 10}, "digits of 0.5 are unclear"),
        ({"value": -1, "n": 10, "what": "count"}, "from 0 to n = 10, got -1"),
        ({"value": 11, "n": 10, "what": "count"}, "from 0 to n = 10, got 11"),
        ({"value": 0.94, "n": 100, "what": "count"}, "94 % of 100 runs is the count 94"),
        ({"value": float("nan"), "n": 10, "digits": 2}, "must be finite"),
        ({"value": "many", "n": 10}, "must be a number, got 'many'"),
        ({"value": "0.5", "n": 10, "what": "mode"}, "what must be one of"),
        ({"value": "0.5", "n": 10, "error": -1.0}, "error is the standard error"),
        ({"value": "0.5", "n": 1, "what": "half width"}, "of 2 runs or more"),
        ({"value": "-0.5", "n": 9, "what": "standard error"}, "standard error is at least 0"),
    ],
)
def test_what_is_unclear_is_refused_with_what_to_give_instead(arguments, message):
    with pytest.raises(ValueError, match=message):
        Published(**arguments)


@pytest.mark.parametrize("ours", [(11, 10), (-1, 10), (1, 0), (0.5, 10)])
def test_impossible_counts_of_ours_are_refused(ours):
    with pytest.raises(ValueError, match="successes must be whole, from 0 to n"):
        count(Published(5, 10, "count"), *ours, 1e-3)


@pytest.mark.parametrize("ours", [[], [1.0, np.nan], [[1.0, 2.0]]])
def test_runs_that_are_no_numbers_are_refused(ours):
    for test in (mean, median):
        with pytest.raises(ValueError, match="one for each run"):
            test(Published("5.0", 10), ours, 1e-3)


RUNS = np.random.default_rng(9).normal(5, 1, 40)


@pytest.fixture
def table(judged):
    return lambda *cells, of=300, **fields: judged(relation=Replicates(of=of), evidence=[Cells(cells)], **fields)


def test_a_table_is_reproduced_or_not_or_has_too_few_runs(table):
    good = Cell("a", Published("5.2", 10, error=standard_error(0.7, 10)), RUNS)
    bad = Cell("b", Published("9.0", 10, error=0.3), RUNS)
    few = Cell("c", Published(2, 2, "count"), (2, 2))
    verdict = table(good, few)
    assert verdict.as_expected
    assert [p.status for p in verdict.findings[0].points] == [Status.CONFIRMED, Status.INCONCLUSIVE]
    skewed = Cell("d", Published("5.2", 10), np.exp(RUNS))
    assert [p.p is None for p in table(good, few, skewed).findings[0].points] == [False, False, True]
    assert verdict.killed == verdict.mutants == 2
    wrong = table(good, bad, expects=WRONG)
    assert wrong.as_expected
    assert "b: published 9, ours" in wrong.counterexample
    assert table(few, expects=OPEN).as_expected


def test_ten_of_ten_beside_ten_of_ten_says_something_at_the_rate_of_a_paper(table):
    ten = Cell("a", Published(10, 10, "count"), (10, 10))
    assert table(ten).status is Status.CONFIRMED
    assert table(ten, of=5000).status is Status.INCONCLUSIVE


def test_a_count_that_is_not_reproduced_is_said_as_ours_of_our_runs(table):
    verdict = table(Cell("a", Published(1, 10, "count"), (30, 40)), of=1, expects=WRONG)
    assert "a: published 1, ours 30 of 40, p = " in verdict.counterexample
    assert verdict.findings[0].points[0].counted == "30 of 40"


def test_more_cells_than_the_paper_has_are_an_error(table):
    cell = Cell("a", Published(5, 10, "count"), (5, 10))
    assert "got 2 of 1; correct of=" in table(cell, cell, of=1).error
    assert "a: our runs must be finite" in table(Cell("a", Published("5.0", 10), [np.inf])).error


OWN = """
from paper_checks import Cell, Cells, Published, Replicates, claim, paper
paper("mine", "My paper", "Me")
claim("mine/t", at="Table 1", says="the printed rates are reproduced", relation=Replicates(of=1),
      evidence=[Cells([Cell("A, solved", Published(7, n=10, what="count"), (30, 40))])])
"""


def test_a_table_of_ones_own_is_shown_beside_ours(folder, said):
    (folder / "own.py").write_text(OWN)
    assert "REPRODUCED" in said(0, "verify", "own.py")
    said(0, "report", "own.py")
    text = (folder / "reports" / "mine.md").read_text()
    assert "1 of 1 published numbers are reproduced." in text
    assert "| A, solved | 7 | 10 | 30 | 40 | " in text
