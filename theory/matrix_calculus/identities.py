"""Base of statements on matrix expressions: proofs for all sizes, tests and their results, counterexamples."""

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, partial
from random import Random
from typing import Any, Self

import mpmath
import numpy as np

from theory.matrix_calculus.arrays import ManyDigits, Memo, NoValue, evaluate, polynomial, shape_of
from theory.matrix_calculus.draws import field_entries, real_entries
from theory.matrix_calculus.entries import entry_of, vanishes
from theory.matrix_calculus.expression import Matrix, Names, ShapeError, names_in, parts_of
from theory.matrix_calculus.finite_field import FiniteField, NotInField, P
from theory.matrix_calculus.functions import BASIC, DEFINITIONS, expanded
from theory.matrix_calculus.indexed import Index, Sum
from theory.matrix_calculus.terms import free

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


# Sizes pairwise different, so that a transposition shows; large enough that no derivative vanishes for want of rows;
# twice, as n^2 is 4n at n = 4.
SIZES = ((4, 3, 5), (3, 4, 6))
# Draws until both sides have values; and of variants, from where the first of them has some.
MOST_DRAWS, MOST_OF_VARIANT, MOST_OF_REALS = 100, 10, 10
# Of real entries: once negative ones, once all kinds, once positive ones, and where order matters large ones.
SIGNS, LARGE = (((-1,), 1), ((-1, 1), 1), ((1,), 1)), ((-1, 1), 12)


@dataclass
class Trial:
    """Entries by name, the values of parts at them, and what is right there."""

    values: dict[str, Any] = field(default_factory=dict)
    memo: Memo = field(default_factory=dict)
    right: Any = None


