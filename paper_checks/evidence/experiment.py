"""The experiment rung, and what an experiment concludes: one builder of findings, a slip rejected is ``True``."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict

import numpy as np

from paper_checks.claims.claim import Claim
from paper_checks.evidence.finding import Finding, PointFinding
from paper_checks.evidence.mutation import tried
from paper_checks.evidence.rung import Rung, Work
from paper_checks.rules.means import Status, combine
from paper_checks.rules.proportions import compare_signs, signs_text

__all__ = ["concluded", "decided"]


def concluded(
    status: Status, says: str, slips: Mapping[str, bool] | None = None, points: Sequence[PointFinding] = ()
) -> Finding:
    """What an experiment found about the sentence that it was made for.

    Parameters
    ----------
    status : Status
        Of the sentence. INCONCLUSIVE leaves it undecided; a sentence that is REFUTED is so by a check that holds, so
        that slips count for it as well.
    says : str
        What was seen, in numbers and words.
    slips : mapping of str to bool, optional
        By name of a mistake whether it **was rejected**: true is good.
    points : sequence of PointFinding
        What was seen where, as records.

    Examples
    --------
    >>> found = concluded(Status.CONFIRMED, "48 of 48", {"labels swapped": True, "one run only": False})
    >>> found.killed, found.total, found.survivors
    (1, 2, ('one run only',))
    """
    for name, rejected in (slips or {}).items():
        if not isinstance(rejected, bool | np.bool_):
            raise TypeError(f"concluded: slip {name!r} must be True or False, got {rejected!r}; say if it was rejected")
    outcome = tried((slips or {}).items(), bool)
    truth = Status.INCONCLUSIVE if status is Status.INCONCLUSIVE else Status.CONFIRMED
    return Finding("experiment", truth, status, says, points=tuple(points), **outcome.fields)


def decided(differences: Mapping[str, np.ndarray], says: str = "") -> Finding:
    """A finding from sign tests: CONFIRMED where all are, REFUTED where one is, with their counts."""
    signs, slips = compare_signs(differences)
    status = combine([s.status for s in signs.values()])
    text = "; ".join(t for t in (says, signs_text(signs)) if t)
    return concluded(status, text, slips if status is Status.CONFIRMED else None)


def find(claim: Claim, work: Work) -> Finding:
    """Run it."""
    found = claim.experiment(work.context)
    if not isinstance(found, Finding):
        raise TypeError(f"claim {claim.id}: experiment= must return a Finding, got {found!r}; return concluded(...)")
    try:
        json.dumps(asdict(found))
    except (TypeError, ValueError, RecursionError) as error:
        raise TypeError(f"claim {claim.id}: experiment= must find numbers and text, got {error}; convert it") from error
    return found


RUNG = Rung(
    name="experiment", letter="E", title="experiment", section="measured", rank=90, exact=False,
    applies=lambda claim: claim.experiment is not None, find=find,
)  # fmt: skip
