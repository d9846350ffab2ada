"""Evidence in few words: letters of rungs, resolution with its scale, mutants, what experiments found."""

from __future__ import annotations

from paper_checks.claims.claim import Claim
from paper_checks.evidence.ladder import BY_NAME, RUNGS
from paper_checks.judging.verdict import Verdict
from paper_checks.report.text import stopped
from paper_checks.rules.means import Status

__all__ = ["found", "key", "letters", "mutants", "resolution"]


def key() -> str:
    """What the letters mean, the strongest evidence first."""
    titles = dict.fromkeys(f"{rung.letter} {rung.title}" for rung in RUNGS)
    return " · ".join(titles)


def letters(verdict: Verdict) -> str:
    """The rungs of a verdict."""
    return " ".join(BY_NAME[r].letter if r in BY_NAME else r for r in verdict.rungs)


def found(verdict: Verdict) -> list[str]:
    """What experiments found, in words."""
    return [stopped(f.says) for f in verdict.findings if f.rung == "experiment" and f.says]


def mutants(verdict: Verdict) -> str:
    """How many were rejected of those beyond the resolution, and how many lie inside it; nothing where none are."""
    inside = f" ({verdict.within} inside)" if verdict.within else ""
    return f"{verdict.killed}/{verdict.mutants}{inside}" if verdict.mutants or verdict.within else ""


def resolution(claim: Claim, verdict: Verdict) -> str:
    """The smallest deviation that would have been refuted, what it is relative to, and what that is of the value."""
    if verdict.status is Status.INCONCLUSIVE:
        return "–"
    worst = verdict.worst("resolution")
    if not worst:
        return "exact" if any(r in BY_NAME and BY_NAME[r].exact for r in verdict.rungs) else "–"
    if claim.scale is None:
        return f"{worst:.1e}"
    return f"{worst:.1e} of {claim.scale_says}{_of_the_value(verdict)}"


def _of_the_value(verdict: Verdict) -> str:
    """Where a scale makes a resolution coarser than it looks: what it is relative to the value."""
    relative = [
        p.resolution * p.scale / abs(p.truth)
        for f in verdict.findings
        for p in f.points
        if p.resolution and p.scale and p.truth and p.scale > 2 * abs(p.truth)
    ]
    return f"; up to {max(relative):.1e} of the value" if relative else ""
