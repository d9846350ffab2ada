"""Intervals of shares, quantiles, ratios and correlations: they miss the truth as rarely as declared, and find errors.

Size is counted at a raised rate, power where a value is wrong by what the interval should see.
"""

import math
from statistics import NormalDist

import numpy as np
import pytest
from kernels_for_tests import lognormal, rare, uniform
from scipy.stats import binom
from sympy import Rational, Symbol, gamma, uppergamma, zeta
from sympy.stats import Poisson

from montecarlo import bounded_mean, correlation, kernel, law, mean, normal2, probability, quantile, ratio, uniform2
from montecarlo.engine.joint import JointMoments
from montecarlo.engine.moments import Estimate, Moments
from paper_checks import WRONG, Bounds, Distributed, Rounds, Simulated, Status, check
from paper_checks.rules import intervals, rates
from paper_checks.rules.intervals import interval_of, of_bounded_mean
from paper_checks.rules.means import Interval, beyond, compare, samples_needed
from theory import Formula
from theory.symbols import positive, real

ALPHA = 0.02
p, r = positive("p"), real("r")


@pytest.fixture
def raised(monkeypatch):
    monkeypatch.setattr(rates, "COMPARISON", ALPHA)
    monkeypatch.setattr(intervals, "Z", -NormalDist().inv_cdf(ALPHA / 2 / 2))
    monkeypatch.setattr(intervals, "Z_OF_FOUR", -NormalDist().inv_cdf(ALPHA / 4 / 2 / 2))
    monkeypatch.setattr(intervals, "NEAR", 10.0)


@kernel(columns=2)
def pair(stream, first, r, out):
    """Two normal values of correlation r, with means 2 and 1."""
    for i in range(out.shape[0]):
        x, y = normal2(stream, first + i, 0)
        out[i, 0] = 2 + x
        out[i, 1] = 1 + r * x + math.sqrt(1 - r * r) * y


def groups(rng, rho, n):
    x = rng.normal(size=(n, 8))
    y = rho * x + math.sqrt(1 - rho**2) * rng.normal(size=(n, 8))
    x, y = x - x.mean(1, keepdims=True), y - y.mean(1, keepdims=True)
    return np.stack([(x * y).sum(1), (x * x).sum(1), (y * y).sum(1)], 1) / 7


