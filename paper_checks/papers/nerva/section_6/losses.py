"""Section 6: losses and their gradients, of one output (a row) and of a batch, for all sizes."""

from __future__ import annotations

from collections.abc import Callable

from paper_checks import WRONG, AllSizes, Kind, claim, unchecked, wrong
from paper_checks.papers.nerva.notation import N_, Y, gradient, log_softmax, softmax, with_row_sums_of_one
from theory.matrix_calculus import (
    Diag,
    Equal,
    Identity,
    Jacobian,
    Matrix,
    diag,
    exp,
    hadamard,
    identity,
    log,
    matrix,
    ones,
    power,
    reciprocal,
    row,
    size,
)

y, t, T = matrix("y", 1, "K"), matrix("t", 1, "K"), matrix("T", "N", "K")
one, rows = ones("K"), ones("N")
t_one, T_one = with_row_sums_of_one("t", 1, "K"), with_row_sums_of_one("T", "N", "K")


def sigmoid(x: Matrix) -> Matrix:
    """1/(1 + e^-x), entry by entry."""
    return reciprocal(ones(*x.shape) + exp(-x))


def summed(losses: Matrix) -> Matrix:
    """1_N^T (...) 1_K."""
    return rows.T @ losses @ one


def loss(place: str, *statements: tuple[str, str, Callable[[], Identity]]) -> None:
    """Claims on one loss: id, what the paper has, the statement."""
    for id_, says, statement in statements:
        claim(id_, at=f"section 6, {place}", says=says, evidence=[AllSizes(statement)])


claim(
    "nerva/sec6.output-batch",
    at="6, list of notations, third line",
    says="Z, N x K, is an output batch",
    quote="$Z \\in \\mathbb{R}^{N \\times K}$ is an output batch",
    expects=unchecked("a name, and a slip: the next line of the list and all losses call the output batch Y"),
)

loss(
    "squared error loss, (29)",
    ("nerva/eq29.row", "the gradient of (y - t)(y - t)^T by y is 2(y - t)",
     lambda: gradient((y - t) @ (y - t).T, y, 2 * (y - t))),
    ("nerva/eq29.sum", "1_N^T ((Y - T) (.) (Y - T)) 1_K is the sum of the losses of the rows",
     lambda: Equal(summed(hadamard(Y - T, Y - T)), rows.T @ diag((Y - T) @ (Y - T).T))),
    ("nerva/eq29", "the gradient of 1_N^T ((Y - T) (.) (Y - T)) 1_K by Y is 2(Y - T)",
     lambda: gradient(summed(hadamard(Y - T, Y - T)), Y, 2 * (Y - T))),
    ("nerva/mse", "the squared error over K N is the mean of all squared differences",
     lambda: Equal(summed(hadamard(Y - T, Y - T)) / (size("K") * N_),
                   (rows / N_).T @ power(Y - T, 2) @ (one / size("K")))),
)  # fmt: skip

loss(
    "cross-entropy loss, (30)",
    ("nerva/eq30.row", "the gradient of -t log(y)^T by y is -t (.) 1/y",
     lambda: gradient(-(t @ log(y).T), y, -hadamard(t, reciprocal(y)))),
    ("nerva/eq30.sum", "-1_N^T (T (.) log(Y)) 1_K is the sum of the losses of the rows",
     lambda: Equal(-summed(hadamard(T, log(Y))), -(rows.T @ diag(T @ log(Y).T)))),
    ("nerva/eq30", "the gradient of -1_N^T (T (.) log(Y)) 1_K by Y is -T (.) 1/Y",
     lambda: gradient(-summed(hadamard(T, log(Y))), Y, -hadamard(T, reciprocal(Y)))),
)  # fmt: skip

loss(
    "softmax cross-entropy loss, (31)",
    ("nerva/eq31.row", "the gradient of -t log-softmax(y)^T by y is t 1_K softmax(y) - t",
     lambda: gradient(-(t @ log_softmax(y).T), y, t @ one @ softmax(y) - t)),
    ("nerva/eq31.sum", "-1_N^T (T (.) log-softmax(Y)) 1_K is the sum of the losses of the rows",
     lambda: Equal(-summed(hadamard(T, log_softmax(Y))), -(rows.T @ diag(T @ log_softmax(Y).T)))),
    ("nerva/eq31", "the gradient of -1_N^T (T (.) log-softmax(Y)) 1_K by Y is softmax(Y) (.) (T 1_K 1_K^T) - T",
     lambda: gradient(-summed(hadamard(T, log_softmax(Y))), Y, hadamard(softmax(Y), T @ one @ one.T) - T)),
    ("nerva/eq31.one-hot.row", "for t 1_K = 1 it is softmax(y) - t",
     lambda: gradient(-(t_one @ log_softmax(y).T), y, softmax(y) - t_one)),
    ("nerva/eq31.one-hot", "for T 1_K = 1_N it is softmax(Y) - T",
     lambda: gradient(-summed(hadamard(T_one, log_softmax(Y))), Y, softmax(Y) - T_one)),
)  # fmt: skip

