"""Section 4: feedforward and backpropagation equations of each layer, for an arbitrary loss.

A gradient is proved for all numbers of examples, inputs and outputs, and for an arbitrary gradient DY of the loss.
Gradients by W, b and X are those of the whole layer, with DZ as printed.
"""

from __future__ import annotations

from collections.abc import Callable

from paper_checks import WRONG, AllSizes, Kind, claim, wrong
from paper_checks.papers.nerva.notation import (
    DY,
    N_,
    R,
    W,
    X,
    Z,
    b,
    column_repeat,
    columns_sum,
    log_softmax,
    normalised,
    row_repeat,
    rows_sum,
    softmax,
)
from theory.matrix_calculus import (
    Equal,
    Gradient,
    Identity,
    diag,
    function,
    hadamard,
    identity,
    inv_sqrt,
    matrix,
    ones,
    reciprocal,
    size,
)

ANY_LOSS = "the loss is differentiable in Y, and nothing else is supposed of it"


def layer(place: str, *rows: tuple[str, str, Callable[[], Identity]]) -> None:
    """Claims on one layer: id, what the paper has, the statement."""
    for id_, says, statement in rows:
        claim(id_, at=f"section 4, {place}", says=says, evidence=[AllSizes(statement)], assumptions=ANY_LOSS)


# --- linear layer -----------------------------------------------------------------------------------------------

linear = X @ W.T + ones("N") @ b

layer(
    "linear layer",
    ("nerva/linear.Y.code", "X * W.T + row_repeat(b, N) is X W^T + 1_N b",
     lambda: Equal(X @ W.T + row_repeat(b, "N"), linear)),
    ("nerva/linear.DW", "DW = DY^T X", lambda: Gradient(linear, W, DY.T @ X)),
    ("nerva/linear.Db", "Db = 1_N^T DY", lambda: Gradient(linear, b, ones("N").T @ DY)),
    ("nerva/linear.DX", "DX = DY W", lambda: Gradient(linear, X, DY @ W)),
    ("nerva/linear.Db.code", "Db = columns_sum(DY)", lambda: Gradient(linear, b, columns_sum(DY))),
)  # fmt: skip

# --- activation layer: act is an arbitrary differentiable function ------------------------------------------------

act, slope = function("act"), function("act", 1)
activation_DZ = hadamard(DY, slope(linear))

layer(
    "activation layer",
    ("nerva/activation.DZ", "DZ = DY (.) act'(Z)", lambda: Gradient(act(Z), Z, hadamard(DY, slope(Z)))),
    ("nerva/activation.DW", "DW = DZ^T X", lambda: Gradient(act(linear), W, activation_DZ.T @ X)),
    ("nerva/activation.Db", "Db = 1_N^T DZ", lambda: Gradient(act(linear), b, ones("N").T @ activation_DZ)),
    ("nerva/activation.DX", "DX = DZ W", lambda: Gradient(act(linear), X, activation_DZ @ W)),
    ("nerva/activation.Db.code", "Db = columns_sum(DZ)",
     lambda: Gradient(act(linear), b, columns_sum(activation_DZ))),
)  # fmt: skip

layer(
    "srelu layer, where srelu is differentiable",
    ("nerva/srelu.DZ", "DZ = DY (.) srelu'(Z)",
     lambda: Gradient(function("srelu")(Z), Z, hadamard(DY, function("srelu", 1)(Z)))),
    ("nerva/srelu.DW", "DW = DZ^T X",
     lambda: Gradient(function("srelu")(linear), W, hadamard(DY, function("srelu", 1)(linear)).T @ X)),
    ("nerva/srelu.Db", "Db = 1_N^T DZ",
     lambda: Gradient(function("srelu")(linear), b, ones("N").T @ hadamard(DY, function("srelu", 1)(linear)))),
    ("nerva/srelu.DX", "DX = DZ W",
     lambda: Gradient(function("srelu")(linear), X, hadamard(DY, function("srelu", 1)(linear)) @ W)),
)  # fmt: skip

# srelu depends on each of its parameters, at each entry, with the derivative that A or T has there.
parameter, parameter_slope = matrix("p", 1, 1), matrix("A", "N", "K")

layer(
    "srelu layer, where srelu is differentiable",
    ("nerva/srelu.parameters", "Da_l = 1_N^T (DY (.) A^l) 1_K, and so Da_r, Dt_l, Dt_r with A^r, T^l, T^r, of the "
     "derivatives of srelu that nerva/sec4.srelu.A-l and the next three are on",
     lambda: Gradient(Z + parameter * parameter_slope, parameter,
                      ones("N").T @ hadamard(DY, parameter_slope) @ ones("K"))),
)  # fmt: skip

