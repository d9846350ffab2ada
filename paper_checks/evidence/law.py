"""Monte Carlo evidence for a whole distribution: counts against distribution functions."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy
from sympy import Expr

from montecarlo import Law
from paper_checks.claims.claim import Claim
from paper_checks.evidence.finding import Finding, PointFinding
from paper_checks.evidence.measurement import Measurement
from paper_checks.evidence.mutation import mutants_of, tried
from paper_checks.evidence.rung import Rung, Work
from paper_checks.rules.laws import EDGES, LAW_RESOLUTION, band, compare_law, largest
from paper_checks.rules.means import Comparison, Status, combine
from theory import Formula

# To here every integer has a cell of its own in a histogram.
OWN_CELL = 2**12


def points(claim: Claim, tier: str) -> list[Measurement]:
    """Measurements at the points at which a claim's distribution is sampled."""
    if claim.relation.variable not in claim.truth.names:
        got = f"got {claim.relation.variable!r} and {claim.truth.names}; name it with Distributed(variable=...)"
        raise ValueError(f"the variable must be an argument of the distribution function, {got}")
    return [
        Measurement(
            claim.measured, p, claim.namespace(p), claim.stream, i, lambda m, law: _needed(claim, m, law),
            tolerance=LAW_RESOLUTION[tier],
        )
        for i, p in enumerate(claim.points)
    ]  # fmt: skip


def _needed(claim: Claim, m: Measurement, law: Law) -> int:
    counts = Counts.of(claim, m, law)
    comparison = counts.compare(counts.said(claim, claim.truth))
    if comparison.status is not Status.INCONCLUSIVE or not law.is_finite:
        return 0
    # Distance and band shrink together; the part between edges does not.
    room = m.tolerance - 1 / EDGES
    return max(law.n + 1, int(law.n * (comparison.resolution / room) ** 2))


@dataclass(frozen=True)
class Counts:
    """Counts at a point, at the edges at which distribution functions are compared with them.

    ``integers``: whether all observations are integers and every integer has an edge.
    """

    m: Measurement
    law: Law
    integers: bool

    @classmethod
    def of(cls, claim: Claim, m: Measurement, law: Law) -> Counts:
        if not _variable(claim, claim.truth).is_integer or not law.is_finite:
            return cls(m, law.thinned(EDGES), False)
        whole = np.rint(law.edges)
        own_cell = np.abs(whole) <= OWN_CELL
        off = np.flatnonzero(own_cell & (np.abs(law.edges - whole) > 1e-9))
        if len(off):
            got = f"as {claim.relation.variable} is an integer, got a value near {law.edges[off[0]]:.6g}"
            hint = "declare the symbol without integer=True, or round in the kernel"
            raise ValueError(f"the distribution must have whole values, {got}; {hint}")
        if own_cell.all() and len(whole) <= OWN_CELL:
            return cls(m, Law(law.n, whole, law.share, True), True)
        thinned = law.thinned(EDGES)
        return cls(m, Law(law.n, np.floor(thinned.edges + 1e-9), thinned.share, True), False)

    def said(self, claim: Claim, form: Formula | Expr) -> np.ndarray:
        """Values of a distribution function at all edges; for integers, in a second row, at one below each."""
        at = [self.law.edges, self.law.edges - 1] if self.integers else [self.law.edges]
        return np.stack([np.broadcast_to(_at(claim, form, self.m, edges), edges.shape) for edges in at])

    def compare(self, said: np.ndarray) -> Comparison:
        return compare_law(self.law, said[0], self.m.tolerance, said[1] if self.integers else None)


def _at(claim: Claim, form: Formula | Expr, m: Measurement, edges: np.ndarray) -> np.ndarray:
    """Values of a distribution function, or of an altered one, at all edges; nan where there is none."""
    known = form if isinstance(form, Formula) else claim.truth
    variable = _variable(claim, known)
    domain = known.domain[variable]
    inside = domain.contains(edges)
    given = {str(s): edges[inside] if s == variable else m.numbers[str(s)] for s in known.arguments}
    # Below the values that the variable may take a distribution function is 0, above them 1.
    values = np.where(edges <= domain.low, 0.0, 1.0)
    values[inside] = form(**given) if form is known else _quietly(form, known.arguments, given)
    return values


def find(claim: Claim, work: Work) -> Finding:
    """Judge the published, the correct and the altered distributions by the same counts."""
    counts = [Counts.of(claim, m, law) for m, law in work.measured]
    right = [c.said(claim, claim.truth) for c in counts]
    # The same as the truth if nothing is corrected.
    printed = [c.compare(c.said(claim, claim.printed)) for c in counts]
    judged = [_judged(c, c.compare(r), other) for c, r, other in zip(counts, right, printed, strict=True)]

    def differs(wrong: list[np.ndarray]) -> bool:
        return any(largest(w - r) > c.m.tolerance for w, r, c in zip(wrong, right, counts, strict=True))

    def rejects(wrong: list[np.ndarray]) -> bool:
        return any(c.compare(w).status is Status.REFUTED for w, c in zip(wrong, counts, strict=True))

    mutants = mutants_of(claim, claim.truth, work.tier).items()
    outcome = tried(((k, [c.said(claim, f) for c in counts]) for k, f in mutants), rejects, differs)
    truth, status = combine([p.status for p in judged]), combine([c.status for c in printed])
    says = f"distribution functions at {len(judged)} points{_farthest(judged) if claim.corrected else ''}"
    return Finding("monte carlo", truth, status, says, points=tuple(judged), **outcome._asdict())


def _judged(counts: Counts, right: Comparison, printed: Comparison) -> PointFinding:
    n = counts.law.n
    distance = right.z / math.sqrt(n)
    says = f"distance {distance:.1e}, band {band(n):.1e}"
    return PointFinding(
        counts.m.says, right.status, measured=distance, se=band(n), n=n, z=right.z, z_printed=printed.z,
        resolution=right.resolution, reason=f"{says}; {right.reason}" if right.reason else says, scale=1.0,
    )  # fmt: skip


def _farthest(points: list[PointFinding]) -> str:
    worst = max(points, key=lambda p: p.z_printed / math.sqrt(p.n))
    distance, right = worst.z_printed / math.sqrt(worst.n), worst.z / math.sqrt(worst.n)
    return (
        f": at {worst.point} the published distribution is off by {distance:.3g}, the correct one by {right:.1g}, "
        f"n = {worst.n:,}"
    )


def _variable(claim: Claim, form: Formula) -> sympy.Symbol:
    (symbol,) = [s for s in form.arguments if str(s) == claim.relation.variable]
    return symbol


def _quietly(expr: Expr, arguments: tuple, given: Mapping[str, Any]) -> np.ndarray:
    """Values of an altered formula; nan where it is not real or does not exist."""
    function = sympy.lambdify(arguments, expr, modules=["scipy", "numpy"])
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
