"""What statements on matrix expressions have in common: proofs for all sizes, tests, counterexamples."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

import mpmath
import numpy as np

from theory.matrix_calculus.arrays import ManyDigits, matrices_in, shape_of
from theory.matrix_calculus.entries import vanishes
from theory.matrix_calculus.expression import Matrix
from theory.matrix_calculus.finite_field import Element, NoValue, P
from theory.matrix_calculus.indexed import Sum

__all__ = ["DIGITS", "STEP", "Counterexample", "Identity", "Tested", "check_shape", "drawn", "has_logarithm"]

# Sizes pairwise different, so that a transposition shows; large enough that no derivative vanishes for want of rows.
SIZES = (3, 4, 5, 6, 7)
DIGITS, STEP = 60, 20
MOST_DRAWS = 400


@dataclass(frozen=True)
class Counterexample:
    """Small integers at which a statement fails.

    Attributes
    ----------
    sizes : mapping of name to int
    values : mapping of name to list of rows
    entry : (row, column)
        From 1.
    stated, right : mpf
    """

    sizes: Mapping[str, int]
    values: Mapping[str, list[list[int]]]
    entry: tuple[int, int]
    stated: Any
    right: Any

    def __str__(self) -> str:
        given = ", ".join(f"{name} = {rows}" for name, rows in self.values.items())
        sizes = ", ".join(f"{name} = {n}" for name, n in self.sizes.items())
        i, j = self.entry
        numbers = f"{mpmath.nstr(self.stated, 8)}, right is {mpmath.nstr(self.right, 8)}"
        return f"{sizes}; {given}: entry ({i}, {j}) is stated to be {numbers}"


@dataclass(frozen=True)
class Tested:
    """What tests at random entries found.

    Attributes
    ----------
    holds : bool
    by : str
        How it was tested.
    empty : bool
        Whether both sides were 0 everywhere: then nothing was tested.
    """

    holds: bool
    by: str
    empty: bool = False


class Identity:
    """What is common to statements; ``stated`` is what is said, an expression.

    Examples
    --------
    A gradient of ``Y = X W^T``, proved for all sizes, and one twice as large:

    >>> from theory.matrix_calculus import Gradient, matrix
    >>> X, W, DY = matrix("X", "N", "D"), matrix("W", "K", "D"), matrix("DY", "N", "K")
    >>> Gradient(X @ W.T, W, DY.T @ X).proved()
    True
    >>> wrong = Gradient(X @ W.T, W, 2 * (DY.T @ X))
    >>> wrong.proved(), wrong.tested().holds
    (False, False)
    >>> print(wrong.counterexample())
    K = 1, D = 1, N = 1; DY = [[1]], X = [[1]], W = [[1]]: entry (1, 1) is stated to be 2.0, right is 1.0
    """

    stated: Matrix

    def difference(self) -> Sum:
        """An entry of what is stated minus what is right."""
        raise NotImplementedError

    def parts(self) -> tuple[Matrix, ...]:
        """All expressions of the statement."""
        raise NotImplementedError

    def pair(self, values: Mapping[str, Any], sizes: Mapping[str, int], numbers: Any) -> tuple[np.ndarray, np.ndarray]:
        """What is stated and what is right, entry by entry, at given numbers."""
        raise NotImplementedError

    def _along(self, values: Mapping[str, Any], sizes: Mapping[str, int], rng: Random) -> tuple[Any, Any]:
        """Both sides in the field, the derivative along a random direction."""
        raise NotImplementedError

    def restated(self, stated: Matrix) -> Identity:
        """The same statement with another expression."""
        raise NotImplementedError

    def proved(self) -> bool:
        """Whether it holds for all sizes and all entries at which both sides have values; False says nothing."""
        return vanishes(self.difference())

    @property
    def size_names(self) -> list[str]:
        return list(dict.fromkeys(n for part in self.parts() for n in _sizes_in(part)))

    @property
    def matrices(self) -> dict[str, Matrix]:
        found: dict[str, Matrix] = {}
        for part in self.parts():
            found |= matrices_in(part)
        return found

    def _index_names(self) -> dict[str, str]:
        return {name: n for part in self.parts() for name, n in _indices_in(part).items()}

    def tested(self, seed: int = 1) -> Tested:
        """At random entries: exactly in a finite field, or to 40 digits where the field has no such numbers."""
        rng = Random(seed)
        sizes = dict(zip(self.size_names, SIZES, strict=False))
        if not self._needs_logarithms():
            try:
                return self._in_field(sizes, rng)
            except NoValue:
                pass
        return self._to_digits(sizes, rng)

    def _needs_logarithms(self) -> bool:
        return has_logarithm(self.stated)

    def _in_field(self, sizes: Mapping[str, int], rng: Random) -> Tested:
        last: NoValue | None = None
        for _ in range(MOST_DRAWS):
            values: dict[str, Any] = {
                name: drawn(shape_of(m, sizes), lambda: Element(rng.randrange(P), rng.randrange(P - 1)))
                for name, m in self.matrices.items()
            }
            values |= {name: rng.randrange(sizes[n]) for name, n in self._index_names().items()}
            try:
                left, right = self._along(values, sizes, rng)
            except NoValue as error:
                last = error
                continue
            empty = not any(left) and not any(right)
            return Tested(list(left) == list(right), "exactly, in the field of 2^61 - 1 elements", empty)
        raise last or NoValue("no entries with values were found")

    def _to_digits(self, sizes: Mapping[str, int], rng: Random) -> Tested:
        with mpmath.workdps(DIGITS):
            values: dict[str, Any] = {
                name: drawn(shape_of(m, sizes), lambda: mpmath.mpf(rng.randrange(20, 300)) / 97)
                for name, m in self.matrices.items()
            }
            values |= {name: rng.randrange(sizes[n]) for name, n in self._index_names().items()}
            left, right = self.pair(values, sizes, ManyDigits())
            scale = max([abs(v) for v in (*left.flat, *right.flat)], default=mpmath.mpf(0))
            holds = all(
                abs(a - b) <= mpmath.mpf(10) ** (-STEP + 4) * scale for a, b in zip(left.flat, right.flat, strict=True)
            )
        return Tested(bool(holds), f"to {STEP - 4} digits", scale == 0)

    def counterexample(self, seed: int = 1) -> Counterexample | None:
        """Small integers, at the least sizes that show it, where what is stated is wrong; None where none is found."""
        rng, names = Random(seed), self.size_names
        for largest in (1, 2, 3):
            for numbers in itertools.product(range(1, largest + 1), repeat=len(names)):
                if max(numbers, default=1) == largest:
                    found = self._contradicted(dict(zip(names, numbers, strict=True)), rng)
                    if found:
                        return found
        return None

    def _contradicted(self, sizes: dict[str, int], rng: Random) -> Counterexample | None:
        for most in (1, 2, 3):
            values: dict[str, Any] = {
                name: drawn(shape_of(m, sizes), lambda most=most: mpmath.mpf(rng.randint(1, most)))
                for name, m in self.matrices.items()
            }
            values |= {name: rng.randrange(sizes[n]) for name, n in self._index_names().items()}
            with mpmath.workdps(DIGITS):
                try:
                    left, right = self.pair(values, sizes, ManyDigits())
                except (ZeroDivisionError, ValueError):
                    continue
                for (i, j), a in np.ndenumerate(left):
                    b = right[i, j]
                    if mpmath.isfinite(a) and mpmath.isfinite(b) and abs(a - b) > mpmath.mpf(10) ** -6 * (1 + abs(b)):
                        shown = {n: [[int(x) for x in row] for row in values[n]] for n in self.matrices}
                        return Counterexample(sizes, shown, (i + 1, j + 1), a, b)
        return None


def drawn(shape: tuple[int, int], draw: Any) -> np.ndarray:
    found = np.empty(shape, dtype=object)
    for index in np.ndindex(*shape):
        found[index] = draw()
    return found


def _sizes_in(m: Matrix) -> Iterator[str]:
    if m.op == "size":
        yield m.args[0]
    yield from (n for n in m.shape if isinstance(n, str))
    for part in m.args:
        if isinstance(part, Matrix):
            yield from _sizes_in(part)


def _indices_in(m: Matrix) -> dict[str, str]:
    found = {m.args[1]: m.args[0].shape[1]} if m.op == "column" else {}
    for part in m.args:
        if isinstance(part, Matrix):
            found |= _indices_in(part)
    return found


def has_logarithm(m: Matrix) -> bool:
    own = m.op == "apply" and m.args[0] == "log" and m.args[1] == 0
    return own or any(has_logarithm(a) for a in m.args if isinstance(a, Matrix))


def check_shape(stated: Matrix, shape: tuple[Any, Any], what: str) -> None:
    if stated.shape != shape:
        raise ValueError(
            f"{what}: what is stated must have the shape {shape[0]} x {shape[1]}, got {stated.shape[0]} x "
            f"{stated.shape[1]}; see which product is transposed"
        )
