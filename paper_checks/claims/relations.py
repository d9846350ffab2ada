"""How what is printed and what is measured must relate; each relation carries what it means for the checks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from montecarlo import Estimate
from paper_checks.rules.bounds import beyond
from paper_checks.rules.means import Comparison, compare

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
    of_a_property: ClassVar[bool] = False
    empirical: ClassVar[bool] = False
    needs: ClassVar[tuple[str, ...]] = ()

    @property
    def kind(self) -> str:
        """What a table of claims shows."""
        return type(self).__name__.lower()

    def compare(self, estimate: Estimate, value: float, tolerance: float, scale: float) -> Comparison:
        """Judge a value by an estimate."""
        return compare(estimate, value, tolerance, scale)


@dataclass(frozen=True)
class Equals(Relation):
    """Measured equals printed."""


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
    """Printed is a strict bound of the measured: ``side`` is ``"below"`` or ``"above"``."""

    side: str = "below"

    automatic: ClassVar[bool] = False

    def __post_init__(self):
        if self.side not in ("below", "above"):
            raise ValueError(f"Bounds: side must be 'below' or 'above', got {self.side!r}; choose one")

    def compare(self, estimate: Estimate, value: float, _tolerance: float, _scale: float) -> Comparison:
        """Judge a bound by an estimate."""
        return beyond(estimate, value, self.side)


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
        A NumPy reading of the definition. ``draws(index)`` gives two arrays of uniforms per draw index.
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
