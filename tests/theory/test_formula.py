"""Formula: what is written once is evaluated right, everywhere, or says why not."""

import math

import mpmath
import numpy as np
import pytest
import sympy
from sympy import Rational, exp, log, sqrt, tanh

import theory
from theory import Branch, Formula, Interval, Source
from theory.many_digits import certified
from theory.symbols import count, nonnegative, positive, real

TEST = Source("test", "here")
x = positive("x")
a, b = real("a"), real("b")
n = count("n")

lost = Formula("1 - tanh(x) / x, all digits of which cancel near 0", 1 - tanh(x) / x, source=TEST)
kept = Formula("the same with its series near 0", 1 - tanh(x) / x, near_zero=(x, Rational(1, 10), 16), source=TEST)
power = Formula("x**n", x**n, (x, n), source=TEST)
gap = Formula("log of a difference", log(b - a), (a, b), requires=[a < b], source=TEST)
half_open = Formula("x", x, source=TEST, domain={x: Interval(0, 1, open_high=True)})
endless = Formula("x", x, source=TEST, domain={x: Interval(0)})
root = Formula("a root", sqrt(nonnegative("y")), source=TEST)
pi_squared = Formula("a constant", sympy.pi**2, source=TEST)


def test_scalars_give_a_float():
    for value in (2, 2.0, np.float64(2), np.int32(2), np.array(2.0)):
        assert type(power(value, 3)) is float
        assert power(value, 3) == 8.0


def test_arrays_give_the_broadcast_shape_an_argument_without_influence_too():
    assert power(np.array([[1.0], [2.0], [3.0]]), [1, 2]).tolist() == [[1, 1], [2, 4], [3, 9]]
    assert power([], 2).shape == (0,)
    assert power([2.0], 2).shape == (1,)
    flat = Formula("1 whatever x", sympy.Integer(1), (x,), source=TEST)
    assert np.array_equal(flat([1.0, 2.0]), [1.0, 1.0])


def test_a_constant_needs_no_argument():
    assert type(pi_squared()) is float
    assert pi_squared() == pytest.approx(math.pi**2, rel=1e-15)
    assert mpmath.nstr(pi_squared.mp(dps=40), 38) == "9.8696044010893586188344909998761511353"


@pytest.mark.parametrize(("call", "words"), [
    (lambda: power(0, 1), ["x must be", "above 0", "got 0"]),
    (lambda: power([1.0, -2.5], 1), ["x must be", "above 0", "got -2.5"]),
    (lambda: power(1, 1.5), ["n must be", "an integer", "got 1.5"]),
    (lambda: power(1, 0), ["n must be", "at least 1", "got 0"]),
    (lambda: power(math.nan, 1), ["x must be", "got nan"]),
    (lambda: power(math.inf, 1), ["x must be", "got inf"]),
    (lambda: power(1, math.nan), ["n must be", "got nan"]),
    (lambda: gap(math.nan, 1), ["a must be", "finite", "got nan"]),
    (lambda: gap(2, 1), ["a < b", "a = 2", "b = 1"]),
    (lambda: gap(1, 1), ["a < b", "a = 1", "b = 1"]),
    (lambda: gap([0, 3], 2), ["a < b"]),
    (lambda: power.mp(0, 1), ["x must be", "got 0"]),
    (lambda: gap.mp(2, 1), ["a < b"]),
])  # fmt: skip
def test_outside_the_domain_the_error_names_argument_constraint_and_value(call, words):
    with pytest.raises(ValueError) as error:
        call()
    assert all(word in str(error.value) for word in words), str(error.value)


@pytest.mark.parametrize(
    ("form", "inside", "outside", "says"),
    [
        (half_open, [0], 1, r"x must be a number in \[0, 1\), got 1"),
        (endless, [0, 1e308], math.inf, "got inf"),
        (endless, [0, 1e308], math.nan, "got nan"),
        (root, [0], -1e-300, "got -1e-300"),
    ],
)
def test_the_ends_of_the_domain_belong_to_it_as_declared(form, inside, outside, says):
    assert form(inside).tolist() == inside
    with pytest.raises(ValueError, match=says):
        form(outside)


