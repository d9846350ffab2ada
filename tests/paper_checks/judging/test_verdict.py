"""The verdict: its error rates are the declared ones, and nothing passes quietly."""

import itertools
import math
from dataclasses import replace
from statistics import NormalDist

import pytest
from hypothesis import given, strategies as st
from kernels_for_tests import area, balanced, cauchy, constant, lognormal, rare, spiked, triple, uniform
from scipy.stats import binom
from sympy import Symbol

from montecarlo import Estimate, Job, covariance, law, mean, measure, variance
from montecarlo.engine.job import looks_up_to
from montecarlo.engine.statistics import GROUP
from paper_checks import Claim, Distributed, verify
from paper_checks.rules import laws, means
from paper_checks.rules.means import Status, combine, compare, heavy_tail, samples_needed
from paper_checks.rules.rates import COMPARISON, FAMILY, FAMILY_ERROR, RATE, TESTS, Z
from theory import Formula
from theory.formula import Interval
from theory.matrix_calculus import Equal, Gradient, hadamard, matrix, power, total
from theory.symbols import positive

LIGHT = Estimate(0.0, 1.0, 10**8, 0.0, 0.0, 1e-8)


def estimate(value, se, **changes):
    return replace(LIGHT, value=value, se=se, **changes)


def test_z_follows_from_the_declared_rates():
    """Each comparison's share, halved for the tails that the guard admits, two-sided."""
    beyond = 2 * NormalDist().cdf(-Z)
    assert beyond * math.exp(means.TAIL_EXCESS) <= COMPARISON * 1.0001
    assert beyond == pytest.approx(COMPARISON / 2, rel=1e-6)
    assert FAMILY * COMPARISON + TESTS * RATE <= FAMILY_ERROR * 1.0001
    assert means.RESOLUTION == {"quick": 1e-2, "full": 1e-3}
    assert means.OF_A_KNOWN_MEAN == {"quick": 1e-2, "full": 3e-3}


@pytest.mark.parametrize(("distance", "se", "status"), [
    (0.0, 0.9 / Z, Status.CONFIRMED), (0.05, 0.9 / Z, Status.CONFIRMED), (0.0, 1.1 / Z, Status.INCONCLUSIVE),
    (0.2, 0.9 / Z, Status.INCONCLUSIVE), (0.91, 0.9 / Z, Status.REFUTED), (0.2, 0.1 / Z, Status.REFUTED),
    (0.05, 0.1 / Z, Status.CONFIRMED), (math.inf, 0.1 / Z, Status.REFUTED),
])  # fmt: skip
@pytest.mark.parametrize("sign", [1, -1])
def test_the_interval_decides_and_its_width_confirms(distance, se, status, sign):
    found = compare(estimate(3.0, se), 3.0 + sign * distance, 1.0, scale=2.0)
    assert found.status is status
    assert found.z == pytest.approx(-sign * distance / se)
    assert found.resolution == pytest.approx((distance + Z * se) / 2.0)
    assert bool(found.reason) == (status is Status.INCONCLUSIVE)


@given(st.floats(-1e3, 1e3), st.floats(1e-6, 10), st.floats(-9, 9), st.floats(0.9, 1.1))
def test_the_whole_interval_confirms_and_all_values_outside_of_it_are_refuted(value, se, z_offset, share):
    measured = value + z_offset * se
    off = abs(measured - value)
    found = compare(estimate(measured, se), value, tolerance=share * (off + Z * se)).status
    assert (found is Status.REFUTED) == (off > Z * se)
    if found is not Status.REFUTED and share != pytest.approx(1):
        assert (found is Status.CONFIRMED) == (share > 1)


NO_VALUE = itertools.product((math.nan, math.inf, -math.inf), (0.0, 1e-3, math.nan, math.inf))


@pytest.mark.parametrize(("value", "se"), [*NO_VALUE, (1.0, math.nan), (1.0, math.inf)])
def test_what_is_no_number_is_never_judged(value, se):
    found = compare(estimate(value, se), 1.0, 1e-2)
    assert found.status is Status.INCONCLUSIVE
    if value != 1.0:
        assert "not finite" in found.reason
        assert heavy_tail(estimate(value, se))
    assert compare(estimate(1.0, 1e-6), math.nan, 1e-2).status is not Status.CONFIRMED


@pytest.mark.parametrize("changes", [
    {"largest_share": 1.1 * means.LARGEST_SHARE}, {"skewness": 1e3}, {"skewness": -1e3}, {"excess_kurtosis": 1e8},
    {"excess_kurtosis": math.inf}, {"skewness": math.nan}, {"largest_share": math.nan},
], ids=str)  # fmt: skip
@pytest.mark.parametrize("value", [1.0, 2.0])
def test_tails_beyond_the_guard_forbid_any_statement(changes, value):
    measured = estimate(1.0, 1e-5, **changes)
    found = compare(measured, value, 1e-2)
    assert found.status is Status.INCONCLUSIVE
    assert found.reason
    assert compare(replace(measured, **dict.fromkeys(changes, 0.0)), value, 1e-2).status is not Status.INCONCLUSIVE


