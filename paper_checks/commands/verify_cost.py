"""How long it takes to verify claims, by their number and by the samples of their recorded verdicts."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from paper_checks.commands.options import RECORD, SEED

if TYPE_CHECKING:
    from paper_checks.claims.claim import Claim

__all__ = ["samples_of", "seconds_of"]

# Of the samples of the full tier: the resolution is ten times as coarse.
QUICK = 0.01
# Processor seconds of a claim without its samples and runs, of a sample and of a run; averages, nothing stored.
PER_CLAIM, PER_SAMPLE, PER_RUN = 0.15, 1e-8, 1.5e-4
# A claim may take so many times what claims take on average, or as much less.
SPREAD = 3.0


def samples_of(claims: Sequence[Claim], tier: str) -> dict[str, float]:
    """About how many samples each of our claims takes, by the recorded verdicts; those without one are left out.

    Of claims that share samples the one that they are played for takes them.
    """
    from paper_checks.record import Record

    share = 1.0 if tier == "full" else QUICK
    known = {v.id: share * v.n for v in Record.read_or_new(RECORD, "full", SEED, "").verdicts}
    ids = {claim.id for claim in claims}
    sizes = {claim.id: 0 if claim.same_samples_as in ids else _size(claim) for claim in claims}
    return {name: known[name] * size for name, size in sizes.items() if name in known}


def _size(claim: Claim) -> int:
    """Samples of one value of what is measured: a variance is a mean of those of groups."""
    from montecarlo.engine.statistics import GROUP

    return GROUP if getattr(claim.measured, "kind", "") in ("variance", "covariance") else 1


def seconds_of(claims: Sequence[Claim], samples: Mapping[str, float], tier: str, workers: int) -> tuple[float, float]:
    """About how many seconds a verification of our claims takes with nothing stored, at least and at most.

    The fewer claims there are, the less does their average say. What is no sampling goes on in one thread, at best
    beside it. ``samples`` are those of :func:`samples_of`.
    """
    from paper_checks.experiments.stored import collected

    sweeps = [s for s in collected(claim for claim in claims if claim.id in samples) if not s.stored]
    runs = sum(job.looks[-1] for sweep in sweeps for job in sweep.jobs(SEED, tier) if job.unit == "run")
    others = PER_CLAIM * len(samples)
    sampling = PER_SAMPLE * sum(samples.values()) + PER_RUN * runs
    factor = 1.0 + SPREAD / math.sqrt(len(samples) or 1)
    return (others + sampling) / workers / factor, (others + sampling / workers) * factor
