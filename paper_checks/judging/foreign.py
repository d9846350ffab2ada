"""Tests of users' kernels in a child process, before any is simulated here."""

from collections.abc import Iterator, Sequence

from montecarlo import BrokenKernel
from montecarlo.engine.apart import Test, failures, is_foreign, is_typed
from paper_checks.claims.claim import Claim
from paper_checks.evidence import ladder
from paper_checks.evidence.measurement import Measurement
from paper_checks.evidence.setting import Setting
from paper_checks.judging.price import to_price


def broken_kernels(claims: Sequence[Claim], setting: Setting, *, files: bool) -> dict[str, BrokenKernel]:
    """Errors of kernels that would end the process or never return, by the id of the claim.

    Parameters
    ----------
    claims : sequence of Claim
    setting : Setting
    files : bool
        Whether kernels from a user's files are tested as well as those from a notebook.
    """
    tests: dict[tuple, tuple[Test, list[str]]] = {}
    refused: dict[str, BrokenKernel] = {}
    for claim in claims:
        for m in _measurements(claim, setting):
            kernel = m.statistic.kernel
            if is_typed(kernel) or (files and is_foreign(kernel)):
                job = m.job(setting.seed, setting.looks)
                try:
                    _, _, key, arguments, *_ = job.task()
                except ValueError as error:  # a name that means something else by now, a parameter that is missing
                    refused[claim.id] = BrokenKernel(str(error))
                    continue
                test = kernel, key, arguments, setting.looks[0]
                tests.setdefault((kernel.label, arguments), (test, []))[1].append(claim.id)
    found = list(tests.values())
    says = failures([test for test, _ in found])
    return refused | {name: BrokenKernel(text) for place, text in says.items() for name in found[place][1]}


def _measurements(claim: Claim, setting: Setting) -> Iterator[Measurement]:
    """Measurements of a claim with a user's kernels; errors are left to the judging of the claim."""
    statistics = [claim.measured, claim.price.measured if claim.price else None]
    kernels = [s.kernel for s in statistics if s is not None]
    if kernels and not any(is_typed(kernel) or is_foreign(kernel) for kernel in kernels):
        return
    try:
        for kind in ladder.RUNGS:
            if kind.samples and kind.applies(claim):
                yield from kind.points(claim, setting.tier)
        yield from to_price(claim)
    except Exception:
        return
