"""Values of matrix expressions: arrays of numbers of any kind that adds, multiplies and knows the functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, Protocol

import mpmath
import numpy as np

from theory.matrix_calculus.expression import Matrix

__all__ = ["ManyDigits", "Numbers", "evaluate", "matrices_in", "shape_of"]


class Numbers(Protocol):
    """A kind of numbers, besides ``+`` and ``*`` of its values."""

    def number(self, value: Fraction) -> Any: ...
    def power(self, value: Any, exponent: Fraction) -> Any: ...
    def apply(self, name: str, order: int, value: Any) -> Any: ...
    def largest(self, row: Any) -> Any: ...


class ManyDigits:
    """Numbers of mpmath at its working precision.

    Of an arbitrary function nothing may be used but its name: x**3 + 2 x stands for each.
    """

    def number(self, value: Fraction) -> Any:
        return mpmath.mpf(value.numerator) / value.denominator

    def power(self, value: Any, exponent: Fraction) -> Any:
        return mpmath.power(value, self.number(exponent))

    def apply(self, name: str, order: int, value: Any) -> Any:
        if name == "exp":
            return mpmath.exp(value)
        if name == "log":
            return mpmath.log(value) if order == 0 else mpmath.diff(mpmath.log, value, order)
        return stand_in(order, value)

    def largest(self, row: Any) -> Any:
        return max(row)


def stand_in(order: int, x: Any) -> Any:
    """x**3 + 2 x and its derivatives."""
    return (x * x * x + 2 * x, 3 * x * x + 2, 6 * x, 0 * x + 6)[order] if order < 4 else 0 * x


def shape_of(m: Matrix, sizes: Mapping[str, int]) -> tuple[int, int]:
    """Rows and columns in numbers."""
    rows, columns = (1 if n == 1 else sizes[n] for n in m.shape)
    return rows, columns


def matrices_in(m: Matrix) -> dict[str, Matrix]:
    """The matrices of free entries in an expression, by name.

    Raises
    ------
    ValueError
        When one name has two shapes.
    """
    found: dict[str, Matrix] = {}
    if m.op == "matrix":
        return {m.args[0]: m}
    for inner in (a for a in m.args if isinstance(a, Matrix)):
        for name, other in matrices_in(inner).items():
            if found.setdefault(name, other).shape != other.shape:
                raise ValueError(
                    f"matrix {name}: must have one shape, got {found[name].shape} and {other.shape}; use two names"
                )
    return found


def evaluate(m: Matrix, values: Mapping[str, Any], sizes: Mapping[str, int], numbers: Numbers) -> np.ndarray:
    """An expression as an array (rows, columns) of numbers.

    Parameters
    ----------
    m : Matrix
    values : mapping of name to array, and of the name of an index to an int
    sizes : mapping of name to int
    numbers : Numbers

    Examples
    --------
    >>> from theory.matrix_calculus.expression import diag, matrix
    >>> X = matrix("X", "N", "D")
    >>> evaluate(diag(X @ X.T), {"X": np.array([[1, 2], [3, 4]], object)}, {"N": 2, "D": 2}, ManyDigits()).tolist()
    [[5], [25]]
    """
    memo: dict[int, np.ndarray] = {}

    def value(part: Matrix) -> np.ndarray:
        if id(part) not in memo:
            memo[id(part)] = _array(part, value, values, sizes, numbers)
        return memo[id(part)]

    return value(m)


def _array(
    m: Matrix, value: Callable[[Matrix], np.ndarray], values: Mapping[str, Any], sizes: Mapping[str, int],
    numbers: Numbers,
) -> np.ndarray:  # fmt: skip
    shape, args = shape_of(m, sizes), m.args
    if m.op == "matrix":
        return np.asarray(values[args[0]], dtype=object)
    if m.op in ("number", "size", "ones", "zeros"):
        constant = {"number": args[:1], "size": [Fraction(sizes.get(args[0], 0))] if m.op == "size" else []}
        found = constant.get(m.op) or [Fraction(m.op == "ones")]
        return _filled(shape, numbers.number(found[0]))
    if m.op == "identity":
        return _diagonal(_filled((shape[0], 1), numbers.number(Fraction(1))), numbers)
    if m.op == "apply":
        return _each(value(args[2]), lambda x: numbers.apply(args[0], args[1], x))
    if m.op == "power":
        return _each(value(args[1]), lambda x: numbers.power(x, args[0]))
    if m.op == "column":
        return value(args[0])[:, [values[args[1]]]]
    if m.op == "rows_max":
        return np.array([[numbers.largest(list(row))] for row in value(args[0])], dtype=object)
    return _ARRAYS[m.op](numbers, *map(value, args))


_ARRAYS: dict[str, Callable[..., np.ndarray]] = {
    "transpose": lambda _, a: a.T,
    "add": lambda _, a, b: a + b,
    "hadamard": lambda _, a, b: a * b,
    "scale": lambda _, c, a: a * c[0, 0],
    "matmul": lambda _, a, b: a @ b,
    "diag": lambda _, a: a.diagonal().reshape(-1, 1),
    "Diag": lambda numbers, a: _diagonal(a, numbers),
}


def _filled(shape: tuple[int, int], value: Any) -> np.ndarray:
    found = np.empty(shape, dtype=object)
    found[:] = value
    return found


def _diagonal(column: np.ndarray, numbers: Numbers) -> np.ndarray:
    found = _filled((len(column), len(column)), numbers.number(Fraction(0)))
    for i, x in enumerate(column[:, 0]):
        found[i, i] = x
    return found


def _each(a: np.ndarray, f: Callable[[Any], Any]) -> np.ndarray:
    found = np.empty(a.shape, dtype=object)
    for i, x in np.ndenumerate(a):
        found[i] = f(x)
    return found
