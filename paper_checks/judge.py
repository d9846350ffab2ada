"""From claims to verdicts: all points of all claims in one run of the engine, what needs no samples meanwhile."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import Any

from montecarlo import BrokenKernel, Statistic, Store
from montecarlo.engine.apart import Test, failures, is_foreign, is_typed
from montecarlo.engine.linear_algebra import one_thread
from montecarlo.engine.run import looks_up_to
from paper_checks.case import Case, Known
from paper_checks.claims.claim import Claim
from paper_checks.concluding import Concluding
from paper_checks.evidence.rung import Context
from paper_checks.findings import Verdict
from paper_checks.rules.means import RESOLUTION
from paper_checks.rules.rates import FAMILY
from paper_checks.sampling import HOPELESS, HOPELESS_BY_BUDGET, Limits, Played, play
from theory import Formula

__all__ = ["LOOKS", "Context", "check", "verify"]

# Many points are decided at 1e-2 by some thousands of observations.
LOOKS = {"quick": looks_up_to(2**27, first=2**14), "full": looks_up_to(2**33)}
DEFAULT_SEED = 20190


def verify(
    claims: Sequence[Claim],
    *,
    tier: str = "quick",
    seed: int = DEFAULT_SEED,
    executor: Executor | None = None,
    store: Store | None = None,
    progress: Callable[[int, int, str], None] | None = None,
    known: Known | None = None,
    budget: int | float | None = None,
    apart: bool | None = None,
    reached: Callable[[Verdict], None] | None = None,
) -> list[Verdict]:
    """Judge claims.

    Whatever goes wrong in judging one claim is the verdict on that claim, INCONCLUSIVE with the message.

    Parameters
    ----------
    claims : sequence of Claim
    tier : {"quick", "full"}
        Resolution 1e-2 or 1e-3; the error rates are the same.
    seed : int
        Master seed of all streams.
    executor, store, progress
        See :func:`montecarlo.measure`.
    known : dict, optional
        Takes what is the same for every seed, and gives it to the next call with these claims and this tier.
    budget : int or float, optional
        An int is the most samples of a point, which leaves results repeatable; a float is the most seconds of sampling
        in all, after which a point that is still open is INCONCLUSIVE. With either, a point that would need four times
        the most samples is given up as soon as that is seen.
    apart : bool, optional
        Whether somebody's own kernels are tested in a child process first, with array bounds checked; what passes is
        remembered. By default those that were typed into a notebook are, but none from files. See
        :mod:`montecarlo.engine.apart`.
    reached : callable (Verdict), optional
        Told each verdict as soon as it is reached, from another thread, one at a time.

    Returns
    -------
    list of Verdict, in the order of ``claims``.

    Raises
    ------
    ValueError
        When the tier is unknown, or there are more comparisons than the family-wise error rate is shared among.
    """
    if tier not in RESOLUTION:
        raise ValueError(f"verify: tier must be one of {sorted(RESOLUTION)}, got {tier!r}; choose one")
    cases = [Case(claim, tier) for claim in claims]
    looks, seconds = _limits(LOOKS[tier], budget)
    comparisons = sum(len(case.measurements) for case in cases) * len(LOOKS[tier])
    if comparisons > FAMILY:
        raise ValueError(
            f"verify: at most {FAMILY} comparisons share the family-wise error rate, got {comparisons}; "
            "verify fewer claims at once"
        )
    if apart is not False:
        _test_apart(cases, seed, looks, files=bool(apart))
    context = Context(tier, seed, executor)
    known = {} if known is None else known
    # Sampling leaves this process's interpreter idle; what needs no samples is worked out meanwhile. The two do not
    # meet: while samples are taken this thread compares floats only.
    with one_thread(), ThreadPoolExecutor(1) as aside, ThreadPoolExecutor(1) as last:
        concluding = Concluding(cases, context, last, reached)
        futures = [aside.submit(case.prepare, context, known) for case in cases]
        for i, future in enumerate(futures):
            future.add_done_callback(partial(concluding.prepared, i))
        how = Limits(looks, seconds, HOPELESS if budget is None else HOPELESS_BY_BUDGET)
        try:
            played, spent = _timed(lambda: play(cases, context, how, executor, store, progress, concluding.played))
        except BaseException:
            _cancel(futures)
            concluding.give_up()
            last.shutdown(wait=False, cancel_futures=True)
            raise
        for i, (future, one) in enumerate(zip(futures, played, strict=True)):
            future.result()
            concluding.played(i, one)
        verdicts = concluding.verdicts()
    total = sum(p.n for p in played) or 1
    return [replace(v, seconds=v.seconds + spent * p.n / total) for v, p in zip(verdicts, played, strict=True)]


def _test_apart(cases: Sequence[Case], seed: int, looks: tuple[int, ...], files: bool) -> None:
    """A kernel that would end the process, or never return, is an error of its claims."""
    tests: dict[tuple, tuple[Test, list[Case]]] = {}
    for case in cases:
        for m in case.measurements:
            job = m.job(seed, looks)
            if is_typed(job.kernel) or (files and is_foreign(job.kernel)):
                _, _, key, arguments, _, _ = job.task()
                test = job.kernel, key, arguments, looks[0]
                tests.setdefault((job.kernel.label, arguments), (test, []))[1].append(case)
    found = list(tests.values())
    for place, says in failures([test for test, _ in found]).items():
        for case in found[place][1]:
            case.fail(BrokenKernel(says))


def _limits(looks: tuple[int, ...], budget: int | float | None) -> tuple[tuple[int, ...], float]:
    """The looks that a budget of samples leaves, and the seconds of one of time."""
    if budget is None:
        return looks, math.inf
    if not budget > 0:
        raise ValueError(f"verify: budget must be positive, got {budget}; an int of samples, or a float of seconds")
    if isinstance(budget, float):
        return looks, budget
    return tuple(n for n in looks if n <= budget) or looks[:1], math.inf


def _timed(work: Callable[[], list[Played]]) -> tuple[list[Played], float]:
    begun = time.perf_counter()
    return work(), time.perf_counter() - begun


def _cancel(futures: Sequence[Future]) -> None:
    for future in futures:
        future.cancel()


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
    claim = Claim(name, at="", says=formula.says, printed=formula, points=[at], measured=measured)
    return verify([claim], **options)[0]
