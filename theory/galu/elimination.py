"""Exact ranks by elimination modulo a prime."""

import math
import numbers
from fractions import Fraction
from typing import Any

import numpy as np

from theory.arguments import refuse_masked

# Products of two residues fit into 64 bits.
PRIMES = (2147483647, 2147483629, 2147483587, 2147483579)
# 2^e - 1 is prime for these exponents.
MERSENNE = (61, 127, 521, 1279, 2203, 4423, 9689)


def exact_rank(matrix: Any) -> int:
    """The rank over the rationals of a matrix of integers, or of rationals as ``Fraction``.

    By elimination modulo a prime above Hadamard's bound on its minors, modulo which no minor vanishes by chance.

    Parameters
    ----------
    matrix : array of shape (m, n)
        One axis is taken for a row. Floats must be integers: what was rounded has no rank to speak of.

    Raises
    ------
    ValueError
        When an entry is no rational number, the shape is wrong, or minors may exceed the largest prime, 2^9689 - 1.

    Examples
    --------
    >>> exact_rank([[1, 1, 0], [0, 1, 1], [1, 2, 1]])
    2
    """
    refuse_masked("exact_rank", "matrix", matrix)
    integers = isinstance(matrix, np.ndarray) and matrix.dtype.kind in "bui"
    array = np.array(matrix, dtype=object)
    if array.size == 0:
        return 0
    if array.ndim > 2:
        raise ValueError(f"exact_rank: matrix must be of shape (m, n), got shape {array.shape}; pass one matrix")
    array = np.atleast_2d(array)
    if not integers:
        array = np.array([_integers(row) for row in array], dtype=object)
    bound = 1
    for row in array if array.shape[0] <= array.shape[1] else array.T:
        bound *= max(1, sum(v * v for v in row))
    binary = bool(np.all((array == 0) | (array == 1)))
    if binary:
        # Of a 0-1 matrix of order n: (n + 1)^((n + 1)/2) / 2^n.
        n = min(array.shape)
        bound = min(bound, (n + 1) ** (n + 1) // 4**n + 1)
    if binary and bound < PRIMES[0] ** 2:
        return len(pivots(array.astype(np.int64).T, PRIMES[0]))
    prime = next((2**e - 1 for e in MERSENNE if (2**e - 1) ** 2 > bound), None)
    if prime is None:
        raise ValueError(f"exact_rank: minors must be below 2^{MERSENNE[-1]}, got a bound above it; use fewer rows")
    return len(pivots(array.T, prime))


def _integers(row: np.ndarray) -> list[int]:
    fractions = [_fraction(v) for v in row]
    common = math.lcm(*(f.denominator for f in fractions))
    return [int(f * common) for f in fractions]


def _fraction(value: Any) -> Fraction:
    if isinstance(value, numbers.Rational):
        return Fraction(int(value.numerator), int(value.denominator))
    if isinstance(value, float | np.floating | np.bool_) and float(value).is_integer():
        return Fraction(int(value))
    raise ValueError(
        f"exact_rank: entries must be integers or Fraction, got {value!r}; write a rational number as "
        "fractions.Fraction, or use numpy.linalg.matrix_rank for rounded numbers"
    )


def pivots(columns: np.ndarray, prime: int) -> list[int]:
    """Indices of the first columns that are independent modulo a prime."""
    few = 2 * len(columns)
    if columns.shape[1] > 2 * few:
        # Most often the foremost are enough.
        found = pivots(columns[:, :few], prime)
        if len(found) == len(columns):
            return found
    work = columns % prime
    rows, top, found = len(work), 0, []
    for j in range(work.shape[1]):
        if top == rows:
            break
        at = top + work[top:, j].nonzero()[0]
        if not len(at):
            continue
        p, below = at[0], at[1:]
        if p != top:
            work[[top, p]] = work[[p, top]]
        if len(below):
            factors = work[below, j, None] * pow(int(work[top, j]), -1, prime) % prime
            work[below, j:] = (work[below, j:] - factors * work[top, j:]) % prime
        found.append(j)
        top += 1
    return found
