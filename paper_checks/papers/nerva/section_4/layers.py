"""Section 4: feedforward and backpropagation equations of each layer, for an arbitrary loss.

A gradient is proved for all numbers of examples, inputs and outputs, and for an arbitrary gradient DY of the loss.
Gradients with respect to W, b and X are those of the whole layer, with the published DZ.
"""

from paper_checks import Kind
from paper_checks.papers.nerva.identities import stated_at
from paper_checks.papers.nerva.notation import (
    DY,
    W,
    X,
    Z,
    b,
    column_repeat,
    columns_sum,
    log_softmax,
    row_repeat,
    rows_sum,
    softmax,
)
from theory.matrix_calculus import Equal, Gradient, diag, function, hadamard, matrix, ones, total

SMOOTH = "act is differentiable at the entries of Z"
SMOOTH_SRELU = "srelu is differentiable at the entries of Z"


# --- linear layer -----------------------------------------------------------------------------------------------

linear = X @ W.T + ones("N") @ b

stated_at(
    "section 4, linear layer",
    ("nerva/linear.Y.code", "the code X * W.T + row_repeat(b, N) computes Y = X W^T + 1_N b",
     lambda: Equal(X @ W.T + row_repeat(b, "N"), linear)),
    ("nerva/linear.DW", "DW = DY^T X", lambda: Gradient(linear, W, DY.T @ X)),
    ("nerva/linear.Db", "Db = 1_N^T DY", lambda: Gradient(linear, b, ones("N").T @ DY)),
    ("nerva/linear.DX", "DX = DY W", lambda: Gradient(linear, X, DY @ W)),
    ("nerva/linear.Db.code", "Db = columns_sum(DY)", lambda: Gradient(linear, b, columns_sum(DY))),
)  # fmt: skip

# --- activation layer: act is an arbitrary differentiable function ------------------------------------------------

act, slope = function("act"), function("act", 1)
activation_DZ = hadamard(DY, slope(linear))

stated_at(
    "section 4, activation layer",
    ("nerva/activation.DZ", "DZ = DY (.) act'(Z)", lambda: Gradient(act(Z), Z, hadamard(DY, slope(Z)))),
    ("nerva/activation.DW", "DW = DZ^T X", lambda: Gradient(act(linear), W, activation_DZ.T @ X)),
    ("nerva/activation.Db", "Db = 1_N^T DZ", lambda: Gradient(act(linear), b, ones("N").T @ activation_DZ)),
    ("nerva/activation.DX", "DX = DZ W", lambda: Gradient(act(linear), X, activation_DZ @ W)),
    ("nerva/activation.Db.code", "Db = columns_sum(DZ)",
     lambda: Gradient(act(linear), b, columns_sum(activation_DZ))),
    where=SMOOTH,
)  # fmt: skip

stated_at(
    "section 4, SReLU layer",
    ("nerva/srelu.DZ", "DZ = DY (.) srelu'(Z)",
     lambda: Gradient(function("srelu")(Z), Z, hadamard(DY, function("srelu", 1)(Z)))),
    ("nerva/srelu.DW", "DW = DZ^T X",
     lambda: Gradient(function("srelu")(linear), W, hadamard(DY, function("srelu", 1)(linear)).T @ X)),
    ("nerva/srelu.Db", "Db = 1_N^T DZ",
     lambda: Gradient(function("srelu")(linear), b, ones("N").T @ hadamard(DY, function("srelu", 1)(linear)))),
    ("nerva/srelu.DX", "DX = DZ W",
     lambda: Gradient(function("srelu")(linear), X, hadamard(DY, function("srelu", 1)(linear)) @ W)),
    where=SMOOTH_SRELU,
)  # fmt: skip

# srelu depends on each of its parameters, at each entry, with the derivative that A or T has there.
parameter, parameter_slope = matrix("p", 1, 1), matrix("A", "N", "K")
AND_SO = "where A^l is the derivative of srelu(Z) with respect to a_l. The same holds for a_r, t_l and t_r"

