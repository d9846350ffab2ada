"""Known functions, inverses, determinants, kinds of matrices, largest entries, fixed sizes: proved, mutants not."""

from random import Random

import pytest

from paper_checks.values.matrix_mutants import matrix_mutants
from theory.matrix_calculus import clip, maximum, minimum, relu, sigmoid, tanh, total, trace
from theory.matrix_calculus.expression import matrix, number, orthogonal, scalar, size, symmetric
from theory.matrix_calculus.functions import exp, function, inv_sqrt, log, power, reciprocal, sqrt
from theory.matrix_calculus.operations import Diag, det, diag, hadamard, identity, inverse, ones, rows_max, zeros
from theory.matrix_calculus.statements import Equal, Gradient

A, B, S, P = matrix("A", "n", "n"), matrix("B", "n", "n"), symmetric("S", "n"), matrix("P", "n", "n", positive=True)
Q, R, I = orthogonal("Q", "n"), orthogonal("R", "n"), identity("n")
X, y, U, V = matrix("X", "N", "D"), matrix("y", "N", 1), matrix("U", "n", "k"), matrix("V", "k", "n")
x, w, c, r = matrix("x", "n", 1), matrix("w", "D", 1), scalar("c", positive=True), scalar("r")
one, ALL = ones("D"), ones("N", "D")
step, sign, softplus, silu = function("step"), function("sign"), function("softplus"), function("silu")
sin, cos, sinh, cosh = (function(name) for name in ("sin", "cos", "sinh", "cosh"))
W3 = matrix("W", 3, 2)


def layer_norm(m):
    """Each row less its mean, over its standard deviation."""
    centred = m - m @ one @ one.T / size("D")
    return hadamard(centred, inv_sqrt(diag(centred @ centred.T) / size("D")) @ one.T)


def softmax(m):
    return hadamard(exp(m), reciprocal(exp(m) @ one) @ one.T)


ridge, gram = X.T @ X + r * identity("D"), X.T @ X
hat = X @ inverse(gram) @ X.T

TRUE = {
    # Scales and signs.
    "layer normalisation of c X": (layer_norm(c * X), layer_norm(X)),
    "layer normalisation of r^2 X": (layer_norm(r * r * X), layer_norm(X)),
    "layer normalisation of 2 X": (layer_norm(2 * X), layer_norm(X)),
    "a root of a square": (sqrt(power(c, 2)), c),
    "an absolute value of a product": (abs(r * X), abs(r) * abs(X)),
    "relu of a positive multiple": (relu(c * X), c * relu(X)),
    # Known functions.
    "relu of both signs": (relu(X) - relu(-X), X),
    "absolute values": (relu(X) + relu(-X), abs(X)),
    "relu twice": (relu(relu(X)), relu(X)),
    "relu and step": (hadamard(step(X), X), relu(X)),
    "sign and absolute value": (hadamard(sign(X), abs(X)), X),
    "a square of a sign": (power(sign(X), 2), ALL),
    "clip is odd": (clip(-X, -2, 2), -clip(X, -2, 2)),
    "larger and smaller": (maximum(X, 2 * ALL) + minimum(X, 2 * ALL), X + 2 * ALL),
    "tanh by sigmoid": (tanh(X), 2 * sigmoid(2 * X) - ALL),
    "sigmoid of both signs": (sigmoid(-X), ALL - sigmoid(X)),
    "softplus of both signs": (softplus(X) - softplus(-X), X),
    "silu of both signs": (silu(X) - silu(-X), X),
    "cosh and sinh": (power(cosh(X), 2) - power(sinh(X), 2), ALL),
    "cosine and sine": (power(cos(X), 2) + power(sin(X), 2), ALL),
    "the sine is odd": (sin(-X), -sin(X)),
    # Largest entries.
    "a largest entry of a shifted row": (rows_max(X + y @ one.T), rows_max(X) + y),
    "a largest exponential": (rows_max(exp(X)), exp(rows_max(X))),
    "a largest tanh": (rows_max(tanh(X)), tanh(rows_max(X))),
    "a largest logarithm": (rows_max(log(X)), log(rows_max(X))),
    "a largest entry of a positive multiple": (rows_max(c * X), c * rows_max(X)),
    "a largest share": (rows_max(softmax(X)), hadamard(exp(rows_max(X)), reciprocal(exp(X) @ one))),
    "a shifted log of a sum": (log(exp(X) @ one), rows_max(X) + log(exp(X - rows_max(X) @ one.T) @ one)),
    # Inverses and determinants.
    "an inverse on the left": (inverse(A + B) @ (A + B), I),
    "an inverse on the right": ((A + B) @ inverse(A + B), I),
    "an inverse of a product": (inverse(A @ B), inverse(B) @ inverse(A)),
    "an inverse of a transpose": (inverse(A.T), inverse(A).T),
    "a resolvent": (inverse(A) - inverse(B), inverse(A) @ (B - A) @ inverse(B)),
    "Woodbury": (
        inverse(A + U @ V),
        inverse(A) - inverse(A) @ U @ inverse(identity("k") + V @ inverse(A) @ U) @ V @ inverse(A),
    ),
    "a matrix that is pushed through": (inverse(ridge) @ X.T, X.T @ inverse(X @ X.T + r * identity("N"))),
    "a projection": (hat @ hat, hat),
    "a trace of a projection": (trace(hat), size("D")),
    "an inverse of a multiple": (inverse(r * A), inverse(A) / r),
    "an inverse of a diagonal matrix": (inverse(Diag(exp(x))), Diag(exp(-x))),
    "an inverse of a symmetric sum": (inverse(A + A.T).T, inverse(A + A.T)),
    "a determinant of a product": (det(A @ B), det(A) * det(B)),
    "a determinant of a transpose": (det((A + B).T), det(A + B)),
    "a determinant of an inverse": (det(inverse(A)), reciprocal(det(A))),
    # Symmetric and orthogonal matrices.
    "a symmetric form": (x.T @ S @ A @ x, x.T @ A.T @ S @ x),
    "a symmetric inverse": (inverse(S).T, inverse(S)),
    "a rotated length": ((Q @ x).T @ (Q @ x), x.T @ x),
    "rows of a rotation": (Q @ Q.T @ A, A),
    "two rotations": ((Q @ R).T @ (Q @ R), I),
    "an inverse of a rotation": (inverse(Q @ A @ Q.T), Q @ inverse(A) @ Q.T),
    "a rotated trace": (trace(Q @ A @ Q.T), trace(A)),
    "a determinant of a rotation": (power(det(Q), 2), number(1)),
    # Fixed sizes.
    "a count": (ones(3).T @ ones(3), number(3)),
    "a product of fixed size": (W3 @ ones(2, "k") @ ones("k"), size("k") * (W3 @ ones(2))),
    "a centred row": ((identity(3) - ones(3, 3) / 3) @ ones(3), zeros(3)),
}  # fmt: skip

