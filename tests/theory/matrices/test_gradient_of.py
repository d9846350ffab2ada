"""Gradients that are found by rules, against proofs and tests that know nothing of the rules; expressions in text."""

import pytest

from theory.matrix_calculus import clip, relu, sigmoid, tanh, total, trace
from theory.matrix_calculus.expression import kind_of, matrix, scalar, size, symmetric
from theory.matrix_calculus.functions import exp, function, inv_sqrt, log, power, reciprocal, sqrt
from theory.matrix_calculus.gradients import gradient_of
from theory.matrix_calculus.operations import Diag, column, det, diag, hadamard, inverse, ones, row, rows_max
from theory.matrix_calculus.reading import declared, read
from theory.matrix_calculus.statements import Gradient

A, B, S, x = matrix("A", "n", "n"), matrix("B", "n", "n"), symmetric("S", "n"), matrix("x", "n", 1)
X, W, b, T = matrix("X", "N", "D"), matrix("W", "K", "D"), matrix("b", 1, "K"), matrix("T", "N", "K")
Z, y, w, c = matrix("Z", "N", "K"), matrix("y", "N", 1), matrix("w", "D", 1), scalar("c", positive=True)
Y, one = X @ W.T + ones("N") @ b, ones("K")
softmax = hadamard(exp(Z), reciprocal(exp(Z) @ one) @ one.T)
log_softmax = Z - log(exp(Z) @ one) @ one.T
centred = Z - Z @ one @ one.T / size("K")
normalised = hadamard(centred, inv_sqrt(diag(centred @ centred.T) / size("K")) @ one.T)

WANTED = {
    "a layer by its inputs": (Y, X, "DY W"),
    "a layer by its weights": (Y, W, "DY^T X"),
    "a layer by its biases": (Y, b, "1_N^T DY"),
    "tanh": (tanh(Y), W, "(DY (.) (1_NK - tanh(X W^T + 1_N b)^(2)))^T X"),
    "relu": (relu(Y), b, "1_N^T (DY (.) step(X W^T + 1_N b))"),
    "an arbitrary function": (function("act")(Z), Z, "(DY (.) act'(Z))"),
    "squares": (total(power(Y - T, 2)), W, "2 (X W^T + 1_N b - T)^T X"),
    "a quadratic form": (x.T @ S @ x, x, "2 S x"),
    "a trace": (trace(A @ B), A, "B^T"),
    "a trace of squares": (trace(A.T @ B @ A), A, "B^T A + B A"),
    "an inverse": (inverse(A), A, "-inv(A)^T DY inv(A)^T"),
    "a log-determinant": (log(det(A)), A, "inv(A)^T"),
    "a determinant": (det(A), A, "det(A) inv(A)^T"),
    "a log-determinant of a product": (log(det(X.T @ X)), X, "2 X inv(X^T X)"),
    "absolute values": (total(abs(X)), X, "sign(X)"),
    "a diagonal": (diag(A @ B), B, "A^T Diag(DY)"),
    "a diagonal matrix": (Diag(x) @ A, x, "diag(DY A^T)"),
    "an entry of a product": (row(A, "i") @ column(B, "j"), A, "I^i B^T_j"),
    "what it does not depend on": (total(B), A, "0"),
    "itself": (b, b, "DY"),
    "a factor": (c * A, c, "1_n^T (DY (.) A) 1_n"),
}  # fmt: skip
LONG = {
    "softmax": (softmax, Z), "log-softmax": (log_softmax, Z), "cross-entropy": (-total(hadamard(T, log_softmax)), Z),
    "layer normalisation": (normalised, Z), "clip": (clip(X, 0, 6), X), "silu": (function("silu")(Z), Z),
    "sigmoid": (sigmoid(Z), Z), "a norm": (sqrt(total(power(X, 2))), X), "a product with its sum": (total(A) * A, A),
    "ridge regression": (total(power(X @ w - y, 2)) / size("N") + power(c, 2) * (w.T @ w), w),
}  # fmt: skip
ALL = {name: sides[:2] for name, sides in WANTED.items()} | LONG


@pytest.mark.parametrize("sides", ALL.values(), ids=ALL)
def test_gradients_are_proved_and_others_are_not(sides):
    output, by = sides
    statement = Gradient(output, by, gradient_of(output, by))
    assert statement.proved()
    tested = statement.tested()
    assert tested.holds
    assert tested.empty == (output == total(B))
    wrong = statement.restated(2 * statement.stated + ones(*by.shape))
    assert not wrong.proved()
    assert not wrong.tested().holds


