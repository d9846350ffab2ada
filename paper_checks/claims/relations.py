"""How what is printed and what is measured must relate; each relation carries what it means for the checks."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import sympy
from sympy import Expr

from paper_checks.rules.bounds import beyond
from paper_checks.rules.means import Comparison, Interval, compare

__all__ = [
    "Always",
    "Approximates",
    "Bounds",
    "Defines",
    "Distributed",
    "Equals",
    "Everywhere",
    "Relation",
    "Reproduces",
    "Rounds",
]


@dataclass(frozen=True)
class Relation:
    """Base of all relations.

    Attributes
    ----------
    rung : str
        The rung that this relation is judged by, beside those that a claim's evidence asks for.
    printed_is_true : bool
        Whether the printed form must have the true value itself.
    samples : str
        What of a statistic is judged: ``"mean"``, ``"law"``, or nothing.
    automatic : bool
        Whether every other form is wrong, so that automatic mutants must be rejected.
    relative : bool
        Whether it needs something that its resolution is relative to.
    of_a_property : bool
        Whether it speaks of a property of the printed value: that the value itself is right does not confirm it.
    empirical : bool
        Whether it speaks of runs, not of formulas.
    needs : tuple of str
        Fields of a claim that it cannot be judged without.
    """

    rung: ClassVar[str] = ""
    printed_is_true: ClassVar[bool] = True
    samples: ClassVar[str] = "mean"
    automatic: ClassVar[bool] = True
    relative: ClassVar[bool] = True
    of_a_property: ClassVar[bool] = False
    empirical: ClassVar[bool] = False
    needs: ClassVar[tuple[str, ...]] = ()

    @property
    def kind(self) -> str:
        """What a table of claims shows."""
        return type(self).__name__.lower()

    @property
    def detail(self) -> str:
        """What of it stands in no other field of a claim, for a reader."""
        return ""

    def slack(self, _value: float) -> float:
        """How far from a value the measured may be when the relation holds, by what the value says itself."""
        return 0.0

    def mutants(self, _expr: Expr) -> Mapping[str, Expr]:
        """Wrong variants of a form that this relation must tell from it, beside those of any form."""
        return {}

    def mistakes(self, _claim: Any) -> Iterator[tuple[str, str]]:
        """What a claim cannot be judged with by this relation, and what to do about it."""
        yield from ()

    def compare(self, known: Interval, value: float, tolerance: float, scale: float) -> Comparison:
        """Judge a value by what is known of the measured."""
        return compare(known, value, tolerance, scale)


@dataclass(frozen=True)
class Equals(Relation):
    """Measured equals printed."""


@dataclass(frozen=True)
class Rounds(Relation):
    """Printed is a decimal number, right to the last of its digits: the true value rounds to it.

    The true value is measured, or given by ``integral=`` or ``exact=``.

    Attributes
    ----------
    digits : int
        Significant digits that are printed: 5 for 1.6733.

    Examples
    --------
    >>> Rounds(5).slack(1.6733), Rounds(2).slack(150)
    (5e-05, 5.0)
    """

    digits: int

    def __post_init__(self):
        if not isinstance(self.digits, int) or self.digits < 1:
            raise ValueError(f"Rounds: digits must be a whole number of at least 1, got {self.digits!r}; count them")

    def slack(self, value: float) -> float:
        """Half a unit of the last digit."""
        if not value or not math.isfinite(value):
            return 0.0
        exponent = int(f"{abs(value):.14e}".partition("e")[2])
        return float(f"5e{exponent - self.digits}")

    def mutants(self, expr: Expr) -> Mapping[str, Expr]:
        """The last digit one off."""
        if expr.free_symbols:
            return {}
        unit = sympy.Rational(str(2 * self.slack(float(expr))))
        return {"last digit + 1": expr + unit, "last digit - 1": expr - unit}

    def compare(self, known: Interval, value: float, tolerance: float, scale: float) -> Comparison:
        """Judge a value by what is known of the measured; the tolerance is half a unit of the last digit."""
        return compare(known, value, tolerance, scale, slack=tolerance)


@dataclass(frozen=True)
class Approximates(Relation):
    """Printed approximates ``exact``: the result is how far off it is, where.

    Attributes
    ----------
    order : int
        The relative error must vanish faster than ``t**order`` ...
    along : callable t -> mapping
        ... along this path of parameter points as t goes to 0: what the derivation promises.
    at : sequence of mappings
        Further points at which the error is reported, beside those where the exact value is measured.
    """

    order: int
    along: Callable[[Any], Mapping[str, Any]]
    at: Sequence[Mapping[str, Any]] = ()

    rung: ClassVar[str] = "order"
    printed_is_true: ClassVar[bool] = False
    needs: ClassVar[tuple[str, ...]] = ("printed", "exact")


@dataclass(frozen=True)
class Bounds(Relation):
    """Printed is a bound of the measured.

    How near it is to what it bounds is reported with the verdict.

    Attributes
    ----------
    side : {"below", "above"}
        Where the bound lies.
    strict : bool
        Whether the measured must differ from it. Where it need not, a bound that is reached is confirmed, to the
        resolution.

    Examples
    --------
    >>> Bounds("above", strict=False)
    Bounds(side='above', strict=False)
    """

    side: str = "below"
    strict: bool = True

    automatic: ClassVar[bool] = False

    @property
    def relative(self) -> bool:
        """Only a bound that may be reached is confirmed to a resolution."""
        return not self.strict

    def __post_init__(self):
        if self.side not in ("below", "above"):
            raise ValueError(f"Bounds: side must be 'below' or 'above', got {self.side!r}; choose one")

    def compare(self, known: Interval, value: float, tolerance: float, _scale: float) -> Comparison:
        """Judge a bound by what is known of the measured."""
        return beyond(known, value, self.side, strict=self.strict, tolerance=tolerance)


@dataclass(frozen=True)
class Always(Relation):
    """A property of the printed value holds at every point of the claim; ``says`` it, ``holds`` decides it.

    What is found is said of the points, not of what lies between them: see :class:`Everywhere`.
    """

    says: str
    holds: Callable[[Any], bool]

    rung: ClassVar[str] = "property"
    of_a_property: ClassVar[bool] = True
    needs: ClassVar[tuple[str, ...]] = ("printed",)


@dataclass(frozen=True)
class Everywhere(Relation):
    """Printed lies above or below a number everywhere on a box, proved by interval arithmetic.

    Attributes
    ----------
    box : mapping of str to (low, high)
        Closed intervals by the names of the arguments; numbers, or strings for exact rationals.
    above, below : number, optional
        The strict limits that the printed value keeps.
    says : str
        In words; default: the limits.

    Examples
    --------
    >>> Everywhere({"r": (0, 1)}, above=0, below="1/2").says
    'above 0 and below 1/2'
    """

    box: Mapping[str, tuple[Any, Any]]
    above: Any = None
    below: Any = None
    says: str = ""

    rung: ClassVar[str] = "everywhere"
    of_a_property: ClassVar[bool] = True
    needs: ClassVar[tuple[str, ...]] = ("printed",)

    def __post_init__(self):
        if self.above is None and self.below is None:
            raise ValueError("Everywhere: above= or below= must be given, got neither; name a limit")
        limits = [f"{name} {getattr(self, name)}" for name in ("above", "below") if getattr(self, name) is not None]
        object.__setattr__(self, "says", self.says or " and ".join(limits))


@dataclass(frozen=True)
class Defines(Relation):
    """A definition: the kernel plays it, draw by draw, as a plain reading of it does.

    Attributes
    ----------
    reference : callable (draws, **point) -> array (samples,)
        A NumPy reading of the definition. ``draws(index)`` gives two arrays of uniforms per draw index,
        ``draws.four(index)`` the four of ``uniform4``.
    """

    reference: Callable[..., Any]

    rung: ClassVar[str] = "definition"
    samples: ClassVar[str] = ""
    needs: ClassVar[tuple[str, ...]] = ("measured",)


@dataclass(frozen=True)
class Distributed(Relation):
    """Printed is the distribution function of what is measured, ``law(kernel)``: the whole law, not a moment of it.

    Judged by the Kolmogorov distance and the bound of Dvoretzky, Kiefer, Wolfowitz and Massart, which holds for every
    n and every law: nothing is assumed about tails, so that it serves where moments do not exist.

    Attributes
    ----------
    variable : str
        The argument of the printed formula that runs over the values. Others are taken from the points. A point that
        names it as well says where the ``integral`` of a claim is taken.
    """

    variable: str = "x"

    samples: ClassVar[str] = "law"


@dataclass(frozen=True)
class Reproduces(Relation):
    """A table, a figure or a rate is found again by an experiment, within its sampling error."""

    empirical: ClassVar[bool] = True
