"""Statements on matrix expressions: two are equal, one is a gradient, one is a Jacobian."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import mpmath
import numpy as np

from theory.matrix_calculus import indexed
from theory.matrix_calculus.arrays import evaluate, shape_of
from theory.matrix_calculus.entries import derivative, entry_of
from theory.matrix_calculus.expression import Matrix, matrix
from theory.matrix_calculus.finite_field import FiniteField, P
from theory.matrix_calculus.identities import STEP, Identity, Tested, check_shape, drawn, has_logarithm
from theory.matrix_calculus.indexed import Sum, bound, free

__all__ = ["Equal", "Gradient", "Jacobian"]


@dataclass(frozen=True)
class Equal(Identity):
    """Two expressions are equal, entry by entry; for all values of the indices in :func:`column` and :func:`row`."""

    stated: Matrix
    right: Matrix

    def __post_init__(self):
        check_shape(self.stated, self.right.shape, "Equal")

    def parts(self) -> tuple[Matrix, ...]:
        return self.stated, self.right

    def tested(self, seed: int = 1) -> Tested:
        """See :meth:`Identity.tested`; that something is 0 is a statement."""
        return replace(super().tested(seed), empty=False)

    def restated(self, stated: Matrix) -> Equal:
        return replace(self, stated=stated)

    def difference(self) -> Sum:
        i, j = (free(name, n) for name, n in zip("ij", self.right.shape, strict=True))
        return entry_of(self.stated, i, j) - entry_of(self.right, i, j)

    def pair(self, values: Mapping[str, Any], sizes: Mapping[str, int], numbers: Any) -> tuple[np.ndarray, np.ndarray]:
        return evaluate(self.stated, values, sizes, numbers), evaluate(self.right, values, sizes, numbers)

    def _needs_logarithms(self) -> bool:
        return any(map(has_logarithm, self.parts()))

    def _along(self, values: Mapping[str, Any], sizes: Mapping[str, int], _rng: Random) -> tuple[Any, Any]:
        left, right = self.pair(values, sizes, FiniteField())
        return [x.value for x in left.flat], [x.value for x in right.flat]


@dataclass(frozen=True)
class _Slope(Identity):
    """A statement on the derivative of an output by a matrix."""

    output: Matrix
    by: Matrix
    stated: Matrix

    def __post_init__(self):
        if self.by.op != "matrix":
            raise ValueError(f"{type(self).__name__}: by must be a matrix of free entries, got {self.by}; name it")
        self._check()

    def _check(self) -> None:
        raise NotImplementedError

    def restated(self, stated: Matrix) -> Identity:
        return replace(self, stated=stated)

    def _moved(self, values: Mapping[str, Any], sizes: Mapping[str, int], rng: Random) -> tuple[np.ndarray, np.ndarray]:
        """The direction, and the derivative of the output along it."""
        direction = drawn(shape_of(self.by, sizes), lambda: rng.randrange(P))
        name = self.by.args[0]
        moving = drawn(shape_of(self.by, sizes), lambda: None)
        for index, x in np.ndenumerate(values[name]):
            moving[index] = replace(x, slope=direction[index])
        found = evaluate(self.output, {**values, name: moving}, sizes, FiniteField())
        return direction, np.array([[x.slope for x in row] for row in found], dtype=object)

    def _entrywise(self, values: Mapping[str, Any], sizes: Mapping[str, int], numbers: Any) -> Iterator[Any]:
        """By central differences: for each entry of ``by`` the derivative of the whole output."""
        name, h = self.by.args[0], mpmath.mpf(10) ** -STEP
        for index in np.ndindex(*shape_of(self.by, sizes)):
            ends = []
            for sign in (1, -1):
                moved = np.array(values[name], dtype=object)
                moved[index] = moved[index] + sign * h
                ends.append(evaluate(self.output, {**values, name: moved}, sizes, numbers))
            yield index, (ends[0] - ends[1]) / (2 * h)


@dataclass(frozen=True)
class Gradient(_Slope):
    """The gradient of a scalar by a matrix is what is stated, for any scalar that depends on the output.

    All that is used of the scalar is its gradient by the output, an arbitrary matrix called ``cotangent``.
    """

    cotangent: str = "DY"

    def _check(self) -> None:
        check_shape(self.stated, self.by.shape, f"Gradient by {self.by}")

    def parts(self) -> tuple[Matrix, ...]:
        return self.stated, self.output, self.by, matrix(self.cotangent, *self.output.shape)

    def difference(self) -> Sum:
        k, l = (free(name, n) for name, n in zip("kl", self.by.shape, strict=True))
        i, j = (bound(n) for n in self.output.shape)
        slope = derivative(entry_of(self.output, i, j), self.by.args[0], k, l)
        return entry_of(self.stated, k, l) - (indexed.entry(self.cotangent, i, j) * slope).over([i, j])

    def _along(self, values: Mapping[str, Any], sizes: Mapping[str, int], rng: Random) -> tuple[Any, Any]:
        direction, slopes = self._moved(values, sizes, rng)
        stated = evaluate(self.stated, values, sizes, FiniteField())
        weights = values[self.cotangent]
        left = sum(x.value * d for x, d in zip(stated.flat, direction.flat, strict=True)) % P
        right = sum(x.value * s for x, s in zip(weights.flat, slopes.flat, strict=True)) % P
        return [left], [right]

    def pair(self, values: Mapping[str, Any], sizes: Mapping[str, int], numbers: Any) -> tuple[np.ndarray, np.ndarray]:
        right = np.empty(shape_of(self.by, sizes), dtype=object)
        for index, slopes in self._entrywise(values, sizes, numbers):
            right[index] = (values[self.cotangent] * slopes).sum()
        return evaluate(self.stated, values, sizes, numbers), right


@dataclass(frozen=True)
class Jacobian(_Slope):
    """The Jacobian of a row or column by a row or column: entry (a, b) is the derivative of output a by input b."""

    def _check(self) -> None:
        for name, m in (("output", self.output), ("by", self.by)):
            if 1 not in m.shape:
                raise ValueError(f"Jacobian: {name} must be a row or a column, got {m.shape[0]} x {m.shape[1]}")
        check_shape(self.stated, (_long(self.output), _long(self.by)), "Jacobian")

    def parts(self) -> tuple[Matrix, ...]:
        return self.stated, self.output, self.by

    def difference(self) -> Sum:
        a, b = free("a", _long(self.output)), free("b", _long(self.by))
        one = bound(1)
        place = (a, one) if self.output.shape[1] == 1 else (one, a)
        by = (b, one) if self.by.shape[1] == 1 else (one, b)
        return entry_of(self.stated, a, b) - derivative(entry_of(self.output, *place), self.by.args[0], *by)

    def _along(self, values: Mapping[str, Any], sizes: Mapping[str, int], rng: Random) -> tuple[Any, Any]:
        direction, slopes = self._moved(values, sizes, rng)
        stated = evaluate(self.stated, values, sizes, FiniteField())
        left = [sum(x.value * d for x, d in zip(row, direction.flat, strict=True)) % P for row in stated]
        return left, list(slopes.flat)

    def pair(self, values: Mapping[str, Any], sizes: Mapping[str, int], numbers: Any) -> tuple[np.ndarray, np.ndarray]:
        stated = evaluate(self.stated, values, sizes, numbers)
        right = np.empty(stated.shape, dtype=object)
        for number, (_, slopes) in enumerate(self._entrywise(values, sizes, numbers)):
            right[:, number] = slopes.flatten()
        return stated, right


def _long(m: Matrix) -> Any:
    return m.shape[0] if m.shape[1] == 1 else m.shape[1]
