"""The interval rung: a limit holds everywhere on a box, by interval arithmetic on smaller and smaller boxes."""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from typing import Any

import sympy
from sympy import Expr

from paper_checks.claims.claim import Claim
from paper_checks.evidence.finding import Finding
from paper_checks.evidence.mutation import slips_of, tried
from paper_checks.evidence.rung import Rung, Work
from paper_checks.rules.means import Status
from paper_checks.values.boxes import Box, bounds, halves, interval, middle, shown
from paper_checks.values.intervals import Unbounded, enclosure, workdps
from theory import Formula

__all__ = ["RUNG"]

DIGITS = 20
MOST_BOXES = {"quick": 4_000, "full": 40_000}


def find(claim: Claim, work: Work) -> Finding:
    """Whether the printed value keeps the limits on the whole box, and the corrected one where there is one."""
    relation, most = claim.relation, MOST_BOXES[work.tier]
    status, says = _kept(claim, claim.printed, most)
    truth = _kept(claim, claim.corrected, most)[0] if claim.corrected else status
    arguments = claim.truth.arguments
    outcome = tried(
        slips_of(claim, claim.truth).items(),
        lambda slip: (
            _kept(claim, Formula("slip", slip, arguments, source=claim.truth.source), most)[0] is not Status.CONFIRMED
        ),
    )
    return Finding("everywhere", truth, status, f"{relation.says} on {_shown(relation.box)}: {says}", **outcome.fields)


def _shown(box: Mapping[str, Sequence[Any]]) -> str:
    return " x ".join(f"{name} in [{low}, {high}]" for name, (low, high) in box.items())


def _kept(claim: Claim, form: Formula, most: int) -> tuple[Status, str]:
    """CONFIRMED when boxes cover the box and all keep the limits, REFUTED when a point does not."""
    missing = set(form.names) - set(claim.relation.box)
    if missing:
        raise ValueError(f"claim {claim.id}: the box must name every argument, got no {sorted(missing)}; add them")
    with workdps(DIGITS):
        symbols = [s for s in form.arguments if s in form.expr.free_symbols]
        slopes = [sympy.diff(form.expr, s) for s in symbols]
        start = {s: interval(*claim.relation.box[str(s)]) for s in symbols}
        limits = [
            (sign, interval(limit, limit))
            for sign, limit in ((1, claim.relation.above), (-1, claim.relation.below))
            if limit is not None
        ]
        boxes, number = [(0.0, 0, start)], 0
        while boxes:
            _, _, box = heapq.heappop(boxes)
            number += 1
            if all(_beyond(form.expr, slopes, box, sign, limit) for sign, limit in limits):
                continue
            point = middle(box)
            for sign, limit in limits:
                if _never(form.expr, point, sign, limit):
                    return Status.REFUTED, f"not at {shown(point)}"
            if number + len(boxes) >= most or not symbols:
                return Status.INCONCLUSIVE, f"not decided by {most} boxes"
            for i, half in enumerate(halves(box, start)):
                heapq.heappush(boxes, (-float(max(v.delta for v in half.values())), 2 * number + i, half))
        return Status.CONFIRMED, f"proved by interval arithmetic on {number} boxes"


def _beyond(expr: Expr, slopes: Sequence[Expr], box: Box, sign: int, limit: Any) -> bool:
    """Whether all values on a box are above (or, for a negative sign, below) the limit."""
    return any((sign * (bounds - limit)).a > 0 for bounds in bounds(expr, slopes, box))


def _never(expr: Expr, point: Box, sign: int, limit: Any) -> bool:
    """Whether the limit is certainly not kept at a point."""
    try:
        return (sign * (enclosure(expr, point) - limit)).b <= 0
    except Unbounded:
        return False


RUNG = Rung(
    name="everywhere", letter="I", title="interval arithmetic on a whole box", section="proved", rank=15,
    applies=lambda claim: claim.relation.rung == "everywhere", find=find,
)  # fmt: skip