def play(kernel, point, n=2**17, seed=1):
    (moments,) = measure([Job(mean(kernel), point, "tests/verdict", 0, seed, (n,))])
    return moments.estimate()


@pytest.mark.parametrize(("kernel", "point", "truth"), [
    (cauchy, {}, 0.0), (lognormal, {"scale": 2.0}, math.exp(2)), (lognormal, {"scale": 4.0}, math.exp(8)),
    (rare, {"p": 1e-6}, 1e-6), (rare, {"p": 1e-4}, 1e-4), (rare, {"p": 1 - 1e-6}, 1 - 1e-6),
    (constant, {"value": 0.3}, 0.3), (spiked, {"kind": 1}, 0.5), (spiked, {"kind": 2}, 0.5), (spiked, {"kind": 3}, 0.5),
], ids=lambda v: str(getattr(v, "name", v)))  # fmt: skip
@pytest.mark.parametrize("seed", range(4))
def test_heavy_tails_rare_events_and_constants_are_inconclusive(kernel, point, truth, seed):
    measured = play(kernel, point, seed=seed)
    for value in (truth, 0.0, 2 * truth + 1):
        found = compare(measured, value, 10 * abs(truth) + 10)
        assert found.status is Status.INCONCLUSIVE, (found, measured)
        assert found.reason != "not enough samples for the tolerance"


@pytest.mark.parametrize("n", [2**17, 2**22])
def test_a_spread_of_rounding_alone_is_inconclusive(n):
    """All values are 3.7 but for their last bits: the standard error is a thousandth of what rounding does."""
    measured = play(balanced, {"value": 3.7}, n)
    assert 0 < measured.se * Z < abs(measured.value - 3.7) < 1e-12, "no longer an example"
    for value in (3.7, 3.8):
        found = compare(measured, value, 1e-3)
        assert found.status is Status.INCONCLUSIVE
        assert "rounding" in found.reason


def binomial_range(n, p):
    """Counts that a binomial law leaves with a probability of 1e-6 at most."""
    return binom.ppf(5e-7, n, p), binom.isf(5e-7, n, p)


@pytest.fixture(scope="module")
def many():
    """Estimates of the same mean from disjoint streams."""
    jobs = [Job(mean(uniform), {}, "tests/rates", i, 5, (2**10,)) for i in range(3000)]
    return [m.estimate() for m in measure(jobs)]


@pytest.mark.parametrize("z", [1.0, 2.0, 3.0])
def test_true_values_are_refuted_at_the_rate_of_the_interval(many, monkeypatch, z):
    """The rule at an interval at which its rate can be counted."""
    monkeypatch.setattr(means, "Z", z)
    refuted = sum(compare(e, 0.5, 0.1).status is Status.REFUTED for e in many)
    low, high = binomial_range(len(many), 2 * NormalDist().cdf(-z))
    assert low <= refuted <= high


def test_wrong_values_are_refuted_at_the_rate_of_the_interval(many, monkeypatch):
    """Power: a value two intervals away is found, one at the edge of the interval half the time."""
    se = math.sqrt(1 / 12 / 2**10)
    assert not any(compare(e, 0.5, 0.1).status is Status.REFUTED for e in many)
    assert all(compare(e, 0.5 + 2 * Z * se, 0.1).status is Status.REFUTED for e in many)
    edge = sum(compare(e, 0.5 + Z * se, 0.1).status is Status.REFUTED for e in many)
    low, high = binomial_range(len(many), 0.5)
    # The estimated standard error adds a little to the spread: some percent of the count.
    assert low - 0.05 * len(many) <= edge <= high + 0.05 * len(many)


def test_enough_samples_are_asked_for_and_few_too_many():
    measured = estimate(0.0, 0.01, n=10_000)
    needed = samples_needed(measured, 0.0, 0.01)
    then = replace(measured, se=0.01 * math.sqrt(10_000 / needed), n=needed)
    assert compare(then, 0.0, 0.01 * 1.001).status is Status.CONFIRMED
    assert needed < 1.1 * 10_000 * Z**2


@pytest.mark.parametrize("odd", [
    estimate(math.nan, math.nan), estimate(1.0, math.inf), estimate(0.0, 0.0), estimate(0.0, 1e-300),
    estimate(0.0, 1e300), estimate(0.0, 1.0, excess_kurtosis=math.inf), estimate(0.0, 1.0, skewness=math.nan),
], ids=str)  # fmt: skip
@pytest.mark.parametrize("value", [0.0, 1.0, math.nan, math.inf])
@pytest.mark.parametrize("tolerance", [0.0, 1e-300, 1e-3])
def test_the_number_of_samples_is_always_a_number(odd, value, tolerance):
    assert samples_needed(odd, value, tolerance) > odd.n


