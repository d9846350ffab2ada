"""Monte Carlo evidence for a matrix: a statistic for each entry, all from the samples of one stream."""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from sympy import ImmutableMatrix

from montecarlo import Statistic
from paper_checks.claims.claim import Claim
from paper_checks.claims.points import show_point
from paper_checks.evidence.entries import Entries, cells, variants
from paper_checks.evidence.finding import Finding
from paper_checks.evidence.measurement import Measurement
from paper_checks.evidence.monte_carlo import VANISHES, judged, needed
from paper_checks.evidence.rung import Rung, Work, declared
from paper_checks.rules.means import RESOLUTION, Status
from paper_checks.values.exact import EVALUATING, scale_of, value_of
from paper_checks.values.matrix_mutants import name_of


def points(claim: Claim, tier: str) -> list[Measurement]:
    """Measurements of every entry at every point."""
    if claim.measured is not None:
        raise ValueError("Entries(measured=) and measured= exclude each other, got both; keep one")
    (entries,) = _played(claim)
    found = []
    for index, point in enumerate(claim.points or [{}]):
        values = claim.namespace(point)
        with EVALUATING:
            right, printed = (_numbers(claim, m, values) for m in (entries.truth, entries.printed))
            named = scale_of(claim, values)
        scale = max(map(abs, right)) if named is None else float(named)
        if not VANISHES < scale < math.inf:
            got = f"got {scale:g} at {show_point(point) or 'the only point'}"
            raise ValueError(f"the largest entry must be positive and finite, {got}; name a scale=")
        for (i, j), truth, said in zip(cells(entries.truth), right, printed, strict=True):
            statistic = entries.measured(i, j)
            if not isinstance(statistic, Statistic) or statistic.kind in ("law", "rows"):
                got = f"got {statistic!r} for {name_of(i, j)}"
                hint = "write lambda i, j: covariance(kernel, i, j)"
                raise ValueError(f"Entries(measured=) must give a statistic that is a number, {got}; {hint}")
            found.append(Measurement(
                statistic, {"entry": f"({i + 1}, {j + 1})", **point}, values,
                claim.stream, index, lambda m, e: needed(claim, m, e), said, truth, scale, scale * RESOLUTION[tier],
            ))  # fmt: skip
    return found


def _played(claim: Claim) -> list[Entries]:
    return [e for e in declared(claim, Entries) if e.measured]


def _numbers(claim: Claim, matrix: ImmutableMatrix, values: Mapping[str, Any]) -> list[float]:
    found = []
    for (i, j), entry in zip(cells(matrix), matrix, strict=True):
        symbols = tuple(sorted(entry.free_symbols, key=str))
        missing = [str(s) for s in symbols if str(s) not in values]
        if missing:
            raise ValueError(f"{name_of(i, j)} uses {missing}, got a point with {sorted(values)}; add them")
        found.append(float(value_of(claim, entry, values, symbols)))
    return found


def prepare(claim: Claim, tier: str, measurements: list[Measurement]) -> dict[str, list[float]]:
    """Values of all altered matrices, entry by entry and point by point."""
    (entries,) = _played(claim)
    places = [m.values for m in measurements[:: len(entries.truth)]]
    return {
        what: [v for values in places for v in _numbers(claim, mutant, values)]
        for what, mutant in variants(claim, entries, tier).items()
    }


def find(claim: Claim, work: Work) -> Finding:
    """Judge all entries by the same rule as single values, and name those that fail."""
    (entries,) = _played(claim)
    found = judged(claim, [(m, m.known(estimate)) for m, estimate in work.measured], work.prepared)
    printed = found.printed
    if entries.right is not None and found.truth is not Status.CONFIRMED:
        printed = Status.INCONCLUSIVE
    wrong = [p.point for p in found.points if p.status is not Status.CONFIRMED]
    places = len(found.points) // len(entries.truth)
    says = f"{len(entries.truth)} entries at {places} point{'s' if places > 1 else ''}"
    says += f"; not confirmed: {'; '.join(wrong[:4])}{' ...' if len(wrong) > 4 else ''}" if wrong else ""
    return replace(found, printed=printed, says=says)


RUNG = Rung(
    name="monte carlo", letter="M", title="Monte Carlo of the model itself", section="measured", rank=83, exact=False,
    applies=lambda claim: bool(_played(claim)), points=points, prepare=prepare, find=find,
)  # fmt: skip
