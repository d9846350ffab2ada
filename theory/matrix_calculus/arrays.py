"""Values of matrix expressions: arrays of numbers of any kind that adds, multiplies and knows the functions."""

import math
import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from hashlib import blake2b
from typing import Any, Protocol

import mpmath
import numpy as np

from theory.matrix_calculus.expression import Matrix
from theory.matrix_calculus.functions import expanded


def inverse_and_determinant(
    a: np.ndarray, reciprocal: Callable[[Any], Any], reduced: Callable[[Any], Any] = lambda row: row,
    zero: Any = 0,
) -> tuple[np.ndarray | None, Any]:  # fmt: skip
    """The inverse of a square array, None where it is singular, and its determinant.

    Parameters
    ----------
    a : array (n, n) of objects
    reciprocal : callable
        1 over a number.
    reduced : callable
        What is done with results, such as a remainder.
    zero : number
        Pivots up to this size are taken for 0.

    Examples
    --------
    >>> from fractions import Fraction
    >>> inverse, determinant = inverse_and_determinant(np.array([[0, 2], [1, 3]], object), lambda x: Fraction(1, x))
    >>> [[str(x) for x in row] for row in inverse], int(determinant)
    ([['-3/2', '1'], ['1/2', '0']], -2)
    """
    n, determinant = len(a), 1
    rows = np.concatenate([np.array(a, dtype=object), np.eye(n, dtype=int).astype(object)], axis=1)
    for k in range(n):
        pivot = max(range(k, n), key=lambda i: abs(rows[i, k]))
        if abs(rows[pivot, k]) <= zero:
            return None, 0 * determinant
        if pivot != k:
            rows[[k, pivot]] = rows[[pivot, k]]
            determinant = -determinant
        determinant = reduced(determinant * rows[k, k])
        rows[k] = reduced(rows[k] * reciprocal(rows[k, k]))
        for i in range(n):
            if i != k and rows[i, k] != 0:
                rows[i] = reduced(rows[i] - rows[i, k] * rows[k])
    return rows[:, n:], determinant


class NoValue(ValueError):
    """Error of an expression without a value at given entries, such as a logarithm of 0."""


class Numbers(Protocol):
    """A kind of numbers, besides ``+``, ``*`` and ``@`` of their arrays: a number, and functions of arrays."""

    def number(self, value: Fraction) -> Any: ...
    def power(self, a: Any, exponent: Fraction) -> Any: ...
    def apply(self, name: str, order: int, a: Any) -> Any: ...
    def largest(self, a: Any) -> Any: ...
    def inverse(self, a: Any) -> Any: ...
    def determinant(self, a: Any) -> Any: ...


Memo = dict[Matrix, Any]


class ManyDigits:
    """Real numbers of mpmath at its working precision.

    Of an arbitrary function nothing may be used but its name: a :func:`polynomial` stands for it.
    """

    def number(self, value: Fraction) -> Any:
        return mpmath.mpf(value.numerator) / value.denominator

    def power(self, a: Any, exponent: Fraction) -> Any:
        return _each(lambda x: self._power(x, exponent), a)

    def apply(self, name: str, order: int, a: Any) -> Any:
        return _each(lambda x: self._apply(name, order, x), a)

    def largest(self, a: Any) -> Any:
        return a.max(axis=1, keepdims=True)

    def inverse(self, a: Any) -> Any:
        inverse, _ = self._eliminated(a)
        if inverse is None:
            raise NoValue("inverse: got a singular matrix; draw other entries")
        return inverse

    def determinant(self, a: Any) -> Any:
        return np.array([[self._eliminated(a)[1]]], dtype=object)

    def _eliminated(self, a: Any) -> tuple[Any, Any]:
        rounding = max(abs(x) for x in a.flat) * mpmath.mp.eps ** mpmath.mpf("0.7")
        return inverse_and_determinant(a, lambda value: 1 / mpmath.mpf(value), zero=rounding)

    def _power(self, value: Any, exponent: Fraction) -> Any:
        if (value == 0 and exponent < 0) or (value < 0 and exponent.denominator != 1):
            raise NoValue(f"power: {mpmath.nstr(value, 5)} has no real power {exponent}; draw other entries")
        return mpmath.power(value, self.number(exponent))

    def _apply(self, name: str, order: int, value: Any) -> Any:
        if name == "exp":
            return mpmath.exp(value)
        if name in ("sin", "cos"):
            return mpmath.sin(value + (order + (name == "cos")) * mpmath.pi / 2)
        if name == "log" and order:
            return self._power(value, Fraction(-order)) * signed_factorial(order)
        if name == "log":
            if value <= 0:
                raise NoValue(f"log: {mpmath.nstr(value, 5)} has none; draw other entries")
            return mpmath.log(value)
        return stand_in(name, order, value)


