"""Exact tests of identities in a field of p elements, with exponentials and roots.

p = 2 q + 1, both prime. Entries are drawn modulo p q, that is modulo p and modulo q independently. The squares other
than 0 are a group of q elements with generator 4, so that exp(x) := 4**x is a function of x modulo q: rational
functions of entries have exact exponentials, and exp(a + b) = exp(a) exp(b). A number counts as positive where it is a
square; -1 is none, so that of two roots one is positive. All primes below 100 are squares, so that small positive
numbers count as positive and have the roots that they have among real numbers. Numbers carry a derivative along a
direction; exp' = exp.

Two sides that differ as rational functions of entries, of degree d, agree at random entries with a probability of at
most d/p (Schwartz and Zippel), 1e-16 for degrees below 200. Exponentials count as further variables, which they are for
exponents that are different linear forms; that those of other exponents are as good as random is not proved. A sum of
squares need not be a square here, though it is positive among real numbers, and a wrong sign of a root is seen at half
of all numbers only: what has roots is tested with real numbers too, and those decide.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from theory.matrix_calculus.arrays import NoValue, inverse_and_determinant, signed_factorial, stand_in

P = 2**61 - 107629375353
Q = (P - 1) // 2
GENERATOR = 4


class NotInField(ValueError):
    """A number that the field does not have at any entries: exp of a root, the value of a logarithm."""


@dataclass(slots=True)
class Element:
    """A number and its derivative, or an array of such: what is said of an int holds of arrays of ints.

    Attributes
    ----------
    value : int, optional
        Modulo p; of a logarithm only the derivative is known.
    exponent : int, optional
        The number modulo q, where it is known: of rational functions of the entries.
    slope : int
        Modulo p; the number 0 where nothing moves.
    """

    value: Any
    exponent: Any = None
    slope: Any = 0

    __array_ufunc__ = None  # an array on the left leaves the product to this class

    def __add__(self, other: Any) -> Element:
        other = element(other)
        return Element(_reduced(operator.add, self.value, other.value, P),
                       _reduced(operator.add, self.exponent, other.exponent, Q),
                       (self.slope + other.slope) % P)  # fmt: skip

    __radd__ = __add__

    def __mul__(self, other: Any) -> Element:
        return self._product(element(other), operator.mul)

    __rmul__ = __mul__

    def __matmul__(self, other: Element) -> Element:
        return self._product(other, operator.matmul)

    def _product(self, other: Element, times: Callable[[Any, Any], Any]) -> Element:
        slope = times(self.slope, other.known()) if _moves(self.slope) else 0
        if _moves(other.slope):
            slope = slope + times(self.known(), other.slope)
        return Element(_reduced(times, self.value, other.value, P),
                       _reduced(times, self.exponent, other.exponent, Q), slope % P)  # fmt: skip

    @property
    def T(self) -> Element:
        return self._each(np.transpose)

    def __getitem__(self, place: Any) -> Element:
        return self._each(lambda part: part[place])

    def _each(self, f: Callable[[np.ndarray], np.ndarray]) -> Element:
        parts = (self.value, self.exponent, self.slope)
        return Element(*(f(part) if isinstance(part, np.ndarray) else part for part in parts))

    def known(self) -> Any:
        """Its value.

        Raises
        ------
        NotInField
            For what depends on the value of a logarithm.
        """
        if self.value is None:
            raise NotInField("log: the field has none; test to some digits")
        return self.value


def _moves(slope: Any) -> bool:
    return isinstance(slope, np.ndarray) or slope != 0


def _reduced(operation: Callable[[Any, Any], Any], a: Any, b: Any, modulus: int) -> Any:
    return None if a is None or b is None else operation(a, b) % modulus


def element(value: Any) -> Element:
    """An element of the field from an integer; elements are returned unchanged."""
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
        if exponent < 1 and np.any(value == 0):
            raise NoValue("power: got 0 to a power below 1; draw other entries")
        root, slope = value if exponent.denominator == 1 else positive_root(value), 0
        if _moves(x.slope):
            slope = _power(root, times - exponent.denominator, P) * self.number(exponent).value * x.slope % P
        whole = exponent.denominator == 1 and x.exponent is not None and (times > 0 or np.all(x.exponent != 0))
        return Element(_power(root, times, P), _power(x.exponent, times, Q) if whole else None, slope)

    def apply(self, name: str, order: int, x: Element) -> Element:
        if name == "exp":
            if x.exponent is None:
                raise NotInField("exp: of a root, exp or log the field has none; test to some digits")
            value = _power(GENERATOR, x.exponent, P)
            return Element(value, None, value * x.slope % P)
        if name in ("sin", "cos"):
            raise NotInField(f"{name}: the field has none; test to some digits")
        if name == "log":
            return self._log(order, x)
        value, slope = stand_in(name, order, x), stand_in(name, order + 1, Element(x.value, x.exponent))
        return Element(value.value, value.exponent, slope.known() * x.slope % P)

    def _log(self, order: int, x: Element) -> Element:
        if order:
            return self.power(x, Fraction(-order)) * signed_factorial(order)
        if np.any(x.known() == 0):
            raise NoValue("log: got 0; draw other entries")
        return Element(None, None, _power(x.known(), -1, P) * x.slope % P if _moves(x.slope) else 0)

    def largest(self, a: Element) -> Element:
        """There is no order in a field: the last entries; what holds of the largest must hold of them."""
        return a[:, [-1]]

    def inverse(self, a: Element) -> Element:
        value, _ = _eliminated(a.known(), P)
        exponent = None if a.exponent is None else _eliminated(a.exponent, Q)[0]
        if value is None:
            raise NoValue("inverse: got a singular matrix; draw other entries")
        return Element(value, exponent, -(value @ a.slope @ value) % P if _moves(a.slope) else 0)

    def determinant(self, a: Element) -> Element:
        inverse, value = _eliminated(a.known(), P)
        exponent = None if a.exponent is None else _eliminated(a.exponent, Q)[1]
        slope = 0
        if _moves(a.slope):
            if inverse is None:
                raise NoValue("det: got a singular matrix; draw other entries")
            slope = value * int((inverse.T * a.slope).sum()) % P
        return Element(
            *(part if part is None else np.array([[part]], dtype=object) for part in (value, exponent, slope))
        )


_power = np.frompyfunc(pow, 3, 1)


def _eliminated(a: np.ndarray, modulus: int) -> tuple[np.ndarray | None, int]:
    return inverse_and_determinant(a, lambda value: pow(int(value), -1, modulus), lambda row: row % modulus)


def positive_root(value: Any) -> Any:
    """The root that is a square itself.

    Raises
    ------
    NoValue
        For what is no square.
    """
    root = _power(value, (P + 1) // 4, P)
    if np.any(root * root % P != value):
        raise NoValue("power: got no square; draw other entries")
    return root
