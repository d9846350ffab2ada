"""Laws: right ones are confirmed, wrong ones refuted, and counts do not depend on who counted them."""

import itertools
import math

import numpy as np
import pytest
import sympy
from kernels_for_tests import cauchy
from scipy.special import ndtr
from scipy.stats import kstest

from montecarlo import Histogram, kernel, law, mean, uniform2
from paper_checks import Claim, grid
from paper_checks.claims.relations import Distributed
from paper_checks.judging.judge import verify
from paper_checks.rules.laws import band, compare_law
from paper_checks.rules.means import Status
from paper_checks.rules.rates import COMPARISON
from theory import Formula, Source
from theory.formula import Interval

x, rate = sympy.symbols("x rate", positive=True)


@kernel(block=2**14)
def exponential(stream, first, rate, out):
    for i in range(out.shape[0]):
        u, _ = uniform2(stream, first + i, 0)
        out[i, 0] = -np.log(u) / rate


@kernel
def sometimes_nan(stream, first, out):
    for i in range(out.shape[0]):
        u, _ = uniform2(stream, first + i, 0)
        out[i, 0] = u if u > 1e-3 else np.nan


def formula(expr, *arguments, **options):
    return Formula("a law", expr, arguments, source=Source("test", ""), **options)


RIGHT = formula(1 - sympy.exp(-rate * x), x, rate)


def judged(printed, kernel, points, tier="quick", **options):
    claim = Claim(
        "test/law", at="", says="", printed=printed, relation=Distributed(), measured=law(kernel), points=points,
        **options,
    )  # fmt: skip
    return verify([claim], tier=tier)[0]


def counted(values):
    return Histogram.of([np.asarray(values, dtype=float)])


# Counts.


def test_cells_order_numbers_and_keep_their_upper_edges():
    values = [-np.inf, -1e30, -2.0, -1.0, -1e-30, -0.0, 0.0, 5e-324, 0.5, 1.0, 1.0 + 2**-40, 2.0, 1e30, np.inf]
    for value, other in itertools.pairwise(values):
        assert counted([value]).cells[0] <= counted([other]).cells[0]
    for value in (-3.7, -2.0, 2.0, 0.3, 1.0, 1e9):
        edge = counted([value]).estimate().edges[0]
        assert value <= edge <= value + abs(value) / 2**12
    assert counted([2.0]).estimate().edges[0] == 2.0


def test_shares_are_the_empirical_distribution_function_at_the_edges():
    values = np.random.default_rng(1).normal(size=5000)
    found = counted(values).estimate()
    assert found.share.tolist() == [np.mean(values <= e) for e in found.edges]
    thin = found.thinned(50)
    assert len(thin.edges) <= 50
    assert thin.share.tolist() == [np.mean(values <= e) for e in thin.edges]


def test_merging_is_counting_together_and_bytes_come_back():
    values = np.random.default_rng(2).standard_cauchy(3000)
    whole = counted(values)
    parts = counted(values[:1000]).merge(counted(values[1000:]))
    assert parts == whole
    assert Histogram.from_bytes(whole.to_bytes()) == whole
    assert whole.n == 3000


def test_quantiles_are_within_a_cell():
    values = np.random.default_rng(3).exponential(size=4001)
    found = counted(values).estimate()
    for p in (0.01, 0.5, 0.99):
        exact = np.quantile(values, p, method="inverted_cdf")
        assert exact <= found.quantile(p) <= exact * (1 + 2**-11)
    with pytest.raises(ValueError, match="p must be in"):
        found.quantile(1.0)


# Judgement.


def test_band_is_the_error_rate_of_one_comparison():
    n = 12345
    assert 2 * math.exp(-2 * n * band(n) ** 2) == pytest.approx(COMPARISON)


def test_distance_is_that_of_kolmogorov_up_to_the_cells():
    values = np.random.default_rng(4).normal(size=20_000)
    found = counted(values).estimate()
    comparison = compare_law(found, ndtr(found.edges), 1.0)
    exact = kstest(values, "norm").statistic
    reached = comparison.resolution - band(found.n)
    assert comparison.z / math.sqrt(found.n) <= exact <= reached
    assert reached - exact < 5e-4


def test_a_right_law_is_confirmed_and_mutants_are_rejected():
    verdict = judged(RIGHT, exponential, grid(rate=[1, "1/3"]))
    assert verdict.status is Status.CONFIRMED
    assert verdict.killed == verdict.mutants > 3
    assert verdict.worst("resolution") <= 1e-2


@pytest.mark.parametrize(
    "wrong", [1 - sympy.exp(-rate * x * sympy.Rational(26, 25)), 1 - sympy.exp(-rate * x) / (1 + x), x / (1 + x), x - x]
)
def test_a_wrong_law_is_refuted(wrong):
    assert judged(formula(wrong, x, rate), exponential, grid(rate=1)).status is Status.REFUTED


def test_a_law_without_moments_is_judged_like_any_other():
    value = sympy.Symbol("x", real=True)
    right = sympy.Rational(1, 2) + sympy.atan(value) / sympy.pi
    wrong = right.subs(value, value * sympy.Rational(21, 20))
    for printed, status in ((right, Status.CONFIRMED), (wrong, Status.REFUTED)):
        assert judged(formula(printed, value), cauchy, [{}]).status is status


def test_a_correction_is_confirmed_by_the_counts_that_refute_the_print():
    wrong = formula(1 - sympy.exp(-x / rate), x, rate)
    verdict = judged(wrong, exponential, grid(rate=2), corrected=RIGHT)
    assert verdict.status is Status.REFUTED
    assert verdict.truth is Status.CONFIRMED
    assert "published distribution is off by 0.47" in verdict.counterexample


def test_values_that_are_not_numbers_decide_nothing_and_outside_its_domain_a_law_is_zero_or_one():
    unit = formula(x, x, domain={x: Interval(0, 1)})
    assert judged(unit, sometimes_nan, [{}]).status is Status.INCONCLUSIVE
    assert judged(unit, exponential, grid(rate=1)).status is Status.REFUTED


def test_law_and_relation_go_together():
    for fields in ({"measured": law(exponential)}, {"measured": mean(exponential), "relation": Distributed()}):
        with pytest.raises(ValueError, match="go together"):
            Claim("test/a", at="", says="", printed=RIGHT, points=[{}], **fields)
    found = judged(formula(rate, rate), exponential, grid(rate=1))
    assert "must be an argument of the distribution function" in found.error
