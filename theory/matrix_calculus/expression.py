"""Matrix expressions with shapes of symbols: what is stated of them is proved or tested elsewhere in this package.

A size is a name ("N") or the number 1. Products are written as in Python: ``A @ B`` of matrices, ``c * A`` by a number
or a 1 x 1 matrix, :func:`hadamard` entry by entry.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

__all__ = [
    "Diag",
    "Matrix",
    "apply",
    "column",
    "columns_max",
    "diag",
    "exp",
    "function",
    "hadamard",
    "identity",
    "inv_sqrt",
    "log",
    "matrix",
    "number",
    "ones",
    "power",
    "reciprocal",
    "row",
    "rows_max",
    "size",
    "sqrt",
    "zeros",
]  # fmt: skip

Size = str | int


@dataclass(frozen=True)
class Matrix:
    """A matrix expression; made by the functions of this module.

    Attributes
    ----------
    op : str
        What it does with its arguments.
    args : tuple
        Matrices, names and numbers.
    shape : (rows, columns)
        Names of sizes, or 1.
    """

    op: str
    args: tuple[Any, ...]
    shape: tuple[Size, Size]

    __array_ufunc__ = None  # a NumPy number on the left leaves the product to this class

    @property
    def T(self) -> Matrix:
        return self.args[0] if self.op == "transpose" else Matrix("transpose", (self,), self.shape[::-1])

    def __add__(self, other: Matrix) -> Matrix:
        return Matrix("add", (self, _same(self, other, "+")), self.shape)

    def __sub__(self, other: Matrix) -> Matrix:
        return self + (-1) * _same(self, other, "-")

    def __neg__(self) -> Matrix:
        return -1 * self

    def __matmul__(self, other: Matrix) -> Matrix:
        if self.shape[1] != other.shape[0]:
            raise ValueError(
                f"A @ B: B must have as many rows as A has columns, got {_shape(self)} @ {_shape(other)}; transpose one"
            )
        return Matrix("matmul", (self, other), (self.shape[0], other.shape[1]))

    def __mul__(self, other: Any) -> Matrix:
        left, right = _matrix(self), _matrix(other)
        if left.shape == (1, 1):
            return Matrix("scale", (left, right), right.shape)
        if right.shape == (1, 1):
            return Matrix("scale", (right, left), left.shape)
        raise ValueError(
            f"A * B: one must be a number or 1 x 1, got {_shape(left)} * {_shape(right)}; use hadamard(A, B) or A @ B"
        )

    def __rmul__(self, other: Any) -> Matrix:
        return _matrix(other) * self

    def __truediv__(self, other: Any) -> Matrix:
        return reciprocal(_matrix(other)) * self

    def __str__(self) -> str:
        if self.op == "ones":
            return "1_" + "".join(str(n) for n in self.shape if n != 1)
        return _TEXT[self.op](*self.args)


def _shape(m: Matrix) -> str:
    return f"({m.shape[0]} x {m.shape[1]})"


def _matrix(value: Any) -> Matrix:
    return value if isinstance(value, Matrix) else number(value)


def _same(one: Matrix, other: Matrix, sign: str) -> Matrix:
    if not isinstance(other, Matrix) or one.shape != other.shape:
        got = _shape(other) if isinstance(other, Matrix) else repr(other)
        raise ValueError(
            f"A {sign} B: shapes must be equal, got {_shape(one)} {sign} {got}; repeat rows or columns by ones(n)"
        )
    return other


def matrix(name: str, rows: Size, columns: Size) -> Matrix:
    """A matrix of free entries.

    Examples
    --------
    >>> X, W, b = matrix("X", "N", "D"), matrix("W", "K", "D"), matrix("b", 1, "K")
    >>> print(X @ W.T + ones("N") @ b, (X @ W.T).shape)
    X W^T + 1_N b ('N', 'K')
    """
    for value in (rows, columns):
        if not (isinstance(value, str) and value.isidentifier()) and value != 1:
            raise ValueError(f"matrix: a size must be a name or 1, got {value!r}; write 'N', say")
    return Matrix("matrix", (name,), (rows, columns))


def number(value: Any) -> Matrix:
    """A rational number as a 1 x 1 matrix."""
    return Matrix("number", (Fraction(value),), (1, 1))


def size(name: str) -> Matrix:
    """The number of rows or columns that a name stands for, 1 x 1."""
    return Matrix("size", (name,), (1, 1))


def ones(rows: Size, columns: Size = 1) -> Matrix:
    return Matrix("ones", (), (rows, columns))


def zeros(rows: Size, columns: Size = 1) -> Matrix:
    return Matrix("zeros", (), (rows, columns))


def identity(n: Size) -> Matrix:
    return Matrix("identity", (), (n, n))


def hadamard(a: Matrix, b: Matrix) -> Matrix:
    """The product entry by entry."""
    return Matrix("hadamard", (a, _same(a, b, "(.)")), a.shape)


def diag(x: Matrix) -> Matrix:
    """The diagonal of a square matrix, as a column."""
    if x.shape[0] != x.shape[1]:
        raise ValueError(f"diag: X must be square, got {_shape(x)}; a product X @ Y.T is")
    return Matrix("diag", (x,), (x.shape[0], 1))


def Diag(x: Matrix) -> Matrix:
    """The diagonal matrix of a row or a column."""
    if 1 not in x.shape:
        raise ValueError(f"Diag: x must be a row or a column, got {_shape(x)}; take one of them")
    n = x.shape[0] if x.shape[1] == 1 else x.shape[1]
    return Matrix("Diag", (x if x.shape[1] == 1 else x.T,), (n, n))


def apply(name: str, x: Matrix, order: int = 0) -> Matrix:
    """A function of one number, or its derivative of some order, to each entry."""
    return Matrix("apply", (name, order, x), x.shape)


def function(name: str, order: int = 0) -> Callable[[Matrix], Matrix]:
    """An arbitrary smooth function: all that is known of it are the names of its derivatives.

    Examples
    --------
    >>> act, slope = function("act"), function("act", 1)
    >>> print(hadamard(matrix("DY", "N", "K"), slope(matrix("Z", "N", "K"))))
    (DY (.) act'(Z))
    """
    return lambda x: apply(name, x, order)


def exp(x: Matrix) -> Matrix:
    return apply("exp", x)


def log(x: Matrix) -> Matrix:
    return apply("log", x)


def power(x: Matrix, exponent: Any) -> Matrix:
    """Each entry to a rational power; a fractional one of what is positive."""
    return Matrix("power", (Fraction(exponent), x), x.shape)


def reciprocal(x: Matrix) -> Matrix:
    return power(x, -1)


def sqrt(x: Matrix) -> Matrix:
    return power(x, Fraction(1, 2))


def inv_sqrt(x: Matrix) -> Matrix:
    return power(x, Fraction(-1, 2))


def rows_max(x: Matrix) -> Matrix:
    """The largest entry of each row, as a column."""
    return Matrix("rows_max", (x,), (x.shape[0], 1))


def columns_max(x: Matrix) -> Matrix:
    """The largest entry of each column, as a row."""
    return rows_max(x.T).T


def column(x: Matrix, index: str) -> Matrix:
    """Column ``index`` of a matrix, for any value of it."""
    return Matrix("column", (x, index), (x.shape[0], 1))


def row(x: Matrix, index: str) -> Matrix:
    """Row ``index`` of a matrix, for any value of it."""
    return column(x.T, index).T


def _joined(mark: str) -> Callable[..., str]:
    return lambda a, b: f"({a}{mark}{b})"


_TEXT: dict[str, Callable[..., str]] = {
    "matrix": str, "number": str, "size": str, "identity": lambda: "I", "zeros": lambda: "0",
    "transpose": lambda a: f"{a}^T", "matmul": lambda a, b: f"{_factor(a)} {_factor(b)}",
    "scale": lambda c, a: f"-{_factor(a)}" if c == number(-1) else f"{_factor(c)} {_factor(a)}",
    "add": lambda a, b: f"{a} + {b}".replace("+ -", "- "),
    "hadamard": _joined(" (.) "), "diag": lambda a: f"diag({a})", "Diag": lambda a: f"Diag({a})",
    "apply": lambda name, order, a: f"{name}{chr(39) * order}({a})", "power": lambda q, a: f"{_factor(a)}^({q})",
    "rows_max": lambda a: f"max({a})_row", "column": lambda a, i: f"{_factor(a)}^{i}",
}  # fmt: skip


def _factor(m: Matrix) -> str:
    return f"({m})" if m.op == "add" else str(m)
