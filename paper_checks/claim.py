"""A claim: a sentence of a paper made checkable, with all the evidence that applies to it."""

from __future__ import annotations

import inspect
import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any

import sympy

from montecarlo import Statistic
from paper_checks.relations import Always, Approximates, Defines, Distributed, Equals, Relation
from paper_checks.verdict import Status
from theory import Formula

__all__ = ["Claim", "NoSuchClaim", "Paper", "Price", "Registry", "grid", "registry"]

IDENTIFIER = re.compile(r"[a-z0-9]+/[A-Za-z0-9.\-_]+")


@dataclass(frozen=True)
class Paper:
    """A paper: short name used in ids, title, authors.

    Attributes
    ----------
    lost : str
        What the copy that is checked has lost, where that is every formula: forms are then reconstructions.
    """

    name: str
    title: str
    authors: str
    lost: str = ""


@dataclass(frozen=True)
class Price:
    """The same statistic without an assumption of the paper, to show what the assumption costs.

    Attributes
    ----------
    says : str
        What is no longer assumed, and what is played instead.
    measured : Statistic
    points : sequence of mappings
    derived : mapping of name to callable
        Values by name for the paper's formula, added to the claim's.
    """

    says: str
    measured: Statistic
    points: Sequence[Mapping[str, Any]]
    derived: Mapping[str, Callable] = field(default_factory=dict)


@dataclass(frozen=True)
class Claim:
    """A checkable sentence of a paper.

    Attributes
    ----------
    id : str
        Permanent: ``paper/place``.
    at, says : str
        Where it stands, and what it says in our words.
    printed : Formula, optional
        Exactly what the paper has.
    relation : Relation
    corrected : Formula, optional
        What is right where the print is wrong; ``printed`` must then be refuted.
    exact : Formula, optional
        The exact value behind an approximation.
    points : sequence of mappings
        Values by name: numbers, or strings for exact rationals.
    derived : mapping of name to callable
        Further values by name, computed from those of a point.
    functional : callable (function of mpmath numbers by name, point) -> mpf, optional
        What to compare where that is not the formula's value itself (an integral of a density, say).
    derivation : callable -> sympy.Expr, optional
        The expression as it follows from the definitions; its difference to the formula must be zero.
    proof : callable -> bool, optional
        A symbolic argument for what is not a formula (a limit, a monotonicity).
    integral : callable (**point) -> mpf, optional
        The defining integral or sum, by mpmath, independent of the closed form.
    measured : Statistic, optional
        What a kernel must reproduce.
    experiment : callable (context) -> Finding, optional
        A run of its own, for figures and tables.
    slips : mapping of description to sympy.Expr
        Plausible mistakes, added to the automatic mutants.
    scale : callable (**point) -> number, optional
        What the resolution is relative to; default: the value itself. ``scale_says`` names it.
    assumptions, note : str
        What the claim supposes; what a reader should know.
    price : Price, optional
    unchecked : str
        Why there is no check, where there is none.
    beyond : bool
        Whether this is a result of ours that the paper does not state.
    expected : Status, optional
        Default: REFUTED with a corrected form, CONFIRMED without.
    """

    id: str
    at: str
    says: str
    relation: Relation = field(default_factory=Equals)
    printed: Formula | None = None
    corrected: Formula | None = None
    exact: Formula | None = None
    points: Sequence[Mapping[str, Any]] = ()
    derived: Mapping[str, Callable] = field(default_factory=dict)
    functional: Callable | None = None
    derivation: Callable[[], sympy.Expr] | None = None
    proof: Callable[[], bool] | None = None
    integral: Callable | None = None
    measured: Statistic | None = None
    experiment: Callable | None = None
    slips: Mapping[str, sympy.Expr] = field(default_factory=dict)
    scale: Callable | None = None
    scale_says: str = "the value"
    assumptions: str = ""
    note: str = ""
    price: Price | None = None
    unchecked: str = ""
    beyond: bool = False
    expected: Status | None = None

    def __post_init__(self):
        if not IDENTIFIER.fullmatch(self.id):
            raise ValueError(f"claim: id must look like 'paper/place', got {self.id!r}; use letters, digits, . - _")
        if isinstance(self.relation, Approximates) and self.exact is None:
            raise ValueError(f"claim {self.id}: an approximation needs exact=, got none; give the exact form")
        if self.corrected is not None and self.printed is None:
            raise ValueError(f"claim {self.id}: corrected= needs printed=, got none; keep the printed form")
        if self.proof and self.derivation:
            raise ValueError(f"claim {self.id}: proof= and derivation= are one rung, got both; put one into the other")
        plays = isinstance(self.relation, Defines)
        compares = self.derivation or self.integral or self.price or (self.measured and not plays)
        if (compares or isinstance(self.relation, Always | Approximates)) and self.printed is None:
            raise ValueError(f"claim {self.id}: its check compares printed=, got none; give the printed form")
        if plays and self.measured is None:
            raise ValueError(f"claim {self.id}: a definition needs measured=, got none; name the kernel that plays it")
        a_law = self.measured is not None and self.measured.kind == "law"
        if a_law != isinstance(self.relation, Distributed):
            raise ValueError(
                f"claim {self.id}: relation Distributed and measured=law(...) go together, got {self.relation.kind} "
                f"and {self.measured}; use both or neither"
            )
        checks = (self.derivation, self.proof, self.integral, self.measured, self.experiment)
        has_check = any(c is not None for c in checks) or isinstance(self.relation, Always)
        if not has_check and not self.unchecked:
            raise ValueError(f"claim {self.id}: needs a check, or unchecked='why', got neither; add one")
        if (self.measured or self.integral) and not self.points:
            raise ValueError(f"claim {self.id}: needs points to be measured at, got none; add points=grid(...)")

    @property
    def paper(self) -> str:
        return self.id.split("/")[0]

    @property
    def truth(self) -> Formula | None:
        """The form that the measurement must confirm."""
        return self.exact or self.corrected or self.printed

    @property
    def expected_status(self) -> Status:
        if self.expected is not None:
            return self.expected
        if self.unchecked:
            return Status.INCONCLUSIVE
        return Status.REFUTED if self.corrected is not None else Status.CONFIRMED

    def namespace(self, point: Mapping[str, Any]) -> dict[str, sympy.Expr]:
        """All values at a point, exact: its own and the derived ones."""
        return complete(point, self.derived)

    def namespaces(self) -> list[dict[str, sympy.Expr]]:
        return [self.namespace(p) for p in self.points]


