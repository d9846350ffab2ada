"""Statements on matrix expressions: two are equal, one is a gradient, one is a Jacobian."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import mpmath
import numpy as np

from theory.matrix_calculus import indexed
from theory.matrix_calculus.arrays import ManyDigits, Memo, evaluate, shape_of
from theory.matrix_calculus.entries import derivative, entry_of
from theory.matrix_calculus.expression import Matrix, ShapeError, kind_of, matrix, names_in, number
from theory.matrix_calculus.finite_field import FiniteField, P
from theory.matrix_calculus.identities import STEP, Identity, Tested, check_shape
from theory.matrix_calculus.indexed import Index, Sum, bound

DEFAULT = "DY"


@dataclass(frozen=True)
class Equal(Identity):
    """Two expressions are equal, entry by entry; for all values of the indices in :func:`column` and :func:`row`."""

    stated: Matrix
    right: Matrix

    def __post_init__(self):
        check_shape(self.stated, self.right.shape, "Equal")
        self.names  # noqa: B018  # raises where one name means two things

    def parts(self) -> tuple[Matrix, ...]:
        return self.right, self.stated

    def _right_latex(self) -> str:
        return self.right.latex()

    def tested(self, seed: int = 1) -> Tested:
        """See :meth:`Identity.tested`; that something is 0 is a statement."""
        found = super().tested(seed)
        return replace(found, empty=found.empty and not found.holds)

    def right_entry(self, i: Index, j: Index) -> Sum:
        return entry_of(self.right, i, j)

    def right_values(self, values: Mapping[str, Any], sizes: Mapping[str, int]) -> np.ndarray:
        return evaluate(self.right, values, sizes, ManyDigits())

    def _right_along(self, values: Mapping[str, Any], sizes: Mapping[str, int], memo: Memo) -> np.ndarray:
        return evaluate(self.right, values, sizes, FiniteField(), memo).known()


@dataclass(frozen=True)
class _Slope(Identity):
    """A statement on the derivative of an output by a matrix."""

    output: Matrix
    by: Matrix
    stated: Matrix

    def __post_init__(self):
        if self.by.op != "matrix":
            raise ValueError(f"{type(self).__name__}: by must be a matrix of free entries, got {self.by}; name it")
        if kind_of(self.by) not in ("free", "positive"):
            raise ValueError(
                f"{type(self).__name__}: by must be a matrix of free entries, got the {kind_of(self.by)} {self.by}; "
                "write it by a free one, as (A + A.T)/2"
            )
        self._check()
        self.names  # noqa: B018  # raises where one name means two things

    def _check(self) -> None:
        raise NotImplementedError

    def _moving(self) -> str:
        return self.by.args[0]

    def _slopes(self, values: Mapping[str, Any], sizes: Mapping[str, int], memo: Memo) -> np.ndarray:
        """The derivative of the output along the direction."""
        slope = evaluate(self.output, values, sizes, FiniteField(), memo).slope
        return slope + np.zeros(shape_of(self.output, sizes), dtype=object)

    def _entrywise(self, values: Mapping[str, Any], sizes: Mapping[str, int]) -> Iterator[Any]:
        """By central differences: for each entry of ``by`` the derivative of the whole output."""
        name, h = self.by.args[0], mpmath.mpf(10) ** -STEP
        for index in np.ndindex(*shape_of(self.by, sizes)):
            ends = []
            for sign in (1, -1):
                moved = np.array(values[name], dtype=object)
                moved[index] = moved[index] + sign * h
                ends.append(evaluate(self.output, {**values, name: moved}, sizes, ManyDigits()))
            yield index, (ends[0] - ends[1]) / (2 * h)


@dataclass(frozen=True)
class Gradient(_Slope):
    """The gradient of a scalar by a matrix is what is stated.

    Where the output is a scalar, 1 x 1, the gradient is its own. Otherwise it is that of any scalar that depends on the
    output: all that is used of it is its gradient by the output, an arbitrary matrix called ``cotangent``, "DY" unless
    another name is given. A scalar output has a cotangent too where one is given, or what is stated has a "DY".

    Examples
    --------
    >>> from theory.matrix_calculus import matrix, power, total
    >>> Y, T, DY, W = matrix("Y", "N", "K"), matrix("T", "N", "K"), matrix("DY", "N", "K"), matrix("W", "K", "K")
    >>> Gradient(total(power(Y - T, 2)), by=Y, stated=2 * (Y - T)).proved()
    True
    >>> Gradient(Y @ W, by=Y, stated=DY @ W.T).proved()
    True
    """

    cotangent: str | None = None

    def __post_init__(self):
        if self.cotangent is None:
            own = self.output.shape == (1, 1) and DEFAULT not in names_in([self.stated]).matrices
            object.__setattr__(self, "cotangent", "" if own else DEFAULT)
        super().__post_init__()

    def _check(self) -> None:
        check_shape(self.stated, self.by.shape, f"Gradient by {self.by}")
        if not self.cotangent and self.output.shape != (1, 1):
            raise ValueError("Gradient: cotangent must be a name where the output is no scalar, got ''; leave it out")
        if self.cotangent in names_in([self.output]).matrices:
            raise ValueError(
                f"Gradient: cotangent must be a name that the output does not have, got {self.cotangent!r}; "
                "give another one"
            )

    def _right_latex(self) -> str:
        output, by = self.output.latex(), self.by.latex()
        if not self.cotangent:
            return rf"\nabla_{{{by}}} \left({output}\right)"
        return rf"\nabla_{{{by}}} \left\langle {matrix(self.cotangent, 1, 1).latex()}, {output} \right\rangle"

    def parts(self) -> tuple[Matrix, ...]:
        along = matrix(self.cotangent, *self.output.shape) if self.cotangent else number(1)
        return self.output, self.by, along, self.stated

    def right_entry(self, i: Index, j: Index) -> Sum:
        k, l = (bound(n) for n in self.output.shape)
        slope = derivative(entry_of(self.output, k, l), self.by.args[0], i, j)
        return (indexed.entry(self.cotangent, k, l) * slope).over([k, l]) if self.cotangent else slope

    def _right_along(self, values: Mapping[str, Any], sizes: Mapping[str, int], memo: Memo) -> np.ndarray:
        along = values[self.cotangent].known() if self.cotangent else 1
        return (along * self._slopes(values, sizes, memo)).sum(keepdims=True) % P

    def _along(self, stated: np.ndarray, values: Mapping[str, Any]) -> np.ndarray:
        return (stated * values[self._moving()].slope).sum(keepdims=True) % P

    def right_values(self, values: Mapping[str, Any], sizes: Mapping[str, int]) -> np.ndarray:
        right = np.empty(shape_of(self.by, sizes), dtype=object)
        for index, slopes in self._entrywise(values, sizes):
            right[index] = ((values[self.cotangent] if self.cotangent else 1) * slopes).sum()
        return right


@dataclass(frozen=True)
class Jacobian(_Slope):
    """The Jacobian of a row or column by a row or column: entry (a, b) is the derivative of output a by input b."""

    def _check(self) -> None:
        for name, m in (("output", self.output), ("by", self.by)):
            if 1 not in m.shape:
                raise ShapeError(
                    f"Jacobian: {name} must be a row or a column, got {m.shape[0]} x {m.shape[1]}; take one of them"
                )
        check_shape(self.stated, (_long(self.output), _long(self.by)), "Jacobian")

    def _right_latex(self) -> str:
        return rf"\frac{{\partial}}{{\partial {self.by.latex()}}} \left({self.output.latex()}\right)"

    def parts(self) -> tuple[Matrix, ...]:
        return self.output, self.by, self.stated

    def right_entry(self, i: Index, j: Index) -> Sum:
        one = bound(1)
        place = (i, one) if self.output.shape[1] == 1 else (one, i)
        by = (j, one) if self.by.shape[1] == 1 else (one, j)
        return derivative(entry_of(self.output, *place), self.by.args[0], *by)

    def _right_along(self, values: Mapping[str, Any], sizes: Mapping[str, int], memo: Memo) -> np.ndarray:
        return self._slopes(values, sizes, memo).flatten()

    def _along(self, stated: np.ndarray, values: Mapping[str, Any]) -> np.ndarray:
        return stated @ values[self._moving()].slope.flatten() % P

    def right_values(self, values: Mapping[str, Any], sizes: Mapping[str, int]) -> np.ndarray:
        return np.array([slopes.flatten() for _, slopes in self._entrywise(values, sizes)], dtype=object).T


def _long(m: Matrix) -> Any:
    return m.shape[0] if m.shape[1] == 1 else m.shape[1]
