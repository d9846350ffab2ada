"""Results of tests of statements: whether they hold, how they were tested, counterexamples."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import mpmath
import numpy as np

from theory.matrix_calculus.arrays import polynomial
from theory.matrix_calculus.finite_field import P

DIGITS, STEP = 60, 20
IN_FIELD, TO_DIGITS = f"exactly, in a field of 2^61 - {2**61 - P} elements", f"to {STEP - 4} digits"


@dataclass(frozen=True)
class Counterexample:
    """Small integers at which a statement fails.

    Attributes
    ----------
    sizes : mapping of name to int
    values : mapping of name to list of rows
        Whole numbers, or fractions.
    indices : mapping of name to int
        From 1.
    functions : mapping of name to text
        What stands for arbitrary functions.
    entry : (row, column)
        From 1.
    stated, right : mpf
    """

    sizes: Mapping[str, int]
    values: Mapping[str, list[list[Any]]]
    indices: Mapping[str, int]
    functions: Mapping[str, str]
    entry: tuple[int, int]
    stated: Any
    right: Any

    def __str__(self) -> str:
        chosen = [f"{name} = {n}" for given in (self.sizes, self.indices) for name, n in given.items()]
        given = [f"{name} = {str(rows).replace(chr(39), '')}" for name, rows in self.values.items()]
        given += [f"{name}(x) = {text}" for name, text in self.functions.items()]
        where = "; ".join(", ".join(names) for names in (chosen, given) if names)
        i, j = self.entry
        numbers = f"{mpmath.nstr(self.stated, 8)}, right is {mpmath.nstr(self.right, 8)}"
        return f"{where}: entry ({i}, {j}) is stated to be {numbers}"


@dataclass(frozen=True)
class Tested:
    """Result of tests at random entries.

    Attributes
    ----------
    holds : bool
    by : str
        How it was tested.
    empty : bool
        Whether nothing was tested: both sides were 0 everywhere, or had no values.
    """

    holds: bool
    by: str
    empty: bool = False


def compared(left: np.ndarray, right: np.ndarray) -> Tested:
    """Relative to the largest entry; what is left by differences of what cancels is 0."""
    scale = max([abs(v) for v in (*left.flat, *right.flat)], default=mpmath.mpf(0))
    if scale < mpmath.mpf(10) ** (STEP - DIGITS + 10):
        return Tested(True, TO_DIGITS, empty=True)
    return Tested(all(abs(d) <= mpmath.mpf(10) ** (4 - STEP) * scale for d in (left - right).flat), TO_DIGITS)


def polynomial_text(name: str) -> str:
    """The polynomial that stands for a function of that name, as text."""
    powers = ("", "x", *(f"x^{k}" for k in range(2, 10)))
    terms = [f"{c} {power}".strip() for c, power in zip(polynomial(name), powers, strict=False)]
    return " + ".join(reversed(terms)).replace("1 x", "x")
