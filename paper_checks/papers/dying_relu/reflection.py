"""The reflection that takes a vector onto the last axis, in inner products: for any number of inputs."""

from __future__ import annotations

import sympy

from paper_checks.evidence.symbolic import vanishes

__all__ = ["reflection_onto_the_axis"]


def reflection_onto_the_axis() -> bool:
    """For any number of inputs: I - 2 v v^T/(v.v), v = w/||w|| - e, is orthogonal and maps w to ||w|| e.

    With c = e.w/||w|| inner products are v.v = 1 + e.e - 2 c and v.w = ||w|| (1 - c). The square of the matrix is
    I + (q^2 v.v - 2 q) v v^T with q = 2/(v.v); the image w - q (v.w) v. An e that is not of length 1 is the control.
    """
    size, c, length = sympy.symbols("s c l", positive=True)
    square, along = 1 + length**2 - 2 * c, size * (1 - c)
    q = 2 / square
    orthogonal = vanishes(q**2 * square - 2 * q)
    beyond = sympy.simplify(q * along - size)  # w - s v = s e
    return orthogonal and vanishes(beyond.subs(length, 1)) and beyond != 0
