"""The JSON object of a claim, on which scripts can rely."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from paper_checks.claims.claim import Claim
    from paper_checks.judging.verdict import Verdict


# Fields by their new names; the old names are deprecated and stay for one version.
RENAMED = {
    "published": "printed", "tolerance": "resolution", "evidence": "rungs", "altered_rejected": "mutants_killed",
    "altered_total": "mutants_total", "altered_equivalent": "mutants_within",
}  # fmt: skip
RENAMED_OF_POINTS = {"published": "printed", "evidence": "rung"}


def as_json(claim: Claim, verdict: Verdict | None) -> str:
    """One line of JSON; see :func:`as_object`."""
    return json.dumps(as_object(claim, verdict), ensure_ascii=False)


def as_object(claim: Claim, verdict: Verdict | None) -> dict[str, Any]:
    """The claim and its verdict; fields of the verdict are None where it has not been verified."""
    made = {
        "id": claim.id,
        "paper": claim.paper,
        "locator": claim.at,
        "statement": claim.says,
        "kind": claim.kind,
        "relation": claim.relation.kind,
        "rungs": verdict.rungs if verdict else [],
        "verdict": claim.relation.word(verdict.status) if verdict else None,
        "expected": claim.relation.word(claim.expected_status),
        "printed": claim.printed.latex() if claim.printed else None,
        "corrected": claim.corrected.latex() if claim.corrected else None,
        "counterexample": verdict.counterexample if verdict else None,
        "z": verdict.worst("z") if verdict else None,
        "resolution": verdict.worst("resolution") if verdict else None,
        "n": verdict.n if verdict else None,
        "seed": verdict.seed if verdict else None,
        "mutants_killed": verdict.killed if verdict else None,
        "mutants_total": verdict.mutants if verdict else None,
        "seconds": round(verdict.seconds, 3) if verdict else None,
        "mutants_within": verdict.within if verdict else None,
        "error": verdict.error or verdict.odd if verdict else None,
        "quote": claim.quote,
        "assumptions": claim.assumptions,
        "scale": claim.scale_says,
        "points": _points(verdict) if verdict else [],
        "form": claim.form,
        "correct": list(claim.correct),
    }
    return made | {new: made[old] for new, old in RENAMED.items()}


def _points(verdict: Verdict) -> list[dict[str, Any]]:
    """Published, correct and measured values, point by point."""
    names = ("printed", "truth", "reference", "measured", "se", "scale")
    made = [
        {"rung": f.rung, "at": p.point, "verdict": p.status, "n": p.n} | {n: _finite(getattr(p, n)) for n in names}
        for f in verdict.findings
        for p in f.points
    ]
    return [point | {new: point[old] for new, old in RENAMED_OF_POINTS.items()} for point in made]


def _finite(value: float | None) -> float | None:
    """The value, or None for nan and infinity, which JSON does not have."""
    return value if value is not None and math.isfinite(value) else None