# --- softmax and log-softmax layers -------------------------------------------------------------------------------


def softmax_DZ(z):
    y = softmax(z)
    return hadamard(y, DY - diag(DY @ y.T) @ ones("K").T)


def log_softmax_DZ(z):
    return DY - hadamard(softmax(z), DY @ ones("K") @ ones("K").T)


layer(
    "softmax layer",
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

layer(
    "log-softmax layer",
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

# --- batch normalisation: a layer that keeps the width, so that D = K ------------------------------------------------

inputs, gamma, beta = matrix("X", "N", "D"), matrix("gamma", 1, "D"), matrix("beta", 1, "D")
DY_ = matrix("DY", "N", "D")
scaled, deviation = normalised(inputs)
batch = hadamard(ones("N") @ gamma, scaled) + ones("N") @ beta
batch_DZ = hadamard(ones("N") @ gamma, DY_)
inner = (N_ * identity("N") - ones("N") @ ones("N").T) @ batch_DZ
batch_DX = hadamard(
    reciprocal(N_) * (ones("N") @ deviation), inner - hadamard(scaled, ones("N") @ diag(scaled.T @ batch_DZ).T)
)
Zd, Sigma = matrix("Z", "N", "D"), matrix("Sigma", 1, "D")

layer(
    "batch normalization layer",
    ("nerva/batchnorm.DZ", "DZ = (1_N gamma) (.) DY",
     lambda: Gradient(hadamard(ones("N") @ gamma, Zd) + ones("N") @ beta, Zd, batch_DZ)),
    ("nerva/batchnorm.Dbeta", "Dbeta = 1_N^T DY", lambda: Gradient(batch, beta, ones("N").T @ DY_)),
    ("nerva/batchnorm.Dgamma", "Dgamma = 1_N^T (Z (.) DY)",
     lambda: Gradient(batch, gamma, ones("N").T @ hadamard(scaled, DY_))),
    ("nerva/batchnorm.DX",
     "DX = (1/N 1_N Sigma^(-1/2)) (.) ((N I_N - 1_N 1_N^T) DZ - Z (.) (1_N diag(Z^T DZ)^T))",
     lambda: Gradient(batch, inputs, batch_DX)),
    ("nerva/batchnorm.Dgamma.code", "Dgamma = columns_sum(hadamard(Z, DY))",
     lambda: Gradient(batch, gamma, columns_sum(hadamard(scaled, DY_)))),
    ("nerva/batchnorm.DX.code",
     "DX = hadamard(row_repeat(inv_sqrt_Sigma / N, N), (N * identity(N) - ones(N, N)) * DZ - hadamard(Z, "
     "row_repeat(diag(Z.T * DZ).T, N)))",
     lambda: Gradient(batch, inputs, hadamard(
         row_repeat(deviation / N_, "N"),
         (N_ * identity("N") - ones("N", "N")) @ batch_DZ
         - hadamard(scaled, row_repeat(diag(scaled.T @ batch_DZ).T, "N"))))),
    ("nerva/batchnorm.R.code", "R = X - row_repeat(columns_mean(X), N) is X - 1_N 1_N^T/N X, with columns_mean a mean "
     "of columns",
     lambda: Equal(inputs - row_repeat(columns_sum(inputs) / N_, "N"),
                   inputs - reciprocal(N_) * (ones("N") @ ones("N").T @ inputs))),
    ("nerva/batchnorm.Sigma.code", "Sigma = diag(R.T * R).T / N is 1/N diag(R^T R)^T",
     lambda: Equal(diag(inputs.T @ inputs).T / N_, reciprocal(N_) * diag(inputs.T @ inputs).T)),
    ("nerva/batchnorm.Z.code", "Z = hadamard(row_repeat(inv_sqrt_Sigma, N), R) is (1_N Sigma^(-1/2)) (.) R",
     lambda: Equal(hadamard(row_repeat(inv_sqrt(Sigma), "N"), inputs),
                   hadamard(ones("N") @ inv_sqrt(Sigma), inputs))),
    ("nerva/batchnorm.Y.code", "Y = hadamard(row_repeat(gamma, N), Z) + row_repeat(beta, N) is (1_N gamma) (.) Z + "
     "1_N beta",
     lambda: Equal(hadamard(row_repeat(gamma, "N"), Zd) + row_repeat(beta, "N"),
                   hadamard(ones("N") @ gamma, Zd) + ones("N") @ beta)),
    ("nerva/batchnorm.DZ.code", "DZ = hadamard(row_repeat(gamma, N), DY)",
     lambda: Gradient(hadamard(ones("N") @ gamma, Zd) + ones("N") @ beta, Zd,
                      hadamard(row_repeat(gamma, "N"), DY_))),
    ("nerva/batchnorm.Dbeta.code", "Dbeta = columns_sum(DY)", lambda: Gradient(batch, beta, columns_sum(DY_))),
)  # fmt: skip

claim(
    "nerva/batchnorm.R.code.table1",
    at="4, batch normalization layer, with Table 1",
    says="R = X - row_repeat(columns_mean(X), N), with columns_mean as Table 1 defines it, is X - 1_N 1_N^T/N X",
    evidence=[AllSizes(
        lambda: Equal(inputs - row_repeat(columns_sum(inputs) / size("D"), "N"),
                      inputs - reciprocal(N_) * (ones("N") @ ones("N").T @ inputs)),
        lambda: Equal(inputs - row_repeat(columns_sum(inputs) / N_, "N"),
                      inputs - reciprocal(N_) * (ones("N") @ ones("N").T @ inputs)),
    )],
    kind=Kind.ALTERNATIVE, expects=WRONG,
    note="Table 1 divides the sums of columns by their number, nerva/table1.columns_mean; both places cannot be right",
)  # fmt: skip

claim(
    "nerva/batchnorm.parameters",
    at="section 4, notations",
    says="beta, gamma, Sigma are 1 x K for a batch X of N x D, whatever D and K are, so that Y = (1_N gamma) (.) Z + "
    "1_N beta has a value",
    quote="are the parameters of batch normalization.",
    evidence=[AllSizes(
        lambda: Gradient(hadamard(ones("N") @ matrix("gamma", 1, "K"), scaled), inputs, DY_),
        lambda: Gradient(batch, beta, ones("N").T @ DY_),
    )],
    kind=Kind.ALTERNATIVE, expects=WRONG,
    note="they are 1 x D: the layer keeps the width. With D = K, which the paper does not say, the shapes fit",
)  # fmt: skip

# --- dropout ------------------------------------------------------------------------------------------------------

dropped = X @ hadamard(W.T, R) + ones("N") @ b
dropped_DZ = hadamard(DY, slope(dropped))

layer(
    "linear dropout layer, R of D x K",
    ("nerva/linear-dropout.DW", "DW = (DY^T X) (.) R^T", lambda: Gradient(dropped, W, hadamard(DY.T @ X, R.T))),
    ("nerva/linear-dropout.Db", "Db = 1_N^T DY", lambda: Gradient(dropped, b, ones("N").T @ DY)),
    ("nerva/linear-dropout.DX", "DX = DY (W (.) R^T)", lambda: Gradient(dropped, X, DY @ hadamard(W, R.T))),
    ("nerva/linear-dropout.Y.code", "X * hadamard(W.T, R) + row_repeat(b, N) is X (W^T (.) R) + 1_N b",
     lambda: Equal(X @ hadamard(W.T, R) + row_repeat(b, "N"), dropped)),
    ("nerva/linear-dropout.Db.code", "Db = columns_sum(DY)", lambda: Gradient(dropped, b, columns_sum(DY))),
)  # fmt: skip

layer(
    "activation dropout layer, R of D x K",
    ("nerva/activation-dropout.DZ", "DZ = DY (.) act'(Z)", lambda: Gradient(act(Z), Z, hadamard(DY, slope(Z)))),
    ("nerva/activation-dropout.DW", "DW = (DZ^T X) (.) R^T",
     lambda: Gradient(act(dropped), W, hadamard(dropped_DZ.T @ X, R.T))),
    ("nerva/activation-dropout.Db", "Db = 1_N^T DZ", lambda: Gradient(act(dropped), b, ones("N").T @ dropped_DZ)),
    ("nerva/activation-dropout.DX", "DX = DZ (W (.) R^T)",
     lambda: Gradient(act(dropped), X, dropped_DZ @ hadamard(W, R.T))),
    ("nerva/activation-dropout.Db.code", "Db = columns_sum(DZ)",
     lambda: Gradient(act(dropped), b, columns_sum(dropped_DZ))),
)  # fmt: skip

claim(
    "nerva/dropout.R",
    at="section 4, notations, and dropout layers",
    expects=wrong("misprint"),
    says="the dropout matrix R is K x D, so that Y = X (W^T (.) R) + 1_N b has a value",
    quote="is a dropout matrix.",
    evidence=[AllSizes(
        lambda: Gradient(X @ hadamard(W.T, matrix("R", "K", "D")), W, hadamard(DY.T @ X, R.T)),
        lambda: Gradient(dropped, W, hadamard(DY.T @ X, R.T)),
    )],
    note="W^T is D x K, and so must R be; all equations of both dropout layers are right for an R of D x K",
)  # fmt: skip
