"""Exact tests of identities in a field of p elements, with exponentials and roots.

p = 2 q + 1, both prime. Entries are drawn modulo p q, that is modulo p and modulo q independently. The squares other
than 0 are a group of q elements with generator 4, so that exp(x) := 4**x is a function of x modulo q: rational
functions of entries have exact exponentials, and exp(a + b) = exp(a) exp(b). A number counts as positive where it is a
square; -1 is none, so that of two roots one is positive. Numbers carry a derivative along a direction; exp' = exp.

Two sides that differ as rational functions of entries, of degree d, agree at random entries with a probability of at
most d/p (Schwartz and Zippel), 1e-16 for degrees below 200. Exponentials count as further variables, which they are for
exponents that are different linear forms; that those of other exponents are as good as random is not proved. A wrong
sign of a root is seen at half of all numbers only.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from theory.matrix_calculus.arrays import NoValue, signed_factorial, stand_in

__all__ = ["Element", "FiniteField", "NotInField", "P", "Q"]

P = 2**61 - 2373
Q = (P - 1) // 2
GENERATOR = 4


class NotInField(ValueError):
    """A number that the field does not have at any entries: exp of a root, the value of a logarithm."""


@dataclass(slots=True)
class Element:
    """A number and its derivative.

    Attributes
    ----------
    value : int, optional
        Modulo p; of a logarithm only the derivative is known.
    exponent : int, optional
        The number modulo q, where it is known: of rational functions of the entries.
    slope : int
        Modulo p.
    """

    value: int | None
    exponent: int | None = None
    slope: int = 0

    def __add__(self, other: Any) -> Element:
        other = element(other)
        return Element(_sum(self.value, other.value, P), _sum(self.exponent, other.exponent, Q),
                       (self.slope + other.slope) % P)  # fmt: skip

    __radd__ = __add__

    def __mul__(self, other: Any) -> Element:
        other = element(other)
        slope = 0
        if self.slope:
            slope = self.slope * other.known()
        if other.slope:
            slope += self.known() * other.slope
        return Element(_product(self.value, other.value, P), _product(self.exponent, other.exponent, Q), slope % P)

    __rmul__ = __mul__

    def known(self) -> int:
        """Its value.

        Raises
        ------
        NotInField
            For what depends on the value of a logarithm.
        """
        if self.value is None:
            raise NotInField("log: the field has none; test to some digits")
        return self.value


def _sum(a: int | None, b: int | None, modulus: int) -> int | None:
    return None if a is None or b is None else (a + b) % modulus


def _product(a: int | None, b: int | None, modulus: int) -> int | None:
    return None if a is None or b is None else a * b % modulus


def element(value: Any) -> Element:
    """Of an integer; an element stays what it is."""
    return value if isinstance(value, Element) else Element(value % P, value % Q)


class FiniteField:
    """The field as numbers of :func:`theory.matrix_calculus.arrays.evaluate`.

    Examples
    --------
    >>> field, x = FiniteField(), Element(3, 5)
    >>> product = field.apply("exp", 0, x) * field.apply("exp", 0, x * -1)
    >>> product.value, field.power(x * x, Fraction(1, 2)).value
    (1, 3)
    """

    def number(self, value: Fraction) -> Element:
        top, below = value.numerator, value.denominator
        if below == 1:
            return element(top)
        return Element(top * pow(below, -1, P) % P, top * pow(below, -1, Q) % Q)

    def power(self, x: Element, exponent: Fraction) -> Element:
        if exponent.denominator > 2:
            raise NotInField(f"power: the exponent must be whole or half, got {exponent}; test to some digits")
        value, times = x.known(), exponent.numerator
        if value == 0 and exponent < 1:
            raise NoValue("power: got 0 to a power below 1; draw other entries")
        root = value if exponent.denominator == 1 else positive_root(value)
        result = pow(root, times, P)
        slope = pow(root, times - exponent.denominator, P) * self.number(exponent).value * x.slope if x.slope else 0
        whole = exponent.denominator == 1 and x.exponent is not None and (times > 0 or x.exponent)
        return Element(result, pow(x.exponent, times, Q) if whole else None, slope % P)

    def apply(self, name: str, order: int, x: Element) -> Element:
        if name == "exp":
            if x.exponent is None:
                raise NotInField("exp: of a root, exp or log the field has none; test to some digits")
            value = pow(GENERATOR, x.exponent, P)
            return Element(value, None, value * x.slope % P)
        if name == "log":
            return self._log(order, x)
        value, slope = stand_in(name, order, x), stand_in(name, order + 1, Element(x.value, x.exponent))
        return Element(value.value, value.exponent, slope.known() * x.slope % P)

    def _log(self, order: int, x: Element) -> Element:
        if order:
            return self.power(x, Fraction(-order)) * signed_factorial(order)
        if x.known() == 0:
            raise NoValue("log: got 0; draw other entries")
        return Element(None, None, pow(x.known(), -1, P) * x.slope % P if x.slope else 0)

    def largest(self, row: Any) -> Element:
        """There is no order in a field: the last entry; what holds of the largest must hold of it."""
        return row[-1]


def positive_root(value: int) -> int:
    """The root that is a square itself.

    Raises
    ------
    NoValue
        For what is no square.
    """
    root = pow(value, (P + 1) // 4, P)
    if root * root % P != value:
        raise NoValue("power: got no square; draw other entries")
    return root
