"""Monte Carlo evidence: simulated values against the published, the correct and the altered formulas."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from paper_checks.claims.claim import Claim
from paper_checks.claims.points import show_point
from paper_checks.claims.relations import Bounds
from paper_checks.evidence.finding import Finding, PointFinding
from paper_checks.evidence.measurement import Measurement
from paper_checks.evidence.mutation import mutants_of, tried
from paper_checks.evidence.rung import Rung, Work
from paper_checks.rules.means import OF_A_KNOWN_MEAN, RESOLUTION, Comparison, Interval, Status, combine, samples_needed
from paper_checks.values.exact import EVALUATING, scale_of, value_of

# A smaller value at 30 digits is only a rounding error of terms that cancel.
VANISHES = 1e-25
# A decimal with another last digit is a whole unit away: twice the slack, except for rounding.
NEXT = 1 - 1e-9


def tolerance(claim: Claim) -> Mapping[str, float]:
    """Relative tolerance by precision."""
    return RESOLUTION if claim.reference is None and claim.derivation is None else OF_A_KNOWN_MEAN


def points(claim: Claim, tier: str) -> list[Measurement]:
    """Measurements at the points of a claim."""
    return [_measurement(claim, index, point, tier) for index, point in enumerate(claim.points)]


def _measurement(claim: Claim, index: int, point: Mapping[str, Any], tier: str) -> Measurement:
    values = claim.namespace(point)
    with EVALUATING:
        truth, printed = (float(value_of(claim, form, values)) for form in (claim.truth, claim.printed))
        named = scale_of(claim, values)
    if not math.isfinite(truth):
        got = f"got {truth:g} at {show_point(point)}"
        raise ValueError(f"the formula must have a finite value, {got}; choose other points")
    scale = abs(truth) if named is None else float(named)
    if not claim.relation.relative:
        scale = scale or 1.0
    if not VANISHES < scale < math.inf:
        raise ValueError(
            f"the scale must be positive and finite, got {scale:g} at {show_point(point)}; "
            "name a scale= that is not the vanishing value, such as the standard deviation of one observation"
        )
    slack = claim.relation.slack(truth)
    return Measurement(
        claim.measured, point, values, claim.stream, index, lambda m, e: needed(claim, m, e),
        printed, truth, scale, slack or scale * tolerance(claim)[tier], slack,
    )  # fmt: skip


def _judge(claim: Claim, m: Measurement, known: Interval, value: float) -> Comparison:
    return claim.relation.compare(known, value, m.tolerance, m.scale)


def needed(claim: Claim, m: Measurement, found: Any) -> int:
    """Estimated number of samples that will settle a value; 0 when it is settled, or not a number."""
    known = m.known(found)
    # More samples do not help where a value is not finite.
    if math.isnan(known.value) or math.isnan(known.se) or math.isinf(known.value):
        return 0
    if _judge(claim, m, known, m.truth).status is not Status.INCONCLUSIVE:
        return 0
    return samples_needed(known, m.truth, m.tolerance)


def prepare(claim: Claim, tier: str, measurements: list[Measurement]) -> dict[str, list[float]]:
    """Values of all altered formulas at all points."""
    return mutant_values(claim, tier, [m.values for m in measurements])


def mutant_values(claim: Claim, tier: str, places: Sequence[Mapping[str, Any]]) -> dict[str, list[float]]:
    """Value of each altered formula at each place."""
    arguments = claim.truth.arguments
    return {
        what: [float(value_of(claim, mutant, values, arguments)) for values in places]
        for what, mutant in mutants_of(claim, claim.truth, tier, tolerance(claim)).items()
    }


def find(claim: Claim, work: Work) -> Finding:
    """Judge the correct, the published and the altered formulas by the same estimates; say how near bounds are."""
    found = judged(claim, [(m, m.known(estimate)) for m, estimate in work.measured], work.prepared)
    at = f"{len(found.points)} point{'s' if len(found.points) != 1 else ''}"
    ratios = [p.printed / p.measured for p in found.points if p.printed and p.measured and p.printed * p.measured > 0]
    if not isinstance(claim.relation, Bounds) or len(ratios) < len(found.points):
        return replace(found, says=at)
    low, high = f"{min(ratios):.3g}", f"{max(ratios):.3g}"
    says = f"{at}; the bound is {low if low == high else f'{low} to {high}'} times the measured value"
    return replace(found, says=says)


def judged(
    claim: Claim, measured: Sequence[tuple[Measurement, Interval]], mutants: Mapping[str, Sequence[float]]
) -> Finding:
    """Judge values by intervals; those of altered formulas are in the order of ``measured``."""
    points, printed = [], []
    for m, known in measured:
        comparison, other = (_judge(claim, m, known, value) for value in (m.truth, m.printed))
        printed.append(other.status)
        points.append(PointFinding(
            m.says, comparison.status, m.printed, m.truth, known.value, known.se, known.n,
            comparison.z, other.z, comparison.resolution, _reason(m, known, comparison), scale=m.scale,
        ))  # fmt: skip

    def differs(values: Sequence[float]) -> bool:
        pairs = zip(values, measured, strict=True)
        return any(not abs(v - m.truth) <= m.tolerance + NEXT * m.slack for v, (m, _) in pairs)

    def rejects(values: Sequence[float]) -> bool:
        pairs = zip(values, measured, strict=True)
        return any(math.isnan(v) or _judge(claim, m, known, v).status is Status.REFUTED for v, (m, known) in pairs)

    outcome = tried(mutants.items(), rejects, differs)
    truth, status = combine([p.status for p in points]), combine(printed) if claim.relation.printed_is_true else None
    return Finding("monte carlo", truth, status, points=tuple(points), **outcome._asdict())


def _reason(m: Measurement, known: Interval, comparison: Comparison) -> str:
    """Why a point is open, and how many samples would settle it."""
    if comparison.status is not Status.INCONCLUSIVE or not known.se > 0 or not math.isfinite(known.se):
        return comparison.reason
    wanted = samples_needed(known, m.truth, m.tolerance)
    if wanted <= known.n + 1:
        return comparison.reason
    return f"{comparison.reason}; about {wanted:.0e} samples would settle it, stopped at {known.n:.0e}"


RUNG = Rung(
    name="monte carlo", letter="M", title="Monte Carlo of the model itself", section="measured", rank=80, exact=False,
    applies=lambda claim: claim.measured is not None and claim.relation.samples == "mean",
    points=points, prepare=prepare, find=find,
)  # fmt: skip
