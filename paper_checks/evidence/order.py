"""Evidence for approximations: the power of a small parameter with which the relative error vanishes."""

import itertools

import mpmath
import sympy
from sympy import Expr

from paper_checks.claims.claim import Claim
from paper_checks.claims.points import show_point
from paper_checks.evidence.finding import Finding, PointFinding
from paper_checks.evidence.mutation import MOST, tried
from paper_checks.evidence.rung import Rung, Work
from paper_checks.rules.means import RESOLUTION, Status
from paper_checks.values.exact import DIGITS, value_of
from paper_checks.values.mutants import automatic
from theory import Formula

# Not multiples of each other or of pi: an error that oscillates does not vanish at all of them.
STEPS = tuple(
    1 / (n + sympy.Rational(part)) for n, part in (
        (65_543, "1/3"), (100_003, "2/7"), (300_007, "3/11"), (1_048_583, "5/13"), (4_194_319, "7/17"),
    )
)  # fmt: skip
# The exponent exceeds the order by at least MORE if confirmed, and by at most NOT_MORE if refuted.
MORE, NOT_MORE = 0.1, 0.02


def find(claim: Claim, work: Work) -> Finding:
    """Judge the exponent along the declared path, and give the values at the points."""
    relation, printed = claim.relation, claim.printed
    reached = _exponent(claim, printed)
    status = _judged(reached - relation.order)
    outcome = tried(
        automatic(printed.expr, RESOLUTION[work.tier], MOST[work.tier]).items(),
        lambda mutant: _judged(_exponent(claim, mutant) - relation.order) is Status.REFUTED,
    )
    points = []
    for point in [*claim.points, *relation.at]:
        values = claim.namespace(point)
        points.append(PointFinding(
            show_point(point), status,
            float(value_of(claim, printed, values)), float(value_of(claim, claim.exact, values)),
        ))  # fmt: skip
    says = f"relative error of order t^{reached:.2f}; it must vanish faster than t^{relation.order}"
    return Finding("order", Status.CONFIRMED, status, says, points=tuple(points), **outcome._asdict())


def _judged(beyond: float) -> Status:
    if beyond >= MORE:
        return Status.CONFIRMED
    return Status.INCONCLUSIVE if beyond > NOT_MORE else Status.REFUTED


def _exponent(claim: Claim, form: Formula | Expr) -> float:
    errors = []
    for t in STEPS:
        values = claim.namespace(claim.relation.along(t))
        exact = value_of(claim, claim.exact, values)
        with mpmath.workdps(DIGITS + 15):
            errors.append(abs(value_of(claim, form, values, claim.printed.arguments) / exact - 1))
    if not all(map(mpmath.isfinite, errors)):
        return float("-inf")
    return min(
        _between(one, other, float(start / end))
        for (one, start), (other, end) in itertools.pairwise(zip(errors, STEPS, strict=True))
    )


def _between(one: mpmath.mpf, other: mpmath.mpf, ratio: float) -> float:
    if other == 0:
        return float("inf")
    return float(mpmath.log(one / other, ratio)) if one else float("-inf")


RUNG = Rung(
    name="order", letter="O", title="order of an approximation's error", section="approximate", rank=50,
    applies=lambda claim: claim.relation.rung == "order", find=find,
    # This evidence cannot see changes that keep the order of the error.
    defects=lambda _survivors: (),
)  # fmt: skip
