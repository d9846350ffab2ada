"""Judging: from a claim to its verdict, for one claim, many claims, or a single formula."""

import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

from montecarlo import Statistic
from montecarlo.engine.linear_algebra import one_thread
from paper_checks.claims.claim import Claim
from paper_checks.evidence import ladder
from paper_checks.evidence.finding import Finding, PointFinding
from paper_checks.evidence.rung import Rung, Work
from paper_checks.evidence.setting import LOOKS, Setting
from paper_checks.judging.conclusion import concluded
from paper_checks.judging.foreign import broken_kernels
from paper_checks.judging.power import with_power
from paper_checks.judging.price import priced, to_price
from paper_checks.judging.verdict import Verdict, Verdicts
from paper_checks.rules.rates import FAMILY
from paper_checks.values.exact import EVALUATING
from paper_checks.values.patience import ending_after, within
from theory import Formula

DEFAULT_SEED = 20190
# Time limit for one kind of exact evidence of one claim; the built-in claims take 33 s at most.
SECONDS = {"quick": 120.0, "full": 1200.0}
# Seconds after it in which a call of compiled code may still return.
GRACE = 10.0


def judge(claim: Claim, setting: Setting, known: dict[str, Finding] | None = None) -> Verdict:
    """Judge a claim by all evidence that applies to it, the strongest first.

    An error makes the verdict INCONCLUSIVE, with the message. The same claim with the same setting has the same verdict
    in any thread, process or cluster.

    Parameters
    ----------
    claim : Claim
    setting : Setting
    known : dict, optional
        Findings of exact evidence by name, which are the same for every seed. Those in it are used, new ones are added.

    Examples
    --------
    >>> from paper_checks.claims.catalogue import load
    >>> (claim,) = load(["nau"]).select(["nau/eq2"])
    >>> judge(claim, Setting("quick", seed=1)).status
    <Status.CONFIRMED: 'CONFIRMED'>
    """
    begun = time.perf_counter()
    findings: list[Finding] = []
    price: tuple[PointFinding, ...] = ()
    error, known = "", {} if known is None else known
    try:
        with one_thread():
            for kind in _evidence(claim):
                found = known.get(kind.name) or _find(kind, claim, setting)
                findings.append(found)
                if kind.exact:
                    known[kind.name] = found
            findings = with_power(claim, findings, setting.tier)
            price = priced(setting.sample(to_price(claim)))
    except (Exception, SystemExit) as raised:
        error = _in_words(claim, raised)
    verdict = concluded(claim, findings, price, setting, error)
    return replace(verdict, seconds=time.perf_counter() - begun)


def _evidence(claim: Claim) -> list[Rung]:
    """The kinds of evidence that a claim has, the strongest first."""
    found = [kind for kind in ladder.RUNGS if kind.applies(claim)]
    if not found and not claim.unchecked:
        raise LookupError(f"claim {claim.id}: no kind of evidence applies; see paper_checks.evidence")
    records = tuple(kind.record for kind in ladder.RUNGS if kind.record)
    for item in claim.evidence:
        if not isinstance(item, records):
            raise LookupError(
                f"claim {claim.id}: evidence= must be records such as AllSizes(...) or Entries(...), got {item!r}; "
                "see paper_checks.evidence"
            )
    return found


def _find(kind: Rung, claim: Claim, setting: Setting) -> Finding:
    """The finding of one kind of evidence."""
    # The precision of mpmath is one for all threads; what samples holds it only while it evaluates.
    with nullcontext() if kind.samples else EVALUATING:
        work = Work(claim, setting, kind)
        found = _in_time(kind, claim, work) if kind.exact else kind.find(claim, work)
    if claim.relation.of_a_property and kind.name != claim.relation.rung:
        found = replace(found, printed=None)
    return replace(found, defects=(*found.defects, *kind.power(found)))


def _in_time(kind: Rung, claim: Claim, work: Work) -> Finding:
    """The finding of exact evidence within a time limit: SymPy and mpmath may never end."""
    seconds = SECONDS[work.tier]
    try:
        with ending_after(seconds + GRACE):
            return within(seconds, lambda: kind.find(claim, work))
    except TimeoutError:
        what = f"the {kind.name} evidence was not found within {seconds:g} s"
        raise TimeoutError(f"{what}; simplify its form, derivation or integral, or split the claim") from None