stated_at(
    "section 4, SReLU layer",
    ("nerva/srelu.parameters", f"Da_l = 1_N^T (DY (.) A^l) 1_K, {AND_SO}",
     lambda: Gradient(Z + parameter * parameter_slope, parameter, total(hadamard(DY, parameter_slope)))),
    ("nerva/srelu.DZ.code", "DZ = hadamard(DY, apply(act_prime, Z)), where act_prime is the derivative of act = srelu",
     lambda: Gradient(function("srelu")(Z), Z, hadamard(DY, function("srelu", 1)(Z)))),
    where="srelu is differentiable at the entries of Z and in its parameters",
)  # fmt: skip

stated_at(
    "section 4, SReLU layer, code with the names of Table 1",
    ("nerva/srelu.Z.code", "the code X * W.T + row_repeat(b, N) computes Z = X W^T + 1_N b",
     lambda: Equal(X @ W.T + row_repeat(b, "N"), linear)),
    ("nerva/srelu.Db.code", "Db = columns_sum(DZ)",
     lambda: Gradient(function("srelu")(linear), b, columns_sum(hadamard(DY, function("srelu", 1)(linear))))),
    ("nerva/srelu.parameters.code", f"Dal = elements_sum(hadamard(DY, A_l)) with the matrix A_l = A^l, {AND_SO}",
     lambda: Gradient(Z + parameter * parameter_slope, parameter,
                      ones("N").T @ rows_sum(hadamard(DY, parameter_slope)))),
    kind=Kind.ADDITIONAL,
)  # fmt: skip

# --- softmax and log-softmax layers -------------------------------------------------------------------------------


def softmax_DZ(z):
    y = softmax(z)
    return hadamard(y, DY - diag(DY @ y.T) @ ones("K").T)


def log_softmax_DZ(z):
    return DY - hadamard(softmax(z), DY @ ones("K") @ ones("K").T)


stated_at(
    "section 4, softmax layer",
    ("nerva/softmax.DZ", "DZ = Y (.) (DY - diag(DY Y^T) 1_K^T)", lambda: Gradient(softmax(Z), Z, softmax_DZ(Z))),
    ("nerva/softmax.DW", "DW = DZ^T X", lambda: Gradient(softmax(linear), W, softmax_DZ(linear).T @ X)),
    ("nerva/softmax.Db", "Db = 1_N^T DZ", lambda: Gradient(softmax(linear), b, ones("N").T @ softmax_DZ(linear))),
    ("nerva/softmax.DX", "DX = DZ W", lambda: Gradient(softmax(linear), X, softmax_DZ(linear) @ W)),
    ("nerva/softmax.DZ.code", "DZ = hadamard(Y, DY - column_repeat(diag(DY * Y.T), K))",
     lambda: Gradient(softmax(Z), Z,
                      hadamard(softmax(Z), DY - column_repeat(diag(DY @ softmax(Z).T), "K")))),
    ("nerva/softmax.Db.code", "Db = columns_sum(DZ)",
     lambda: Gradient(softmax(linear), b, columns_sum(softmax_DZ(linear)))),
)  # fmt: skip

stated_at(
    "section 4, log-softmax layer",
    ("nerva/log-softmax.DZ", "DZ = DY - softmax(Z) (.) (DY 1_K 1_K^T)",
     lambda: Gradient(log_softmax(Z), Z, log_softmax_DZ(Z))),
    ("nerva/log-softmax.DW", "DW = DZ^T X", lambda: Gradient(log_softmax(linear), W, log_softmax_DZ(linear).T @ X)),
    ("nerva/log-softmax.Db", "Db = 1_N^T DZ",
     lambda: Gradient(log_softmax(linear), b, ones("N").T @ log_softmax_DZ(linear))),
    ("nerva/log-softmax.DX", "DX = DZ W", lambda: Gradient(log_softmax(linear), X, log_softmax_DZ(linear) @ W)),
    ("nerva/log-softmax.DZ.code", "DZ = DY - hadamard(softmax(Z), column_repeat(rows_sum(DY), K))",
     lambda: Gradient(log_softmax(Z), Z, DY - hadamard(softmax(Z), column_repeat(rows_sum(DY), "K")))),
    ("nerva/log-softmax.Db.code", "Db = columns_sum(DZ)",
     lambda: Gradient(log_softmax(linear), b, columns_sum(log_softmax_DZ(linear)))),
)  # fmt: skip
