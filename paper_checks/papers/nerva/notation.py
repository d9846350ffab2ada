"""Matrices, operations and functions of the paper, by its names: sections 2 to 6, Table 1."""

from theory.matrix_calculus import (
    Gradient,
    Matrix,
    diag,
    exp,
    hadamard,
    inv_sqrt,
    log,
    matrix,
    ones,
    reciprocal,
    rows_max,
    size,
)

X, W, b = matrix("X", "N", "D"), matrix("W", "K", "D"), matrix("b", 1, "K")
Y, Z = matrix("Y", "N", "K"), matrix("Z", "N", "K")
DY, DZ = matrix("DY", "N", "K"), matrix("DZ", "N", "K")
T = matrix("T", "N", "K")
R = matrix("R", "D", "K")  # of dropout; its published shape is K x D, see nerva/dropout.R
N_, D_ = size("N"), size("D")


def row_repeat(x: Matrix, m: str) -> Matrix:
    return ones(m) @ x


def column_repeat(x: Matrix, n: str) -> Matrix:
    return x @ ones(n).T


def columns_sum(x: Matrix) -> Matrix:
    return ones(x.shape[0]).T @ x


def rows_sum(x: Matrix) -> Matrix:
    return x @ ones(x.shape[1])


def sigmoid(x: Matrix) -> Matrix:
    """1/(1 + e^-x), entry by entry."""
    return reciprocal(ones(*x.shape) + exp(-x))


def softmax(x: Matrix) -> Matrix:
    """Of each row (5.1)."""
    return hadamard(exp(x), reciprocal(exp(x) @ ones(x.shape[1])) @ ones(x.shape[1]).T)


def log_softmax(x: Matrix) -> Matrix:
    """Of each row (5.1)."""
    return x - log(exp(x) @ ones(x.shape[1])) @ ones(x.shape[1]).T


def shifted(x: Matrix) -> Matrix:
    """Each row less its largest entry: Z of the stable forms (5.1)."""
    return x - rows_max(x) @ ones(x.shape[1]).T


def centred(x: Matrix) -> Matrix:
    """R of batch normalisation: each column less its mean."""
    n = x.shape[0]
    return x - reciprocal(size(n)) * (ones(n) @ ones(n).T @ x)


def normalised(x: Matrix) -> tuple[Matrix, Matrix]:
    """Z and Sigma^(-1/2) of batch normalisation."""
    r, n = centred(x), x.shape[0]
    deviation = inv_sqrt(reciprocal(size(n)) * diag(r.T @ r).T)
    return hadamard(ones(n) @ deviation, r), deviation


def with_row_sums_of_one(name: str, rows: str | int, columns: str) -> Matrix:
    """An arbitrary matrix whose rows have the sum 1: any matrix, corrected by the same amount along each row."""
    u = matrix(name, rows, columns)
    missing = ones(rows) - u @ ones(columns)
    return u + reciprocal(size(columns)) * (missing @ ones(columns).T)


def gradient(loss: Matrix, by: Matrix, stated: Matrix) -> Gradient:
    """The statement that a scalar has this gradient."""
    c = matrix("c", 1, 1)
    return Gradient(loss, by, c * stated, cotangent="c")