def test_nan_is_never_returned_in_silence():
    difference = Formula("exp(x) - exp(x) in two roundings", exp(x) - exp(x + sympy.Symbol("s")),
                         (x, sympy.Symbol("s")), source=TEST)  # fmt: skip
    with pytest.raises(ArithmeticError, match="not a number"), np.errstate(invalid="ignore"):
        difference(1000, 0)


k = sympy.Symbol("k")


@pytest.mark.parametrize(("expr", "at", "says"), [
    (1 / k, 0, "has a pole or no value at k = 0"), (sympy.zeta(k), 1, "has a pole or no value at k = 1"),
    (sympy.gamma(k), -1, "has a pole or no value at k = -1"), (log(k), 0, "has a pole or no value at k = 0"),
    (sympy.sin(k) / k, 0, "has a pole or no value at k = 0"), (log(k), -1, "is not real at k = -1"),
    (sqrt(k), -2.5, "is not real at k = -2.5"), (sympy.acosh(k), 0.5, "is not real at k = 0.5"),
])  # fmt: skip
def test_poles_and_values_that_are_not_real_are_named_with_their_place(expr, at, says):
    form = Formula("mine", expr, source=TEST)
    for call in (form, form.mp, lambda value: form([5, value])):
        with pytest.raises(ArithmeticError, match=f"^mine: {says}; choose other arguments"):
            call(at)
    with pytest.raises(ArithmeticError, match=r"^mine: is not real at k = -0\.1"):
        Formula("mine", log(k), source=TEST).mp(-0.1)
    # The value is (1 + e^2000)/2, and the digits of mpmath are lost before that is known.
    with pytest.raises(ArithmeticError, match=r"^mine: has a pole or no value by mpmath at k = 1000"):
        Formula("mine", 1 / (1 - tanh(k)), source=TEST).mp(1000)


def test_arguments_are_checked_like_those_of_a_function():
    with pytest.raises(TypeError, match="takes 2 arguments"):
        power(1, 2, 3)
    with pytest.raises(TypeError, match=r"missing \['n'\]"):
        power(1)
    with pytest.raises(TypeError, match="'m'"):
        power(1, m=2)
    with pytest.raises(TypeError, match="'x'"):
        power(1, x=2)
    assert power(n=3, x=2) == power(2, n=3) == 8.0


def test_every_symbol_must_be_an_argument_and_order_must_be_given():
    with pytest.raises(ValueError, match="more than one symbol"):
        Formula("two", a + b, source=TEST)
    with pytest.raises(ValueError, match=r"\['b'\]"):
        Formula("two", a + b, (a,), source=TEST)


def test_the_series_near_zero_keeps_what_the_plain_form_loses():
    at = 10.0 ** np.arange(-150, 0.0)
    exact = np.array([float(kept.mp(v)) for v in at])
    error = np.abs(kept(at) / exact - 1)
    assert error.max() < 1e-13
    assert np.abs(lost(at) / exact - 1).max() > 0.5, "the plain form is as good: this test shows nothing"


def test_the_first_branch_whose_condition_holds_is_used_element_by_element():
    marked = Formula(
        "1 below one, 2 below two, else x", x, source=TEST,
        branches=[Branch(x < 1, sympy.Integer(1)), Branch(x < 2, sympy.Integer(2))],
    )  # fmt: skip
    assert np.array_equal(marked([0.5, 1.0, 1.5, 2.0, 7.0]), [1, 2, 2, 2, 7])
    assert marked.mp(0.5) == 0.5, "a wrong branch must be visible"


def test_numeric_replaces_the_float64_form_outside_the_branches_only():
    seen = []

    def by_hand(values):
        seen.extend(values)
        return -values

    form = Formula("x", x, source=TEST, branches=[Branch(x < 1, x)], numeric=by_hand)
    assert np.array_equal(form([0.5, 2.0, 3.0]), [0.5, -2.0, -3.0])
    assert seen == [2.0, 3.0]
    assert form.mp(2) == 2


@pytest.mark.parametrize("small", [1e-3, 1e-20, 1e-100, 1e-300])
def test_mp_is_right_where_everything_cancels(small):
    """Two runs that both leave 0 agree, and are wrong."""
    with mpmath.workdps(1300):
        t = mpmath.mpf(small)
        exact = 1 - mpmath.tanh(t) / t
        assert abs(lost.mp(small, dps=50) / exact - 1) < mpmath.mpf(10) ** -49