def failed(claim: Claim, setting: Setting, error: BaseException) -> Verdict:
    """The verdict on a claim that could not be judged."""
    return concluded(claim, [], (), setting, _in_words(claim, error))


def _in_words(claim: Claim, error: BaseException) -> str:
    text = str(error) if isinstance(error, ValueError) else f"{type(error).__name__}: {error}".removesuffix(": ")
    return text if claim.id in text else f"claim {claim.id}: {text}"


def verify(
    claims: Iterable[Claim],
    *,
    tier: str = "quick",
    seed: int = DEFAULT_SEED,
    executor: Executor | None = None,
    budget: int | float | None = None,
    apart: bool | None = None,
    reached: Callable[[Verdict], None] | None = None,
) -> list[Verdict]:
    """Judge claims one after the other in this process; ``paper-checks verify`` uses several processes.

    Parameters
    ----------
    claims : iterable of Claim
    tier, seed, budget
        See :class:`paper_checks.evidence.setting.Setting`.
    executor : Executor, optional
        Where samples of one claim are taken; default: one thread per core.
    apart : bool, optional
        Whether users' kernels are first tested in a child process with array bounds checked; kernels that pass are
        remembered. Default: only those from a notebook. See :mod:`montecarlo.engine.apart`.
    reached : callable (Verdict), optional
        Called with each verdict as soon as it is reached.

    Returns
    -------
    list of Verdict
        In the order of ``claims``; a notebook shows it as a table.

    Raises
    ------
    ValueError
        If something is not a claim, the tier is unknown, the seed is not an integer, the budget is not positive, or
        there are more comparisons than the family-wise error rate allows.
    """
    claims = list(claims) if isinstance(claims, Iterable) else [claims]
    for claim in claims:
        if not isinstance(claim, Claim):
            raise ValueError(f"verify: each claim must be a Claim, got {claim!r}; give a list of them")
    refuse_too_many(claims)
    if executor is None:
        with ThreadPoolExecutor(os.cpu_count()) as threads:
            return verify(claims, tier=tier, seed=seed, executor=threads, budget=budget, apart=apart, reached=reached)
    setting = Setting(tier, seed, budget, executor)
    broken = {} if apart is False else broken_kernels(claims, setting, files=bool(apart))
    verdicts = Verdicts()
    for claim in claims:
        error = broken.get(claim.id)
        verdicts.append(judge(claim, setting) if error is None else failed(claim, setting, error))
        if reached:
            reached(verdicts[-1])
    return verdicts


def refuse_too_many(claims: Sequence[Claim]) -> None:
    """Raise a ValueError if there may be more comparisons than the family-wise error rate allows."""
    points = sum(len(claim.points) for claim in claims if claim.measured is not None or claim.price is not None)
    comparisons = points * max(map(len, LOOKS.values()))
    if comparisons > FAMILY:
        raise ValueError(
            f"verify: at most {FAMILY} comparisons share the family-wise error rate, got {comparisons}; "
            "verify fewer claims at once"
        )


def check(
    formula: Formula, measured: Statistic, *, at: Mapping[str, Any], name: str = "user/formula", **options: Any
) -> Verdict:
    """Judge your own formula by your own sampler at one parameter point.

    Parameters
    ----------
    formula : Formula
    measured : Statistic
        ``mean(kernel)``, ``variance(kernel)``, ... of a kernel that simulates the model.
    at : mapping
        Values of the formula's arguments and of the kernel's parameters.
    name : str
        Selects the random stream.
    **options
        ``tier``, ``seed``, ``executor`` of :func:`verify`.

    Returns
    -------
    Verdict
        ``.status``, and in ``.findings[0].points[0]`` the estimate with its standard error.

    Examples
    --------
    >>> import sympy
    >>> from montecarlo import kernel
    >>> from montecarlo import mean, uniform2
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
    if not isinstance(formula, Formula):
        raise ValueError(f"check: formula must be a Formula, got {formula!r}; write Formula('what it is', expression)")
    claim = Claim(name, at="", says=formula.says, printed=formula, points=[at], measured=measured)
    return verify([claim], **options)[0]
