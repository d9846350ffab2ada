"""An integral refutes only where it has converged, and every declared point counts."""

import mpmath
import pytest
import scipy.integrate
from sympy import Integral, Piecewise, Rational, Sum, Symbol, exp, harmonic, pi, sqrt

from paper_checks import WRONG, Claim, Status, grid, verify
from paper_checks.values.exact import value_of
from theory import Formula

p = Symbol("p", positive=True)
half = Rational(1, 2)


def judged(expr, integral, *, points=(1, 2, "1/3"), **fields):
    fields |= {"printed": Formula("it", expr), "integral": integral, "points": grid(p=list(points))}
    (verdict,) = verify([Claim("test/it", at="", says="", **fields)])
    return verdict, verdict.findings[0]


def test_every_declared_point_counts():
    right_at_two = Piecewise((p, p < 3), (2 * p, True))
    verdict, found = judged(right_at_two, lambda p: mpmath.quad(lambda t: 1, [0, p]), points=[1, 2, 5])
    assert verdict.status is Status.REFUTED
    assert [point.status for point in found.points] == [Status.CONFIRMED, Status.CONFIRMED, Status.REFUTED]


@pytest.mark.parametrize(("expr", "integral"), [
    (p**2 / 2 + half, lambda p: mpmath.quad(abs, [-1, p])),
    (p**2 / 2 + half, lambda p: mpmath.quad(abs, [-1, p], maxdegree=6)),
    (pi / 2 + 0 * p, lambda p: mpmath.quad(lambda t: mpmath.sin(p * t) / t, [0, mpmath.inf])),
    (p, lambda p: mpmath.quad(lambda t: t < p, [0, 4])),
    (40 / p, lambda p: mpmath.quad(lambda t: t ** (p / 40 - 1), [0, 1])),
    (sqrt(pi) * p / 100, lambda p: mpmath.quad(lambda t: mpmath.exp(-((100 * t / p) ** 2)), [-99, 98])),
], ids=["kink", "kink with a degree", "oscillating tail", "jump", "pole", "peak"])  # fmt: skip
def test_what_has_not_converged_refutes_no_true_claim(expr, integral):
    verdict, found = judged(expr, integral)
    assert verdict.status is Status.INCONCLUSIVE
    assert "has not converged" in found.points[0].reason
    assert "split it" in found.points[0].reason


def test_the_same_integral_when_it_is_split_confirms():
    verdict, _ = judged(p**2 / 2 + half, lambda p: mpmath.quad(abs, [-1, 0, p]))
    assert verdict.as_expected


def test_what_has_converged_refutes():
    verdict, found = judged(
        sqrt(pi) * p / 3, lambda p: mpmath.quad(lambda t: mpmath.exp(-((t / p) ** 2)), [-mpmath.inf, mpmath.inf]),
        expects=WRONG,
    )  # fmt: skip
    assert verdict.as_expected
    assert found.points[1].reason.startswith("quadrature gives 3.54490770181103")


@pytest.mark.parametrize("integral", [
    lambda p: mpmath.quad(lambda t: mpmath.exp(-p * t), [0, 120]),
    lambda p: mpmath.quad(lambda t: 10 * 0.1 * mpmath.exp(-p * t), [0, mpmath.inf]) * (1 + 1e-15),
], ids=["tail cut off", "float constant"])  # fmt: skip
def test_a_near_miss_refutes_nothing_and_says_what_it_may_be(integral):
    verdict, found = judged(1 / p, integral, points=["1/5", "1/4"])
    assert verdict.status is Status.INCONCLUSIVE
    assert "a sum or a tail is cut off, a constant is a float" in found.points[0].reason


def test_a_misprint_next_to_what_is_right_is_refuted_all_the_same():
    tiny = Rational(1, 10**12)
    form = Formula("it", 1 / p)
    verdict, _ = judged(
        1 / p + tiny, lambda p: mpmath.quad(lambda t: mpmath.exp(-p * t), [0, mpmath.inf]), corrected=form
    )
    assert verdict.as_expected


def test_a_sum_of_harmonic_numbers_has_a_value():
    k, j = (Symbol(name, integer=True, positive=True) for name in "pj")

    def by_hand(p):
        return mpmath.fsum(mpmath.harmonic(i) for i in range(1, int(p) + 1))

    sums = ((k + 1) * harmonic(k) - k, Sum(harmonic(j), (j, 1, k)), Sum(harmonic(j), (j, 1, k + 1)))
    found = [judged(it, by_hand, points=[1, 3, 10])[0].status for it in sums]
    assert found == [Status.CONFIRMED, Status.CONFIRMED, Status.REFUTED]


def test_scipy_says_itself_that_it_has_not_converged():
    def spikes(p):
        return scipy.integrate.quad(lambda t: float(p) / (1e-7 + abs(t - 0.3)) ** 0.99, -1, 2, limit=3)[0]

    with pytest.warns(scipy.integrate.IntegrationWarning):
        verdict, found = judged(p, spikes)
    assert verdict.status is Status.INCONCLUSIVE
    assert "IntegrationWarning" in found.points[0].reason


def test_an_integral_that_takes_too_long_to_check_refutes_nothing(monkeypatch):
    monkeypatch.setattr("paper_checks.evidence.quadrature.SECONDS", 0.2)
    verdict, found = judged(p**3 / 3, lambda p: mpmath.quad(lambda t, s: abs(t - s), [0, p], [0, p]), points=[1])
    assert verdict.status is Status.INCONCLUSIVE
    assert "not computed within 0.2 s" in found.points[0].reason


def test_an_altered_integral_that_is_equal_has_all_digits_and_another_one_enough():
    t = Symbol("t", positive=True)
    form = Formula("it", Integral(exp(-p * t), (t, 0, 1)), [p])
    claim = Claim(
        "test/it", at="", says="", printed=form, integral=lambda p: (1 - mpmath.exp(-p)) / p, points=grid(p=[2])
    )
    (values,) = claim.namespaces()
    equal, other = Integral(exp(p * t - p), (t, 0, 1)), Integral(exp(-p * t) * t, (t, 0, 1))
    with mpmath.workdps(50):
        exact = (1 - mpmath.exp(-2)) / 2
        assert abs(value_of(claim, equal, values, form.arguments) - exact) < mpmath.mpf(10) ** -28
        exact = (1 - 3 * mpmath.exp(-2)) / 4
        assert abs(value_of(claim, other, values, form.arguments) - exact) < mpmath.mpf(10) ** -18
