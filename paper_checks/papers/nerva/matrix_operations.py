"""The rows of Tables 1 and 2: what an operation is, entry by entry, and the published code for it.

PyTorch and TensorFlow are here as their documentation describes the functions of Table 2: no verdict depends on what is
installed. Tests compare with PyTorch and JAX where they are.
"""

import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import mpmath
import numpy as np

# Rows and columns of X; Z has as many rows as X has columns.
SIZES = ((2, 3), (3, 2), (3, 3), (1, 4), (3, 1), (1, 1))
THIRD = 2
# Sums, roots and logarithms of a few roundings each.
ROUNDINGS = 8 * 2.0**-52
E = 2.0**-70


@dataclass(frozen=True)
class Row:
    """One operation of Table 1, its definition entry by entry in the shape that Table 1 says, and its code in Table 2.

    The code for JAX is NumPy's. ``wrong`` is another code for NumPy, with other numbers. x is a row or a column.
    """

    operation: str
    definition: Callable[[Mapping[str, Any]], Any]
    numpy: str
    torch: str
    tensorflow: str
    wrong: str
    x: str = "row"


def inputs() -> Iterator[dict[str, Any]]:
    """X, Y (m, n), Z (n, k) with positive entries, a row x and a column y, sizes, a scalar and a function."""
    rng = np.random.default_rng([20240909, 2])
    for m, n in SIZES:
        yield {
            **{name: rng.integers(1, 17, (m, n)) / 4 for name in ("X", "Y")},
            "Z": rng.integers(1, 17, (n, THIRD)) / 4,
            "row": rng.integers(1, 17, (1, n)) / 4,
            "column": rng.integers(1, 17, (m, 1)) / 4,
            "m": m, "n": n, "c": 2.5, "e": E, "f": lambda v: v * v - v / 2,
        }  # fmt: skip


def entries(values: np.ndarray, function: Callable[[float], Any]) -> list[list[Any]]:
    return [[function(float(v)) for v in row] for row in values]


def table(rows: int, columns: int, entry: Callable[[int, int], Any]) -> list[list[Any]]:
    return [[entry(i, j) for j in range(columns)] for i in range(rows)]


def of_columns(fold: Callable[[list], Any]) -> Callable:
    """A row vector: one number for each column."""
    return lambda v: [[fold(list(v["X"][:, j])) for j in range(v["n"])]]


def of_rows(fold: Callable[[list], Any]) -> Callable:
    """A column vector: one number for each row."""
    return lambda v: [[fold(list(v["X"][i]))] for i in range(v["m"])]


def average(values: list) -> float:
    return math.fsum(values) / len(values)


def log_sigmoid(x: float) -> Any:
    return -mpmath.log1p(mpmath.exp(-x))


def elementwise(function: Callable[[float], Any]) -> Callable:
    return lambda v: entries(v["X"], function)


