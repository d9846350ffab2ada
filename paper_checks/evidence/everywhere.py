"""Evidence by interval arithmetic: a limit holds everywhere on a box, shown on smaller and smaller boxes."""

import heapq
from typing import Any

import mpmath
import sympy
from sympy import Expr

from paper_checks.claims.claim import Claim
from paper_checks.evidence.finding import Finding
from paper_checks.evidence.mutation import slips_of, tried
from paper_checks.evidence.rung import Rung, Work
from paper_checks.rules.means import Status
from paper_checks.values.boxes import Box, bounds, halves, interval, middle, shown
from paper_checks.values.intervals import Unbounded, enclosure, workdps
from paper_checks.values.patience import within
from theory import Formula

DIGITS = 20
# Ways to rewrite a formula that boxes do not settle, and the seconds for each.
WAYS = (sympy.expand, sympy.factor, sympy.simplify)
SECONDS = 10.0
MOST_BOXES = {"quick": 4_000, "full": 40_000}


def find(claim: Claim, work: Work) -> Finding:
    """Whether the published value keeps the limits on the whole box, and the corrected one where there is one."""
    relation, most = claim.relation, MOST_BOXES[work.tier]
    status, says = _decided(claim, claim.printed, most)
    truth = _decided(claim, claim.corrected, most)[0] if claim.corrected else status
    arguments = claim.truth.arguments
    outcome = tried(
        slips_of(claim, claim.truth).items(),
        lambda slip: (
            _kept(claim, Formula("slip", slip, arguments, source=claim.truth.source), most)[0] is not Status.CONFIRMED
        ),
    )
    box = " x ".join(f"{name} in [{low}, {high}]" for name, (low, high) in relation.box.items())
    return Finding("everywhere", truth, status, f"{relation.says} on {box}: {says}", **outcome._asdict())


def _decided(claim: Claim, form: Formula, most: int) -> tuple[Status, str]:
    """As :func:`_kept`, else for the formula rewritten: a symbol that occurs once has sharp bounds."""
    status, says = _kept(claim, form, most)
    if status is not Status.INCONCLUSIVE:
        return status, says
    for way in WAYS:
        try:
            written = within(SECONDS, lambda way=way: way(form.expr))
        except TimeoutError:
            continue
        if written != form.expr:
            status, other = _kept(claim, Formula("rewritten", written, form.arguments, source=form.source), most)
            if status is not Status.INCONCLUSIVE:
                return status, f"{other}, of {written}"
    return Status.INCONCLUSIVE, f"{says}; a formula in which each symbol occurs once would have sharper bounds"


def _kept(claim: Claim, form: Formula, most: int) -> tuple[Status, str]:
    """CONFIRMED when boxes cover the box and all keep the limits, REFUTED when a point does not."""
    missing = set(form.names) - set(claim.relation.box)
    if missing:
        raise ValueError(f"the box must name every argument, got no {sorted(missing)}; add them")
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
            around = bounds(form.expr, slopes, box)
            if all(any((sign * (bound - limit)).a > 0 for bound in around) for sign, limit in limits):
                continue
            point = _whole(middle(box), box)
            if point is None:
                continue
            for sign, limit in limits:
                if _never(form.expr, point, sign, limit):
                    return Status.REFUTED, f"it fails at {shown(point)}"
            if number + len(boxes) >= most or not symbols:
                return Status.INCONCLUSIVE, f"not settled by {most} boxes"
            for i, half in enumerate(halves(box, start)):
                heapq.heappush(boxes, (-float(max(v.delta for v in half.values())), 2 * number + i, half))
        return Status.CONFIRMED, f"proved by interval arithmetic on {number} boxes"


def _whole(point: Box, box: Box) -> Box | None:
    """A point whose integer symbols are whole; None where no such point is in the box."""
    found = {}
    for s, v in point.items():
        at = mpmath.floor(mpmath.mpf(v.mid) + 0.5) if s.is_integer else None
        if at is not None and not box[s].a <= at <= box[s].b:
            return None
        found[s] = v if at is None else interval(int(at), int(at))
    return found


def _never(expr: Expr, point: Box, sign: int, limit: Any) -> bool:
    """Whether the limit certainly fails at a point."""
    try:
        return (sign * (enclosure(expr, point) - limit)).b <= 0
    except Unbounded:
        return False


RUNG = Rung(
    name="everywhere", letter="I", title="interval arithmetic on a whole box", section="proved", rank=15,
    applies=lambda claim: claim.relation.rung == "everywhere", find=find,
)  # fmt: skip
