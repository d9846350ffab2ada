"""Evidence for largest and least values: enclosed by interval arithmetic, so that agreement is a proof."""

from collections.abc import Mapping
from typing import Any

import mpmath

from paper_checks.claims.claim import Claim
from paper_checks.claims.points import show_point
from paper_checks.evidence.finding import Finding, PointFinding
from paper_checks.evidence.mutation import mutants_of, tried
from paper_checks.evidence.rung import Rung, Work
from paper_checks.rules.means import Status, combine
from paper_checks.values.boxes import Largest, interval, largest, shown
from paper_checks.values.exact import value_of
from paper_checks.values.intervals import workdps

# Width of the enclosure relative to the value, and so the tolerance.
AGREEMENT = mpmath.mpf(10) ** -10
DIGITS = 25
# Part of the tolerance for rounding in the last of 30 digits.
ROUNDING = mpmath.mpf(10) ** -10
# A decimal with another last digit is twice the slack away, but for rounding.
NEXT = 1 - 1e-9
MOST_BOXES = {"quick": 4_000, "full": 40_000}


def find(claim: Claim, work: Work) -> Finding:
    """Judge the published, the correct and the altered values by one enclosure for each point."""
    places = [_Place(claim, point, work.tier) for point in claim.points or [{}]]
    arguments = claim.truth.arguments
    printed = [p.judged(p.printed) for p in places]
    right = [p.judged(p.truth) for p in places]
    outcome = tried(
        mutants_of(claim, claim.truth, work.tier).items(),
        lambda mutant: any(p.rejects(value_of(claim, mutant, p.values, arguments)) for p in places),
        lambda mutant: any(p.differs(value_of(claim, mutant, p.values, arguments)) for p in places),
    )
    points = tuple(p.finding(status) for p, status in zip(places, right, strict=True))
    says = "; ".join(dict.fromkeys(p.reason for p in places))
    return Finding("extreme", combine(right), combine(printed), says, points=points, **outcome._asdict())


class _Place:
    """A point of the other parameters, with the enclosure there."""

    def __init__(self, claim: Claim, point: Mapping[str, Any], tier: str):
        self.relation, self.point = claim.relation, point
        self.values = claim.namespace(point)
        self.printed, self.truth = (value_of(claim, form, self.values) for form in (claim.printed, claim.truth))
        self.tolerance = AGREEMENT * (abs(self.truth) or 1)
        self.slack = mpmath.mpf(self.relation.slack(float(self.truth)))
        with workdps(DIGITS):
            self.found = self._enclosed(MOST_BOXES[tier])
            ends = sorted(self.relation.direction * end for end in (self.found.low, self.found.high))
            self.low, self.high = ends
            self.reason = self._says()

    def _enclosed(self, most: int) -> Largest:
        form, box = self.relation.of, self.relation.box
        known = {s: self.values[str(s)] for s in form.arguments if str(s) in self.values and str(s) not in box}
        expr = self.relation.direction * form.expr.xreplace(known)
        sides = {s: interval(*box[str(s)]) for s in form.arguments if str(s) in box}
        left = sorted(str(s) for s in expr.free_symbols - set(sides))
        if left:
            raise ValueError(f"box and points must name every argument, got none for {left}; add them")
        return largest(expr, sides, self.tolerance / 2, most)

    def _says(self) -> str:
        kind, reached = self.relation.kind, self.relation.direction * self.found.low
        if not mpmath.isfinite(reached):
            return f"interval arithmetic does not know a function of {self.relation.of.expr}"
        if not mpmath.isfinite(self.found.high):
            return f"{mpmath.nstr(reached, 12)} is reached near {shown(self.found.at)}, and no {kind} is found"
        low, high = (mpmath.nstr(v, 12) for v in (self.low, self.high))
        values = low if low == high else f"between {low} and {high}"
        return f"the {kind} is {values}, near {shown(self.found.at)}: {self.found.boxes} boxes"

    def judged(self, value: Any) -> Status:
        """Status of a value by the enclosure."""
        if self.rejects(value):
            return Status.REFUTED
        room, sign = self.slack + self.tolerance, self.relation.direction
        far = sign * (value - self.high if sign > 0 else value - self.low)
        near = sign * (value - self.low if sign > 0 else value - self.high)
        holds = far >= -room and (self.relation.bound or near <= room)
        return Status.CONFIRMED if holds else Status.INCONCLUSIVE

    def rejects(self, value: Any) -> bool:
        """Whether a value is certainly not the extreme value, or not a bound of it."""
        if not mpmath.isfinite(value):
            return True
        with workdps(DIGITS):
            room = self.slack + self.tolerance * ROUNDING
            above, below = value - room > self.high, value + room < self.low
        if not self.relation.bound:
            return bool(above or below)
        return bool(below if self.relation.direction > 0 else above)

    def differs(self, value: Any) -> bool:
        """Whether a value differs from the extreme value by more than the tolerance; always for a bound."""
        near = max(2 * self.tolerance, 2 * NEXT * self.slack)
        return self.relation.bound or not abs(value - self.truth) <= near

    def finding(self, status: Status) -> PointFinding:
        at = show_point(self.point) or "the box"
        return PointFinding(at, status, float(self.printed), float(self.truth), reason=self.reason)


RUNG = Rung(
    name="extreme", letter="X", title="an extreme value by interval arithmetic", section="proved", rank=16,
    applies=lambda claim: claim.relation.rung == "extreme", find=find,
)  # fmt: skip