@pytest.mark.parametrize("expr", [exp(x) - sum(x**k / sympy.factorial(k) for k in range(8)), 1 - exp(-(x**8) / 40320)])
def test_mp_is_right_where_eight_orders_cancel(expr):
    assert abs(Formula("", expr, source=TEST).mp(1e-100) * 40320 / mpmath.mpf(1e-100) ** 8 - 1) < 1e-15


def test_mp_gives_as_many_digits_as_asked_for():
    with mpmath.workdps(220):
        exact = mpmath.log(mpmath.mpf(2) / 3)
        assert abs(gap.mp("1/3", 1, dps=200) / exact - 1) < mpmath.mpf(10) ** -199


def test_mp_takes_floats_as_they_are_and_strings_as_rationals():
    identity = Formula("x", x, source=TEST)
    with mpmath.workdps(60):
        assert identity.mp(0.1) == mpmath.mpf(0.1)
        assert abs(identity.mp("1/10") - mpmath.mpf(1) / 10) < mpmath.mpf(10) ** -50
        assert identity.mp(np.float64(0.1)) == mpmath.mpf(0.1)


def test_mp_says_zero_only_for_zero():
    nothing = Formula("0 in disguise", exp(x) * (1 - sympy.sin(x) ** 2 - sympy.cos(x) ** 2), source=TEST)
    assert nothing.mp(2) == 0


def test_mp_refuses_what_does_not_settle():
    for digits, unsettled in ((50, lambda: mpmath.mpf(mpmath.mp.dps)), (30, lambda: mpmath.nan)):
        with pytest.raises(ArithmeticError, match=f"no {digits} digits"):
            certified(unsettled, [], digits)


def test_latex_uses_the_symbols_of_the_papers():
    fan_in = count("fan_in")
    stated = Formula("a root", sqrt(fan_in), lhs="s", source=TEST)
    assert stated.latex() == r"s = \sqrt{H_{\ell-1}}"
    assert stated._repr_latex_() == rf"$\displaystyle {stated.latex()}$"
    # Without a left-hand side of its own it is a function of its arguments.
    assert Formula("a root", sqrt(fan_in), source=TEST).latex() == r"f\left(H_{\ell-1}\right) = \sqrt{H_{\ell-1}}"


def test_a_meaning_for_what_is_no_argument_is_refused():
    with pytest.raises(ValueError, match="symbols must name arguments, got 'fan_out'; they are fan_in"):
        Formula("a root", sqrt(count("fan_in")), source=TEST, symbols={"fan_out": "outputs"})


def test_the_documentation_says_what_where_and_for_which_arguments():
    for text in ("log of a difference", "test, here", "log(-a + b)", "a : float or array"):
        assert text in gap.__doc__


# What the module that declares a formula calls it is its name.
named = Formula("a name", x, source=TEST)


def test_formulas_know_their_names_and_errors_begin_with_them():
    formulas = theory.formulas()
    assert {name: f.name for name, f in formulas.items()} == {name: name for name in formulas}
    assert named.name.endswith("named")
    assert Formula("without a name", x, source=TEST).label == "without a name"
    with pytest.raises(ValueError, match=r"^nmu\.variance: var_w must be"):
        formulas["nmu.variance"](1, -1, 0, 0, 1)


@pytest.mark.parametrize(("written", "meant"), [
    (x * 0.1, "Rational(1, 10)"), (x**2.0, "Integer(2)"), (exp(x) * 1.6487212707001282, "exp(1/2)"),
    (x + math.pi, "pi"),
])  # fmt: skip
def test_floats_in_an_expression_are_refused_with_the_number_that_was_meant(written, meant):
    with pytest.raises(ValueError, match="must be exact, got the float") as caught:
        Formula("inexact", written, source=TEST)
    assert f"write {meant}" in str(caught.value)
    with pytest.raises(ValueError, match="branch 1 of 'inexact'"):
        Formula("inexact", x, source=TEST, branches=[Branch(x < 1, written)])


def test_what_leaves_float64_is_an_error_or_asked_for():
    with pytest.raises(OverflowError, match=r"power: .* got more at \{'x': 10.0, 'n': 400.0\}"):
        power([1, 10], 400)
    assert power.extended([1, 10], 400).tolist() == [1, math.inf]
    assert mpmath.log10(power.mp(10, 400)) == 400
    assert power(1e-300, 2) == 0
