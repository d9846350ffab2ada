"""Powers and limits: refuted where they are wrong, open where nothing proves them, missed as rarely as declared."""

import itertools
import math
from statistics import NormalDist

import numpy as np
import pytest
import sympy
from kernels_for_tests import uniform
from scipy.stats import binom
from sympy import Rational, cos, exp, log, loggamma, pi, sin, sqrt
from sympy.stats import Normal

from montecarlo import mean
from paper_checks import WRONG, Approximates, Asymptotic, Claim, Scales, Simulated, Status, grid
from paper_checks.evidence import limit
from paper_checks.rules.growth import SHARE, exponent, samples_for
from paper_checks.rules.means import Interval, compare
from paper_checks.rules.rates import Z
from paper_checks.values.limits import limit_at_infinity, tail
from theory import Formula

n, a = sympy.symbols("n a", positive=True)
ALPHA = 0.02
STIRLING = n * log(n) - n + log(2 * pi * n) / 2


def form(printed, *arguments):
    return Formula("a form", printed, arguments or None)


def measured(value, se, z):
    return Interval(value, se, 1000, z * se, z * se)


def test_all_exponents_together_are_missed_at_most_at_the_rate_of_their_points():
    """The values of three points of a power law, 2000 times: at most 3 ALPHA of the times an exponent is missed."""
    rng, runs, z = np.random.default_rng(5), 2000, -NormalDist().inv_cdf(ALPHA / 2)
    at, se = np.array([1.0, 3.0, 9.0]), 0.02
    values = at**1.5 * (1 + se * rng.normal(size=(runs, 3)))
    missed = 0
    for row in values:
        known = [measured(v, se * scale, z) for v, scale in zip(row, at**1.5, strict=True)]
        found = [exponent(one, other, math.log(3)) for one, other in itertools.pairwise(known)]
        missed += any(compare(e, 1.5, 0.1).status is Status.REFUTED for e in found)
    assert missed <= binom.isf(1e-6, runs, 3 * ALPHA)


def test_an_exponent_is_decided_by_the_samples_that_are_asked_for():
    """With the half widths that points are played to, 4.9 standard errors are left: all of 2000 are CONFIRMED."""
    rng, tolerance, factor = np.random.default_rng(6), 1e-2, math.log(4)
    half = SHARE * tolerance * factor
    for one, other in 1 + half / Z * rng.normal(size=(2000, 2)):
        pair = [measured(v, half / Z, Z) for v in (one, other * 4**0.5)]
        pair[1] = measured(other * 2, 2 * half / Z, Z)
        assert compare(exponent(*pair, factor), 0.5, tolerance).status is Status.CONFIRMED


def test_values_that_vanish_or_change_their_sign_have_no_exponent():
    one, none, minus = measured(1.0, 0.01, 7), measured(0.01, 0.01, 7), measured(-2.0, 0.01, 7)
    assert "not distinguished from 0" in exponent(one, none, 1.0).reason
    assert "different signs" in exponent(one, minus, 1.0).reason
    assert exponent(minus, minus, 1.0).value == 0
    assert samples_for(one, 0.07) == 0
    assert samples_for(one, 0.007) == pytest.approx(100_000, rel=1e-3)
    assert samples_for(Interval(1.0, 0.0, 10, 0.0, 0.0, "no variation among the samples"), 0.01) == 0


def test_a_power_is_told_from_another_and_from_a_sum(judged):
    x = Simulated(Normal("x", 1 + a, sympy.Rational(1, 10)))
    fields = {"relation": Scales("a"), "measured": mean(x), "points": grid(a=[1, 3, 27])}
    verdict = judged(printed=form(Rational(1, 2)), **fields, expects=WRONG)
    assert verdict.status is Status.REFUTED
    assert "a = 1 to 3" in verdict.counterexample
    line = Simulated(Normal("y", 2 * a, a / 10))
    verdict = judged(printed=form(Rational(3, 2)), relation=Scales("a"), points=grid(a=[1, 4]), measured=mean(line),
                     corrected=form(Rational(1)))  # fmt: skip
    assert verdict.as_expected
    assert verdict.killed == verdict.mutants > 0


