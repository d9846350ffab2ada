"""Operations on matrix expressions: constants, products and functions entry by entry, diagonals, rows and columns."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from theory.matrix_calculus.expression import (
    Matrix,
    ShapeError,
    Size,
    as_matrix,
    as_name,
    as_rational,
    as_sizes,
    same_shape,
    shape_text,
)

__all__ = [
    "Diag", "apply", "column", "columns_max", "diag", "exp", "function", "hadamard", "identity", "inv_sqrt", "log",
    "ones", "power", "reciprocal", "row", "rows_max", "sqrt", "zeros",
]  # fmt: skip


def ones(rows: Size, columns: Size = 1) -> Matrix:
    """Entries 1, rows x columns; a column where no columns are given.

    Examples
    --------
    >>> print(ones("N"), ones("N", "K"), ones("N").shape)
    1_N 1_NK ('N', 1)
    """
    return Matrix("ones", (), as_sizes("ones", rows, columns))


def zeros(rows: Size, columns: Size = 1) -> Matrix:
    """Entries 0, rows x columns; a column where no columns are given.

    Examples
    --------
    >>> zeros("N", "K").shape
    ('N', 'K')
    """
    return Matrix("zeros", (), as_sizes("zeros", rows, columns))


def identity(n: Size) -> Matrix:
    """The identity matrix, n x n.

    Examples
    --------
    >>> identity("K").shape
    ('K', 'K')
    """
    return Matrix("identity", (), as_sizes("identity", n, n))


def hadamard(a: Matrix, b: Matrix) -> Matrix:
    """The product entry by entry of two matrices of one shape.

    Raises
    ------
    ShapeError
        For different shapes.

    Examples
    --------
    >>> from theory.matrix_calculus.expression import matrix
    >>> print(hadamard(matrix("X", "N", "D"), ones("N", "D")))
    (X (.) 1_ND)
    """
    return Matrix("hadamard", (as_matrix("hadamard", a), same_shape(a, b, "(.)")), a.shape)


def diag(x: Matrix) -> Matrix:
    """The diagonal of a square matrix n x n, as a column n x 1.

    Raises
    ------
    ShapeError
        For what is not square.

    Examples
    --------
    >>> from theory.matrix_calculus.expression import matrix
    >>> X = matrix("X", "N", "D")
    >>> print(diag(X @ X.T), diag(X @ X.T).shape)
    diag(X X^T) ('N', 1)
    """
    as_matrix("diag", x)
    if x.shape[0] != x.shape[1]:
        raise ShapeError(f"diag: X must be square, got {shape_text(x)}; a product X @ Y.T is")
    return Matrix("diag", (x,), (x.shape[0], 1))


def Diag(x: Matrix) -> Matrix:
    """The diagonal matrix n x n of a row 1 x n or a column n x 1.

    Raises
    ------
    ShapeError
        For what is neither.

    Examples
    --------
    >>> from theory.matrix_calculus.expression import matrix
    >>> print(Diag(matrix("x", 1, "K")), Diag(matrix("x", 1, "K")).shape)
    Diag(x^T) ('K', 'K')
    """
    as_matrix("Diag", x)
    if 1 not in x.shape:
        raise ShapeError(f"Diag: x must be a row or a column, got {shape_text(x)}; take one of them")
    n = x.shape[0] if x.shape[1] == 1 else x.shape[1]
    return Matrix("Diag", (x if x.shape[1] == 1 else x.T,), (n, n))


def apply(name: str, x: Matrix, order: int = 0) -> Matrix:
    """A function of one number, or its derivative of some order, to each entry; exp and log are known.

    Raises
    ------
    ValueError
        For an order that is no number 0, 1, 2, ...

    Examples
    --------
    >>> from theory.matrix_calculus.expression import matrix
    >>> print(apply("act", matrix("Z", "N", "K"), order=2))
    act''(Z)
    """
    if not isinstance(order, int) or order < 0:
        raise ValueError(f"apply: order must be 0, 1, 2, ..., got {order!r}; 0 is the function itself")
    return Matrix("apply", (as_name("apply", name), order, as_matrix("apply", x)), x.shape)


def function(name: str, order: int = 0) -> Callable[[Matrix], Matrix]:
    """An arbitrary smooth function: all that is known of it are the names of its derivatives.

    Examples
    --------
    >>> from theory.matrix_calculus.expression import matrix
    >>> act, slope = function("act"), function("act", 1)
    >>> print(hadamard(matrix("DY", "N", "K"), slope(matrix("Z", "N", "K"))))
    (DY (.) act'(Z))
    """
    return lambda x: apply(name, x, order)


def exp(x: Matrix) -> Matrix:
    """The exponential of each entry."""
    return apply("exp", x)


def log(x: Matrix) -> Matrix:
    """The natural logarithm of each entry, where it is positive."""
    return apply("log", x)


def power(x: Matrix, exponent: Any) -> Matrix:
    """Each entry to a rational power; a fractional one of what is not negative.

    Raises
    ------
    ValueError
        For an exponent that is not rational.

    Examples
    --------
    >>> from theory.matrix_calculus.expression import matrix
    >>> print(power(matrix("X", "N", "D"), "-3/2"))
    X^(-3/2)
    """
    return Matrix("power", (as_rational("power: exponent", exponent), as_matrix("power", x)), x.shape)


def reciprocal(x: Matrix) -> Matrix:
    """1 over each entry."""
    return power(x, -1)


def sqrt(x: Matrix) -> Matrix:
    """The root of each entry that is not negative, where the entry is not: the root of x^2 is not x."""
    return power(x, Fraction(1, 2))


def inv_sqrt(x: Matrix) -> Matrix:
    """1 over the root of each entry."""
    return power(x, Fraction(-1, 2))


def rows_max(x: Matrix) -> Matrix:
    """The largest entry of each row of n x k, as a column n x 1.

    Examples
    --------
    >>> from theory.matrix_calculus.expression import matrix
    >>> print(rows_max(matrix("X", "N", "D")), rows_max(matrix("X", "N", "D")).shape)
    max(X)_row ('N', 1)
    """
    return Matrix("rows_max", (as_matrix("rows_max", x),), (x.shape[0], 1))


def columns_max(x: Matrix) -> Matrix:
    """The largest entry of each column of n x k, as a row 1 x k."""
    return rows_max(as_matrix("columns_max", x).T).T


def column(x: Matrix, index: str) -> Matrix:
    """Column ``index`` of a matrix n x k, as n x 1; what is stated of it is stated for all values of the index.

    Examples
    --------
    >>> from theory.matrix_calculus.expression import matrix
    >>> X = matrix("X", "N", "D")
    >>> print(column(X, "j"), row(X, "i"))
    X^j X_i
    """
    return Matrix("column", (as_matrix("column", x), as_name("column", index)), (x.shape[0], 1))


def row(x: Matrix, index: str) -> Matrix:
    """Row ``index`` of a matrix n x k, as 1 x k; what is stated of it is stated for all values of the index."""
    return column(as_matrix("row", x).T, index).T
