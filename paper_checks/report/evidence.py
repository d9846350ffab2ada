"""Evidence in few words: letters of its kinds, tolerance, altered formulas, results of experiments."""

from paper_checks.claims.claim import Claim
from paper_checks.evidence.ladder import BY_NAME, RUNGS
from paper_checks.judging.verdict import Verdict
from paper_checks.report.text import stopped
from paper_checks.rules.means import Status

# In place of a tolerance, where there is none.
NONE = "–"


def key() -> str:
    """What the letters mean, the strongest evidence first."""
    titles = dict.fromkeys(f"{rung.letter} {rung.title}" for rung in RUNGS)
    return " · ".join(titles)


def letters(verdict: Verdict) -> str:
    """The kinds of evidence of a verdict."""
    return " ".join(BY_NAME[r].letter if r in BY_NAME else r for r in verdict.rungs)


def found(verdict: Verdict) -> list[str]:
    """What experiments found, in words."""
    return [stopped(f.says) for f in verdict.findings if f.rung == "experiment" and f.says]


def mutants(verdict: Verdict) -> str:
    """Altered formulas that were rejected, of how many, and those that are equivalent within the tolerance."""
    inside = f" ({verdict.within} equivalent)" if verdict.within else ""
    return f"{verdict.killed}/{verdict.mutants}{inside}" if verdict.mutants or verdict.within else ""


def resolution(claim: Claim, verdict: Verdict) -> str:
    """The smallest deviation that would have been refuted, and what it is relative to."""
    if verdict.status is Status.INCONCLUSIVE:
        return NONE
    worst = verdict.worst("resolution")
    if not worst:
        return "exact" if any(r in BY_NAME and BY_NAME[r].exact for r in verdict.rungs) else NONE
    if claim.scale is None:
        return f"{worst:.1e}"
    return f"{worst:.1e} of {claim.scale_says}{_of_the_value(verdict)}"


def _of_the_value(verdict: Verdict) -> str:
    """The tolerance relative to the value, where its reference magnitude is much larger."""
    relative = [
        p.resolution * p.scale / abs(p.truth)
        for f in verdict.findings
        for p in f.points
        if p.resolution and p.scale and p.truth and p.scale > 2 * abs(p.truth)
    ]
    return f"; up to {max(relative):.1e} of the value" if relative else ""
