"""Monte Carlo evidence for a power law: exponents between neighbouring points, from the values at each."""

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from paper_checks.claims.claim import Claim
from paper_checks.claims.growth import others
from paper_checks.evidence.finding import Finding
from paper_checks.evidence.measurement import Measurement
from paper_checks.evidence.monte_carlo import judged, mutant_values
from paper_checks.evidence.rung import Rung, Work
from paper_checks.rules.growth import SHARE, exponent, samples_for
from paper_checks.rules.means import RESOLUTION, Interval, Status
from paper_checks.values.exact import scale_of, value_of


def points(claim: Claim, tier: str) -> list[Measurement]:
    """Measurements at the points, sampled until the exponents between neighbours are known to the tolerance."""
    made = [
        Measurement(claim.measured, p, claim.namespace(p), claim.stream, i, _needed) for i, p in enumerate(claim.points)
    ]
    halves = [math.inf] * len(made)
    for i, k in _neighbours(claim, made):
        half = SHARE * _resolution(claim, made[i], tier) * _log_factor(claim, made[i], made[k])
        halves[i], halves[k] = min(halves[i], half), min(halves[k], half)
    return [replace(m, tolerance=half) for m, half in zip(made, halves, strict=True)]


def _needed(m: Measurement, found: Any) -> int:
    return samples_for(m.known(found), m.tolerance)


def _neighbours(claim: Claim, made: Sequence[Measurement]) -> list[tuple[int, int]]:
    """Pairs of points, as indices, with neighbouring values of the parameter and the same values of all others."""
    along = claim.relation.along
    order = sorted(range(len(made)), key=lambda i: made[i].numbers[along])
    groups: dict[tuple, list[int]] = {}
    for i in order:
        groups.setdefault(others(made[i].point, along), []).append(i)
    return [pair for group in groups.values() for pair in itertools.pairwise(group)]


def _log_factor(claim: Claim, one: Measurement, other: Measurement) -> float:
    return math.log(other.numbers[claim.relation.along] / one.numbers[claim.relation.along])


def _resolution(claim: Claim, m: Measurement, tier: str) -> float:
    named = scale_of(claim, m.values)
    return RESOLUTION[tier] * (1.0 if named is None else float(named))


def _pair(claim: Claim, one: Measurement, other: Measurement, tier: str) -> Measurement:
    """Two points as one measurement of an exponent."""
    along = claim.relation.along
    point = {**one.point, along: f"{one.point[along]} to {other.point[along]}"}
    truth, printed = (float(value_of(claim, form, one.values)) for form in (claim.truth, claim.printed))
    half = _resolution(claim, one, tier)
    return replace(
        one, point=point, printed=printed, truth=truth, scale=half / RESOLUTION[tier], tolerance=half, slack=half
    )


def prepare(claim: Claim, tier: str, measurements: list[Measurement]) -> Any:
    """Pairs of points, and the values of altered exponents there."""
    indices = _neighbours(claim, measurements)
    pairs = [_pair(claim, measurements[i], measurements[k], tier) for i, k in indices]
    return indices, pairs, mutant_values(claim, tier, [m.values for m in pairs])


def find(claim: Claim, work: Work) -> Finding:
    """Judge the correct, the published and the altered exponents by the same estimates."""
    indices, pairs, mutants = work.prepared
    known = [m.known(found) for m, found in work.measured]
    measured = [m for m, _ in work.measured]
    between: list[Interval] = [
        exponent(known[i], known[k], _log_factor(claim, measured[i], measured[k])) for i, k in indices
    ]
    found = judged(claim, list(zip(pairs, between, strict=True)), mutants)
    along, values = claim.relation.along, [e.value for e in between if e.is_finite]
    if not values:
        return replace(found, says=f"no exponent in {along} is known")
    low, high = f"{min(values):.4f}", f"{max(values):.4f}"
    text = f"exponent {low if low == high else f'{low} to {high}'} between neighbouring values of {along}"
    if found.truth is Status.CONFIRMED:
        text += ": one power on this range, to the tolerance; nothing follows outside of it"
    return replace(found, says=text)


RUNG = Rung(
    name="monte carlo", letter="M", title="Monte Carlo of the model itself", section="measured", rank=82, exact=False,
    applies=lambda claim: claim.measured is not None and claim.relation.samples == "exponent",
    points=points, prepare=prepare, find=find,
)  # fmt: skip
