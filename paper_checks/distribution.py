"""How a whole law is judged: the distance between distribution functions, with a bound that no tail can break.

For n independent observations with distribution function F, P(sup |F_n - F| > e) <= 2 exp(-2 n e^2) for every F and n
(Dvoretzky, Kiefer and Wolfowitz; the constant 2 is Massart's). The bound is uniform in the place, so that the printed
law, the corrected one and all mutants are judged by one set of counts at the error rate of one comparison.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy
from sympy import Expr

from montecarlo import Job, Law, Statistic
from montecarlo.engine import looks_up_to
from paper_checks.claim import Claim
from paper_checks.exact import mutants_of, show_point
from paper_checks.findings import Finding, PointFinding
from paper_checks.verdict import FAMILY, FAMILY_ERROR, Comparison, Status, combine
from theory import Formula

__all__ = ["EDGES", "LAW_RESOLUTION", "LawPoint", "band", "compare_law", "law_finding", "law_points"]

LAW_RESOLUTION = {"quick": 1e-2, "full": 3e-3}
"""In units of probability: a law that is off by more somewhere is refuted."""

# Between two edges a distribution function is known to lie between its values there.
EDGES = 4096


def band(n: int) -> float:
    """The distance that n observations stay within, but for the error rate of one comparison: 3.56 / sqrt(n).

    Examples
    --------
    >>> round(band(1_000_000), 5)
    0.00356
    """
    return math.sqrt(math.log(2 * FAMILY / FAMILY_ERROR) / (2 * n))


def compare_law(law: Law, values: np.ndarray, tolerance: float) -> Comparison:
    """Judge a law by counts.

    REFUTED when the empirical distribution function is farther than :func:`band` from it at some edge, CONFIRMED when
    the distance is within ``tolerance`` everywhere, the band and what may hide between edges included.

    Parameters
    ----------
    law : Law
        The empirical distribution function.
    values : array
        What the judged distribution function says at ``law.edges``.
    tolerance : float
        In units of probability.

    Returns
    -------
    Comparison
        Its ``z`` is the distance at the edges times sqrt(n), Kolmogorov's statistic: beyond 3.56 the law is refuted.
    """
    distance = largest(law.share - values)
    half = band(law.n)
    z = distance * math.sqrt(law.n)
    if not law.is_finite:
        return Comparison(Status.INCONCLUSIVE, z, 0.0, "some values of the kernel are not numbers")
    upper = np.append(values[:-1], 1.0)
    # The judged function may jump between edges, and the empirical one as well.
    reached = (
        max(largest(law.share - np.append(0.0, upper[:-1])), largest(upper - np.append(0.0, law.share[:-1]))) + half
    )
    if distance > half:
        return Comparison(Status.REFUTED, z, reached)
    if reached <= tolerance:
        return Comparison(Status.CONFIRMED, z, reached)
    return Comparison(Status.INCONCLUSIVE, z, reached, "not enough samples for the resolution")


def largest(differences: np.ndarray) -> float:
    """The largest magnitude; infinity where something is not a number."""
    return float(np.max(np.nan_to_num(np.abs(differences), nan=np.inf)))


@dataclass(frozen=True)
class LawPoint:
    """A Monte Carlo point of a claim about a law."""

    claim: Claim
    point: Mapping[str, Any]
    values: Mapping[str, Any]
    index: int
    tolerance: float

    @property
    def statistic(self) -> Statistic:
        return self.claim.measured

    def job(self, seed: int, budget: int) -> Job:
        numbers = {k: float(v) for k, v in self.values.items()}
        return Job(self.statistic, numbers, self.claim.id, self.index, seed, looks_up_to(budget))

    def needed(self, law: Law) -> int:
        """0 when this point is decided, else about how many observations will decide it."""
        comparison = self.judge(law)
        if comparison.status is not Status.INCONCLUSIVE or not law.is_finite:
            return 0
        # Distance and band shrink together, what hides between edges does not.
        room = self.tolerance - 1 / EDGES
        return max(law.n + 1, int(law.n * (comparison.resolution / room) ** 2))

    def judge(self, law: Law) -> Comparison:
        law = law.thinned(EDGES)
        return compare_law(law, self.at(self.claim.truth, law.edges), self.tolerance)

    def at(self, form: Formula | Expr, edges: np.ndarray) -> np.ndarray:
        """What a distribution function, or a mutant of the right one, says at all edges; nan where there is nothing."""
        variable = self.claim.relation.variable
        if isinstance(form, Formula):
            return _within_domain(form, variable, edges, self.values)
        arguments = self.claim.truth.arguments
        inside = edges[_inside(self.claim.truth, variable, edges)]
        given = {str(s): inside if str(s) == variable else float(self.values[str(s)]) for s in arguments}
        return _extended(self.claim.truth, variable, edges, _quietly(_compiled(arguments, form), given))


def law_points(claim: Claim, tier: str) -> list[LawPoint]:
    """The points at which a claim's law is sampled."""
    if claim.relation.variable not in claim.truth.names:
        raise ValueError(
            f"claim {claim.id}: the variable must be an argument of the law, got {claim.relation.variable!r} and "
            f"{claim.truth.names}; name it with Distributed(variable=...)"
        )
    tolerance = LAW_RESOLUTION[tier]
    return [LawPoint(claim, p, claim.namespace(p), i, tolerance) for i, p in enumerate(claim.points)]


def law_finding(claim: Claim, measured: list[tuple[LawPoint, Law]], tier: str) -> Finding:
    """Judge the printed law, the right one and the mutants by the same counts."""
    laws = [(p, law.thinned(EDGES)) for p, law in measured]
    right = [p.at(claim.truth, law.edges) for p, law in laws]
    printed = [
        compare_law(law, p.at(claim.printed, law.edges), p.tolerance) for p, law in laws
    ]  # the same as the truth where nothing is corrected
    points = []
    for (p, law), values, other in zip(laws, right, printed, strict=True):
        comparison = compare_law(law, values, p.tolerance)
        distance = comparison.z / math.sqrt(law.n)
        says = f"distance {distance:.1e}, band {band(law.n):.1e}"
        points.append(PointFinding(
            show_point(p.point), comparison.status, measured=distance, se=band(law.n), n=law.n, z=comparison.z,
            z_printed=other.z, resolution=comparison.resolution,
            reason=f"{says}; {comparison.reason}" if comparison.reason else says,
        ))  # fmt: skip
    total, survivors = 0, []
    for what, mutant in mutants_of(claim, claim.truth, tier).items():
        wrong = [p.at(mutant, law.edges) for p, law in laws]
        if all(largest(w - r) <= p.tolerance for w, r, (p, _) in zip(wrong, right, laws, strict=True)):
            continue
        total += 1
        judged = (compare_law(law, w, p.tolerance).status for w, (p, law) in zip(wrong, laws, strict=True))
        if Status.REFUTED not in judged:
            survivors.append(what)
    return Finding(
        "monte carlo",
        combine([p.status for p in points]),
        combine([c.status for c in printed]),
        f"distribution functions at {len(points)} points{_farthest(points) if claim.corrected else ''}",
        total - len(survivors),
        total,
        tuple(survivors),
        tuple(points),
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
    given = {n: float(values[n]) for n in form.names if n != variable}
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