@pytest.mark.parametrize(("fields", "why"), [
    ({"points": grid(a=[1, 2])}, "of= or measured=, got neither"),
    ({"points": grid(a=[1]), "measured": mean(uniform)}, "needs different values of 'a'"),
    ({"points": grid(a=[0, 1]), "measured": mean(uniform)}, "must be positive, got 0"),
    ({"points": grid(b=[2, 1]), "measured": mean(uniform)}, "every point must name 'a'"),
    ({"printed": form(n), "relation": Scales("n", of=form(n**2))}, "must not depend on 'n'"),
])  # fmt: skip
def test_misuse_of_a_power_is_refused(judged, fields, why):
    with pytest.raises(ValueError, match=f"claim test/it: .*{why}"):
        judged(**{"printed": form(Rational(1)), "relation": Scales("a"), **fields})


@pytest.mark.parametrize(("power", "of", "status"), [
    (2, n**2 + 5 * n, Status.CONFIRMED), (2, n**2 * log(n), Status.REFUTED), (2, n**3, Status.REFUTED),
    (2, exp(n), Status.REFUTED), (2, n**2 * (2 + sin(n)), Status.INCONCLUSIVE),
    (1, n * log(n), Status.REFUTED), (1, n / log(n + 1), Status.REFUTED), (1, n * (n + 1) / (n + 3), Status.CONFIRMED),
    (1, n + sqrt(n), Status.CONFIRMED), (1, n**2, Status.REFUTED),
], ids=str)  # fmt: skip
def test_the_exponent_of_a_formula_is_that_of_its_limit(judged, power, of, status):
    assert judged(printed=form(sympy.Integer(power)), relation=Scales("n", of=form(of))).status is status


@pytest.mark.parametrize(("error", "order", "status"), [
    (a ** Rational(13, 10), 1, Status.CONFIRMED), (a**2, 2, Status.REFUTED), (a**2 * log(1 / a), 1, Status.CONFIRMED),
    (a * sin(pi / a), 1, Status.REFUTED), (a * sin(2**20 * pi / a), 1, Status.REFUTED),
    (a / log(1 / a), 1, Status.INCONCLUSIVE), (Rational(1, 10**20), 1, Status.REFUTED),
    (1 - cos(a), 1, Status.CONFIRMED),
], ids=str)  # fmt: skip
def test_an_error_vanishes_faster_than_a_power_or_does_not(judged, error, order, status):
    relation = Approximates(order=order, along=lambda t: {"a": t})
    assert judged(printed=form(sympy.S.One, a), exact=form(1 + error, a), relation=relation).status is status


@pytest.mark.parametrize(("printed", "exact", "rate", "status"), [
    (n + 1, n, None, Status.CONFIRMED),
    (2 * n, n, None, Status.REFUTED),
    (1 + a / n, exp(a / n), 1 / n**2, Status.CONFIRMED),
    (1 + a / n, exp(a / n), 1 / n**3, Status.REFUTED),
    (1 + 2 * a / n, exp(a / n), 1 / n**2, Status.REFUTED),
    (n * (1 + sin(n) / 1000), n, None, Status.INCONCLUSIVE),
    (n + sin(n), n, None, Status.CONFIRMED),
    pytest.param(STIRLING, loggamma(n + 1), 1 / n, Status.CONFIRMED, marks=pytest.mark.slow),
    (STIRLING, loggamma(n + 1), 1 / n**2, Status.REFUTED),
], ids=str)  # fmt: skip
def test_what_comes_near_is_proved_refuted_or_left_open(judged, printed, exact, rate, status):
    relation = Asymptotic("n", rate)
    verdict = judged(printed=form(printed, a, n), exact=form(exact, a, n), relation=relation, points=grid(a=3))
    assert verdict.status is status
    assert not verdict.error
    if status is Status.CONFIRMED:
        assert verdict.killed == verdict.mutants > 0


