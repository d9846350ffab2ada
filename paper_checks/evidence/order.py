"""The order rung: with which power of a small parameter an approximation's relative error vanishes."""

from __future__ import annotations

import mpmath
import sympy
from sympy import Expr

from paper_checks.claims.claim import Claim
from paper_checks.claims.points import show_point
from paper_checks.evidence.finding import Finding, PointFinding
from paper_checks.evidence.mutation import MOST, status_of, tried
from paper_checks.evidence.rung import Rung, Work
from paper_checks.rules.means import RESOLUTION, Status
from paper_checks.values.exact import DIGITS, value_of
from paper_checks.values.mutants import automatic
from theory import Formula

__all__ = ["RUNG"]

STEPS = (sympy.Rational(1, 2**16), sympy.Rational(1, 2**20))


def find(claim: Claim, work: Work) -> Finding:
    """The exponent along the declared path, and errors at the points."""
    relation, printed = claim.relation, claim.printed
    needed = relation.order + 0.5
    reached = _exponent(claim, printed)
    status = status_of(reached >= needed)
    outcome = tried(
        automatic(printed.expr, RESOLUTION[work.tier], MOST[work.tier]).items(),
        lambda mutant: not _exponent(claim, mutant) >= needed,
    )
    points = []
    for point in [*claim.points, *relation.at]:
        values = claim.namespace(point)
        points.append(PointFinding(
            show_point(point), status,
            float(value_of(claim, printed, values)), float(value_of(claim, claim.exact, values)),
        ))  # fmt: skip
    says = f"relative error of order t^{reached:.2f}, more than t^{relation.order} is needed"
    return Finding("order", Status.CONFIRMED, status, says, points=tuple(points), **outcome.fields)


def _exponent(claim: Claim, form: Formula | Expr) -> float:
    errors = []
    for t in STEPS:
        values = claim.namespace(claim.relation.along(t))
        exact = value_of(claim, claim.exact, values)
        with mpmath.workdps(DIGITS + 15):
            errors.append(abs(value_of(claim, form, values, claim.printed.arguments) / exact - 1))
    if not all(map(mpmath.isfinite, errors)):
        return float("-inf")
    if errors[1] == 0:
        return float("inf")
    return float(mpmath.log(errors[0] / errors[1], 16)) if errors[0] else float("-inf")


RUNG = Rung(
    name="order", letter="O", title="order of an approximation's error", section="approximate", rank=50,
    applies=lambda claim: claim.relation.rung == "order", find=find,
    # It cannot see changes that keep the order of the error.
    defects=lambda _survivors: (),
)  # fmt: skip