ROWS = (
    Row("zeros", lambda v: table(v["m"], v["n"], lambda _i, _j: 0.0),
        "zeros((m,n))", "zeros(m,n)", "zeros([m,n])", "ones((m,n))"),
    Row("ones", lambda v: table(v["m"], v["n"], lambda _i, _j: 1.0),
        "ones((m,n))", "ones(m,n)", "ones([m,n])", "zeros((m,n))"),
    Row("identity", lambda v: table(v["n"], v["n"], lambda i, j: float(i == j)),
        "eye(n)", "eye(n)", "eye(n)", "ones((n,n))"),
    Row("transposition", lambda v: table(v["n"], v["m"], lambda i, j: v["X"][j, i]), "X.T", "X.T", "X.T", "X"),
    Row("scalar", elementwise(lambda x: 2.5 * x), "c * X", "c * X", "c * X", "X"),
    Row("addition", lambda v: table(v["m"], v["n"], lambda i, j: v["X"][i, j] + v["Y"][i, j]),
        "X + Y", "X + Y", "X + Y", "X - Y"),
    Row("subtraction", lambda v: table(v["m"], v["n"], lambda i, j: v["X"][i, j] - v["Y"][i, j]),
        "X - Y", "X - Y", "X - Y", "Y - X"),
    Row("product", lambda v: table(v["m"], THIRD, lambda i, j: math.fsum(v["X"][i] * v["Z"][:, j])),
        "X @ Z", "X @ Z", "X @ Z", "2 * (X @ Z)"),
    Row("hadamard", lambda v: table(v["m"], v["n"], lambda i, j: v["X"][i, j] * v["Y"][i, j]),
        "X * Y", "X * Y", "multiply(X,Y)", "X + Y"),
    Row("diag", lambda v: [[v["X"][i, i]] for i in range(min(v["m"], v["n"]))],
        "diag(X)", "diag(X)", "diag_part(X)", "diag(2 * X)"),
    Row("Diag.row", lambda v: table(v["n"], v["n"], lambda i, j: v["row"][0, i] * (i == j)),
        "diag(x)", "diag(x.flatten())", "diag(reshape(x,[-1]))", "diag(2 * x)", "row"),
    Row("Diag.column", lambda v: table(v["m"], v["m"], lambda i, j: v["column"][i, 0] * (i == j)),
        "diag(x)", "diag(x.flatten())", "diag(reshape(x,[-1]))", "diag(2 * x)", "column"),
    Row("elements_sum", lambda v: math.fsum(v["X"].flat), "sum(X)", "sum(X)", "reduce_sum(X)", "mean(X) + 1"),
    Row("column_repeat", lambda v: table(v["m"], v["n"], lambda i, _j: v["column"][i, 0]),
        "tile(x,(1,n))", "x.repeat(1,n)", "tile(x,[1,n])", "tile(2 * x,(1,n))", "column"),
    Row("row_repeat", lambda v: table(v["m"], v["n"], lambda _i, j: v["row"][0, j]),
        "tile(x,(m,1))", "x.repeat(m,1)", "tile(x,[m,1])", "tile(2 * x,(m,1))", "row"),
    Row("columns_sum", of_columns(math.fsum), "sum(X,axis=0)", "sum(X,dim=0)", "reduce_sum(X,axis=0)",
        "sum(X,axis=1)"),
    Row("rows_sum", of_rows(math.fsum), "sum(X,axis=1)", "sum(X,dim=1)", "reduce_sum(X,axis=1)",
        "sum(X,axis=0)"),
    Row("columns_max", of_columns(max), "max(X,axis=0)", "max(X,dim=0).values", "reduce_max(X,axis=0)",
        "min(X,axis=0)"),
    Row("rows_max", of_rows(max), "max(X,axis=1)", "max(X,dim=1).values", "reduce_max(X,axis=1)",
        "min(X,axis=1)"),
    Row("columns_mean", of_columns(average), "mean(X,axis=0)", "mean(X,dim=0)", "reduce_mean(X,axis=0)",
        "sum(X,axis=0) / n"),
    Row("rows_mean", of_rows(average), "mean(X,axis=1)", "mean(X,dim=1)", "reduce_mean(X,axis=1)",
        "sum(X,axis=1) / m"),
    Row("apply", elementwise(lambda x: x * x - x / 2), "f(X)", "f(X)", "f(X)", "f(2 * X)"),
    Row("exp", elementwise(mpmath.exp), "exp(X)", "exp(X)", "exp(X)", "exp(-X)"),
    Row("log", elementwise(mpmath.log), "log(X)", "log(X)", "log(X)", "log2(X)"),
    Row("reciprocal", elementwise(lambda x: 1 / x), "1 / X", "1 / X", "inverse(X)", "1 / (2 * X)"),
    Row("sqrt", elementwise(mpmath.sqrt), "sqrt(X)", "sqrt(X)", "sqrt(X)", "X / 2 + 1"),
    Row("inv_sqrt", elementwise(lambda x: 1 / mpmath.sqrt(x)),
        "reciprocal(sqrt(X+e))", "reciprocal(sqrt(X+e))", "reciprocal(sqrt(X+e))", "sqrt(X+e)"),
    Row("log_sigmoid", elementwise(log_sigmoid), "-logaddexp(0,-X)", "-softplus(-X)", "-softplus(-X)",
        "-logaddexp(0,X)"),
)  # fmt: skip