SIZES = {
    "share of rare events": (probability(rare), lambda rng: (rng.random((500, 1)) < 2e-3) * 1.0, 2e-3),
    "share of a half": (probability(rare), lambda rng: (rng.random((50, 1)) < 0.5) * 1.0, 0.5),
    "median of a Cauchy law": (quantile(uniform, 0.5), lambda rng: rng.standard_cauchy((200, 1)), 0.0),
    "upper decile": (quantile(uniform, 0.9), lambda rng: rng.exponential(size=(200, 1)), math.log(10)),
    "ratio of dependent means": (
        ratio(pair), lambda rng: rng.normal(size=(400, 2)) @ [[1, 0.8], [0, 0.6]] + [2, 1], 2.0,
    ),
    "correlation 0": (correlation(pair), lambda rng: groups(rng, 0.0, 300), 0.0),
    "correlation 0.9": (correlation(pair), lambda rng: groups(rng, 0.9, 300), 0.9),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", SIZES)
def test_an_interval_misses_the_truth_at_most_at_the_declared_rate(raised, name):
    statistic, draw, truth = SIZES[name]
    rng = np.random.default_rng(20240301)
    missed, runs = 0, 600
    for _ in range(runs):
        found = statistic.record.of([np.squeeze(draw(rng))]).estimate()
        known = interval_of(statistic, found, float(statistic.parameter or 0.0))
        missed += not -known.below <= truth - known.value <= known.above
    assert missed <= binom.isf(1e-6, runs, ALPHA)


def test_a_share_without_an_event_is_bounded_and_of_events_only_as_well():
    none = interval_of(probability(rare), Estimate(0.0, 0.0, 100_000, 0.0, 0.0, 1.0))
    assert none.below == 0
    assert none.above == pytest.approx(1 - (rates.COMPARISON / 2) ** 1e-5)
    all_of_them = interval_of(probability(rare), Estimate(1.0, 0.0, 100_000, 0.0, 0.0, 1.0))
    assert (all_of_them.above, all_of_them.below) == (0, pytest.approx(none.above))


def test_a_rare_event_is_far_below_its_bound_after_few_samples(judged):
    verdict = judged(printed=Formula("a bound", 35 * p), relation=Bounds("above"), points=[{"p": "1/50000"}],
                     measured=probability(rare), slips={"no bound": p / 100})  # fmt: skip
    assert verdict.status is Status.CONFIRMED
    assert verdict.n < 1e6
    assert "times the measured value" in verdict.findings[0].says


@pytest.mark.parametrize(("side", "wrong"), [("above", 0.4), ("below", 0.6)])
def test_a_bound_that_is_reached_is_confirmed_where_it_may_be(side, wrong):
    known = Interval(0.5, 1e-5, 10**9, 7e-5, 7e-5)
    assert beyond(known, 0.5, side).status is Status.INCONCLUSIVE
    assert beyond(known, 0.5, side, strict=False, tolerance=1e-3).status is Status.CONFIRMED
    assert beyond(known, wrong, side, strict=False, tolerance=1e-3).status is Status.REFUTED


def test_a_value_that_is_no_event_is_an_error_that_names_it(judged):
    verdict = judged(printed=Formula("", p / 2), points=[{"p": 1}], measured=probability(uniform))
    assert "every value must be 0 or 1, got 0." in verdict.error


def test_moments_of_zeros_and_ones_suggest_what_is_exact():
    rows = np.zeros(10**6)
    rows[:3] = 1
    assert "measured=probability(kernel)" in compare(Moments.of([rows]).estimate(), 0.5, 1e-2).reason


JUDGED = {
    "ratio": (Formula("", 2 + 0 * r, (r,)), ratio(pair), Formula("", r * 5)),
    "correlation": (Formula("", r), correlation(pair), Formula("", r**2)),
    "quantile": (Formula("", 2 + 0 * r, (r,)), quantile(pair, 0.5), Formula("", 2 + r)),
}


@pytest.mark.parametrize("name", JUDGED)
def test_right_forms_are_confirmed_and_wrong_ones_refuted(judged, name):
    right, measured, wrong = JUDGED[name]
    one = judged(printed=right, measured=measured, points=[{"r": "1/2"}])
    assert one.as_expected, one
    assert one.killed == one.mutants > 0
    other = judged(printed=wrong, measured=measured, points=[{"r": "1/2"}], expects=WRONG)
    assert other.as_expected, other


def test_a_law_of_integers_is_told_from_its_neighbours(judged):
    k = Symbol("k", integer=True, nonnegative=True)
    poisson = Simulated(Poisson("x", 1))
    cdf, shifted = (Formula("", uppergamma(k + 1, m) / gamma(k + 1)) for m in (1, 2))
    fields = {"points": [{}], "relation": Distributed("k")}
    right = judged(printed=cdf, measured=law(poisson), **fields)
    assert right.as_expected, right
    wrong = judged(printed=shifted, measured=law(poisson), expects=WRONG, **fields)
    assert wrong.as_expected, wrong
    continuous = judged(printed=cdf, measured=law(uniform), **fields)
    assert "must have whole values, as k is an integer, got a value near " in continuous.error


ROUNDED = [("1.6733", 5, True), ("1.6732", 5, False), ("1.673", 4, True), ("1.68", 3, False), ("2", 1, True)]


@pytest.mark.parametrize(("text", "digits", "right"), ROUNDED)
def test_a_printed_decimal_is_right_to_its_last_digit(judged, text, digits, right):
    """Of the scale of self-normalising networks, 1.67326...: by its exact form, and with its neighbours rejected."""
    exact = Formula("alpha", Rational("1.6732632423543772"))
    verdict = judged(printed=Formula("alpha", Rational(text)), relation=Rounds(digits), exact=exact, points=[{}],
                     expects=None if right else WRONG)  # fmt: skip
    assert verdict.as_expected, verdict
    assert not right or verdict.killed >= 2


def test_a_decimal_has_as_many_digits_as_are_said(judged):
    right = {"exact": Formula("zeta(2)", zeta(2)), "points": [{}]}
    with pytest.raises(ValueError, match="printed= with 3 digits"):
        judged(printed=Formula("zeta(2)", Rational("1.648")), relation=Rounds(3), **right)


def test_a_decimal_is_judged_by_samples_too(judged):
    verdict = judged(printed=Formula("", Rational(33, 100) + 0 * p, (p,)), relation=Rounds(2), points=[{"p": "1/3"}],
                     measured=probability(rare))  # fmt: skip
    assert verdict.as_expected, verdict
    assert verdict.killed == 2


def test_joint_moments_merge_to_those_of_all_observations():
    rng = np.random.default_rng(3)
    values = rng.normal(size=(1000, 3)) @ rng.normal(size=(3, 3)) + 5

    def of(some):
        return JointMoments.from_bytes(JointMoments.of([some]).to_bytes())

    parts, whole = of(values[:300]).merge(of(values[300:])), of(values)
    np.testing.assert_allclose(parts.sums, whole.sums, rtol=1e-9, atol=1e-8)
    weights = [1.0, -0.5, 2.0]
    plain = Moments.of([np.ascontiguousarray(values @ weights)])
    expected, found = plain.estimate(), parts.combined(weights)
    for name in ("value", "se", "skewness", "excess_kurtosis"):
        assert getattr(found, name) == pytest.approx(getattr(expected, name), rel=1e-8)
    assert found.largest_share >= expected.largest_share


def test_a_mutant_is_judged_at_each_point_by_what_was_measured_there(judged):
    """Rejected at the first point, out of sight at the last."""
    points = [{"p": "1/2"}, {"p": "1/100000000"}]
    verdict = judged(printed=Formula("", 1 + 0 * p, (p,)), relation=Bounds("above"), points=points,
                     measured=probability(rare), slips={"too low": p / 100})  # fmt: skip
    assert verdict.as_expected, verdict
    assert (verdict.killed, verdict.mutants) == (1, 1)


def test_hopeless_tails_stop_early_and_say_so(judged):
    verdict = judged(printed=Formula("", 2980 * p), points=[{"scale": 4, "p": 1}], measured=mean(lognormal))
    assert verdict.status is Status.INCONCLUSIVE
    assert verdict.n < 2**24
    assert "samples would settle it" in verdict.findings[0].points[0].reason


# --- means on an interval -----------------------------------------------------------------------------------------


@kernel
def jump(stream, first, p, size, out):
    """Uniform on (0, 1), and ``size`` more with probability p."""
    for i in range(out.shape[0]):
        u, v = uniform2(stream, first + i, 0)
        out[i, 0] = v + (size if u < p else 0.0)


size = positive("size")
JUMP, TWICE = (Formula("mean with jumps", Rational(1, 2) + k * p * size, [p, size]) for k in (1, 2))
SELDOM, OFTEN = {"p": 1e-7, "size": 1e6}, {"p": 1e-3, "size": 100}


@pytest.mark.parametrize("probability_of_jump", [0.5, 0.02, 1e-3, 1e-4])
def test_means_on_an_interval_are_missed_as_rarely_as_declared(raised, probability_of_jump):
    """Of 2000 means of 400 values in {0, 1}; the normal interval misses rare ones nearly always."""
    rng = np.random.default_rng(5)
    counts = rng.binomial(400, probability_of_jump, 2000)
    missed, missed_by_normal = 0, 0
    for ones in counts:
        values = np.repeat([0.0, 1.0], [400 - ones, ones])
        estimate = Estimate(values.mean(), values.std(ddof=1) / 20, 400, 0.0, 0.0, 0.01)
        found = of_bounded_mean(estimate, 1.0)
        off = probability_of_jump - found.value
        missed += not -found.below <= off <= found.above
        missed_by_normal += abs(off) > 2.6 * estimate.se
    assert missed <= ALPHA * 2000
    if probability_of_jump < 1e-3:
        assert missed_by_normal > 0.9 * 2000


def test_a_rare_jump_does_not_refute_the_correct_mean_on_a_declared_range():
    assert check(JUMP, mean(jump), at=SELDOM).status is Status.REFUTED  # which is what the method warns of
    verdict = check(JUMP, bounded_mean(jump, 0, 1e6 + 1), at=SELDOM)
    assert verdict.status is Status.INCONCLUSIVE
    assert "samples would settle it" in str(verdict.findings[0].points[0].reason)


def test_a_mean_on_a_declared_range_is_decided_where_samples_suffice():
    found = [check(form, bounded_mean(jump, 0, 101), at=OFTEN).status for form in (JUMP, TWICE)]
    assert found == [Status.CONFIRMED, Status.REFUTED]


def test_the_number_of_samples_that_a_range_needs_is_foretold():
    """From a sample without a jump: the part of the interval that falls as 1/n is not taken for a standard error."""
    found = of_bounded_mean(Estimate(0.5, 1e-3, 10**5, 0.0, 0.0, 1e-4), 1e3)
    wanted = samples_needed(found, 0.5, 1e-2)
    again = of_bounded_mean(Estimate(0.5, 1e-3 * (10**5 / wanted) ** 0.5, wanted, 0.0, 0.0, 1e-4), 1e3)
    assert again.above < 1e-2 < 4 * again.above


@pytest.mark.parametrize("ends", [(1, 1), (2, 1), (0, math.inf), (math.nan, 1)])
def test_ends_of_a_range_must_be_in_order_and_finite(ends):
    with pytest.raises(ValueError, match="low must be below high and both finite"):
        bounded_mean(jump, *ends)


def test_a_value_outside_of_the_range_is_named():
    verdict = check(JUMP, bounded_mean(jump, 0, 1), at=OFTEN)
    assert verdict.status is Status.INCONCLUSIVE
    assert "every value must be from 0 to 1, got 100." in verdict.error
