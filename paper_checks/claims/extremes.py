"""Relations about the largest and the least value of a formula on a box."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import sympy
from sympy import Expr

from paper_checks.claims.relations import Relation, Rounds
from theory import Formula


@dataclass(frozen=True)
class Extreme(Relation):
    """Base of :class:`Maximum` and :class:`Minimum`: the published number is the extreme value of a formula on a box.

    Interval arithmetic encloses it between a value that is reached and a bound, with a relative difference of 1e-10.
    CONFIRMED is a proof that the published number is correct to 1e-10, or to its digits. REFUTED is a proof that it is
    not. It is INCONCLUSIVE if the boxes do not suffice or interval arithmetic does not know a function.

    Attributes
    ----------
    of : Formula
        The formula; its arguments that are not in the box are taken from the points.
    box : mapping of str to (low, high)
        Finite closed intervals by the names of arguments; numbers, or strings for exact rationals.
    digits : int, optional
        Significant digits of a published decimal: the extreme value rounds to it.
    bound : bool
        Whether the published number is only a bound, which the extreme value may reach. ``slips=`` are then required.
    """

    of: Formula
    box: Mapping[str, tuple[Any, Any]]
    digits: int | None = None
    bound: bool = False

    direction: ClassVar[int] = 1
    rung: ClassVar[str] = "extreme"
    samples: ClassVar[str] = ""
    needs: ClassVar[tuple[str, ...]] = ("printed",)

    @property
    def automatic(self) -> bool:  # type: ignore[override]  # a constant of other relations
        """Other bounds may hold as well."""
        return not self.bound

    @property
    def detail(self) -> str:
        """The formula and the box as text."""
        sides = ", ".join(f"{name} in [{low}, {high}]" for name, (low, high) in self.box.items())
        return f"{'a bound, ' if self.bound else ''}of {self.of.expr} on {sides}"

    def slack(self, value: float) -> float:
        """Half a unit of the last published digit."""
        return Rounds(self.digits).slack(value) if self.digits else 0.0

    def mutants(self, expr: Expr) -> Mapping[str, Expr]:
        """The published number with its last digit changed by one."""
        return Rounds(self.digits).mutants(expr) if self.digits else {}

    def mistakes(self, claim: Any) -> Iterator[tuple[str, str]]:
        """Fields of a claim that do not fit this relation, and what to do."""
        foreign = sorted(set(self.box) - set(self.of.names))
        if foreign or not self.box:
            wanted = f"arguments of {list(self.of.names)}"
            yield f"{self.kind}(box=) must have {wanted}, got {foreign or 'none'}", "rename them"
        for name, side in self.box.items():
            ends = [sympy.Rational(v) if isinstance(v, str) else sympy.sympify(v) for v in side]
            if len(ends) != 2 or not all(e.is_finite for e in ends) or not ends[0] < ends[1]:
                wanted = "two finite ends in order"
                yield f"{self.kind}(box=) must have {wanted}, got {name!r}: {side}", "write {'x': (0, 1)}"
        if claim.measured or claim.derivation or claim.integral:
            yield f"{self.kind} is proved from of=, got measured=, derivation= or integral=", "leave them out"
        if self.bound and not claim.slips:
            yield "a bound has no automatic altered formulas, got no slips=", "give a bound that does not hold"


@dataclass(frozen=True)
class Maximum(Extreme):
    """The published number is the largest value of a formula on a box; see :class:`Extreme`.

    Examples
    --------
    >>> x = sympy.Symbol("x", real=True)
    >>> Maximum(Formula("it", x * (1 - x)), {"x": (0, 1)}).kind
    'maximum'
    """


@dataclass(frozen=True)
class Minimum(Extreme):
    """The published number is the least value of a formula on a box; see :class:`Extreme`.

    Examples
    --------
    >>> x = sympy.Symbol("x", real=True)
    >>> Minimum(Formula("it", x**4 - x), {"x": (0, 1)}, digits=3).slack(-0.472)
    0.0005
    """

    direction: ClassVar[int] = -1
