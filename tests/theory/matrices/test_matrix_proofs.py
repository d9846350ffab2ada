"""Proofs for all sizes: none of what is false, by a test that knows nothing of the normal form."""

from random import Random

import pytest

from theory.matrix_calculus import matrix, number, size, zeros
from theory.matrix_calculus.functions import apply, exp, function, inv_sqrt, log, power, reciprocal, sqrt
from theory.matrix_calculus.operations import Diag, column, columns_max, diag, hadamard, identity, ones, row, rows_max
from theory.matrix_calculus.statements import Equal, Gradient, Jacobian

x, y, c = matrix("x", "n", 1), matrix("y", "n", 1), matrix("c", 1, 1)
S, X = matrix("S", "n", "n"), matrix("X", "N", "D")
one, total = ones("n").T, ones("n").T @ x
u, v = reciprocal(ones("n") + x), reciprocal(ones("n") + y)
f, g = function("f"), function("g")
b = matrix("b", 1, "D")
SIMPLER = power(power(power(sqrt(b), -1), 2), 2)
squares = one @ power(x, 2)

FALSE = {
    "the sign of a sum under a root": (total * inv_sqrt(-total), sqrt(-total)),
    "a root of a square": (sqrt(power(c, 2)), c),
    "a root of a sum of squares of one": (sqrt(power(x, 2)), x),
    "a fourth power": (sqrt(sqrt(power(c, 4))), c),
    "a maximum inside a maximum": (rows_max(columns_max(S)), rows_max(columns_max(hadamard(S, identity("n"))))),
    "a maximum of what becomes simpler inside a maximum": (
        Diag(rows_max(X + rows_max(SIMPLER) * ones("N", "D"))),
        Diag(rows_max(X + ones("N") @ power(b, -2))),
    ),
    "a maximum of negatives": (rows_max(-X), -rows_max(X)),
    "a maximum of sums": (rows_max(S + S.T), rows_max(S) + rows_max(S.T)),
    "two sums over what depends on both": ((one @ hadamard(u, u)) @ (one @ v), (one @ u) @ (one @ hadamard(u, v))),
    "three sums": ((one @ u) @ (one @ u) @ (one @ v), (one @ u) @ (one @ u) @ (one @ u)),
    "an index called i": (column(S, "i"), diag(S)),
    "an index called j": (row(S, "j"), diag(S).T),
    "two columns": (column(S, "p").T @ column(S, "q"), column(S, "p").T @ column(S, "p")),
    "a product of sums": (total @ total, one @ power(x, 2)),
    "a power of a sum": (power(total, 2), squares),
    "a cube of a sum": (power(total, 3), total * squares),
    "a mean of reciprocals": (one @ reciprocal(x), reciprocal(total)),
    "exp of a sum": (exp(total), one @ exp(x)),
    "exp of a product": (exp(hadamard(x, y)), hadamard(exp(x), exp(y))),
    "exp twice": (exp(exp(c)), exp(c) * exp(c)),
    "log of a sum": (log(total), one @ log(x)),
    "a function of a sum": (f(x + y), f(x) + f(y)),
    "an odd function": (f(-x), -f(x)),
    "two functions": (f(x), g(x)),
    "a derivative": (apply("f", x, 1), f(x)),
    "a function of a diagonal": (f(identity("n")), hadamard(f(identity("n")), identity("n"))),
    "ones and identity": (ones("n", "n"), identity("n")),
    "Diag of diag": (Diag(diag(S)), S),
    "a trace": (one @ diag(S @ S), (one @ diag(S)) @ (one @ diag(S))),
    "a transpose": (S @ S.T, S.T @ S),
    "a size": (one @ ones("n"), power(size("n"), 2)),
    "a square of a size": (power(size("n"), 2), 4 * size("n")),
    "a size of 1": (one @ x, power(size("n"), 2) * (one @ x)),
    "the order of products": (S @ Diag(x), Diag(x) @ S),
    "a number under a root": (sqrt(number(8)), number(2)),
    "a negative power": (power(total, -2), reciprocal(squares)),
}


TRUE = {
    "exp(a + b)": (exp(x + y), hadamard(exp(x), exp(y))),
    "a root of a square root": (power(sqrt(c), 2), c),
    "a root of exp": (sqrt(exp(2 * c)), exp(c)),
    "exp of halves": (power(exp(c / 2), 2), exp(c)),
    "exp of a quotient": (exp(reciprocal(c)) * exp(-reciprocal(c)), ones(1)),
    "a root of a product of roots": (sqrt(sqrt(c)), power(c, "1/4")),
    "a sum times its inverse root": (total * inv_sqrt(total), sqrt(total)),
    "minus a sum times its inverse root": (-total * inv_sqrt(-total), sqrt(-total)),
    "a square of a sum": (total @ total, one @ (x @ x.T) @ one.T),
    "a cube of a sum": (power(total, 3), total * total * total),
    "a common denominator": (u + v, hadamard(ones("n") + ones("n") + x + y, hadamard(u, v))),
    "a sum that cancels": (one @ hadamard(u, x), size("n") - one @ u),
    "a diagonal of a product": (diag(Diag(x) @ S), hadamard(x, diag(S))),
    "an identity that picks": (hadamard(identity("n"), x @ one), hadamard(identity("n"), one.T @ x.T)),
    "log of exp": (log(exp(c)), c),
    "numbers under roots": (sqrt(number(6)) * sqrt(number("2/3")), number(2)),
    "a power of a root": (power(sqrt(2 * total), 3), 2 * total * sqrt(2 * total)),
    "exp of log": (exp(2 * log(c)), power(c, 2)),
    "a maximum of a constant": (rows_max(x @ ones("k").T), x),
    "a maximum of a single column": (rows_max(x), x),
    "a maximum of what becomes simpler": (rows_max(SIMPLER), rows_max(power(b, -2))),
    "a column of a column": (column(x, "p"), x),
    "one row": (ones(1) @ ones(1), ones(1)),
    "a trace of a product": (one @ diag(S @ S.T), one @ hadamard(S, S) @ one.T),
}