@pytest.mark.parametrize(("statuses", "combined"), [
    ([], Status.INCONCLUSIVE),
    ([Status.CONFIRMED], Status.CONFIRMED),
    ([Status.CONFIRMED, Status.INCONCLUSIVE], Status.INCONCLUSIVE),
    ([Status.INCONCLUSIVE, Status.REFUTED, Status.CONFIRMED], Status.REFUTED),
])  # fmt: skip
def test_one_refutation_refutes_and_confirmation_needs_all(statuses, combined):
    assert combine(statuses) is combined
    assert combine(statuses[::-1]) is combined


def test_a_notebook_shows_the_list_of_verdicts_as_a_table_and_a_gradient_as_an_equation():
    k = Symbol("k", positive=True)
    published = Formula("a < b", 2 * k)
    claims = [
        Claim("mine/off", at="", says="", printed=published, integral=lambda k: 3 * k, points=[{"k": 2}]),
        Claim("mine/broken", at="", says="", proof=lambda: "<b>"),
    ]
    shown = verify(claims)._repr_html_()
    assert "<td>mine/off</td><td>REFUTED</td><td>k = 2</td><td>4</td><td>6</td>" in shown
    assert "<td>mine/broken</td><td>INCONCLUSIVE</td>" in shown
    assert "&lt;b&gt;" in shown
    Y, W, DY = matrix("Y", "N", "K"), matrix("W", "K", "K"), matrix("DY", "N", "K")
    assert Gradient(Y @ W, by=Y, stated=DY @ W.T)._repr_latex_() == (
        r"$\displaystyle \nabla_{Y} \left\langle \mathrm{DY}, Y W \right\rangle = \mathrm{DY} W^T$"
    )
    assert Equal(total(power(Y, 2)), total(hadamard(Y, Y)))._repr_latex_() == (
        r"$\displaystyle \mathbf{1}_{N}^T (Y \odot Y) \mathbf{1}_{K} = \mathbf{1}_{N}^T Y^{2} \mathbf{1}_{K}$"
    )


side, x = positive("side"), positive("x")
ALPHA = 0.01
"""Of one comparison, instead of 1e-11."""

LOOKS = looks_up_to(2**15, first=2**11)


def form(value, *arguments):
    return Formula("a true value", value, arguments)


MODELS = {
    "uniform": (form(1 / (2 + 0 * side), side), mean(uniform), {"side": 1}, "1/2"),
    "area": (form(side**2 / 4, side), mean(area), {"side": 1}, "1/2"),
    "variance": (form(side / 12, side), variance(triple, 0), {"side": 1, "slope": 1, "shift": 0}, "1/5"),
    "covariance": (form(side / 12, side), covariance(triple, 0, 1), {"side": 1, "slope": 1, "shift": 0}, "1/5"),
}


def true_claims(number):
    for i in range(number):
        printed, measured, point, scale = list(MODELS.values())[i % len(MODELS)]
        fields = {"printed": printed, "measured": measured, "points": [point], "scale": lambda scale=scale: scale}
        yield Claim(f"rate/{i}", at="", says="", **fields)


@pytest.fixture
def raised(monkeypatch):
    monkeypatch.setattr(means, "Z", -NormalDist().inv_cdf(ALPHA / 2 / 2))
    monkeypatch.setattr(laws, "COMPARISON", ALPHA)
    monkeypatch.setattr("paper_checks.evidence.setting.LOOKS", {"quick": LOOKS})


@pytest.mark.slow
def test_400_true_claims_are_refuted_within_a_raised_rate(raised):
    verdicts = [v for seed in range(4) for v in verify(list(true_claims(100)), seed=seed)]
    assert not any(v.error for v in verdicts)
    refuted = sum(v.status is Status.REFUTED for v in verdicts)
    # The rate is shared among all looks of a claim: their sum bounds what a claim errs with.
    assert 0 < refuted <= binom.isf(1e-6, len(verdicts), ALPHA * len(LOOKS))
    # What a variance or covariance counts are groups of samples.
    samples = [v.n * size for v, size in zip(verdicts, itertools.cycle((1, 1, GROUP, GROUP)), strict=False)]
    assert sum(n > LOOKS[0] for n in samples) > 300, "one look only: no sequence is tested"


@pytest.mark.slow
def test_true_laws_are_refuted_within_a_raised_rate(raised):
    printed = Formula("uniform", x, (x,), domain={x: Interval(0, 1)})
    claims = [
        Claim(f"law/{i}", at="", says="", printed=printed, relation=Distributed(), measured=law(uniform), points=[{}])
        for i in range(20)
    ]
    verdicts = verify(claims, seed=1)
    assert not any(v.error for v in verdicts)
    assert sum(v.status is Status.REFUTED for v in verdicts) <= binom.isf(1e-6, len(verdicts), ALPHA * len(LOOKS))