def _each(f: Callable[[Any], Any], a: Any) -> Any:
    return np.frompyfunc(f, 1, 1)(a)


@lru_cache(1000)
def polynomial(name: str) -> tuple[int, ...]:
    """The coefficients, from the constant one, of what stands for an arbitrary function: each name has its own.

    It is positive where its argument is, so that it has a logarithm; elsewhere it rises, falls, and has both signs.
    """
    *lower, fourth = (byte % 4 for byte in blake2b(name.encode(), digest_size=5).digest())
    return (*(1 + c for c in lower), 8 + fourth, 1)


def stand_in(name: str, order: int, x: Any) -> Any:
    """The polynomial, or its derivative of some order."""
    value = 0 * x
    for k in range(len(polynomial(name)) - 1, order - 1, -1):
        value = value * x + math.perm(k, order) * polynomial(name)[k]
    return value


def signed_factorial(order: int) -> int:
    """(-1)**(order - 1) (order - 1)!, the derivative of the logarithm at 1."""
    return (-1) ** (order - 1) * math.factorial(order - 1)


def shape_of(m: Matrix, sizes: Mapping[str, int]) -> tuple[int, int]:
    """Rows and columns in numbers."""
    rows, columns = (sizes[n] if isinstance(n, str) else n for n in m.shape)
    return rows, columns


def evaluate(
    m: Matrix, values: Mapping[str, Any], sizes: Mapping[str, int], numbers: Numbers,
    memo: Memo | None = None,
) -> Any:  # fmt: skip
    """An expression as an array (rows, columns) of numbers.

    Parameters
    ----------
    m : Matrix
    values : mapping of name to array, and of the name of an index to an int
    sizes : mapping of name to int
    numbers : Numbers
    memo : dict, optional
        Of sub-expressions and of those that have no value, to share between expressions at the same values.

    Raises
    ------
    NoValue
        Where these entries give none.

    Examples
    --------
    >>> from theory.matrix_calculus.expression import matrix
    >>> from theory.matrix_calculus.operations import diag
    >>> X = matrix("X", "N", "D")
    >>> evaluate(diag(X @ X.T), {"X": np.array([[1, 2], [3, 4]], object)}, {"N": 2, "D": 2}, ManyDigits()).tolist()
    [[5], [25]]
    """
    memo = {} if memo is None else memo

    def value(part: Matrix) -> Any:
        found = memo.get(part)
        if found is None:
            try:
                found = _array(part, value, values, sizes, numbers)
            except NoValue as error:
                found = error
            memo[part] = found
        if isinstance(found, NoValue):
            raise found
        return found

    return value(m)


def _array(
    m: Matrix, value: Callable[[Matrix], Any], values: Mapping[str, Any], sizes: Mapping[str, int], numbers: Numbers
) -> Any:
    args = m.args
    if m.op == "matrix":
        return values[args[0]]
    if m.op in ("number", "size", "ones", "zeros"):
        constant = args[0] if m.op == "number" else sizes[args[0]] if m.op == "size" else m.op == "ones"
        return np.ones(shape_of(m, sizes), dtype=object) * numbers.number(Fraction(constant))
    if m.op == "identity":
        return _unit(m, sizes) * numbers.number(Fraction(1))
    if m.op == "Diag":
        return _unit(m, sizes) * value(args[0])
    if m.op == "apply":
        known = expanded(m)
        return numbers.apply(args[0], args[1], value(args[2])) if known is m else value(known)
    if m.op == "power":
        return numbers.power(value(args[1]), args[0])
    if m.op == "column":
        return value(args[0])[:, [values[args[1]]]]
    if m.op == "rows_max":
        return numbers.largest(value(args[0]))
    if m.op == "inverse":
        return numbers.inverse(value(args[0]))
    if m.op == "det":
        return numbers.determinant(value(args[0]))
    if m.op == "diag":
        places = np.arange(shape_of(m, sizes)[0])[:, None]
        return value(args[0])[places, places]
    return _ARRAYS[m.op](*map(value, args))


_ARRAYS: dict[str, Callable[..., Any]] = {
    "transpose": lambda a: a.T, "add": operator.add, "hadamard": operator.mul, "scale": operator.mul,
    "matmul": operator.matmul,
}  # fmt: skip


def _unit(m: Matrix, sizes: Mapping[str, int]) -> np.ndarray:
    return np.eye(shape_of(m, sizes)[0], dtype=object)
