"""The Monte Carlo rung for a whole law: counts against distribution functions."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import sympy
from sympy import Expr

from montecarlo import Law
from paper_checks.claims.claim import Claim
from paper_checks.evidence.measurement import Measurement
from paper_checks.evidence.mutation import mutants_of, tried
from paper_checks.evidence.rung import Rung, Work
from paper_checks.findings import Finding, PointFinding
from paper_checks.rules.laws import EDGES, LAW_RESOLUTION, band, compare_law, largest
from paper_checks.rules.means import Status, combine
from theory import Formula

__all__ = ["RUNG"]


def points(claim: Claim, tier: str) -> list[Measurement]:
    """The points at which a claim's law is sampled."""
    if claim.relation.variable not in claim.truth.names:
        raise ValueError(
            f"claim {claim.id}: the variable must be an argument of the law, got {claim.relation.variable!r} and "
            f"{claim.truth.names}; name it with Distributed(variable=...)"
        )
    return [
        Measurement(
            claim.measured, p, claim.namespace(p), claim.id, i, lambda m, law: _needed(claim, m, law),
            tolerance=LAW_RESOLUTION[tier],
        )
        for i, p in enumerate(claim.points)
    ]  # fmt: skip


def _needed(claim: Claim, m: Measurement, law: Law) -> int:
    thinned = law.thinned(EDGES)
    comparison = compare_law(thinned, _at(claim, claim.truth, m, thinned.edges), m.tolerance)
    if comparison.status is not Status.INCONCLUSIVE or not law.is_finite:
        return 0
    # Distance and band shrink together, what hides between edges does not.
    room = m.tolerance - 1 / EDGES
    return max(law.n + 1, int(law.n * (comparison.resolution / room) ** 2))


def _at(claim: Claim, form: Formula | Expr, m: Measurement, edges: np.ndarray) -> np.ndarray:
    """What a distribution function, or a mutant of the right one, says at all edges; nan where there is nothing."""
    variable = claim.relation.variable
    if isinstance(form, Formula):
        return _within_domain(form, variable, edges, m.numbers)
    arguments = claim.truth.arguments
    inside = edges[_inside(claim.truth, variable, edges)]
    given = {str(s): inside if str(s) == variable else m.numbers[str(s)] for s in arguments}
    return _extended(claim.truth, variable, edges, _quietly(_compiled(arguments, form), given))


def find(claim: Claim, work: Work) -> Finding:
    """Judge the printed law, the right one and the mutants by the same counts."""
    laws = [(m, law.thinned(EDGES)) for m, law in work.measured]
    right = [_at(claim, claim.truth, m, law.edges) for m, law in laws]
    # The same as the truth where nothing is corrected.
    printed = [compare_law(law, _at(claim, claim.printed, m, law.edges), m.tolerance) for m, law in laws]
    judged = []
    for (m, law), values, other in zip(laws, right, printed, strict=True):
        comparison = compare_law(law, values, m.tolerance)
        distance = comparison.z / math.sqrt(law.n)
        says = f"distance {distance:.1e}, band {band(law.n):.1e}"
        judged.append(PointFinding(
            m.says, comparison.status, measured=distance, se=band(law.n), n=law.n, z=comparison.z,
            z_printed=other.z, resolution=comparison.resolution,
            reason=f"{says}; {comparison.reason}" if comparison.reason else says, scale=1.0,
        ))  # fmt: skip

    def differs(wrong: list[np.ndarray]) -> bool:
        return any(largest(w - r) > m.tolerance for w, r, (m, _) in zip(wrong, right, laws, strict=True))

    def rejects(wrong: list[np.ndarray]) -> bool:
        pairs = zip(wrong, laws, strict=True)
        return any(compare_law(law, w, m.tolerance).status is Status.REFUTED for w, (m, law) in pairs)

    mutants = mutants_of(claim, claim.truth, work.tier).items()
    outcome = tried(((k, [_at(claim, f, m, law.edges) for m, law in laws]) for k, f in mutants), rejects, differs)
    return Finding(
        "monte carlo",
        combine([p.status for p in judged]),
        combine([c.status for c in printed]),
        f"distribution functions at {len(judged)} points{_farthest(judged) if claim.corrected else ''}",
        points=tuple(judged),
        **outcome.fields,
    )


def _farthest(points: list[PointFinding]) -> str:
    worst = max(points, key=lambda p: p.z_printed / math.sqrt(p.n))
    distance, right = worst.z_printed / math.sqrt(worst.n), worst.z / math.sqrt(worst.n)
    return f": at {worst.point} the printed law is off by {distance:.3g}, the right one by {right:.1g}, n = {worst.n:,}"


def _inside(form: Formula, variable: str, edges: np.ndarray) -> np.ndarray:
    (symbol,) = [s for s in form.arguments if str(s) == variable]
    return form.domain[symbol].contains(edges)


def _extended(form: Formula, variable: str, edges: np.ndarray, inside: np.ndarray) -> np.ndarray:
    """Below the values that the variable may take a distribution function is 0, above them 1."""
    (symbol,) = [s for s in form.arguments if str(s) == variable]
    values = np.where(edges <= form.domain[symbol].low, 0.0, 1.0)
    values[_inside(form, variable, edges)] = inside
    return values


def _within_domain(form: Formula, variable: str, edges: np.ndarray, values: Mapping[str, Any]) -> np.ndarray:
    given = {n: values[n] for n in form.names if n != variable}
    inside = form(**given, **{variable: edges[_inside(form, variable, edges)]})
    return _extended(form, variable, edges, inside)


def _compiled(arguments: tuple, expr: Expr) -> Callable:
    return sympy.lambdify(arguments, expr, modules=["scipy", "numpy"])


def _quietly(function: Callable, given: Mapping[str, Any]) -> np.ndarray:
    """A mutant may leave the reals or not exist; that is nan, and no count agrees with nan."""
    try:
        with np.errstate(all="ignore"):
            values = np.asarray(function(**given))
    except (TypeError, ValueError, ZeroDivisionError, OverflowError, NotImplementedError):
        return np.nan
    return np.where(values.imag == 0, values.real, np.nan) if np.iscomplexobj(values) else values


RUNG = Rung(
    name="monte carlo", letter="M", title="Monte Carlo of the model itself", section="measured", rank=81, exact=False,
    applies=lambda claim: claim.measured is not None and claim.relation.samples == "law", points=points, find=find,
)  # fmt: skip