def near(printed, exact):
    return {"printed": form(printed, a, n), "exact": form(exact, a, n), "points": grid(a=3)}


@pytest.mark.parametrize("fields", [
    {"relation": Asymptotic("n"), **near(n + 1, n)},
    {"relation": Asymptotic("n", 1 / n**2), **near(1 + a / n, exp(a / n))},
    # Two percent are less than what it is off at the largest value.
    {"relation": Asymptotic("n"), **near(log(n), log(n) + 1), "slips": {"twice": 2 * log(n)}},
    {"relation": Scales("n", of=form(n**2 + 5 * n)), "printed": form(Rational(2))},
], ids=["ratio", "rate", "slow", "exponent"])  # fmt: skip
def test_mutants_differ_from_the_right_form_itself_and_a_check_that_excludes_none_is_a_defect(
    judged, fields, monkeypatch
):
    sound = judged(**fields)
    assert sound.as_expected, sound
    assert sound.killed == sound.mutants > 0
    for place in (limit._Nearness, limit._Exponent):
        monkeypatch.setattr(place, "excludes", lambda *_: False)
    broken = judged(**fields)
    assert (broken.killed, broken.mutants, broken.within) == (0, sound.mutants, sound.within)
    assert len(broken.findings[0].defects) == sound.mutants
    assert not broken.as_expected


@pytest.mark.parametrize(("relation", "slip", "differs"), [
    (Asymptotic("n"), n + 7, False),
    (Asymptotic("n"), n + sqrt(n), False),
    (Asymptotic("n"), n * Rational(1005, 1000), False),
    (Asymptotic("n"), n * Rational(102, 100), True),
    (Asymptotic("n"), n + n / log(n), False),
    (Asymptotic("n"), n ** Rational(101, 100), True),
    (Asymptotic("n"), log(-n), True),
    (Asymptotic("n", 1 / n), n + 7 / n, False),
    (Asymptotic("n", 1 / n), n + 1 / n + 5 / n**2, False),
    (Asymptotic("n", 1 / n), n + log(n) / n, True),
    (Asymptotic("n", 1 / n), n + 1 / sqrt(n), True),
    (Asymptotic("n", 1 / n), n + 1, True),
    (Asymptotic("n", 1 / n), n, False),
], ids=str)  # fmt: skip
def test_what_comes_as_near_is_no_mutant(relation, slip, differs):
    made = Claim("test/near", at="", says="", printed=form(n + 1 / n), exact=form(n), relation=relation)
    assert limit._Nearness(made, {}).differs(slip, n + 1 / n, 1e-2) is differs


def test_a_limit_that_numbers_do_not_show_decides_nothing():
    """SymPy's limit of this logarithmic derivative is minus infinity, the right one -1/2."""
    grows = exp(loggamma(2 * n + 1) - 2 * loggamma(n + 1)) / 4**n
    slope = sympy.simplify(n * sympy.diff(grows, n) / grows)
    assert not tail(slope, n).shows(-sympy.oo)
    assert tail(slope, n).shows(Rational(-1, 2))
    limit, seen = limit_at_infinity(slope, n)
    assert not seen or limit == Rational(-1, 2)


def test_numbers_show_slow_limits_and_no_wrong_ones():
    slow = 1 / log(n)
    assert tail(slow, n).shows(sympy.S.Zero)
    assert tail(1 / slow, n).shows(sympy.oo)
    assert not tail(1 / slow, n).shows(sympy.Integer(10))
    assert not tail(2 - 1 / sqrt(n), n).shows(sympy.oo)
    assert not tail(2 - 1 / sqrt(n), n).shows(Rational(21, 10))


def test_every_other_argument_needs_a_value(judged):
    forms = {name: form(1 + a / n, a, n) for name in ("printed", "exact")}
    verdict = judged(relation=Asymptotic("n"), **forms)
    assert "a point must name every argument but 'n', got none for ['a']" in verdict.error
