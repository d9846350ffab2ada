"""The quadrature rung: the form has the value of the defining integral or sum, at the points of the claim."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import mpmath
from sympy import Expr

from paper_checks.claims.claim import Claim
from paper_checks.claims.points import show_point
from paper_checks.evidence.finding import Finding, PointFinding
from paper_checks.evidence.mutation import Tried, mutants_of, named, tried
from paper_checks.evidence.rung import Rung, Work
from paper_checks.rules.means import Status, combine
from paper_checks.values.exact import DIGITS, reference_of, scale_of, value_of

__all__ = ["AGREEMENT", "RUNG"]

# Two evaluations by unrelated methods at 30 digits agree to this or are different numbers.
AGREEMENT = mpmath.mpf(10) ** -25
# What float64 keeps of an integral.
FLOAT_AGREEMENT = mpmath.mpf(10) ** -12
# Points of one quadrature that all forms are compared at; further ones while a mutant survives.
POINTS = {"quick": 2, "full": None}


def find(claim: Claim, work: Work) -> Finding:
    """Equal to the integral, relative to the value or to the scale that the claim names."""
    # A wrong print may be right at some points: there all of them count.
    most = POINTS[work.tier] if claim.expected_status is not Status.REFUTED else None
    mutants = mutants_of(claim, claim.truth, work.tier)
    places = [_Place(claim, point) for point in claim.points[:most]]
    outcome = _rejected(claim, mutants, places)
    for point in claim.points[len(places) :]:
        if not outcome.survivors:
            break
        places.append(_Place(claim, point))
        outcome = _rejected(claim, mutants, places)
    printed = [p.agrees(p.printed) for p in places]
    kept = "float64, that is 12 digits," if any(p.is_float for p in places) else f"{DIGITS} digits"
    return Finding(
        "quadrature",
        combine([p.agrees(p.truth) for p in places]),
        combine(printed) if claim.relation.printed_is_true else None,
        f"{kept} at {len(places)} point{'s' if len(places) > 1 else ''}",
        points=tuple(p.finding() for p in places),
        **outcome.fields,
    )


def _rejected(claim: Claim, mutants: Mapping[str, Expr], places: Sequence[_Place]) -> Tried:
    """The mutants that have another value than the integral at one of the places at least."""
    arguments = claim.truth.arguments
    return tried(
        mutants.items(),
        lambda mutant: any(p.agrees(value_of(claim, mutant, p.values, arguments)) is Status.REFUTED for p in places),
    )


class _Place:
    """A point with the reference there."""

    def __init__(self, claim: Claim, point):
        self.point, self.values = point, claim.namespace(point)
        self.truth, self.printed = (value_of(claim, form, self.values) for form in (claim.truth, claim.printed))
        self.reference, self.is_float = reference_of(claim, self.values)
        self.scale = scale_of(claim, self.values)
        self.slack = claim.relation.slack(float(self.truth))

    @property
    def reason(self) -> str:
        """Why nothing can be said here; empty where something can."""
        for what, number in (("the integral", self.reference), ("the scale", self.scale)):
            if number is not None and not mpmath.isfinite(number):
                return f"{what} is {mpmath.nstr(number)}, which is no number to agree with"
        return ""

    def agrees(self, value: mpmath.mpf) -> Status:
        """Whether a value is the reference; with what is not finite nothing agrees."""
        if self.reason:
            return Status.INCONCLUSIVE
        if not mpmath.isfinite(value):
            return Status.REFUTED
        with mpmath.workdps(DIGITS + 15):
            scale = max(abs(value), abs(self.reference), abs(self.scale or 0))
            near = FLOAT_AGREEMENT if self.is_float else AGREEMENT
            return Status.CONFIRMED if abs(value - self.reference) <= near * scale + self.slack else Status.REFUTED

    def finding(self) -> PointFinding:
        status = self.agrees(self.truth)
        reason = self.reason
        if status is Status.REFUTED:
            reason = f"quadrature gives {mpmath.nstr(self.reference, 17)}"
        return PointFinding(
            show_point(self.point), status, float(self.printed), float(self.truth), reason=reason,
            reference=float(self.reference), scale=None if self.scale is None else float(self.scale),
        )  # fmt: skip


RUNG = Rung(
    name="quadrature", letter="Q", title="quadrature of the defining integral or sum, to 30 digits at points",
    section="computed", rank=20, applies=lambda claim: claim.reference is not None, find=find, defects=named,
)  # fmt: skip