DY = matrix("DY", "N", "D")
GRADIENTS = {
    "softplus": Gradient(softplus(X), X, hadamard(DY, sigmoid(X))),
    "sine": Gradient(sin(X), X, hadamard(DY, cos(X))),
    "second derivative": Gradient(function("silu", 1)(X), X, hadamard(DY, function("silu", 2)(X))),
    "squares": Gradient(total(power(X - DY, 2)), DY, 2 * (DY - X), cotangent=""),
    "fixed sizes": Gradient(total(power(W3, 2)), W3, 2 * W3),
    "a positive scalar": Gradient(sqrt(c), c, inv_sqrt(c) / 2),
}  # fmt: skip
STATEMENTS = {name: Equal(*sides) for name, sides in TRUE.items()} | GRADIENTS


@pytest.mark.parametrize("name", STATEMENTS)
def test_what_is_true_is_proved(name):
    statement = STATEMENTS[name]
    assert statement.proved()
    tested = statement.tested()
    assert tested.holds
    assert not tested.empty


@pytest.mark.slow
@pytest.mark.parametrize("name", STATEMENTS)
def test_mutants_of_what_is_true_are_not_proved(name):
    statement, rejected = STATEMENTS[name], 0
    for what, mutant in matrix_mutants(statement.stated, tuple(statement.matrices.values())).items():
        variant = statement.restated(mutant)
        tested = variant.tested(seed=7)
        assert variant.proved() == tested.holds or tested.empty, what
        rejected += not tested.holds
    assert rejected >= 2


FALSE = {
    "a largest entry of any multiple": (rows_max(r * X), r * rows_max(X)),
    "a largest entry with another row's shift": (rows_max(X + ones("N") @ w.T), rows_max(X) + ones("N") @ (one.T @ w)),
    "a largest entry of a function that falls": (rows_max(exp(-X)), exp(-rows_max(X))),
    "a largest sine": (rows_max(sin(X)), sin(rows_max(X))),
    "a largest square": (rows_max(power(X, 2)), power(rows_max(X), 2)),
    "a largest arbitrary function": (rows_max(function("act")(X)), function("act")(rows_max(X))),
    "a largest entry with factors of its own": (rows_max(X @ Diag(exp(w))), rows_max(X)),
    "relu of any multiple": (relu(r * X), r * relu(X)),
    "an absolute value of what may be negative": (abs(X), X),
    "relu of a sum": (relu(X + DY), relu(X) + relu(DY)),
    "clip far away": (clip(X, -20, 20), X),
    "relu far away": (relu(X - 20 * ALL), zeros("N", "D")),
    "an inverse of a sum": (inverse(A + B), inverse(A) + inverse(B)),
    "an inverse in another order": (inverse(A @ B), inverse(A) @ inverse(B)),
    "an inverse beside another matrix": (inverse(A) @ B @ A, B),
    "an inverse of a transpose beside the matrix": (inverse(A).T @ A, I),
    "an inverse of a symmetric sum": (inverse(A + A.T) @ A, I / 2),
    "a projection of too few columns": (hat, identity("N")),
    "a determinant of a sum": (det(A + B), det(A) + det(B)),
    "a determinant of a multiple": (det(2 * A), 2 * det(A)),
    "a determinant of a rotation": (det(Q), number(1)),
    "another rotation": (Q.T @ R, I),
    "a rotation is no symmetry": (Q, Q.T),
    "a rotation twice": (Q @ Q, I),
    "entries of a rotation": (hadamard(Q, Q), I),
    "a rotation of a function": (function("act")(Q).T @ function("act")(Q), I),
    "a symmetric matrix is no diagonal one": (S, Diag(diag(S))),
    "a product of symmetric matrices": ((S @ (A + A.T)).T, S @ (A + A.T)),
    "another count": (ones(3).T @ ones(3), number(4)),
    "a size that is not fixed": (size("n"), number(3)),
    "cosine and sine of two arguments": (power(cos(x), 2) + power(sin(2 * x), 2), ones("n")),
    "the cosine is odd": (cos(-x), -cos(x)),
    "layer normalisation of any multiple": (layer_norm(r * X), layer_norm(X)),
}  # fmt: skip


