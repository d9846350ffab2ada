"""Many settings at once: exact tests of counts whose probabilities differ from setting to setting.

Ten runs of one setting are too few for the error rate of all tests here; ten runs of each of many settings together may
be enough. No test assumes that the settings are alike: given each setting's total, its counts have a hypergeometric
distribution; independent settings are convolved.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from math import comb
from typing import NamedTuple

import scipy

from paper_checks.rules.means import Status
from paper_checks.rules.proportions import Interval, proportion
from paper_checks.rules.rates import RATE

# Number of equally likely cases by value.
Law = dict[int, int]


class Stratum(NamedTuple):
    """Two counts of one setting: successes of n runs, and of m others."""

    successes: int
    n: int
    others: int
    m: int

    @property
    def swapped(self) -> Stratum:
        return Stratum(self.others, self.m, self.successes, self.n)

    def law(self, value: Callable[[int, int], int]) -> Law:
        """Distribution of a function of both counts, given their sum, if all runs have one probability."""
        total, found = self.successes + self.others, defaultdict(int)
        for k in range(max(0, total - self.m), min(self.n, total) + 1):
            found[value(k, total - k)] += comb(self.n, k) * comb(self.m, total - k)
        return found


def _sum(laws: Iterable[Law]) -> Law:
    """Distribution of a sum of independent whole numbers."""
    found: Law = {0: 1}
    for law in laws:
        wider = defaultdict(int)
        for value, many in found.items():
            for more, ways in law.items():
                wider[value + more] += many * ways
        found = wider
    return found


def _tails(law: Law, value: int) -> tuple[float, float]:
    """Probabilities of at most and of at least this value."""
    cases = sum(law.values())
    below, above = (sum(many for k, many in law.items() if k <= value), sum(n for k, n in law.items() if k >= value))
    return below / cases, above / cases


def p_value(successes: int, n: int, others: int, m: int) -> float:
    """p-value of Fisher's exact test that two counts have one probability, two-sided.

    Examples
    --------
    >>> p_value(50, 400, 13, 100) > 0.8, p_value(0, 400, 94, 100) < 1e-90
    (True, True)
    """
    return float(scipy.stats.fisher_exact([[successes, n - successes], [others, m - others]]).pvalue)


def p_value_of_difference(strata: Sequence[Stratum]) -> float:
    """p-value of the exact stratified test that both counts have one probability in each setting.

    Two-sided, twice the smaller tail, by the sum of the first counts. It suits a difference that has one direction in
    all settings.

    Examples
    --------
    >>> one = Stratum(9, 10, 3, 10)
    >>> p_value_of_difference([one]) > 1e-3, p_value_of_difference([one] * 9) < 1e-11
    (True, True)
    """
    return min(1.0, 2 * min(_tails_of_successes(strata)))


def _tails_of_successes(strata: Sequence[Stratum]) -> tuple[float, float]:
    return _tails(_sum(s.law(lambda k, _: k) for s in strata), sum(s.successes for s in strata))


def more_often(strata: Sequence[Stratum], rate: float = RATE) -> Status:
    """Whether the first counts have larger probabilities on the whole; INCONCLUSIVE if not significant.

    Examples
    --------
    >>> more_often([Stratum(9, 10, 3, 10)]), more_often([Stratum(9, 10, 3, 10)] * 9)
    (<Status.INCONCLUSIVE: 'INCONCLUSIVE'>, <Status.CONFIRMED: 'CONFIRMED'>)
    """
    below, above = _tails_of_successes(strata)
    if 2 * min(below, above) > rate:
        return Status.INCONCLUSIVE
    return Status.CONFIRMED if above < below else Status.REFUTED


def p_value_of_one_law(strata: Sequence[Stratum]) -> float:
    """p-value of an exact test that both counts have one probability in each setting, in any direction.

    The statistic is the sum of squares of (successes m - others n).

    Examples
    --------
    >>> p_value_of_one_law([Stratum(10, 10, 0, 10), Stratum(0, 10, 10, 10)] * 2) < 1e-18
    True
    """
    laws, seen = [], 0
    for s in strata:
        laws.append(s.law(lambda k, other, s=s: (k * s.m - other * s.n) ** 2))
        seen += (s.successes * s.m - s.others * s.n) ** 2
    return _tails(_sum(laws), seen)[1]


def p_value_of_one_probability(counts: Sequence[int], n: int) -> float:
    """p-value of an exact test that several counts, each of n runs, have one probability, by the sum of squares.

    Examples
    --------
    >>> p_value_of_one_probability([9, 10, 8, 9], 10) > 0.5, p_value_of_one_probability([0, 10, 0, 10], 10) < 1e-9
    (True, True)
    """
    ways: dict[tuple[int, int], int] = {(0, 0): 1}
    for _ in counts:
        wider: dict[tuple[int, int], int] = defaultdict(int)
        for (total, squares), many in ways.items():
            for k in range(n + 1):
                wider[total + k, squares + k * k] += many * comb(n, k)
        ways = wider
    here = {squares: many for (total, squares), many in ways.items() if total == sum(counts)}
    seen = sum(k * k for k in counts)
    return sum(many for squares, many in here.items() if squares >= seen) / sum(here.values())


def average(counts: Sequence[tuple[int, int]], rate: float = RATE) -> Interval:
    """Mean probability of success over all runs, from successes and runs by setting, with an exact interval.

    If probabilities differ, tails of a sum are below those of the binomial distribution with their mean, once they
    begin at least one from the expected sum (Hoeffding, 1956, theorem 4). Values nearer than that are not excluded.

    Examples
    --------
    >>> print(average([(10, 10), (0, 10)] * 5))
    0.5 in [0.196, 0.804], n = 100
    """
    successes, n = (sum(column) for column in zip(*counts, strict=True))
    found = proportion(successes, n, rate)
    low, high = min(found.low, max(0, successes - 1) / n), max(found.high, min(n, successes + 1) / n)
    return Interval(found.value, low, high, n)


def split(larger: Sequence[float], smaller: Sequence[float]) -> Stratum:
    """Numbers of both groups above the value that splits all values into groups of the same sizes.

    If both have one distribution, it is random, given all values, which of them are the smaller ones. Infinite values
    are the largest.

    Examples
    --------
    >>> split([3, 4, 5], [1, 2])
    Stratum(successes=3, n=3, others=0, m=2)
    """
    cut = sorted([*larger, *smaller])[len(smaller) - 1]
    return Stratum(sum(v > cut for v in larger), len(larger), sum(v > cut for v in smaller), len(smaller))
