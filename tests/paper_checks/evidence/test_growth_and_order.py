"""Powers with logarithms, errors that oscillate, whole numbers, forms written out: each comes out as it is."""

import mpmath
import pytest
from sympy import Integer, Rational, Sum, Symbol, cos, harmonic, log, loggamma, pi, sin, sqrt, zeta

from paper_checks import Approximates, Asymptotic, Everywhere, Rounds, Scales, Status, grid
from theory import Formula

n, t, x = (Symbol(name, positive=True) for name in "ntx")
k, j = (Symbol(name, integer=True, positive=True) for name in "kj")


def form(expr):
    return Formula("it", expr, sorted(expr.free_symbols, key=str))


@pytest.fixture
def status_of(judged):
    return lambda **fields: judged(**fields).status


@pytest.mark.parametrize(("grows", "status"), [
    (n * log(n), Status.REFUTED), (n / log(n + 1), Status.REFUTED), (n * (n + 1) / (n + 3), Status.CONFIRMED),
    (n + sqrt(n), Status.CONFIRMED), (n**2, Status.REFUTED),
], ids=str)  # fmt: skip
def test_a_power_with_a_logarithm_is_no_power(status_of, grows, status):
    assert status_of(printed=form(Integer(1)), relation=Scales("n", of=form(grows))) is status


@pytest.mark.parametrize(("error", "order", "status"), [
    (t ** Rational(13, 10), 1, Status.CONFIRMED), (t**2, 2, Status.REFUTED), (t**2 * log(1 / t), 1, Status.CONFIRMED),
    (t * sin(pi / t), 1, Status.REFUTED), (t * sin(2**20 * pi / t), 1, Status.REFUTED),
    (t / log(1 / t), 1, Status.INCONCLUSIVE), (Rational(1, 10**20), 1, Status.REFUTED),
    (1 - cos(t), 1, Status.CONFIRMED),
], ids=str)  # fmt: skip
def test_an_error_vanishes_faster_than_a_power_or_does_not(status_of, error, order, status):
    relation = Approximates(order=order, along=lambda t: {"t": t})
    assert status_of(printed=form(Integer(1) + 0 * t), exact=form(1 + error), relation=relation) is status


@pytest.mark.parametrize(("rate", "status"), [(1 / n, Status.CONFIRMED), (1 / n**2, Status.REFUTED)])
def test_stirlings_series_has_its_order(status_of, rate, status):
    stirling = form(n * log(n) - n + log(2 * pi * n) / 2)
    assert status_of(printed=stirling, exact=form(loggamma(n + 1)), relation=Asymptotic("n", rate=rate)) is status


def test_a_limit_on_whole_numbers_is_not_refuted_between_them(status_of):
    def status(symbol, least):
        limit = Everywhere({symbol.name: (1, 9)}, above="1/5")
        return status_of(printed=form((symbol - least) ** 2), relation=limit)

    assert status(k, Rational(3, 2)) is Status.CONFIRMED
    assert status(x, Rational(3, 2)) is status(k, 2) is Status.REFUTED


def test_a_form_that_boxes_do_not_decide_is_written_otherwise(status_of, monkeypatch):
    monkeypatch.setattr("paper_checks.evidence.everywhere.MOST_BOXES", {"quick": 200})
    written_out = form((x + 1) ** 3 - x**3 - 3 * x**2 - 3 * x)
    assert status_of(printed=written_out, relation=Everywhere({"x": (0, 100)}, above="9/10")) is Status.CONFIRMED


def test_a_decimal_has_as_many_digits_as_are_said(status_of):
    right = {"exact": form(zeta(2)), "points": [{}]}
    with pytest.raises(ValueError, match="printed= with 3 digits"):
        status_of(printed=form(Rational("1.648")), relation=Rounds(3), **right)
    assert status_of(printed=form(Rational("1.645")), relation=Rounds(4), **right) is Status.CONFIRMED
    assert status_of(printed=form(Rational("1.648")), relation=Rounds(4), **right) is Status.REFUTED


def test_a_sum_of_harmonic_numbers_has_a_value(status_of):
    def by_hand(k):
        return mpmath.fsum(mpmath.harmonic(i) for i in range(1, int(k) + 1))

    sums = ((k + 1) * harmonic(k) - k, Sum(harmonic(j), (j, 1, k)), Sum(harmonic(j), (j, 1, k + 1)))
    found = [status_of(printed=form(it), integral=by_hand, points=grid(k=[1, 3, 10])) for it in sums]
    assert found == [Status.CONFIRMED, Status.CONFIRMED, Status.REFUTED]