@pytest.mark.parametrize("sides", FALSE.values(), ids=FALSE)
def test_nothing_false_is_proved(sides):
    statement = Equal(*sides)
    assert not statement.proved()
    assert not statement.tested().holds
    assert statement.counterexample() is not None


def test_a_positive_matrix_is_positive_wherever_it_is_drawn():
    found = Equal(abs(P), 2 * P).counterexample()
    assert all(value > 0 for row in found.values["P"] for value in row)


def test_counterexamples_of_rotations_are_fractions():
    found = str(Equal(Q @ Q, I).counterexample())
    assert "Q = [[" in found
    assert "'" not in found


def test_a_scalar_has_a_cotangent_where_one_is_given():
    Y, T, g = matrix("Y", "N", "K"), matrix("T", "N", "K"), scalar("DY")
    loss = total(power(Y - T, 2))
    assert Gradient(loss, Y, 2 * (Y - T)).proved()
    assert Gradient(loss, Y, 2 * (Y - T)).tested().holds
    assert Gradient(loss, Y, g * (2 * (Y - T))).proved()
    assert Gradient(loss, Y, scalar("c") * (2 * (Y - T)), cotangent="c").proved()
    for wrong in (Y - T, 2 * (T - Y), scalar("c") * (2 * (Y - T))):
        assert not Gradient(loss, Y, wrong).proved()
        assert not Gradient(loss, Y, wrong).tested().holds
    with pytest.raises(ValueError, match="leave it out"):
        Gradient(Y, Y, Y, cotangent="")


def test_what_has_values_for_some_sizes_alone_is_tested_there():
    """The inverse of X^T X for D <= N, of X X^T for N <= D; that of y y^T for no N but 1."""
    assert Equal(inverse(gram) @ gram, identity("D")).tested().holds
    other = X @ X.T
    assert Equal(inverse(other) @ other, identity("N")).tested().holds
    assert Equal(inverse(other) @ other @ X @ inverse(gram) @ gram, X).tested().holds
    never = inverse(y @ y.T)
    assert Equal(never, never).tested().empty


# --- generated --------------------------------------------------------------------------------------------------


LEAVES = [A, S, Q, I, ones("n", "n"), P, Diag(x), ones("n") @ x.T]


def grown(rng, depth):
    """A random expression n x n of all kinds of matrices and functions."""
    if depth == 0:
        return rng.choice(LEAVES)
    m, other = grown(rng, depth - 1), grown(rng, depth - 1)
    return rng.choice([
        m + other, m - other, m @ other, m.T, hadamard(m, other), 2 * m, c * m, r * m, relu(m), abs(m), tanh(m), cos(m),
        inverse(m), inverse(m + A), det(m) * other, rows_max(m) @ ones("n").T, sqrt(power(m, 2)), power(m, 2), exp(m),
    ])  # fmt: skip


def rewritten(rng, m):
    """The same for all kinds of matrices, or for some of them."""
    return rng.choice([
        Q @ (Q.T @ m), m @ inverse(A) @ A, inverse(A + B) @ (A @ m + B @ m), abs(m), relu(m) - relu(-m), m.T, relu(m),
        inverse(inverse(m)), Q @ m @ Q.T, rows_max(m) @ ones("n").T, (S @ m.T).T @ inverse(S), c * m / c, 2 * m,
        sqrt(power(c * m, 2)) / c, det(Q) * m, det(A) / det(A.T) * m, (m @ m) @ inverse(m), Q.T @ m @ Q,
    ])  # fmt: skip


@pytest.mark.slow
def test_what_is_proved_withstands_the_test():
    """Neither knows anything of the other."""
    outcomes = []
    for seed in range(100):
        rng = Random(f"kinds {seed}")
        m = grown(rng, 1 + seed % 2)
        statement = Equal(rewritten(rng, m), m)
        proved, tested = statement.proved(), statement.tested()
        assert tested.empty or tested.holds or not proved, (seed, str(statement.stated), str(m))
        outcomes.append((proved, tested.holds))
    assert outcomes.count((True, True)) > 20
    assert outcomes.count((False, False)) > 20
