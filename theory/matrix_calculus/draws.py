"""Random entries of named matrices: of any kind, or positive, symmetric, orthogonal ones."""

from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

import mpmath
import numpy as np

from theory.matrix_calculus.arrays import NoValue, inverse_and_determinant
from theory.matrix_calculus.expression import Matrix, kind_of
from theory.matrix_calculus.finite_field import Element, P, Q


def real_entries(m: Matrix, rng: Random, shape: tuple[int, int], one: Callable[[Random], Fraction]) -> np.ndarray:
    """Numbers of mpmath for a named matrix, each drawn by ``one``; those of an orthogonal matrix are rational."""
    drawn = _array(lambda: one(rng), shape)
    if kind_of(m) == "positive":
        drawn = np.vectorize(lambda x: abs(x) or Fraction(1), otypes=[object])(drawn)
    if kind_of(m) == "symmetric":
        drawn = np.triu(drawn) + np.triu(drawn, 1).T
    if kind_of(m) == "orthogonal":
        drawn = _orthogonal(drawn, lambda x: Fraction(1) / x)
    return np.vectorize(lambda x: mpmath.mpf(x.numerator) / x.denominator, otypes=[object])(drawn)


def field_entries(m: Matrix, rng: Random, shape: tuple[int, int], moving: str) -> Element:
    """Elements of the finite field, with a direction where a derivative by the matrix is taken."""
    moduli = (P, Q, P) if m.args[0] == moving else (P, Q)
    parts = [_array(lambda p=p: rng.randrange(p), shape) for p in moduli]
    if kind_of(m) == "positive":
        parts[0] = parts[0] * parts[0] % P
    if kind_of(m) == "symmetric":
        parts = [np.triu(part) + np.triu(part, 1).T for part in parts]
    if kind_of(m) == "orthogonal":
        parts = [
            _orthogonal(part, lambda x, p=p: pow(int(x), -1, p), lambda x, p=p: x % p)
            for part, p in zip(parts, moduli, strict=True)
        ]
    return Element(*parts)


def _orthogonal(
    drawn: np.ndarray, reciprocal: Callable[[Any], Any], reduced: Callable[[Any], Any] = lambda x: x
) -> np.ndarray:  # fmt: skip
    """Cayley's (I - A)(I + A)^-1 for a skew A; with an odd number of rows the first has the other sign: det is -1."""
    n = len(drawn)
    skew, unit = np.triu(drawn, 1) - np.triu(drawn, 1).T, np.eye(n, dtype=int).astype(object)
    inverse, _ = inverse_and_determinant(reduced(unit + skew), reciprocal, reduced)
    if inverse is None:
        raise NoValue("orthogonal: got I + A singular; draw other entries")
    found = reduced((unit - skew) @ inverse)
    if n % 2:
        found[0] = reduced(-found[0])
    return found


def _array(one: Callable[[], Any], shape: tuple[int, int]) -> np.ndarray:
    rows, columns = shape
    return np.array([[one() for _ in range(columns)] for _ in range(rows)], dtype=object)