@pytest.mark.parametrize(("name", "holds"), [*((name, False) for name in FALSE), *((name, True) for name in TRUE)])
def test_what_is_true_is_proved_and_nothing_false_is(name, holds):
    statement = Equal(*(TRUE if holds else FALSE)[name])
    assert statement.proved() == holds
    assert statement.tested().holds == holds
    assert (statement.counterexample() is None) == holds


def test_what_has_no_value_is_not_tested():
    for left, right in (
        (reciprocal(identity("n")), identity("n")),
        (log(zeros(1)), zeros(1)),
        (sqrt(number(-1)) * sqrt(number(-1)), number(-1)),
    ):
        tested = Equal(left, right).tested()
        assert tested.empty
        assert not tested.holds


def test_a_gradient_that_is_zero_is_not_tested():
    Z, DY = matrix("Z", "N", 1), matrix("DY", "N", 1)
    softmax_of_one = hadamard(exp(Z), reciprocal(exp(Z)))
    assert Gradient(softmax_of_one, Z, 0 * DY).tested().empty


def test_slopes_of_arbitrary_functions():
    Z, DY = matrix("Z", "N", "K"), matrix("DY", "N", "K")
    for order in range(4):
        statement = Gradient(apply("act", Z, order), Z, hadamard(DY, apply("act", Z, order + 1)))
        assert statement.proved()
        assert statement.tested().holds
    assert not Gradient(f(Z), Z, hadamard(DY, apply("g", Z, 1))).tested().holds


def test_a_largest_entry_has_no_gradient():
    with pytest.raises(ValueError, match="leave max out"):
        Gradient(rows_max(X), X, X, cotangent="c").proved()


# --- generated --------------------------------------------------------------------------------------------------

SHAPES = (("n", 1), (1, "n"), ("n", "n"), (1, 1))


def grown(rng: Random, shape: tuple, depth: int):
    """A random polynomial of some shape."""
    one = ones(*shape)
    leaves = [matrix("ABCD"[SHAPES.index(shape)], *shape), one, number(rng.choice((-2, 3, "1/2"))) * one]
    leaves += {("n", "n"): [identity("n")], (1, 1): [size("n")]}.get(shape, [])
    if depth == 0:
        return rng.choice(leaves)

    def inner(of: tuple):
        return grown(rng, of, depth - 1)

    middle = rng.choice(("n", 1))
    choices = [
        lambda: inner(shape) + inner(shape),
        lambda: inner(shape) - inner(shape),
        lambda: hadamard(inner(shape), inner(shape)),
        lambda: inner((shape[0], middle)) @ inner((middle, shape[1])),
        lambda: inner((1, 1)) * inner(shape),
        lambda: inner(shape[::-1]).T,
        lambda: power(inner(shape), 2),
        lambda: leaves[0],
    ]
    if shape == ("n", 1):
        choices.append(lambda: diag(inner(("n", "n"))))
    if shape == ("n", "n"):
        choices.append(lambda: Diag(inner(("n", 1))))
    return rng.choice(choices)()


def rewritten(rng: Random, m, wrong: bool):
    """The same by another expression, or nearly the same."""
    n, k = m.shape
    same = [
        lambda: m + m - m,
        lambda: (m.T + 0 * m.T).T,
        lambda: identity(n) @ m @ identity(k),
        lambda: hadamard(m, ones(n, 1) @ ones(1, k)),
        lambda: (m + ones(n, k)) - (ones(n) @ ones(k).T),
        lambda: Diag(ones(n)) @ m,
        lambda: power(m, 3) - hadamard(m, hadamard(m, m)) + m,
    ]
    other = [lambda: m + m, lambda: hadamard(m, m), lambda: -m, lambda: m + ones(n, k), lambda: size("n") * m]
    return rng.choice(other if wrong else same)()


def test_proof_and_test_agree_on_polynomials():
    """Of polynomials the normal form is unique: what holds is proved, and nothing else."""
    for seed in range(120):
        rng = Random(f"polynomials {seed}")
        m = grown(rng, rng.choice(SHAPES), 3)
        for wrong in (False, True):
            statement = Equal(m, rewritten(rng, m, wrong))
            assert statement.proved() == statement.tested().holds, seed
        other = Equal(m, grown(rng, m.shape, 3))
        assert other.proved() == other.tested().holds, seed


def test_jacobians_agree_with_the_chain_rule():
    """Of f(A x) for an arbitrary f, and of what a product makes of it."""
    for seed in range(60):
        rng = Random(f"jacobians {seed}")
        inner = S @ x + grown(rng, ("n", 1), 2)
        right = Diag(apply("f", inner, 1)) @ S
        wrong = S @ Diag(apply("f", inner, 1))
        for stated, holds in ((right, True), (wrong, False)):
            statement = Jacobian(f(inner), x, stated)
            assert (statement.proved(), statement.tested().holds) == (holds, holds), seed
