"""Relations between published and measured values, with what each means for the checks."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import sympy
from sympy import Expr

from paper_checks.rules.means import Comparison, Interval, Status, beyond, compare


@dataclass(frozen=True)
class Relation:
    """Base of all relations.

    Attributes
    ----------
    rung : str
        Kind of evidence that judges this relation, besides those from the fields of a claim.
    printed_is_true : bool
        Whether the published formula must have the true value itself.
    samples : str
        The part of a statistic that is judged: ``"mean"``, ``"law"``, or nothing.
    automatic : bool
        Whether every other formula is wrong, so that automatically altered formulas must be rejected.
    relative : bool
        Whether it needs a reference magnitude of the tolerance.
    of_a_property : bool
        Whether it is about a property of the published value, which a correct value alone does not confirm.
    empirical : bool
        Whether it is about runs, not about formulas.
    needs : tuple of str
        Required fields of a claim.
    sign : str
        The sign between the two sides of the equation, in LaTeX.
    """

    rung: ClassVar[str] = ""
    printed_is_true: ClassVar[bool] = True
    samples: ClassVar[str] = "mean"
    automatic: ClassVar[bool] = True
    relative: ClassVar[bool] = True
    of_a_property: ClassVar[bool] = False
    empirical: ClassVar[bool] = False
    needs: ClassVar[tuple[str, ...]] = ()
    sign: ClassVar[str] = "="

    @property
    def kind(self) -> str:
        """Name of the relation in tables."""
        return type(self).__name__.lower()

    def word(self, status: Status) -> str:
        """Word for an outcome."""
        return str(status)

    @property
    def detail(self) -> str:
        """Further details for a reader."""
        return ""

    def slack(self, _value: float) -> float:
        """Largest distance of the measured value from a rounded value when the relation holds."""
        return 0.0

    def mutants(self, _expr: Expr) -> Mapping[str, Expr]:
        """Altered formulas specific to this relation, besides those of any formula."""
        return {}

    def mistakes(self, _claim: Any) -> Iterator[tuple[str, str]]:
        """Fields of a claim that do not fit this relation, and what to do."""
        yield from ()

    def compare(self, known: Interval, value: float, tolerance: float, scale: float) -> Comparison:
        """Judge a value by the interval of the measured one."""
        return compare(known, value, tolerance, scale)


@dataclass(frozen=True)
class Equals(Relation):
    r"""The measured value equals the published one.

    Attributes
    ----------
    written : str
        The sign that the paper writes between the sides, in LaTeX: ``\approx`` where it marks an exact equation as an
        approximation. It changes what is shown, not what is judged.
    """

    written: str = "="

    @property
    def sign(self) -> str:  # type: ignore[override]  # a constant of other relations
        return self.written


@dataclass(frozen=True)
class Rounds(Relation):
    """The published number is a decimal that is correct to its last digit: the true value rounds to it.

    The true value is measured, or given by ``integral=`` or ``exact=``.

    Attributes
    ----------
    digits : int
        Published significant digits: 5 for 1.6733.

    Examples
    --------
    >>> Rounds(5).slack(1.6733), Rounds(2).slack(150)
    (5e-05, 5.0)
    """

    digits: int

    sign: ClassVar[str] = r"\approx"

    def __post_init__(self):
        if not isinstance(self.digits, int) or self.digits < 1:
            raise ValueError(f"Rounds: digits must be a whole number of at least 1, got {self.digits!r}; count them")

    def mistakes(self, claim: Any) -> Iterator[tuple[str, str]]:
        """Errors of a decimal with more digits than declared."""
        expr = claim.printed.expr if claim.printed is not None else None
        if isinstance(expr, sympy.Rational) and expr:
            unit = sympy.Rational(str(2 * self.slack(float(expr))))
            if not (expr / unit).is_integer:
                wanted = f"printed= with {self.digits} digits"
                yield f"Rounds({self.digits}) has {wanted}, got {sympy.N(expr, 15)}", "count the published digits"

    def slack(self, value: float) -> float:
        """Half a unit of the last digit."""
        if not value or not math.isfinite(value):
            return 0.0
        exponent = int(f"{abs(value):.14e}".partition("e")[2])
        return float(f"5e{exponent - self.digits}")

    def mutants(self, expr: Expr) -> Mapping[str, Expr]:
        """The decimal with its last digit changed by one."""
        if expr.free_symbols:
            return {}
        unit = sympy.Rational(str(2 * self.slack(float(expr))))
        return {"last digit + 1": expr + unit, "last digit - 1": expr - unit}

    def compare(self, known: Interval, value: float, tolerance: float, scale: float) -> Comparison:
        """Judge a value by an interval; the tolerance is half a unit of the last digit."""
        return compare(known, value, tolerance, scale, slack=tolerance)


@dataclass(frozen=True)
class Approximates(Relation):
    """The published formula approximates ``exact``; its error is reported.

    Attributes
    ----------
    order : int
        The relative error must vanish faster than ``t**order`` ...
    along : callable t -> mapping
        ... along this path of parameter points as t goes to 0, as the derivation promises.
    at : sequence of mappings
        Further points at which the error is reported, besides those where the exact value is measured.
    """

    order: int
    along: Callable[[Any], Mapping[str, Any]]
    at: Sequence[Mapping[str, Any]] = ()

    rung: ClassVar[str] = "order"
    printed_is_true: ClassVar[bool] = False
    needs: ClassVar[tuple[str, ...]] = ("printed", "exact")
    sign: ClassVar[str] = r"\approx"


@dataclass(frozen=True)
class Bounds(Relation):
    """The published formula is a bound of the measured value.

    The ratio of bound and value is reported with the verdict.

    Attributes
    ----------
    side : {"below", "above"}
        Where the bound lies.
    strict : bool
        Whether the measured value must differ from the bound. If not, a bound that is reached is confirmed, within the
        tolerance.

    Examples
    --------
    >>> Bounds("above", strict=False)
    Bounds(side='above', strict=False)
    """

    side: str = "below"
    strict: bool = True

    automatic: ClassVar[bool] = False

    @property
    def sign(self) -> str:  # type: ignore[override]  # a constant of other relations
        """The sign between the measured value on the left and the bound."""
        return {"below": (r"\ge", ">"), "above": (r"\le", "<")}[self.side][self.strict]

    @property
    def relative(self) -> bool:  # type: ignore[override]  # a constant of other relations
        """Whether a tolerance is needed: only for a bound that may be reached."""
        return not self.strict

    def __post_init__(self):
        if self.side not in ("below", "above"):
            raise ValueError(f"Bounds: side must be 'below' or 'above', got {self.side!r}; choose one")

    def compare(self, known: Interval, value: float, tolerance: float, _scale: float) -> Comparison:
        """Judge a bound by the interval of the measured value."""
        return beyond(known, value, self.side, strict=self.strict, tolerance=tolerance)


@dataclass(frozen=True)
class Always(Relation):
    """A property of the published value holds at every point of the claim; ``says`` states it, ``holds`` tests it.

    The verdict is about the points, not about values between them: see :class:`Everywhere`.
    """

    says: str
    holds: Callable[[Any], bool]

    rung: ClassVar[str] = "property"
    of_a_property: ClassVar[bool] = True
    needs: ClassVar[tuple[str, ...]] = ("printed",)


@dataclass(frozen=True)
class Everywhere(Relation):
    """The published formula is above or below a number everywhere on a box, proved by interval arithmetic.

    Attributes
    ----------
    box : mapping of str to (low, high)
        Closed intervals by the names of the arguments; numbers, or strings for exact rationals.
    above, below : number, optional
        Strict limits of the published formula.
    says : str
        The statement in words; default: the limits.

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
    """A definition, which the kernel simulates draw by draw as a plain NumPy version does.

    Attributes
    ----------
    reference : callable (draws, **point) -> array (samples,)
        The definition in NumPy. ``draws(index)`` gives two arrays of uniforms per draw index, ``draws.four(index)`` the
        four of ``uniform4``.
    """

    reference: Callable[..., Any]

    rung: ClassVar[str] = "definition"
    samples: ClassVar[str] = ""
    needs: ClassVar[tuple[str, ...]] = ("measured",)


