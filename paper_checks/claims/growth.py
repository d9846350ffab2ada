"""Relations about growth: the power of a parameter, and the asymptotic value of a formula."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import sympy
from sympy import Expr

from paper_checks.claims.fields import number
from paper_checks.claims.relations import Relation
from paper_checks.rules.means import Comparison, Interval, compare
from theory import Formula


@dataclass(frozen=True)
class Scales(Relation):
    """The published number is an exponent p: a value is proportional to ``along**p``.

    The measured values are judged **between the points of the claim**, neighbour by neighbour: CONFIRMED if every
    exponent between two of them is within the tolerance of the published one (1e-2 or 1e-3, not relative), REFUTED if
    one is not. The verdict is about an exact power law on the range of the points only. For a statement about the limit
    give ``of``, the formula that grows: the limit of its logarithmic derivative is exact. Altered exponents count if
    they differ by more than twice the tolerance.

    Attributes
    ----------
    along : str
        The positive parameter, which the points name.
    of : Formula, optional
        The formula that grows as its argument ``along`` goes to infinity; instead of ``measured=``.

    Examples
    --------
    >>> n = sympy.Symbol("n", positive=True)
    >>> Scales("n", of=Formula("edges", n * (n - 1) / 2)).rung
    'limit'
    """

    along: str
    of: Formula | None = None

    samples: ClassVar[str] = "exponent"
    needs: ClassVar[tuple[str, ...]] = ("printed",)

    @property
    def rung(self) -> str:  # type: ignore[override]  # a constant of other relations
        """The kind of evidence; an exponent in the limit needs no samples."""
        return "limit" if self.of else ""

    @property
    def detail(self) -> str:
        """The parameter and its range as text."""
        return f"in {self.along}, between points" if self.of is None else f"in {self.along} to infinity: {self.of.expr}"

    def mistakes(self, claim: Any) -> Iterator[tuple[str, str]]:
        """Fields of a claim that do not fit this relation, and what to do."""
        if (self.of is None) == (claim.measured is None):
            got = "both" if self.of else "neither"
            hint = "the limit of a formula, or what is measured between points"
            yield f"Scales needs of= or measured=, got {got}", hint
        if claim.derivation or claim.integral:
            yield "Scales compares exponents, got derivation= or integral=", "give of= or measured="
        for form in (claim.printed, claim.corrected):
            if form is not None and self.along in form.names:
                yield f"an exponent must not depend on {self.along!r}, got {form.expr}", "give the exponent alone"
        if self.of is not None:
            yield from _lacks(self.of, self.along, "of=")
        elif claim.measured is not None:
            yield from _few(claim, self.along)

    def compare(self, known: Interval, value: float, tolerance: float, scale: float) -> Comparison:
        """Judge an exponent; differences within the tolerance do not count."""
        return compare(known, value, tolerance, scale, slack=tolerance)


@dataclass(frozen=True)
class Asymptotic(Relation):
    """The published formula approaches ``exact`` at infinity: the ratio goes to 1, or the difference is O(rate).

    CONFIRMED means that SymPy finds the limit of the ratio, or of the difference over ``rate``, that this is 1, or
    finite, and that values to 50 digits at ``along`` = 16, 32, ..., 2^20 show it. REFUTED means that the limit is
    different or infinite, and that the values show it. Numbers alone settle nothing about infinity: if SymPy finds no
    limit, the verdict is INCONCLUSIVE. Altered formulas that the numbers do not distinguish from the published one are
    equivalent within the tolerance.

    Attributes
    ----------
    along : str
        The parameter, an argument of both forms.
    rate : sympy.Expr, optional
        Positive, in the same symbols; without one the ratio is judged.

    Examples
    --------
    >>> n = sympy.Symbol("n", positive=True)
    >>> Asymptotic("n", rate=1 / n).detail
    'the difference is O(1/n) as n goes to infinity'
    """

    along: str
    rate: Expr | None = None

    rung: ClassVar[str] = "limit"
    printed_is_true: ClassVar[bool] = False
    samples: ClassVar[str] = ""
    needs: ClassVar[tuple[str, ...]] = ("printed", "exact")

    def __post_init__(self):
        if self.rate is not None:
            object.__setattr__(self, "rate", sympy.sympify(self.rate))

    @property
    def detail(self) -> str:
        """The statement about the limit as text."""
        what = "the ratio goes to 1" if self.rate is None else f"the difference is O({self.rate})"
        return f"{what} as {self.along} goes to infinity"

    def mistakes(self, claim: Any) -> Iterator[tuple[str, str]]:
        """Fields of a claim that do not fit this relation, and what to do."""
        if claim.exact is not None:
            yield from _lacks(claim.exact, self.along, "exact=")
        if claim.corrected is not None:
            hint = "state the correct formula as a separate claim"
            yield "Asymptotic judges printed= by exact=, got corrected=", hint


def _lacks(form: Formula, along: str, name: str) -> Iterator[tuple[str, str]]:
    if along not in form.names:
        hint = "give the argument that goes to infinity"
        yield f"{name} must have the argument {along!r}, got {list(form.names)}", hint


def _few(claim: Any, along: str) -> Iterator[tuple[str, str]]:
    """Errors of points between which there is no exponent."""
    values: dict[tuple, list] = {}
    for point in claim.points:
        if along not in point:
            yield f"every point must name {along!r}, got {sorted(point)}", f"write points=grid({along}=[8, 16, 32])"
            return
        if not number(along, point[along]) > 0:
            yield f"{along} must be positive, got {point[along]}", "a power law needs positive values"
        values.setdefault(others(point, along), []).append(number(along, point[along]))
    for other, found in values.items():
        if len(set(found)) < max(2, len(found)):
            at = f" at {dict(other)}" if other else ""
            yield f"an exponent needs different values of {along!r}, got {found}{at}", f"write {along}=[8, 16, 32]"


def others(point: Mapping[str, Any], along: str) -> tuple:
    """Values of a point other than that of the parameter."""
    return tuple((name, str(value)) for name, value in point.items() if name != along)
