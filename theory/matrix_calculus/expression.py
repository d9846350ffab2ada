"""Matrix expressions with shapes of symbols: what is stated of them is proved or tested elsewhere in this package.

A size is a name ("N") or a number (1, 2, 3, ...). Products are written as in Python: ``A @ B`` of matrices,
``c * A`` by a number or a 1 x 1 matrix, :func:`hadamard` entry by entry.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

Size = str | int


class ShapeError(ValueError):
    """Shapes do not fit: what is written has no value for any sizes that differ."""


@dataclass(frozen=True)
class Matrix:
    """A matrix expression; made by the functions of this package.

    Attributes
    ----------
    op : str
        What it does with its arguments.
    args : tuple
        Matrices, names and numbers.
    shape : (rows, columns)
        Names of sizes, or numbers.
    """

    op: str
    args: tuple[Any, ...]
    shape: tuple[Size, Size]

    __array_ufunc__ = None  # a NumPy number on the left leaves the product to this class

    @cached_property
    def _hash(self) -> int:
        return hash((self.op, self.args, self.shape))

    def __hash__(self) -> int:
        return self._hash

    @property
    def T(self) -> Matrix:
        return self.args[0] if self.op == "transpose" else Matrix("transpose", (self,), self.shape[::-1])

    def __add__(self, other: Matrix) -> Matrix:
        return Matrix("add", (self, same_shape(self, other, "+")), self.shape)

    def __sub__(self, other: Matrix) -> Matrix:
        return self + (-1) * same_shape(self, other, "-")

    def __neg__(self) -> Matrix:
        return -1 * self

    def __abs__(self) -> Matrix:
        return Matrix("apply", ("abs", 0, self), self.shape)

    def __matmul__(self, other: Matrix) -> Matrix:
        if not isinstance(other, Matrix):
            raise ValueError(f"A @ B: B must be a matrix, got {other!r}; write a number times a matrix with *")
        if self.shape[1] != other.shape[0]:
            raise ShapeError(
                f"A @ B: B must have as many rows as A has columns, got {shape_text(self)} @ {shape_text(other)}; "
                "transpose one"
            )
        return Matrix("matmul", (self, other), (self.shape[0], other.shape[1]))

    def __mul__(self, other: Any) -> Matrix:
        left, right = as_factor(self), as_factor(other)
        if left.shape == (1, 1):
            return Matrix("scale", (left, right), right.shape)
        if right.shape == (1, 1):
            return Matrix("scale", (right, left), left.shape)
        raise ShapeError(
            f"A * B: one must be a number or 1 x 1, got {shape_text(left)} * {shape_text(right)}; "
            "use hadamard(A, B) or A @ B"
        )

    def __rmul__(self, other: Any) -> Matrix:
        return as_factor(other) * self

    def __truediv__(self, other: Any) -> Matrix:
        below = as_factor(other)
        return Matrix("power", (Fraction(-1), below), below.shape) * self

    def __rtruediv__(self, other: Any) -> Matrix:
        below = Matrix("power", (Fraction(-1), self), self.shape)
        return below if other == 1 else as_factor(other) * below

    def __str__(self) -> str:
        if self.op == "ones":
            return "_".join(["1", "".join(str(n) for n in self.shape if n != 1)]).rstrip("_")
        if self.op == "transpose" and self.args[0].op == "column":
            inner, index = self.args[0].args
            return f"{_base(inner.T)}_{index}"
        return _TEXT[self.op](*self.args)

    def latex(self) -> str:
        r"""LaTeX of the expression.

        Examples
        --------
        >>> print(matrix("DY", "N", "K").T.latex())
        \mathrm{DY}^T
        """
        text = str(self).replace("(.)", r"\odot")
        for pattern, new in _LATEX:
            text = re.sub(pattern, new, text)
        return text

    def _repr_latex_(self) -> str:
        """LaTeX for notebooks."""
        return f"$\\displaystyle {self.latex()}$"


def shape_text(m: Matrix) -> str:
    """Rows x columns."""
    return f"({m.shape[0]} x {m.shape[1]})"


def as_factor(value: Any) -> Matrix:
    """A matrix, or a number as a 1 x 1 matrix."""
    return value if isinstance(value, Matrix) else number(value)


def same_shape(one: Matrix, other: Any, sign: str) -> Matrix:
    """The second of two expressions, which must have the shape of the first."""
    if as_matrix(f"A {sign} B", other).shape != one.shape:
        raise ShapeError(
            f"A {sign} B: shapes must be equal, got {shape_text(one)} {sign} {shape_text(other)}; "
            "repeat rows or columns by ones(n)"
        )
    return other


def matrix(name: str, rows: Size, columns: Size, *, positive: bool = False) -> Matrix:
    """A matrix of free entries.

    Parameters
    ----------
    name : str
    rows, columns : str or int
        Names of sizes, or numbers.
    positive : bool
        Whether all entries are positive; otherwise they are any real numbers.

    Examples
    --------
    >>> from theory.matrix_calculus import ones
    >>> X, W, b = matrix("X", "N", "D"), matrix("W", "K", "D"), matrix("b", 1, "K")
    >>> print(X @ W.T + ones("N") @ b, (X @ W.T).shape)
    X W^T + 1_N b ('N', 'K')
    """
    return _named("matrix", name, rows, columns, ("positive",) if positive else ())


def scalar(name: str, *, positive: bool = False) -> Matrix:
    """A number that a name stands for, 1 x 1.

    Examples
    --------
    >>> from theory.matrix_calculus import Equal, sqrt
    >>> c, x = scalar("c", positive=True), matrix("x", "n", 1)
    >>> Equal(sqrt(c * c * x), c * sqrt(x)).proved()
    True
    """
    return _named("scalar", name, 1, 1, ("positive",) if positive else ())


def symmetric(name: str, n: Size) -> Matrix:
    """A symmetric matrix n x n, arbitrary otherwise.

    Examples
    --------
    >>> from theory.matrix_calculus import Equal
    >>> S, x, y = symmetric("S", "n"), matrix("x", "n", 1), matrix("y", "n", 1)
    >>> Equal(x.T @ S @ y, y.T @ S @ x).proved()
    True
    """
    return _named("symmetric", name, n, n, ("symmetric",))


def orthogonal(name: str, n: Size) -> Matrix:
    """An orthogonal matrix n x n, arbitrary otherwise: ``Q.T @ Q`` is the identity.

    Examples
    --------
    >>> from theory.matrix_calculus import Equal
    >>> Q, x = orthogonal("Q", "n"), matrix("x", "n", 1)
    >>> Equal((Q @ x).T @ (Q @ x), x.T @ x).proved()
    True
    """
    return _named("orthogonal", name, n, n, ("orthogonal",))


def _named(where: str, name: str, rows: Size, columns: Size, kind: tuple[str, ...]) -> Matrix:
    return Matrix("matrix", (as_name(where, name), *kind), as_sizes(where, rows, columns))


def kind_of(m: Matrix) -> str:
    """The kind of a named matrix: "free", "positive", "symmetric" or "orthogonal"."""
    return m.args[1] if len(m.args) == 2 else "free"


def as_name(where: str, value: Any) -> str:
    """A name, which must be an identifier, so that none is mistaken for one made here."""
    if not (isinstance(value, str) and value.isidentifier()):
        raise ValueError(f"{where}: a name must be letters, digits and underscores, got {value!r}; write 'X', say")
    return value


def as_sizes(where: str, *sizes: Any) -> tuple[Any, ...]:
    """Sizes, each a name or a positive whole number."""
    for value in sizes:
        named = isinstance(value, str) and value.isidentifier()
        counted = isinstance(value, int) and not isinstance(value, bool) and value >= 1
        if not named and not counted:
            raise ValueError(f"{where}: a size must be a name or 1, 2, 3, ..., got {value!r}; write 'N' or 3, say")
    return sizes


def number(value: Any) -> Matrix:
    """A rational number as a 1 x 1 matrix.

    Parameters
    ----------
    value : int, Fraction, or text such as "1/3"

    Raises
    ------
    ValueError
        For what is not rational, and for a float that is not the short number it looks like.

    Examples
    --------
    >>> print(number("1/3") * matrix("X", "N", "D"))
    1/3 X
    """
    return Matrix("number", (as_rational("number: value", value),), (1, 1))


def as_rational(what: str, value: Any) -> Fraction:
    """A rational number; a float must be the short number that it looks like."""
    try:
        exact = Fraction(value)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{what} must be a rational number, got {value!r}; write 2 or '1/3', say") from None
    if exact.denominator > 2**20 and not isinstance(value, Fraction | str):
        meant = exact.limit_denominator(10**6)
        raise ValueError(f"{what} must be exact, got {value!r}; write '{meant}' if that is meant")
    return exact


def size(name: Size) -> Matrix:
    """The number of rows or columns that a name stands for, 1 x 1.

    Examples
    --------
    >>> from theory.matrix_calculus import ones
    >>> print((ones("N").T @ matrix("X", "N", "D")) / size("N"))
    N^(-1) 1_N^T X
    """
    (name,) = as_sizes("size", name)
    return number(name) if isinstance(name, int) else Matrix("size", (name,), (1, 1))


def as_matrix(where: str, x: Any) -> Matrix:
    """An argument, which must be an expression."""
    if not isinstance(x, Matrix):
        raise ValueError(f"{where}: the argument must be a matrix expression, got {x!r}; make it by matrix or number")
    return x


_TEXT: dict[str, Callable[..., str]] = {
    "matrix": lambda name, _kind="": name, "number": lambda c: str(c) if c >= 0 else f"({c})", "size": str,
    "identity": lambda: "I", "zeros": lambda: "0",
    "transpose": lambda a: f"{_base(a)}^T", "matmul": lambda a, b: f"{_factor(a)} {_factor(b)}",
    "scale": lambda c, a: f"-{_factor(a)}" if c == number(-1) else f"{_factor(c)} {_factor(a)}",
    "add": lambda a, b: f"{a} + {b}".replace("+ -", "- "),
    "hadamard": lambda a, b: f"({_factor(a)} (.) {_factor(b)})",
    "diag": lambda a: f"diag({a})", "Diag": lambda a: f"Diag({a})",
    "apply": lambda name, order, a: f"{name}{chr(39) * order}({a})", "power": lambda q, a: f"{_base(a)}^({q})",
    "rows_max": lambda a: f"max({a})_row", "inverse": lambda a: f"inv({a})", "det": lambda a: f"det({a})",
    "column": lambda a, i: f"{_base(a)}^{i}",
}  # fmt: skip

# From text to LaTeX: exponents, what is written below a letter, and names of several letters.
_LATEX = [
    (r"\^\(([^()]*)\)", r"^{\1}"),
    (r"_(\w+)", r"_{\1}"),
    (r"(?<![\\{A-Za-z])([A-Za-z]{2,})", r"\\mathrm{\1}"),
    (r"(?<![\w{])1_", r"\\mathbf{1}_"),
]


def _factor(m: Matrix) -> str:
    return f"({m})" if m.op == "add" else str(m)


def _base(m: Matrix) -> str:
    return f"({m})" if m.op in ("add", "matmul", "scale", "power", "column") else str(m)


# --- names --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Names:
    """Matrices of free entries, names of sizes in order of appearance, and indices with the size they run over."""

    matrices: dict[str, Matrix] = field(default_factory=dict)
    sizes: dict[str, None] = field(default_factory=dict)
    indices: dict[str, Any] = field(default_factory=dict)


def parts_of(expressions: Iterable[Matrix]) -> Iterator[Matrix]:
    """Each expression and all its parts, each once."""
    seen: set[Matrix] = set()
    waiting = [*reversed(list(expressions))]
    while waiting:
        m = waiting.pop()
        if m not in seen:
            seen.add(m)
            yield m
            waiting += [a for a in reversed(m.args) if isinstance(a, Matrix)]


def names_in(expressions: Iterable[Matrix]) -> Names:
    """The names in expressions that belong together.

    Raises
    ------
    ValueError
        When one name has two shapes, runs over two sizes, or is that of a matrix and of an index.

    Examples
    --------
    >>> from theory.matrix_calculus.expression import matrix
    >>> from theory.matrix_calculus.operations import column
    >>> names = names_in([matrix("W", "K", "D") @ column(matrix("X", "D", "N"), "i")])
    >>> list(names.matrices), list(names.sizes), names.indices
    (['W', 'X'], ['K', 'D', 'N'], {'i': 'N'})
    """
    found = Names()
    for m in parts_of(expressions):
        found.sizes.update(dict.fromkeys(n for n in m.shape if isinstance(n, str)))
        if m.op == "size":
            found.sizes[m.args[0]] = None
        if m.op == "matrix":
            first = found.matrices.setdefault(m.args[0], m)
            _only_one("matrix", m.args[0], first.shape, m.shape)
            if first != m:
                raise ValueError(
                    f"matrix {m.args[0]}: must be of one kind, got {kind_of(first)} and {kind_of(m)}; use two names"
                )
        if m.op == "column":
            n = m.args[0].shape[1]
            _only_one("index", m.args[1], found.indices.setdefault(m.args[1], n), n)
    for name in found.matrices.keys() & found.indices.keys():
        raise ValueError(f"index {name}: must not have the name of a matrix, got {name} for both; use two names")
    return found


def _only_one(what: str, name: str, first: Any, other: Any) -> None:
    if first != other:
        raise ValueError(f"{what} {name}: must have one size, got {_text(first)} and {_text(other)}; use two names")


def _text(size: Any) -> str:
    return " x ".join(map(str, size)) if isinstance(size, tuple) else str(size)
