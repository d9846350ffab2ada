"""Relations about the largest and the least value of a formula on a box."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import sympy
from sympy import Expr

from paper_checks.claims.relations import Relation, Rounds
from theory import Formula

__all__ = ["Extreme", "Maximum", "Minimum"]


@dataclass(frozen=True)
class Extreme(Relation):
    """Base of :class:`Maximum` and :class:`Minimum`: printed is the extreme value of a formula on a box.

    Interval arithmetic encloses it between a value that is reached and one that none exceeds, 1e-10 of the printed
    value apart. CONFIRMED is a proof that what is printed is right to 1e-10, or to its digits; REFUTED a proof that it
    is not; INCONCLUSIVE where the boxes do not suffice or a function is not known to interval arithmetic.

    Attributes
    ----------
    of : Formula
        Whose values; arguments that are not in the box are taken from the points.
    box : mapping of str to (low, high)
        Finite closed intervals by the names of arguments; numbers, or strings for exact rationals.
    digits : int, optional
        Significant digits of a printed decimal: the extreme value rounds to it.
    bound : bool
        Whether printed is a bound only, which the extreme value may reach. Slips must then be named.
    """

    of: Formula
    box: Mapping[str, tuple[Any, Any]]
    digits: int | None = None
    bound: bool = False

    sign: ClassVar[int] = 1
    rung: ClassVar[str] = "extreme"
    samples: ClassVar[str] = ""
    needs: ClassVar[tuple[str, ...]] = ("printed",)

    @property
    def automatic(self) -> bool:
        """Other bounds may hold as well."""
        return not self.bound

    @property
    def detail(self) -> str:
        """Of what, and where."""
        sides = ", ".join(f"{name} in [{low}, {high}]" for name, (low, high) in self.box.items())
        return f"{'a bound, ' if self.bound else ''}of {self.of.expr} on {sides}"

    def slack(self, value: float) -> float:
        """Half a unit of the last digit that is printed."""
        return Rounds(self.digits).slack(value) if self.digits else 0.0

    def mutants(self, expr: Expr) -> Mapping[str, Expr]:
        """The last digit one off."""
        return Rounds(self.digits).mutants(expr) if self.digits else {}

    def mistakes(self, claim: Any) -> Iterator[tuple[str, str]]:
        """What it cannot be judged with."""
        foreign = sorted(set(self.box) - set(self.of.names))
        if foreign or not self.box:
            yield (
                f"{self.kind}(box=) must have arguments of {list(self.of.names)}, got {foreign or 'none'}",
                "rename them",
            )
        for name, side in self.box.items():
            ends = [sympy.Rational(v) if isinstance(v, str) else sympy.sympify(v) for v in side]
            if len(ends) != 2 or not all(e.is_finite for e in ends) or not ends[0] < ends[1]:
                yield (
                    f"{self.kind}(box=) must have two finite ends in order, got {name!r}: {side}",
                    "write {'x': (0, 1)}",
                )
        if claim.measured or claim.derivation or claim.integral:
            yield f"{self.kind} is proved from of=, got measured=, derivation= or integral=", "leave them out"
        if self.bound and not claim.slips:
            yield "a bound has no automatic mutants, got no slips=", "name a bound that does not hold"


@dataclass(frozen=True)
class Maximum(Extreme):
    """Printed is the largest value of a formula on a box; see :class:`Extreme` for what is proved.

    Examples
    --------
    >>> x = sympy.Symbol("x", real=True)
    >>> Maximum(Formula("it", x * (1 - x)), {"x": (0, 1)}).kind
    'maximum'
    """


@dataclass(frozen=True)
class Minimum(Extreme):
    """Printed is the least value of a formula on a box; see :class:`Extreme` for what is proved.

    Examples
    --------
    >>> x = sympy.Symbol("x", real=True)
    >>> Minimum(Formula("it", x**4 - x), {"x": (0, 1)}, digits=3).slack(-0.472)
    0.0005
    """

    sign: ClassVar[int] = -1
