"""Somebody's own kernels, tested in a child process before any is simulated here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from montecarlo import BrokenKernel
from montecarlo.engine.apart import Test, failures, is_foreign, is_typed
from paper_checks.claims.claim import Claim
from paper_checks.evidence import ladder
from paper_checks.evidence.measurement import Measurement
from paper_checks.evidence.price import to_price
from paper_checks.evidence.setting import Setting

__all__ = ["broken_kernels"]


def broken_kernels(claims: Sequence[Claim], setting: Setting, *, files: bool) -> dict[str, BrokenKernel]:
    """What is wrong with kernels that would end the process, or never return, by the id of the claim.

    Parameters
    ----------
    claims : sequence of Claim
    setting : Setting
    files : bool
        Whether kernels from files of a user's are tested as well as those that were typed into a notebook.
    """
    tests: dict[tuple, tuple[Test, list[str]]] = {}
    for claim in claims:
        for m in _measurements(claim, setting):
            kernel = m.statistic.kernel
            if is_typed(kernel) or (files and is_foreign(kernel)):
                job = m.job(setting.seed, setting.looks)
                _, _, key, arguments, *_ = job.task()
                test = kernel, key, arguments, setting.looks[0]
                tests.setdefault((kernel.label, arguments), (test, []))[1].append(claim.id)
    found = list(tests.values())
    says = failures([test for test, _ in found])
    return {name: BrokenKernel(text) for place, text in says.items() for name in found[place][1]}


def _measurements(claim: Claim, setting: Setting) -> Iterator[Measurement]:
    """Everything that is sampled for a claim with kernels of a user's; a claim that cannot be is judged to be so."""
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
