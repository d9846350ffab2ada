"""Test of a check with altered formulas: how many it rejects, and which are equivalent within its tolerance."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

import sympy
from sympy import Expr

from paper_checks.claims.claim import Claim
from paper_checks.rules.means import RESOLUTION, Status
from paper_checks.values.mutants import automatic
from theory import Formula

# Text about a check that could not have failed.
NOT_TESTED = "not tested for power"
# Most altered formulas of one formula: long expressions repeat themselves.
MOST = {"quick": 12, "full": 40}
# An altered formula that is compared by an integral costs a hundred times as much.
MOST_BY_INTEGRAL = {"quick": 2, "full": 4}


class Tried(NamedTuple):
    """Numbers of altered formulas by outcome, as fields of a finding."""

    killed: int
    total: int
    survivors: tuple[str, ...]
    within: int


def tried(
    mutants: Iterable[tuple[str, Any]], rejects: Callable[[Any], bool], differs: Callable[[Any], bool] = lambda _: True
) -> Tried:
    """Try each altered formula that differs by more than the tolerance, and count the others.

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


def mutants_of(claim: Claim, form: Formula, tier: str, tolerance: Mapping[str, float] = RESOLUTION) -> dict[str, Expr]:
    """Altered formulas: automatic ones and the hand-written mistakes of the claim.

    A formula that differs from a wrong one may be correct. Only hand-written mistakes are therefore tried where a claim
    is refuted and no correct formula is known. The same holds for a bound, as a stricter one may be true as well.
    """
    mutants: dict[str, Expr] = {}
    if claim.relation.automatic and claim.right_is_known:
        most = MOST_BY_INTEGRAL[tier] if claim.functional else MOST[tier]
        mutants.update(automatic(form.expr, tolerance[tier], most) | claim.relation.mutants(form.expr))
    return mutants | slips_of(claim, form)


def slips_of(claim: Claim, form: Formula) -> dict[str, Expr]:
    """The hand-written mistakes of a claim, which must be formulas in the same arguments."""
    slips: dict[str, Expr] = {}
    for name, value in claim.slips.items():
        given = getattr(value, "expr", value)
        try:
            found = in_arguments(given, form)
        except (sympy.SympifyError, AttributeError, TypeError):
            found = None
        if not isinstance(found, Expr):
            raise ValueError(f"slips[{name!r}] must be an expression, got {given!r}; write it with symbols")
        slips[f"mistake: {name}"] = found
    for what, expr in slips.items():
        foreign = expr.free_symbols - set(form.arguments)
        if foreign:
            got = f"got {sorted(map(str, foreign))}; substitute the values of the points"
            raise ValueError(f"{what} must use the arguments {list(form.names)} only, {got}")
    return slips


def in_arguments(expr: Any, form: Formula) -> Expr:
    """An expression in the symbols of a formula, matched by name whatever their assumptions."""
    expr, by_name = sympy.sympify(expr), {str(s): s for s in form.arguments}
    return expr.xreplace({s: by_name[str(s)] for s in expr.free_symbols if str(s) in by_name})


def named(survivors: tuple[str, ...]) -> tuple[str, ...]:
    """The hand-written mistakes among survivors: defects of a check that sees a formula only at points.

    An automatic alteration that agrees there (for example in a branch that no point enters) is reported, and left to
    the other kinds of evidence.
    """
    return tuple(s for s in survivors if s.startswith("mistake: "))


def status_of(holds: bool) -> Status:
    """CONFIRMED or REFUTED."""
    return Status.CONFIRMED if holds else Status.REFUTED
