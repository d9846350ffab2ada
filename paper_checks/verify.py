"""From claims to verdicts: exact rungs, then all Monte Carlo points of all claims in one run of the engine."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any

import mpmath
import sympy

from montecarlo import Estimate, Job, Statistic, Store, measure
from montecarlo.engine import looks_up_to
from paper_checks.claim import Claim, complete, pick
from paper_checks.distribution import LawPoint, law_finding, law_points
from paper_checks.exact import exact_findings, mutants_of, show_point, slips_of, value_of
from paper_checks.findings import Finding, PointFinding, Verdict
from paper_checks.relations import Approximates, Bounds, Defines, Distributed
from paper_checks.verdict import (
    FAMILY,
    RESOLUTION,
    Comparison,
    Status,
    Z,
    combine,
    compare,
    heavy_tail,
    samples_needed,
)
from theory import Formula

__all__ = ["BUDGET", "Context", "check", "verify"]

BUDGET = {"quick": 2**27, "full": 2**33}
# What an assumption costs is told to two percent, in every tier.
PRICE_PRECISION = 0.02
DEFAULT_SEED = 20190


@dataclass(frozen=True)
class Context:
    """What an experiment of a claim may use."""

    tier: str
    seed: int
    executor: Executor | None = None


@dataclass(frozen=True)
class _Point:
    """A Monte Carlo point of a claim: what is measured, and what it is measured for."""

    claim: Claim
    point: Mapping[str, Any]
    values: Mapping[str, Any]
    statistic: Statistic
    index: int
    stream: str
    truth: float | None = None
    printed: float | None = None
    scale: float = 0.0
    tolerance: float = field(default=0.0)

    def job(self, seed: int, budget: int) -> Job:
        numbers = {k: float(v) for k, v in self.values.items()}
        return Job(self.statistic, numbers, self.stream, self.index, seed, looks_up_to(budget))

    def needed(self, estimate: Estimate) -> int:
        """0 when this point is decided, else about how many observations will decide it."""
        if not estimate.is_finite:
            return 0  # More samples do not mend it.
        if self.truth is None:  # a price: only precision counts
            tolerance = self.tolerance * abs(estimate.value)
            if Z * estimate.se <= tolerance and not heavy_tail(estimate):
                return 0
            return samples_needed(estimate, estimate.value, tolerance)
        if self.judge(estimate).status is not Status.INCONCLUSIVE:
            return 0
        return samples_needed(estimate, self.truth, self.tolerance)

    def judge(self, estimate: Estimate, value: float | None = None) -> Comparison:
        value = self.truth if value is None else value
        if isinstance(self.claim.relation, Bounds):
            return _beyond(estimate, value, self.claim.relation.side)
        return compare(estimate, value, self.tolerance, self.scale)


def verify(
    claims: Sequence[Claim],
    *,
    tier: str = "quick",
    seed: int = DEFAULT_SEED,
    executor: Executor | None = None,
    store: Store | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> list[Verdict]:
    """Judge claims.

    Parameters
    ----------
    claims : sequence of Claim
    tier : {"quick", "full"}
        Resolution 1e-2 or 1e-3; the error rates are the same.
    seed : int
        Master seed of all streams.
    executor, store, progress
        See :func:`montecarlo.measure`.

    Returns
    -------
    list of Verdict, in the order of ``claims``.

    Raises
    ------
    ValueError
        When the tier is unknown, there are more comparisons than the family-wise error rate is shared among, or a
        claim cannot be evaluated at one of its points.
    """
    if tier not in RESOLUTION:
        raise ValueError(f"verify: tier must be one of {sorted(RESOLUTION)}, got {tier!r}; choose one")
    points = []
    for claim in claims:
        with _naming(claim):
            points += _points(claim, tier)
    comparisons = sum(len(looks_up_to(BUDGET[tier])) for _ in points)
    if comparisons > FAMILY:
        raise ValueError(
            f"verify: at most {FAMILY} comparisons share the family-wise error rate, got {comparisons}; "
            "verify fewer claims at once"
        )
    context = Context(tier, seed, executor)
    jobs = [p.job(seed, BUDGET[tier]) for p in points]
    by_claim: dict[str, list[int]] = {}
    for i, point in enumerate(points):
        by_claim.setdefault(point.claim.id, []).append(i)
    # Sampling leaves this process's interpreter idle; what needs no samples is worked out meanwhile.
    with ThreadPoolExecutor(1) as aside:
        exact = [aside.submit(_exact, c, [points[i] for i in by_claim.get(c.id, [])], context) for c in claims]
        started = time.perf_counter()
        try:
            moments = measure(
                jobs,
                lambda i, m: points[i].needed(m.estimate()),
                executor=executor,
                store=store,
                progress=progress,
            )
        except BaseException:
            for future in exact:
                future.cancel()
            raise
        sampling = time.perf_counter() - started
        total = sum(m.n for m in moments) or 1
        verdicts = []
        for claim, future in zip(claims, exact, strict=True):
            findings, experiment, seconds = future.result()
            begun = time.perf_counter()
            mine = [(points[i], moments[i]) for i in by_claim.get(claim.id, [])]
            with _naming(claim):
                verdict = _verdict(claim, findings, mine, experiment, context)
            seconds += time.perf_counter() - begun + sampling * sum(m.n for _, m in mine) / total
            verdicts.append(replace(verdict, seconds=seconds))
    return verdicts


def _exact(
    claim: Claim, points: list[_Point | LawPoint], context: Context
) -> tuple[list[Finding], Finding | None, float]:
    """The rungs without samples, the experiment, and what the judgement of samples will ask for; the time taken."""
    begun = time.perf_counter()
    with _naming(claim):
        findings = exact_findings(claim, context.tier)
        judged = [p for p in points if isinstance(p, _Point) and p.truth is not None]
        if judged:
            for mutant in _statistical_mutants(claim, context.tier).values():
                for p in judged:
                    value_of(claim, mutant, p.values, claim.truth.arguments)
        experiment = claim.experiment(context) if claim.experiment else None
    return findings, experiment, time.perf_counter() - begun


@contextlib.contextmanager
def _naming(claim: Claim) -> Iterator[None]:
    """An error in evaluating a claim says in which."""
    try:
        yield
    except (ValueError, ArithmeticError, LookupError) as error:
        text = str(error) if isinstance(error, ValueError) else f"{type(error).__name__}: {error}"
        raise ValueError(text if claim.id in text else f"claim {claim.id}: {text}") from error


def check(
    formula: Formula,
    measured: Statistic,
    *,
    at: Mapping[str, Any],
    name: str = "user/formula",
    **options: Any,
) -> Verdict:
    """Judge your own formula by your own sampler at one parameter point.

    Parameters
    ----------
    formula : Formula
    measured : Statistic
        ``mean(kernel)``, ``variance(kernel)``, ... of a kernel that plays the model.
    at : mapping
        Values of the formula's arguments and of the kernel's parameters.
    name : str
        Selects the random stream.
    **options
        ``tier``, ``seed``, ``executor``, ``store`` of :func:`verify`.

    Returns
    -------
    Verdict
        ``.status``, and in ``.findings[0].points[0]`` the estimate with its standard error.

    Examples
    --------
    >>> import sympy
    >>> from montecarlo import kernel, mean, uniform2
    >>> from theory import Formula, Source
    >>> @kernel
    ... def product(stream, first, side, out):
    ...     for i in range(out.shape[0]):
    ...         u, v = uniform2(stream, first + i, 0)
    ...         out[i, 0] = side * u * side * v
    >>> side = sympy.Symbol("side", positive=True)
    >>> right = Formula("mean area", side**2 / 4, source=Source("mine", ""))
    >>> check(right, mean(product), at=dict(side=3)).status
    <Status.CONFIRMED: 'CONFIRMED'>
    >>> wrong = Formula("mean area", side**2 / 3, source=Source("mine", ""))
    >>> check(wrong, mean(product), at=dict(side=3)).status
    <Status.REFUTED: 'REFUTED'>
    """
    claim = Claim(name, at="", says=formula.says, printed=formula, points=[at], measured=measured)
    return verify([claim], **options)[0]


def _points(claim: Claim, tier: str) -> list[_Point | LawPoint]:
    found = []
    if isinstance(claim.relation, Distributed):
        found += law_points(claim, tier)
    elif claim.measured and not isinstance(claim.relation, Defines):
        for index, point in enumerate(claim.points):
            values = claim.namespace(point)
            truth = float(value_of(claim, claim.truth, values))
            printed = float(value_of(claim, claim.printed, values))
            scale = float(claim.scale(**pick(claim.scale, values))) if claim.scale else abs(truth)
            if scale <= 0:
                raise ValueError(
                    f"claim {claim.id}: the scale must be positive, got {scale:g} at {show_point(point)}; "
                    "name a scale= that is not the vanishing value"
                )
            found.append(_Point(
                claim, point, values, claim.measured, index, claim.id, truth, printed, scale, scale * RESOLUTION[tier]
            ))  # fmt: skip
    if claim.price:
        for index, point in enumerate(claim.price.points):
            values = complete(point, {**claim.derived, **claim.price.derived})
            printed = float(value_of(claim, claim.printed, values))
            found.append(_Point(
                claim, point, values, claim.price.measured, index, f"{claim.id}#price",
                printed=printed, tolerance=PRICE_PRECISION,
            ))  # fmt: skip
    return found


def _verdict(
    claim: Claim, findings: list[Finding], measured: list[tuple[_Point | LawPoint, Any]], experiment: Finding | None,
    context: Context,
) -> Verdict:  # fmt: skip
    laws = [(p, m) for p, m in measured if isinstance(p, LawPoint)]
    if laws:
        findings.append(law_finding(claim, [(p, m.estimate()) for p, m in laws], context.tier))
    measured = [pair for pair in measured if not isinstance(pair[0], LawPoint)]
    judged = [(p, m.estimate()) for p, m in measured if p.truth is not None]
    if judged:
        findings.append(_monte_carlo(claim, judged, context.tier))
    if experiment:
        findings.append(experiment)
    price = tuple(_price(p, m.estimate()) for p, m in measured if p.truth is None)
    truth = combine([f.truth for f in findings])
    status = combine([f.printed for f in findings if f.printed is not None])
    if claim.unchecked and not findings:
        truth = status = Status.INCONCLUSIVE
    return Verdict(
        claim.id, status, truth, claim.expected_status, tuple(findings), context.tier, context.seed,
        _counterexample(findings, status), price,
    )  # fmt: skip


def _monte_carlo(claim: Claim, judged: list[tuple[_Point, Estimate]], tier: str) -> Finding:
    points, printed = [], []
    for p, estimate in judged:
        comparison = p.judge(estimate)
        other = p.judge(estimate, p.printed)
        printed.append(other.status)
        points.append(PointFinding(
            show_point(p.point), comparison.status, p.printed, p.truth, estimate.value, estimate.se, estimate.n,
            comparison.z, other.z, comparison.resolution, comparison.reason,
        ))  # fmt: skip
    killed, survivors = 0, []
    total = 0
    arguments = claim.truth.arguments
    for what, mutant in _statistical_mutants(claim, tier).items():
        values = [float(value_of(claim, mutant, p.values, arguments)) for p, _ in judged]
        differs = any(not abs(v - p.truth) <= p.tolerance for v, (p, _) in zip(values, judged, strict=True))
        if not differs:
            continue
        total += 1
        if any(_rejects(p, estimate, v) for v, (p, estimate) in zip(values, judged, strict=True)):
            killed += 1
        else:
            survivors.append(what)
    approximate = isinstance(claim.relation, Approximates)
    return Finding(
        "monte carlo",
        combine([p.status for p in points]),
        None if approximate else combine(printed),
        f"{len(points)} points",
        killed,
        total,
        tuple(survivors),
        tuple(points),
    )


def _statistical_mutants(claim: Claim, tier: str) -> dict[str, sympy.Expr]:
    """A bound is tested by itself alone: what is stricter than it may be true as well."""
    if isinstance(claim.relation, Bounds):
        return slips_of(claim, claim.truth)
    return mutants_of(claim, claim.truth, tier)


def _rejects(p: _Point, estimate: Estimate, value: float) -> bool:
    return bool(mpmath.isnan(value)) or p.judge(estimate, value).status is Status.REFUTED


def _beyond(estimate: Estimate, bound: float, side: str) -> Comparison:
    """Judge a strict bound: the whole interval on its side confirms, on the other refutes."""
    if not estimate.is_finite:
        return Comparison(Status.INCONCLUSIVE, 0.0, 0.0, heavy_tail(estimate))
    signed = (estimate.value - bound) * (1 if side == "below" else -1)
    z = (estimate.value - bound) / estimate.se if estimate.se else 0.0
    resolution = Z * estimate.se / abs(bound) if bound else 0.0
    reason = heavy_tail(estimate)
    if reason or not abs(signed) > Z * estimate.se:
        return Comparison(Status.INCONCLUSIVE, z, resolution, reason or "the interval contains the bound")
    return Comparison(Status.CONFIRMED if signed > 0 else Status.REFUTED, z, resolution)


def _price(p: _Point, estimate: Estimate) -> PointFinding:
    z = (estimate.value - p.printed) / estimate.se if estimate.se else 0.0
    reason = heavy_tail(estimate)
    status = Status.INCONCLUSIVE if reason else Status.CONFIRMED
    return PointFinding(
        show_point(p.point), status, p.printed, None, estimate.value, estimate.se, estimate.n, None, z, None, reason
    )


def _counterexample(findings: Sequence[Finding], status: Status) -> str:
    """One line of numbers where the printed form is farthest from what is right."""
    if status is not Status.REFUTED:
        return ""
    points = [p for f in findings for p in f.points if p.printed is not None]
    with_truth = [p for p in points if p.truth is not None and p.truth != p.printed]
    if with_truth:
        worst = max(with_truth, key=lambda p: abs(p.printed - p.truth) / max(abs(p.truth), 1e-300))
        measured = next((p for p in points if p.point == worst.point and p.measured is not None), None)
        text = f"at {worst.point}: printed {worst.printed:.8g}, right {worst.truth:.8g}"
        if measured:
            text += f", measured {measured.measured:.8g} ± {measured.se:.1g}"
            text += f" ({measured.z_printed:+.3g} standard errors from the print)"
        return text
    failing = [p for p in points if p.status is Status.REFUTED]
    if failing:
        worst = max(failing, key=lambda p: abs(p.printed))
        return f"at {worst.point}: printed value {worst.printed:.8g}; expected: {worst.reason}"
    return next((f.says for f in findings if f.printed is Status.REFUTED), "")
