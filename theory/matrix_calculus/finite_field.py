"""Exact tests of identities in the field of p = 2**61 - 1 elements, with exponentials.

Entries are drawn modulo p (p - 1), that is modulo p and modulo p - 1 independently. For a generator g of the
multiplicative group, exp(x) := g**x is a function of x modulo p - 1, so that polynomials have exact exponentials and
exp(a + b) = exp(a) exp(b). Roots are those of quadratic residues: -1 is none, so that of the two roots one is a residue
itself. Numbers carry a derivative along a direction; exp' = exp, as if g were e.

Two sides that differ as rational functions of entries and exponentials agree at random entries with a probability of at
most their degree over p (Schwartz and Zippel), 1e-16 for degrees below 200.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from hashlib import blake2b
from typing import Any

from theory.matrix_calculus.arrays import stand_in

__all__ = ["Element", "FiniteField", "NoValue", "P"]

P = 2**61 - 1
# Of the factors 2, 3, 5, 7, 11, 13, 31, 41, 61, 151, 331, 1321 of p - 1 none leaves a power of 37 at 1.
GENERATOR = 37


class NoValue(ValueError):
    """A number that the field does not have at these entries: draw others; or never: exp of a quotient."""


@dataclass(frozen=True)
class Element:
    """A number and its derivative.

    Attributes
    ----------
    value, slope : int
        Modulo p.
    exponent : int, optional
        The number modulo p - 1, where it is known: of polynomials in the entries.
    """

    value: int
    exponent: int | None = None
    slope: int = 0

    def __add__(self, other: Any) -> Element:
        other = _element(other)
        known = self.exponent is not None and other.exponent is not None
        exponent = (self.exponent + other.exponent) % (P - 1) if known else None
        return Element((self.value + other.value) % P, exponent, (self.slope + other.slope) % P)

    __radd__ = __add__

    def __mul__(self, other: Any) -> Element:
        other = _element(other)
        known = self.exponent is not None and other.exponent is not None
        exponent = self.exponent * other.exponent % (P - 1) if known else None
        slope = (self.slope * other.value + self.value * other.slope) % P
        return Element(self.value * other.value % P, exponent, slope)

    __rmul__ = __mul__


def _element(value: Any) -> Element:
    return value if isinstance(value, Element) else Element(value % P, value % (P - 1))


class FiniteField:
    """The field as numbers of :func:`theory.matrix_calculus.arrays.evaluate`."""

    def number(self, value: Fraction) -> Element:
        if value.denominator == 1:
            return _element(value.numerator)
        return Element(value.numerator * pow(value.denominator, -1, P) % P)

    def power(self, x: Element, exponent: Fraction) -> Element:
        if exponent.denominator > 2:
            raise NoValue(f"power: the exponent must be whole or half, got {exponent}; use another test")
        root, times = x.value, exponent.numerator
        if exponent.denominator == 2:
            root = pow(x.value, (P + 1) // 4, P)
            if root * root % P != x.value:
                raise NoValue("power: got no square; draw other entries")
        if root == 0 and exponent <= 0:
            raise NoValue("power: got 0 in a denominator; draw other entries")
        value = pow(root, times, P)
        slope = value * pow(x.value, -1, P) * self.number(exponent).value * x.slope % P if x.value else 0
        whole = exponent.denominator == 1 and times >= 0 and x.exponent is not None
        if whole and not x.value:
            slope = x.slope if times == 1 else 0
        return Element(value, pow(x.exponent, times, P - 1) if whole else None, slope)

    def apply(self, name: str, order: int, x: Element) -> Element:
        if name == "exp":
            if x.exponent is None:
                raise NoValue("exp: its argument must be a polynomial of the entries, got a quotient or an exponential")
            value = pow(GENERATOR, x.exponent, P)
            return Element(value, None, value * x.slope % P)
        if name == "log":
            return self._log(order, x)
        value, slope = stand_in(order, x), stand_in(order + 1, Element(x.value, x.exponent))
        return Element(value.value, value.exponent, slope.value * x.slope % P)

    def _log(self, order: int, x: Element) -> Element:
        """Some number that depends on x alone; its derivative is 1/x."""
        if order:
            return self.power(x, Fraction(-order)) * _signed_factorial(order)
        if not x.value:
            raise NoValue("log: got 0; draw other entries")
        value = int.from_bytes(blake2b(x.value.to_bytes(8, "big"), digest_size=7).digest(), "big")
        return Element(value, None, pow(x.value, -1, P) * x.slope % P)

    def largest(self, row: Any) -> Element:
        """There is no order in a field: any entry; what holds of the largest must hold of it."""
        return row[-1]


def _signed_factorial(order: int) -> int:
    value = 1
    for k in range(1, order):
        value *= -k
    return value