@dataclass(frozen=True)
class Identity:
    """Base class of statements on matrix expressions.

    Attributes
    ----------
    stated : Matrix
        A field of each statement.
    trials : dict
        What statements share that differ in ``stated`` alone: what is right, for any entries and for those drawn.

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
    N = 1, K = 1, D = 1; X = [[1]], W = [[1]], DY = [[1]]: entry (1, 1) is stated to be 2.0, right is 1.0
    """

    trials: dict[Any, Any] = field(default_factory=dict, kw_only=True, repr=False, compare=False)

    def _right_latex(self) -> str:
        """LaTeX of what is stated about."""
        raise NotImplementedError

    def _repr_latex_(self) -> str:
        """LaTeX for notebooks: the equation that is stated."""
        return f"$\\displaystyle {self._right_latex()} = {self.stated.latex()}$"

    def parts(self) -> tuple[Matrix, ...]:
        """All expressions of the statement, what is stated last."""
        raise NotImplementedError

    def right_entry(self, i: Index, j: Index) -> Sum:
        """The correct expression, as an indexed sum."""
        raise NotImplementedError

    def right_values(self, values: Mapping[str, Any], sizes: Mapping[str, int]) -> np.ndarray:
        """The correct values, entry by entry, to many digits."""
        raise NotImplementedError

    def _right_along(self, values: Mapping[str, Any], sizes: Mapping[str, int], memo: Memo) -> np.ndarray:
        """What is right in the field: of derivatives, that along a random direction."""
        raise NotImplementedError

    def _along(self, stated: np.ndarray, _values: Mapping[str, Any]) -> np.ndarray:
        """What is stated to be there."""
        return stated

    def _moving(self) -> str:
        """The matrix by which a derivative is taken, if any."""
        return ""

    def restated(self, stated: Matrix) -> Self:
        """The same statement with another expression."""
        return replace(self, stated=stated)

    def difference(self) -> Sum:
        """An entry of what is stated minus what is right."""
        i, j = (free(name, n) for name, n in zip(("@i", "@j"), self.stated.shape, strict=True))
        if "right" not in self.trials:
            self.trials["right"] = self.right_entry(i, j)
        return entry_of(self.stated, i, j) - self.trials["right"]

    def proved(self) -> bool:
        """Whether it holds for all sizes and all real entries at which both sides have values; False says nothing.

        Raises
        ------
        ValueError
            For the derivative of a largest entry, which has none where two are equal.
        """
        try:
            return vanishes(self.difference()) or self._proved_without_inverses()
        except ZeroDivisionError:  # a part has no value
            return False

    def _proved_without_inverses(self) -> bool:
        """Whether the difference vanishes when it is multiplied by matrices that are inverted, twice at most."""
        inverted = [m.args[0] for m in parts_of(self.parts()) if m.op == "inverse"]
        reached = [self.difference()] if inverted else []
        for turn in range(2):
            reached = [self._multiplied(s, m, left, turn) for s in reached for m in inverted
                       for left in (True, False) if m.shape[0] == self.stated.shape[0 if left else 1]]  # fmt: skip
            if any(map(vanishes, reached)):
                return True
        return False

    def _multiplied(self, difference: Sum, m: Matrix, left: bool, turn: int) -> Sum:
        """The difference times a matrix, at the same entry."""
        n = m.shape[0]
        at, old = free("@i" if left else "@j", n), free(f"@{'i' if left else 'j'}{turn}", n)
        moved = difference.renamed({at: old})
        return ((entry_of(m, at, old) * moved) if left else (moved * entry_of(m, old, at))).over([old])

    @cached_property
    def names(self) -> Names:
        """Names of matrices, sizes and indices."""
        return names_in(self.parts())

    @property
    def matrices(self) -> dict[str, Matrix]:
        return self.names.matrices

    def tested(self, seed: int = 1) -> Tested:
        """At random entries of two sizes: exactly in a finite field, to 16 digits where it has no such numbers.

        Roots and largest entries are tested in both ways, as a field has neither signs nor an order; what real numbers
        say of them decides.
        """
        fixed = {n for m in parts_of(self.parts()) for n in m.shape}
        found: list[Tested] = []
        for numbers in SIZES:
            for order in (numbers, numbers[::-1], numbers[:1] * len(numbers)):
                chosen = self._tested_at(self._sizes(order, fixed), seed)
                if chosen.holds or not chosen.empty:
                    break  # else it has no values: an inverse of a product with too few rows, say
            found.append(chosen)
            if not chosen.empty and not chosen.holds:
                break
        with_values = [one for one in found if one.holds or not one.empty] or found
        return replace(with_values[-1], empty=all(one.empty for one in with_values))

    def _sizes(self, numbers: tuple[int, ...], fixed: set[Any]) -> dict[str, int]:
        others = (n for n in itertools.chain(numbers, itertools.count(7)) if n not in fixed)
        return dict(zip(self.names.sizes, others, strict=False))

    def _tested_at(self, sizes: Mapping[str, int], seed: int) -> Tested:
        try:
            found = self._in_field(sizes, seed)
        except (NoValue, NotInField):
            return self._to_digits(sizes, seed)
        if not self._ordered:
            return found
        digits = self._to_digits(sizes, seed)
        exact = found.holds and digits.holds and not digits.empty
        return Tested(True, f"{found.by}, and {digits.by}", found.empty) if exact else digits

    @cached_property
    def _ordered(self) -> bool:
        return any(map(needs_order, parts_of(self.parts())))

    def _in_field(self, sizes: Mapping[str, int], seed: int) -> Tested:
        draw = partial(field_entries, moving=self._moving())
        key = ("draws", seed, *sizes.items())
        first, most = self.trials.get(key, (0, MOST_DRAWS))
        for number in range(first, first + most):
            try:
                trial = self._trial(sizes, f"{seed} {number}", draw)
                stated = evaluate(self.stated, trial.values, sizes, FiniteField(), trial.memo).known()
                if trial.right is None:
                    trial.right = self._right_along(trial.values, sizes, trial.memo)
            except NoValue:
                continue
            self.trials.setdefault(key, (number, MOST_OF_VARIANT))
            left = self._along(stated, trial.values)
            return Tested(bool(np.all(left == trial.right)), IN_FIELD, not (np.any(left) or np.any(trial.right)))
        raise NoValue(f"no entries with values were found in {most} draws")

    def _to_digits(self, sizes: Mapping[str, int], seed: int) -> Tested:
        """With entries of all kinds, where there are values."""
        results = []
        with mpmath.workdps(DIGITS):
            for signs, factor in (*SIGNS, LARGE) if self._ordered else SIGNS:
                results += self._compared(sizes, f"{seed} {signs} {factor}", signs, factor)
                if results and not results[-1].holds:
                    break
        return Tested(bool(results) and all(r.holds for r in results), TO_DIGITS, all(r.empty for r in results))

    def _compared(self, sizes: Mapping[str, int], seed: str, signs: tuple[int, ...], factor: int) -> list[Tested]:
        """At the first entries at which both sides have values; nothing where there are none."""
        draw = partial(real_entries, one=lambda rng: rng.choice(signs) * Fraction(factor * rng.randint(20, 300), 97))
        for number in range(MOST_OF_REALS):
            try:
                return [compared(*self._pair(self._trial(sizes, f"{seed} {number}", draw), sizes))]
            except NoValue:
                continue
        return []

    def _pair(self, trial: Trial, sizes: Mapping[str, int]) -> tuple[np.ndarray, np.ndarray]:
        stated = evaluate(self.stated, trial.values, sizes, ManyDigits(), trial.memo)
        if trial.right is None:
            trial.right = self.right_values(trial.values, sizes)
        return stated, trial.right

    def _trial(self, sizes: Mapping[str, int], seed: str, draw: Callable[..., Any]) -> Trial:
        """With a value for each name, that depends on the name and the seed alone."""
        trial = self.trials.setdefault((seed, *sizes.items()), Trial())
        values = trial.values
        for name, m in self.matrices.items():
            if name not in values:
                values[name] = draw(m, Random(f"{seed} {name}"), shape_of(m, sizes))
        for name, n in self.names.indices.items():
            if name not in values:
                values[name] = Random(f"{seed} {name}").randrange(sizes[n] if isinstance(n, str) else n)
        return trial

    def counterexample(self, seed: int = 1) -> Counterexample | None:
        """Small integers, at the least sizes that show it, where what is stated is wrong; None where none is found."""
        names = self.names.sizes
        spans = [[(least, most) for most in (1, 2, 3)] for least in (1, -3)]
        for tried, largest in itertools.product([*spans, [(-99, 99)]] if self._ordered else spans, (1, 2, 3)):
            for numbers in itertools.product(range(1, largest + 1), repeat=len(names)):
                if max(numbers, default=1) == largest:
                    found = self._contradicted(dict(zip(names, numbers, strict=True)), seed, tried)
                    if found:
                        return found
        return None

    def _contradicted(self, sizes: dict[str, int], seed: int, spans: list[tuple[int, int]]) -> Counterexample | None:
        for span in spans:
            draw = partial(real_entries, one=lambda rng, span=span: Fraction(rng.randint(*span)))
            try:
                trial = self._trial(sizes, f"{seed} {span[0]} {span[1]}", draw)
                with mpmath.workdps(DIGITS):
                    left, right = self._pair(trial, sizes)
                    for (i, j), a in np.ndenumerate(left):
                        if abs(a - right[i, j]) > mpmath.mpf(10) ** -6 * (1 + abs(right[i, j])):
                            return self._shown(sizes, trial.values, (i + 1, j + 1), a, right[i, j])
            except NoValue:
                continue
        return None

    def _shown(
        self, sizes: Mapping[str, int], values: Mapping[str, Any], entry: tuple[int, int], stated: Any, right: Any
    ) -> Counterexample:
        functions = {m.args[0] for m in parts_of(self.parts()) if m.op == "apply"} - {*BASIC, *DEFINITIONS}
        return Counterexample(
            sizes, {n: [[_shown(x) for x in row] for row in values[n]] for n in self.matrices},
            {n: values[n] + 1 for n in self.names.indices}, {n: polynomial_text(n) for n in sorted(functions)},
            entry, stated, right,
        )  # fmt: skip


def _shown(value: Any) -> Any:
    exact = Fraction(str(value)).limit_denominator(10**6)
    return int(exact) if exact.denominator == 1 else str(exact)


def needs_order(m: Matrix) -> bool:
    """Whether its values are those of real numbers alone: roots, largest entries."""
    if m.op == "apply" and m.args[0] in DEFINITIONS:
        return any(map(needs_order, parts_of([expanded(m)])))
    return m.op == "rows_max" or (m.op == "power" and m.args[0].denominator != 1)


def check_shape(stated: Matrix, shape: tuple[Any, Any], what: str) -> None:
    """Raise a ``ShapeError`` where the shape of what is stated is another one."""
    if stated.shape != shape:
        raise ShapeError(
            f"{what}: what is stated must have the shape {shape[0]} x {shape[1]}, got {stated.shape[0]} x "
            f"{stated.shape[1]}; see which product is transposed"
        )