@dataclass(frozen=True)
class Distributed(Relation):
    """The published formula is the distribution function of the measured observable, ``law(kernel)``.

    It is judged by the Kolmogorov distance and the bound of Dvoretzky, Kiefer, Wolfowitz and Massart, which holds for
    every n and every distribution. Nothing is assumed about tails: moments need not exist.

    Attributes
    ----------
    variable : str
        The argument of the published formula that runs over the values. Others are taken from the points. A point that
        names it as well gives the place of the ``integral`` of a claim.
    """

    variable: str = "x"

    samples: ClassVar[str] = "law"


@dataclass(frozen=True)
class Reproduces(Relation):
    """An experiment reproduces a table, a figure or a rate within its sampling error."""

    empirical: ClassVar[bool] = True


@dataclass(frozen=True)
class Replicates(Relation):
    """Published numbers agree with our runs, given the number of runs of both.

    Attributes
    ----------
    of : int
        Total number of comparisons with published numbers of the paper: they share an error rate of 1 %.

    Examples
    --------
    >>> Replicates(of=12).word(Status.INCONCLUSIVE)
    'TOO FEW'
    """

    of: int

    rung: ClassVar[str] = "replication"
    empirical: ClassVar[bool] = True

    def __post_init__(self):
        if isinstance(self.of, bool) or not isinstance(self.of, int) or self.of < 1:
            raise ValueError(f"Replicates: of must be a number of comparisons, at least 1, got {self.of!r}; count them")

    def word(self, status: Status) -> str:
        """REPRODUCED, NOT REPRODUCED or TOO FEW."""
        return WORDS[status]


WORDS = {
    Status.CONFIRMED: "REPRODUCED", Status.REFUTED: "NOT REPRODUCED", Status.INCONCLUSIVE: "TOO FEW",
}  # fmt: skip
