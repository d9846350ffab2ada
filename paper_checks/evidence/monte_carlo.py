"""The Monte Carlo rung: what the model gives when it is played, against the printed value, the right one, mutants."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from montecarlo import Estimate
from paper_checks.claims.claim import Claim
from paper_checks.claims.points import show_point
from paper_checks.evidence.measurement import Measurement
from paper_checks.evidence.mutation import mutants_of, tried
from paper_checks.evidence.rung import Rung, Work
from paper_checks.findings import Finding, PointFinding
from paper_checks.rules.means import RESOLUTION, Comparison, Status, combine, samples_needed
from paper_checks.values.exact import EVALUATING, scale_of, value_of

__all__ = ["RUNG"]


def points(claim: Claim, tier: str) -> list[Measurement]:
    """What is sampled at each point, and what for."""
    return [_measurement(claim, index, point, tier) for index, point in enumerate(claim.points)]


def _measurement(claim: Claim, index: int, point: Mapping[str, Any], tier: str) -> Measurement:
    values = claim.namespace(point)
    with EVALUATING:
        truth, printed = (float(value_of(claim, form, values)) for form in (claim.truth, claim.printed))
        named = scale_of(claim, values)
    if not math.isfinite(truth):
        raise ValueError(
            f"claim {claim.id}: the form must have a finite value, got {truth:g} at {show_point(point)}; "
            "choose other points"
        )
    scale = abs(truth) if named is None else float(named)
    if not 0 < scale < math.inf:
        raise ValueError(
            f"claim {claim.id}: the scale must be positive and finite, got {scale:g} at {show_point(point)}; "
            "name a scale= that is not the vanishing value"
        )
    return Measurement(
        claim.measured, point, values, claim.id, index, lambda m, e: _needed(claim, m, e),
        printed, truth, scale, scale * RESOLUTION[tier],
    )  # fmt: skip


def _judge(claim: Claim, m: Measurement, estimate: Estimate, value: float | None = None) -> Comparison:
    return claim.relation.compare(estimate, m.truth if value is None else value, m.tolerance, m.scale)


def _needed(claim: Claim, m: Measurement, estimate: Estimate) -> int:
    # More samples do not mend what is not finite.
    if not estimate.is_finite or _judge(claim, m, estimate).status is not Status.INCONCLUSIVE:
        return 0
    return samples_needed(estimate, m.truth, m.tolerance)


def prepare(claim: Claim, tier: str, measurements: list[Measurement]) -> dict[str, list[float]]:
    """The values of all mutants at all points."""
    arguments = claim.truth.arguments
    return {
        what: [float(value_of(claim, mutant, m.values, arguments)) for m in measurements]
        for what, mutant in mutants_of(claim, claim.truth, tier).items()
    }


def find(claim: Claim, work: Work) -> Finding:
    """Judge the right form, the printed one and the mutants by the same estimates."""
    judged, printed = [], []
    for m, estimate in work.measured:
        comparison, other = (_judge(claim, m, estimate, value) for value in (m.truth, m.printed))
        printed.append(other.status)
        judged.append(PointFinding(
            m.says, comparison.status, m.printed, m.truth, estimate.value, estimate.se, estimate.n,
            comparison.z, other.z, comparison.resolution, comparison.reason, scale=m.scale,
        ))  # fmt: skip

    def differs(values: list[float]) -> bool:
        return any(not abs(v - m.truth) <= m.tolerance for v, (m, _) in zip(values, work.measured, strict=True))

    def rejects(values: list[float]) -> bool:
        pairs = zip(values, work.measured, strict=True)
        return any(math.isnan(v) or _judge(claim, m, e, v).status is Status.REFUTED for v, (m, e) in pairs)

    outcome = tried(work.prepared.items(), rejects, differs)
    return Finding(
        "monte carlo",
        combine([p.status for p in judged]),
        combine(printed) if claim.relation.printed_is_true else None,
        f"{len(judged)} points",
        points=tuple(judged),
        **outcome.fields,
    )


RUNG = Rung(
    name="monte carlo", letter="M", title="Monte Carlo of the model itself", section="measured", rank=80, exact=False,
    applies=lambda claim: claim.measured is not None and claim.relation.samples == "mean",
    points=points, prepare=prepare, find=find,
)  # fmt: skip