class Tensor(np.ndarray):
    """A matrix that repeats as PyTorch documents: copies along each axis."""

    def repeat(self, *copies: int) -> np.ndarray:
        return np.tile(np.asarray(self), copies)


NUMPY = vars(np)
ELEMENTWISE = {name: NUMPY[name] for name in ("exp", "log", "sqrt", "reciprocal")} | {
    "softplus": lambda x: np.logaddexp(0, x)
}  # fmt: skip
TORCH = ELEMENTWISE | {
    "zeros": lambda m, n: np.zeros((m, n)), "ones": lambda m, n: np.ones((m, n)), "eye": np.eye, "diag": np.diag,
    "sum": lambda x, dim=None, keepdim=False: np.sum(x, axis=dim, keepdims=keepdim),
    "mean": lambda x, dim, keepdim=False: np.mean(x, axis=dim, keepdims=keepdim),
    "max": lambda x, dim, keepdim=False: SimpleNamespace(values=np.max(x, axis=dim, keepdims=keepdim)),
}  # fmt: skip
TENSORFLOW = ELEMENTWISE | {
    "zeros": np.zeros, "ones": np.ones, "eye": np.eye, "multiply": np.multiply, "tile": np.tile,
    "reshape": np.reshape, "diag": np.diag, "diag_part": np.diagonal, "transpose": np.transpose, "reduce_sum": np.sum,
    "reduce_max": np.max, "reduce_mean": np.mean,
}  # fmt: skip


def tensor(values: np.ndarray) -> Tensor:
    return np.asarray(values).view(Tensor)


# What the published code lacks, by patterns of it: the axis that is reduced, that of a diagonal, a vector for diag.
MENDED = (
    (r"(axis=\d)", r"\1,keepdims=True"), (r"(dim=\d)", r"\1,keepdim=True"), (r"^(diag(_part)?\(X\))$", r"\1[:, None]"),
    (r"^diag\(x\)$", "diag(x.flatten())"), (r"^inverse", "reciprocal"),
)  # fmt: skip


def mended(code: str) -> str:
    """A code of Table 2 with what it lacks.

    Examples
    --------
    >>> mended("sum(X,axis=0)"), mended("diag_part(X)"), mended("exp(X)")
    ('sum(X,axis=0,keepdims=True)', 'diag_part(X)[:, None]', 'exp(X)')
    """
    for pattern, replacement in MENDED:
        code = re.sub(pattern, replacement, code)
    return code


def shown(shape: tuple[int, ...]) -> str:
    """A shape in words."""
    return " x ".join(map(str, shape)) if len(shape) != 1 else f"an array with one axis of length {shape[0]}"


def outcome(row: Row, code: str, names: Mapping[str, Any], array: Callable = np.asarray) -> tuple[bool, bool, str]:
    """Whether a code gives the numbers and the shape of the definition at all sizes, and the first case where not.

    The code may use the names of a framework; ``array`` makes its arrays of NumPy's.
    """
    numbers = shape = True
    first = ""
    for values in inputs():
        wanted = np.array(row.definition(values), dtype=object)
        given = {k: array(v) if isinstance(v, np.ndarray) else v for k, v in values.items()}
        found = np.asarray(eval(code, {**names, **given, "x": given[row.x]}))
        same = found.size == wanted.size and all(
            abs(float(a) - b) <= ROUNDINGS * abs(b) for a, b in zip(found.ravel(), wanted.ravel(), strict=True)
        )
        if not first and not (same and found.shape == wanted.shape):
            name, of = ("x", row.x) if re.search(r"\bx\b", code) else ("X", "X")
            results = f"the result is {shown(found.shape)} instead of {shown(wanted.shape)}"
            first = f"for {name} of {shown(values[of].shape)} {results}"
        numbers, shape = numbers and same, shape and found.shape == wanted.shape
    return numbers, shape, first
