"""Inverses and determinants of arrays of exact numbers, by Gauss and Jordan."""

from collections.abc import Callable
from typing import Any

import numpy as np


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