@pytest.mark.parametrize(("output", "by", "text"), WANTED.values(), ids=WANTED)
def test_gradients_are_short(output, by, text):
    assert str(gradient_of(output, by)) == text


@pytest.mark.parametrize(("make", "text"), [
    (lambda: gradient_of(rows_max(X), X), "max(X)_row has none where two entries are equal; leave max out"),
    (lambda: gradient_of(x.T @ S @ x, S), "by must be a matrix of free entries, got S; name one by matrix"),
    (lambda: gradient_of(X, X.T), "got X^T"),
    (lambda: gradient_of(X, 3), "gradient_of: by: the argument must be a matrix expression, got 3"),
    (lambda: gradient_of(3, X), "gradient_of: the argument must be a matrix expression, got 3"),
    (lambda: gradient_of(matrix("DY", "n", "n") @ A, A), "must be a name that the output does not have, got 'DY'"),
])  # fmt: skip
def test_what_has_no_gradient_is_refused(make, text):
    with pytest.raises(ValueError) as error:
        make()
    assert text in str(error.value)


# --- text -----------------------------------------------------------------------------------------------------------

NAMED = declared(["X:N,D", "W:K,D", "w:D", "y:N", "c:1:positive", "r", "A:n,n", "S:n,n:symmetric", "Q:n,n:orthogonal",
                  "V:3,2"])  # fmt: skip
READ = {
    "total((X @ w - y) ** 2) / size(N)": total(power(X @ w - y, 2)) / size("N"),
    "X * X": hadamard(X, X),
    "2 * X - X / 3": 2 * X - X / 3,
    "1/3 * X": X * "1/3",
    "-c * X": -scalar("c", positive=True) * X,
    "X / X": hadamard(X, reciprocal(X)),
    "X ** -1": reciprocal(X),
    "1 / (1 + exp(-r))": 1 / (ones(1) + exp(-scalar("r"))),
    "act(X @ W.T)": function("act")(X @ W.T),
    "clip(X, 0, 1/2) + relu(X) - maximum(X, zeros(N, D))": None,
    "trace(S @ inverse(Q)) + log(det(A))": None,
    "row(X, i) @ column(X.T, j)": row(X, "i") @ column(X.T, "j"),
    "V @ ones(2, K)": matrix("V", 3, 2) @ ones(2, "K"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "wanted"), READ.items(), ids=READ)
def test_expressions_are_read(text, wanted):
    found = read(text, NAMED)
    if wanted is not None:
        assert found.shape == wanted.shape
        assert str(found) == str(wanted)
    for m in NAMED.values():
        if kind_of(m) in ("free", "positive"):
            assert Gradient(found, m, gradient_of(found, m)).proved()


REFUSED = {
    "X +": "an expression must be Python's, got 'X +'",
    "X @ q": "a matrix must be declared, got 'q'; add q:N,D",
    "X @ X": "got (N x D) @ (N x D); transpose one",
    "2 + 3": "must be a matrix, got the number '2 + 3'",
    "1 / 0 * X": "must be made with + - * /, got '1 / 0'",
    "0.1 * X": "must be exact, got 0.1",
    "gelu(X)": "got 'gelu'; give an arbitrary function another name",
    "sum(X)": "got 'sum'; write total",
    "ones(2, 3, 4)": "ones: got another number of arguments, 3",
    "exp(X, X)": "exp: a function of each entry must have one argument, got 2",
    "X if X else X": "must be made of matrices, numbers and functions, got 'X if X else X'",
    "X.shape": "got 'X.shape'",
    "X // 2": "must be made with + - * / @ **, got 'X // 2'",
    "__import__('os')": "got \"'os'\"",
    "X\0": "an expression must be Python's",
}  # fmt: skip


@pytest.mark.parametrize(("text", "why"), REFUSED.items(), ids=REFUSED)
def test_other_texts_are_refused(text, why):
    with pytest.raises(ValueError) as error:
        read(text, NAMED)
    assert why in str(error.value)


@pytest.mark.parametrize(
    "text", ["X:N,D,K", "X:0", "X:N,", "2X:N", "X:N:small", "S:n,m:symmetric", "X:N:positive:no", ""]
)
def test_other_declarations_are_refused(text):
    with pytest.raises(ValueError, match=r"must be|name"):
        declared([text])
