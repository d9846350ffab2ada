"""Sections 3.1 and 3.2: domains, loss, and the null space of addition, eqs. (2) to (5)."""

from __future__ import annotations

import sympy

from paper_checks import claim

DEFINITION = "a definition"

claim("smooth/eq2", at="eq. (2)", says="the unit disc", unchecked=DEFINITION)
claim("smooth/eq3", at="eq. (3)", says="the squared error of a sum of two inputs", unchecked=DEFINITION)


def along_the_antidiagonal() -> bool:
    a, x, y = sympy.symbols("a x_1 x_2", real=True)
    return sympy.expand((x + a) + (y - a) - (x + y)) == 0 and sympy.expand((x + a) + (y + a) - (x + y)) != 0


claim(
    "smooth/eq4",
    at="eq. (4)",
    says="adding a multiple of (1, -1) to the inputs leaves their sum as it is",
    proof=along_the_antidiagonal,
)


def is_the_null_space() -> bool:
    """The kernel of (1, 1) has dimension 1."""
    basis = sympy.Matrix([[1, 1]]).nullspace()
    return len(basis) == 1 and sympy.Matrix([[1, 1]]) * sympy.Matrix([1, -1]) == sympy.zeros(1, 1)


claim(
    "smooth/text.null-space",
    at="3.1, before eq. (4)",
    says="the multiples of (1, -1) are the null space of addition, on which it is 0",
    proof=is_the_null_space,
)

claim("smooth/eq5", at="eq. (5)", says="the annulus between 0.5 and 1", unchecked=DEFINITION)
