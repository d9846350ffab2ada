"""Section 6.1: the derivations of the gradients of losses."""

from paper_checks.papers.nerva.notation import T, Y, gradient, log_softmax, sigmoid, softmax
from paper_checks.papers.nerva.section_6.losses import OUTPUTS, loss, one, t, y
from theory.matrix_calculus import Diag, Equal, Jacobian, hadamard, identity, log, matrix, reciprocal, row

point = matrix("x", "p", 1)
any_column, any_slope = matrix("g", "K", 1) + matrix("G", "K", "p") @ point, matrix("G", "K", "p")

loss(
    "derivations, 6.1",
    ("nerva/eq34.log", "the Jacobian of log(y) is Diag(1/y)",
     lambda: Jacobian(log(y), y, Diag(reciprocal(y)))),
    ("nerva/eq34.product", "the gradient of -t log(y)^T with respect to y is -t Diag(1/y)",
     lambda: gradient(-(t @ log(y).T), y, -(t @ Diag(reciprocal(y))))),
    ("nerva/eq34", "-t Diag(1/y) = -t (.) 1/y",
     lambda: Equal(-hadamard(t, reciprocal(y)), -(t @ Diag(reciprocal(y))))),
    where=OUTPUTS,
)  # fmt: skip

loss(
    "derivations, 6.1",
    ("nerva/eq34.lemma", "by (7), with the row t as the constant matrix, the Jacobian of t g(x) is t g'(x)",
     lambda: Jacobian(t @ any_column, point, t @ any_slope)),
    ("nerva/eq35.product", "the gradient of -t log-softmax(y)^T with respect to y is -t (I_K - 1_K softmax(y))",
     lambda: gradient(-(t @ log_softmax(y).T), y, -(t @ (identity("K") - one @ softmax(y))))),
    ("nerva/eq35", "-t (I_K - 1_K softmax(y)) = t 1_K softmax(y) - t",
     lambda: Equal(t @ one @ softmax(y) - t, -(t @ (identity("K") - one @ softmax(y))))),
    ("nerva/eq35.generalised", "by property (15) row i of softmax(Y) (.) (T 1_K 1_K^T) - T is the gradient (35) of "
    "y_i and t_i",
     lambda: Equal(row(hadamard(softmax(Y), T @ one @ one.T) - T, "i"),
                   row(T, "i") @ one @ softmax(row(Y, "i")) - row(T, "i"))),
    ("nerva/lce.jacobian", "the Jacobian of log(sigma(y)) is Diag(1_K^T - sigma(y))",
     lambda: Jacobian(log(sigmoid(y)), y, Diag(one.T - sigmoid(y)))),
    ("nerva/lce.product", "-t Diag(1_K^T - sigma(y)) = t (.) sigma(y) - t",
     lambda: Equal(hadamard(t, sigmoid(y)) - t, -(t @ Diag(one.T - sigmoid(y))))),
)  # fmt: skip
