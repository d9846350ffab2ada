"""The field of exact tests: its group, exponentials, roots and derivatives."""

from fractions import Fraction
from random import Random

import numpy as np
import pytest
import sympy

from theory.matrix_calculus.arrays import ManyDigits, NoValue
from theory.matrix_calculus.expression import matrix, number
from theory.matrix_calculus.finite_field import GENERATOR, Element, FiniteField, NotInField, P, Q
from theory.matrix_calculus.functions import exp, inv_sqrt, log, power, sqrt
from theory.matrix_calculus.identities import Trial
from theory.matrix_calculus.operations import ones
from theory.matrix_calculus.statements import Equal, Gradient

FIELD = FiniteField()
ROW = matrix("x", 1, "n")


def test_half_of_the_group_has_a_prime_order_and_the_generator():
    assert sympy.isprime(P)
    assert sympy.isprime(Q)
    assert P == 2 * Q + 1
    assert pow(GENERATOR, Q, P) == 1 != GENERATOR
    assert pow(-1, Q, P) == P - 1  # -1 is no square
    assert P % 8 == 7
    assert [q for q in sympy.primerange(104) if pow(q, Q, P) != 1] == [103]  # the others are squares


def test_derivatives_of_the_logarithm():
    x = sympy.Symbol("x", positive=True)
    for order in (1, 2, 3, 4):
        form = sympy.log(x).diff(x, order).subs(x, 2)
        assert ManyDigits().apply("log", order, ManyDigits().number(Fraction(2))) == form
        assert FIELD.apply("log", order, Element(2)).value == sympy.mod_inverse(form.q, P) * form.p % P


def test_numbers_that_the_field_does_not_have():
    for what in (
        lambda: FIELD.apply("exp", 0, FIELD.apply("exp", 0, Element(3, 3))),
        lambda: FIELD.apply("log", 0, Element(3, 3)).known(),
        lambda: FIELD.power(Element(8, 8), Fraction(1, 3)),
    ):
        with pytest.raises(NotInField, match="test to some digits"):
            what()
    for what in (lambda: FIELD.power(Element(0, 0), Fraction(-1)), lambda: FIELD.apply("log", 0, Element(0, 0))):
        with pytest.raises(NoValue, match="draw other entries"):
            what()


def test_tests_end_where_the_field_has_no_value():
    X = matrix("X", "m", "n")
    for left, right in ((exp(exp(X)), exp(exp(X))), (log(exp(X)), X), (power(X, "1/3"), power(X, "1/3"))):
        tested = Equal(left, right).tested()
        assert tested.holds
        assert tested.by == "to 16 digits"
    assert Equal(sqrt(-power(X, 2) - ones("m", "n")), X).tested().empty


def test_sizes_are_pairwise_different():
    a, b, c, d = (matrix(name, *shape) for name, shape in zip("ABCD", ("ab", "bc", "cd", "de"), strict=True))
    statement = Equal(a @ b @ c @ d, a @ b @ c @ d)
    statement.tested()
    trials = [found for found in statement.trials.values() if isinstance(found, Trial)]
    assert len(trials) == 2
    for trial in trials:
        assert len({n for drawn in trial.values.values() for n in drawn.value.shape}) == 5


def test_a_test_is_the_same_for_the_same_seed():
    x, DY = matrix("x", "n", 1), matrix("DY", 1, 1)
    statement = Gradient(inv_sqrt(x.T @ x), x, -(DY * (power(x.T @ x, "-3/2") * x)))
    assert statement.proved()
    assert {statement.tested(seed).holds for seed in range(5)} == {True}
    wrong = statement.restated(number(2) * statement.stated)
    assert [str(wrong.counterexample(seed)) for seed in (1, 1)] == [str(wrong.counterexample(1))] * 2


VALUES = {
    "a root of 4": (sqrt(number(4)), number(2)),
    "1 over the root of 64": (inv_sqrt(number(64)), number("1/8")),
    "a root of the square of a prime that is no square here": (sqrt(number(103**2)), number(103)),
    "a root of a sum": (sqrt(number(2) + number(101 + 103**2 - 103)), sqrt(number(103**2))),
    "the absolute value of 2 x": (sqrt(power(2 * ROW, 2)), 2 * sqrt(power(ROW, 2))),
    "the absolute value of 103 x": (sqrt(power(103 * ROW, 2)), 103 * sqrt(power(ROW, 2))),
    "a root of the square of a positive sum": (sqrt(power(ones(1, "n") + exp(ROW), 2)), ones(1, "n") + exp(ROW)),
    "a length": (sqrt(power(ROW @ ROW.T + number(1), 2)), ROW @ ROW.T + number(1)),
}


@pytest.mark.parametrize("sides", VALUES.values(), ids=VALUES)
def test_roots_have_the_values_that_real_numbers_have(sides):
    statement = Equal(*sides)
    assert statement.proved()
    assert statement.tested().holds
    for wrong in (statement.restated(-sides[0]), statement.restated(2 * sides[0])):
        assert not wrong.proved()
        assert not wrong.tested().holds


def test_inverses_and_determinants_are_those_of_sympy():
    rng = Random(5)
    for n in (1, 2, 4):
        entries = [[rng.randrange(-9, 10) for _ in range(n)] for _ in range(n)]
        exact = sympy.Matrix(entries)
        a = Element(np.array(entries, dtype=object) % P, np.array(entries, dtype=object) % Q)
        determinant = FIELD.determinant(a)
        assert (determinant.value[0, 0], determinant.exponent[0, 0]) == (exact.det() % P, exact.det() % Q)
        inverse = FIELD.inverse(a)
        assert np.all(inverse.value == np.array(exact.inv_mod(P).tolist(), dtype=object))
        real = ManyDigits().inverse(np.array(entries, dtype=object) * ManyDigits().number(Fraction(1)))
        assert all(abs(x - y) < 1e-12 for x, y in zip(real.flat, exact.inv(), strict=True))
    with pytest.raises(NoValue, match="draw other entries"):
        FIELD.inverse(Element(np.ones((2, 2), dtype=object), None))
