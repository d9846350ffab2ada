"""Parts of a formula that no point of its claim tests: without them it has the same values there."""

from collections.abc import Mapping
from typing import Any

import mpmath
import sympy

from paper_checks.claims.claim import Claim
from paper_checks.evidence.mutation import mutants_of
from paper_checks.evidence.quadrature import AGREEMENT
from paper_checks.values.exact import EVALUATING, NOT_A_NUMBER, at_point, is_dear, value_of
from paper_checks.values.mutants import all_changes, differ_somewhere


def unseen(claim: Claim, tier: str) -> tuple[str, ...]:
    """Changes to a formula that change its meaning, but not its values at the points."""
    relation, form = claim.relation, claim.truth
    by_values = (claim.reference is not None or claim.measured is not None) and relation.samples == "mean"
    # A functional, such as the variance of a shifted variable, sees only a part of its formula.
    if (
        not by_values
        or form is None
        or relation.rung
        or not relation.automatic
        or claim.functional
        or not claim.right_is_known
    ):
        return ()
    dear = is_dear(form.expr)
    changes = mutants_of(claim, form, tier) if dear else all_changes(form.expr)
    changes = {what: e for what, e in changes.items() if not what.startswith(("mistake: ", "all x"))}
    kept = set(changes)
    for values in claim.namespaces():
        with EVALUATING:
            here = value_of(claim, form, values)
            kept -= {what for what in kept if not _same(here, _value(claim, changes[what], values, dear=dear))}
    return tuple(what for what in changes if what in kept and differ_somewhere(changes[what], form.expr))


def _value(claim: Claim, expr: sympy.Expr, values: Mapping[str, sympy.Expr], *, dear: bool) -> Any:
    """Value of a changed formula at a point; where it is expensive, as computed for altered formulas."""
    arguments = claim.truth.arguments
    if dear:
        return value_of(claim, expr, values, arguments)
    try:
        return at_point(tuple((str(s), values[str(s)]) for s in arguments))(expr)
    except NOT_A_NUMBER:
        return mpmath.nan


def _same(one: mpmath.mpf, other: mpmath.mpf) -> bool:
    return bool(abs(one - other) <= AGREEMENT * abs(one))
