"""The one loop over mutants: which wrong variants a check rejects, which survive, which lie inside its resolution."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import sympy
from sympy import Expr

from paper_checks.claims.claim import Claim
from paper_checks.rules.means import RESOLUTION, Status
from paper_checks.values.mutants import automatic
from theory import Formula

__all__ = ["MOST", "Tried", "in_arguments", "mutants_of", "named", "slips_of", "status_of", "tried"]

# Mutants of one form: long expressions repeat themselves.
MOST = {"quick": 12, "full": 40}
# A mutant that is compared through an integral of itself costs a hundred times as much.
MOST_BY_INTEGRAL = {"quick": 2, "full": 4}


@dataclass(frozen=True)
class Tried:
    """What became of the mutants of a check, as fields of a finding."""

    killed: int = 0
    total: int = 0
    survivors: tuple[str, ...] = ()
    within: int = 0

    @property
    def fields(self) -> dict[str, Any]:
        return {"killed": self.killed, "total": self.total, "survivors": self.survivors, "within": self.within}


def tried(
    mutants: Iterable[tuple[str, Any]],
    rejects: Callable[[Any], bool],
    differs: Callable[[Any], bool] = lambda _: True,
) -> Tried:
    """Try each mutant that differs by more than the resolution, and count the others.

    Examples
    --------
    >>> tried({"a": 5, "b": 1, "c": 0}.items(), lambda m: m > 2, lambda m: m > 0)
    Tried(killed=1, total=2, survivors=('b',), within=1)
    """
    total, within, survivors = 0, 0, []
    for what, mutant in mutants:
        if not differs(mutant):
            within += 1
            continue
        total += 1
        if not rejects(mutant):
            survivors.append(what)
    return Tried(total - len(survivors), total, tuple(survivors), within)


def mutants_of(claim: Claim, form: Formula, tier: str) -> dict[str, Expr]:
    """Automatic mutants and slips of a form.

    What differs from a form that is wrong itself may be right: where a claim is refuted and nothing says what is right,
    the slips alone are tried; so for a bound, as what is stricter may be true as well.
    """
    mutants: dict[str, Expr] = {}
    if claim.relation.automatic and claim.right_is_known:
        most = MOST_BY_INTEGRAL[tier] if claim.functional else MOST[tier]
        mutants.update(automatic(form.expr, RESOLUTION[tier], most) | claim.relation.mutants(form.expr))
    return mutants | slips_of(claim, form)


def slips_of(claim: Claim, form: Formula) -> dict[str, Expr]:
    """The author's slips, which must be forms in the same arguments: any other has no value and tests nothing."""
    slips = {f"slip: {k}": _slip(claim, k, getattr(v, "expr", v), form) for k, v in claim.slips.items()}
    for what, expr in slips.items():
        foreign = expr.free_symbols - set(form.arguments)
        if foreign:
            raise ValueError(
                f"claim {claim.id}: {what} must use the arguments {list(form.names)} only, "
                f"got {sorted(map(str, foreign))}; substitute the values of the points"
            )
    return slips


def _slip(claim: Claim, name: str, value: Any, form: Formula) -> Expr:
    try:
        found = in_arguments(value, form)
    except (sympy.SympifyError, AttributeError, TypeError):
        found = None
    if not isinstance(found, Expr):
        raise ValueError(f"claim {claim.id}: slip {name!r} must be an expression, got {value!r}; write it in symbols")
    return found


def in_arguments(expr: Any, form: Formula) -> Expr:
    """An expression in the symbols of a form: one of the same name is the same quantity, whatever is assumed of it."""
    expr, by_name = sympy.sympify(expr), {str(s): s for s in form.arguments}
    return expr.xreplace({s: by_name[str(s)] for s in expr.free_symbols if str(s) in by_name})


def named(survivors: tuple[str, ...]) -> tuple[str, ...]:
    """The mistakes that the claim's author named: the defects of a check that sees a form at its points alone.

    An automatic mutant that agrees there (in a branch that no point enters, say) is reported, and left to the other
    rungs.
    """
    return tuple(s for s in survivors if s.startswith("slip: "))


def status_of(holds: bool) -> Status:
    """CONFIRMED or REFUTED."""
    return Status.CONFIRMED if holds else Status.REFUTED