loss(
    "logistic cross-entropy loss, (32)",
    ("nerva/eq32.row", "the gradient of -t log(sigma(y))^T by y is t (.) sigma(y) - t",
     lambda: gradient(-(t @ log(sigmoid(y)).T), y, hadamard(t, sigmoid(y)) - t)),
    ("nerva/eq32.sum", "-1_N^T (T (.) log(sigma(Y))) 1_K is the sum of the losses of the rows",
     lambda: Equal(-summed(hadamard(T, log(sigmoid(Y)))), -(rows.T @ diag(T @ log(sigmoid(Y)).T)))),
    ("nerva/eq32", "the gradient of -1_N^T (T (.) log(sigma(Y))) 1_K by Y is T (.) sigma(Y) - T",
     lambda: gradient(-summed(hadamard(T, log(sigmoid(Y)))), Y, hadamard(T, sigmoid(Y)) - T)),
)  # fmt: skip

nll = log(hadamard(Y, T) @ one)

loss(
    "negative log-likelihood loss, (33)",
    ("nerva/eq33.row", "the gradient of -log(y t^T) by y is -1/(y t^T) t",
     lambda: gradient(-log(y @ t.T), y, -(reciprocal(y @ t.T) * t))),
    ("nerva/eq33", "the gradient of the loss of a batch by Y is -(1/((Y (.) T) 1_K) 1_K^T) (.) T",
     lambda: gradient(-(rows.T @ nll), Y, -hadamard(reciprocal(hadamard(Y, T) @ one) @ one.T, T))),
)  # fmt: skip

claim(
    "nerva/eq33.batch",
    at="section 6, negative log-likelihood loss, (33)",
    expects=wrong("misprint"),
    says="the loss of a batch is -1_N^T log((Y (.) T) 1_K) 1_K, the sum of the losses of the rows",
    quote=r"-1_N^\top \cdot (\log((Y \odot T) \cdot 1_K)) \cdot 1_K",
    evidence=[AllSizes(
        lambda: Equal(-(rows.T @ nll @ one), -(rows.T @ log(diag(Y @ T.T)))),
        lambda: Equal(-(rows.T @ nll), -(rows.T @ log(diag(Y @ T.T)))),
    )],
    note="the logarithm is a column, N x 1: 1_N^T times it is the sum already, and one more factor 1_K, K x 1, has "
    "nothing to stand by",
)  # fmt: skip

# --- derivations, 6.1 -----------------------------------------------------------------------------------------------

point = matrix("x", "p", 1)
any_column, any_slope = matrix("g", "K", 1) + matrix("G", "K", "p") @ point, matrix("G", "K", "p")

loss(
    "derivations, 6.1",
    ("nerva/eq34.lemma", "by (7), with the row t as its constant matrix, the Jacobian of t g(x) is t g'(x)",
     lambda: Jacobian(t @ any_column, point, t @ any_slope)),
    ("nerva/eq34.log", "the Jacobian of log(y) is Diag(1/y)",
     lambda: Jacobian(log(y), y, Diag(reciprocal(y)))),
    ("nerva/eq34.product", "the gradient of -t log(y)^T is -t Diag(1/y)",
     lambda: gradient(-(t @ log(y).T), y, -(t @ Diag(reciprocal(y))))),
    ("nerva/eq34", "-t Diag(1/y) = -t (.) 1/y",
     lambda: Equal(-hadamard(t, reciprocal(y)), -(t @ Diag(reciprocal(y))))),
    ("nerva/eq35.product", "the gradient of -t log-softmax(y)^T is -t (I_K - 1_K softmax(y))",
     lambda: gradient(-(t @ log_softmax(y).T), y, -(t @ (identity("K") - one @ softmax(y))))),
    ("nerva/eq35", "-t (I_K - 1_K softmax(y)) = t 1_K softmax(y) - t",
     lambda: Equal(t @ one @ softmax(y) - t, -(t @ (identity("K") - one @ softmax(y))))),
    ("nerva/eq35.generalised", "by property (15) row i of softmax(Y) (.) (T 1_K 1_K^T) - T is that of y_i and t_i",
     lambda: Equal(row(hadamard(softmax(Y), T @ one @ one.T) - T, "i"),
                   row(T, "i") @ one @ softmax(row(Y, "i")) - row(T, "i"))),
    ("nerva/lce.jacobian", "the Jacobian of log(sigma(y)) is Diag(1_K^T - sigma(y))",
     lambda: Jacobian(log(sigmoid(y)), y, Diag(one.T - sigmoid(y)))),
    ("nerva/lce.product", "-t Diag(1_K^T - sigma(y)) = t (.) sigma(y) - t",
     lambda: Equal(hadamard(t, sigmoid(y)) - t, -(t @ Diag(one.T - sigmoid(y))))),
)  # fmt: skip


binary = summed(hadamard(T, log(sigmoid(Y))) + hadamard(ones("N", "K") - T, log(sigmoid(-Y))))

claim(
    "nerva/eq32.binary",
    at="section 6, logistic cross-entropy loss, (32)",
    says="the logistic cross-entropy is that of K independent binary targets, whose gradient is sigma(Y) - T",
    evidence=[AllSizes(
        lambda: gradient(-binary, Y, hadamard(T, sigmoid(Y)) - T), lambda: gradient(-binary, Y, sigmoid(Y) - T)
    )],
    kind=Kind.ALTERNATIVE, expects=WRONG,
    note="the loss in print has no term (1 - T) log(1 - sigma(Y)): it is least for outputs that grow without limit, "
    "whatever the targets that are not 0. Its gradient in print is right for it, nerva/eq32",
)  # fmt: skip