def complete(point: Mapping[str, Any], derived: Mapping[str, Callable]) -> dict[str, sympy.Expr]:
    """A point with exact numbers and the derived values added."""
    values = {k: sympy.Rational(v) if isinstance(v, str) else sympy.sympify(v) for k, v in point.items()}
    for name, function in derived.items():
        values[name] = sympy.sympify(function(**pick(function, values)))
    return values


def pick(function: Callable, values: Mapping[str, Any]) -> dict[str, Any]:
    """The values that a function asks for by the names of its parameters."""
    parameters = inspect.signature(function).parameters
    if any(p.kind is p.VAR_KEYWORD for p in parameters.values()):
        return dict(values)
    return {name: values[name] for name in parameters if name in values}


def grid(**axes: Any) -> list[dict[str, Any]]:
    """All combinations of values by name; a single value stands for a list of one.

    >>> grid(r=[1, "1/2"], eps=0)
    [{'r': 1, 'eps': 0}, {'r': '1/2', 'eps': 0}]
    """
    lists = [list(v) if isinstance(v, list | tuple) else [v] for v in axes.values()]
    return [dict(zip(axes, values, strict=True)) for values in itertools.product(*lists)]


class NoSuchClaim(LookupError):
    """No claim has such an id."""


class Registry:
    """Claims in the order of their papers."""

    def __init__(self):
        self.papers: dict[str, Paper] = {}
        self._claims: dict[str, Claim] = {}

    def paper(self, name: str, title: str, authors: str, lost: str = "") -> Paper:
        """Declare a paper before its claims; see :class:`Paper`."""
        self.papers[name] = Paper(name, title, authors, lost)
        return self.papers[name]

    def claim(self, id: str, **fields: Any) -> Claim:
        """Declare a claim; see :class:`Claim` for the fields."""
        if id in self._claims:
            raise ValueError(f"claim: id must be new, got {id!r} twice; ids are permanent and unique")
        made = Claim(id, **fields)
        if made.paper not in self.papers:
            raise ValueError(f"claim {id}: its paper must be declared first, got {made.paper!r}; call paper(...)")
        self._claims[id] = made
        return made

    def select(self, patterns: Iterable[str] = ()) -> list[Claim]:
        """Claims whose id matches a pattern: a paper's name, an id, or a shell pattern; all without patterns.

        Raises
        ------
        NoSuchClaim
            When a pattern matches nothing.
        """
        patterns = list(patterns)
        if not patterns:
            return list(self._claims.values())
        chosen = []
        for pattern in patterns:
            found = [c for c in self._claims.values() if matches(c.id, pattern)]
            if not found:
                near = ", ".join(list(self._claims)[:3])
                raise NoSuchClaim(f"no claim matches {pattern!r}; ids look like {near}: see 'paper-checks list'")
            chosen += [c for c in found if c not in chosen]
        return [c for c in self._claims.values() if c in chosen]

    def __iter__(self) -> Iterator[Claim]:
        return iter(self._claims.values())

    def __len__(self) -> int:
        return len(self._claims)


def matches(identifier: str, pattern: str) -> bool:
    """Whether an id is meant by a pattern."""
    return (
        fnmatchcase(identifier, pattern) or identifier.split("/")[0] == pattern or identifier.startswith(f"{pattern}.")
    )


registry = Registry()
