"""All concurrency: claims are handed out to worker processes, one at a time and in groups that share work.

Each worker is an executor of its own with a single process: when it dies, the claim that it had in hand is known, is
tried once more in a new process, and is INCONCLUSIVE if that dies as well. On a Dask cluster the same function is
mapped over claims; scheduling, retries and the loss of workers are Dask's.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from montecarlo.engine.run import Here
from paper_checks.claims.claim import Claim
from paper_checks.evidence.finding import Finding
from paper_checks.evidence.setting import Setting
from paper_checks.judging.judge import failed, judge
from paper_checks.judging.verdict import Verdict

__all__ = ["Order", "groups", "judge_all", "judge_on_cluster", "start_early"]

# Seconds of a claim of which nothing is known.
UNKNOWN = 0.3
# Seconds between two looks at whether the parent is still there.
WATCH = 1.0
PRELOAD = "PAPER_CHECKS_PRELOAD"


@dataclass(frozen=True)
class Order:
    """What a worker needs to know of a run: where the claims are, and how they are judged.

    Attributes
    ----------
    papers, files : tuple of str
        Short names of installed papers, or files of claims.
    tier, budget
        See :class:`Setting`.
    seeds : tuple of int
        Each claim is judged at each of them.
    """

    papers: tuple[str, ...]
    files: tuple[str, ...]
    tier: str
    seeds: tuple[int, ...]
    budget: int | float | None = None

    def settings(self) -> Iterator[Setting]:
        """How claims are judged, at each seed."""
        for seed in self.seeds:
            yield Setting(self.tier, seed, self.budget)

    def not_judged(self, claim: Claim, error: Exception) -> list[Verdict]:
        """The verdicts on a claim that could not be judged."""
        return [failed(claim, setting, error) for setting in self.settings()]


def groups(claims: Iterable[Claim], seconds: Mapping[str, float]) -> list[list[Claim]]:
    """Claims in groups that share work, the longest group first.

    Claims of one module share kernels, and stay together; so do claims with the same samples or the same runs, also of
    several modules.
    """
    return _by_length(_united(claims, lambda claim: [_module(claim), *_shared(claim)]), seconds)


def _united(claims: Iterable[Claim], keys_of: Callable[[Claim], list[str]]) -> list[list[Claim]]:
    """Claims in groups: two are in one group where they have a key in common, or both with a third."""
    found: dict[str, list[Claim]] = {}
    for claim in claims:
        keys = keys_of(claim)
        old = list({id(found[key]): found[key] for key in keys if key in found}.values())
        together = [c for group in old for c in group] + [claim]
        for key in {key for group in old for key, kept in found.items() if kept is group} | set(keys):
            found[key] = together
    return list({id(group): group for group in found.values()}.values())


def _module(claim: Claim) -> str:
    return f"module {claim.place[0]}" if claim.place else f"paper {claim.paper}"


def _shared(claim: Claim) -> list[str]:
    runs = [f"runs {sweep.name}" for sweep in claim.runs if not sweep.stored]
    return [f"samples {claim.stream}", *runs]


def _by_length(some: list[list[Claim]], seconds: Mapping[str, float]) -> list[list[Claim]]:
    return sorted(some, key=lambda group: -sum(seconds.get(claim.id, UNKNOWN) for claim in group))


def judge_all(
    claims: Sequence[Claim],
    order: Order,
    *,
    workers: int,
    seconds: Mapping[str, float],
    reached: Callable[[Verdict], None],
) -> None:
    """Judge claims in worker processes.

    Parameters
    ----------
    claims : sequence of Claim
    order : Order
    workers : int
    seconds : mapping of str to float
        About how long claims take, by id: the longest groups come first.
    reached : callable (Verdict)
        Called with each verdict as soon as it is reached, in any order.
    """
    begun = time.monotonic()
    waiting = groups(claims, seconds)
    with contextlib.ExitStack() as stack:
        slots = [stack.enter_context(_Worker()) for _ in range(min(workers, len(claims)))]
        flying: dict[Future, tuple[_Worker, Claim, list[Claim]]] = {}

        def hand_out(slot: _Worker, group: list[Claim]) -> None:
            """Give a worker the next claim of its group, else of another; its last claims are shared out."""
            if not group and waiting:
                group = waiting.pop(0)
            if not group:
                longest = max((left for *_, left in flying.values()), key=len, default=[])
                if not longest:
                    return
                half = len(longest) // 2
                group, longest[half:] = longest[half:], []
            claim, *group = group
            left = sum(map(len, waiting)) + len(group) + sum(len(kept) for *_, kept in flying.values())
            threads = max(1, workers // (left + len(flying) + 1))
            flying[slot.submit(claim.id, _remaining(order, begun), threads)] = slot, claim, group

        for slot in slots:
            hand_out(slot, [])
        while flying:
            done, _ = wait(flying, return_when=FIRST_COMPLETED)
            for future in done:
                slot, claim, group = flying.pop(future)
                for verdict in slot.result(future, claim, _remaining(order, begun)):
                    reached(verdict)
                hand_out(slot, group)


def _remaining(order: Order, begun: float) -> Order:
    """What is left of a budget of seconds."""
    if not isinstance(order.budget, float):
        return order
    left = max(order.budget - (time.monotonic() - begun), 1e-9)
    return replace(order, budget=left)


class _Worker:
    """One process that judges one claim after the other; a new one where it has died."""

    def __enter__(self) -> _Worker:
        self._begin()
        return self

    def _begin(self) -> None:
        context = multiprocessing.get_context(_method())
        self._executor = ProcessPoolExecutor(1, mp_context=context, initializer=_prepare)
        self._process = self._executor.submit(os.getpid)

    def submit(self, name: str, order: Order, threads: int) -> Future:
        return self._executor.submit(judged, name, order, threads)

    def result(self, future: Future, claim: Claim, order: Order) -> list[Verdict]:
        """The verdicts on a claim, if need be by a new process; an error where that has died of it, too."""
        for again in (True, False):
            try:
                return future.result()
            except BrokenProcessPool:
                self._executor.shutdown(wait=False)
                self._begin()
                if again:
                    future = self.submit(claim.id, order, 1)
        return order.not_judged(claim, RuntimeError("two worker processes died while judging it, see its kernels"))

    def __exit__(self, kind: type | None, *_: Any) -> None:
        # Whoever interrupts does not wait for a claim that may take minutes.
        if kind is not None and self._process.done() and not self._process.exception():
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._process.result(), signal.SIGKILL)
        self._executor.shutdown(wait=kind is None, cancel_futures=True)


def _method() -> str:
    return "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"


def start_early(papers: Iterable[str]) -> None:
    """Let the process from which workers are forked import papers, while this one does the same."""
    if _method() != "forkserver":
        return
    from multiprocessing import forkserver

    os.environ[PRELOAD] = " ".join(papers)
    multiprocessing.get_context("forkserver").set_forkserver_preload(["paper_checks.judging.preload"])
    forkserver.ensure_running()


def _prepare() -> None:
    """In a worker: the parent alone takes Ctrl-C, and a worker ends with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(WATCH)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


@cache
def _claims(papers: tuple[str, ...], files: tuple[str, ...]) -> dict[str, Claim]:
    from paper_checks import catalogue

    registry = catalogue.load_files(files) if files else catalogue.load(papers)
    return {claim.id: claim for claim in registry}


@cache
def _setting(tier: str, seed: int, budget: int | float | None) -> Setting:
    return Setting(tier, seed, budget)


def judged(name: str, order: Order, threads: int = 1) -> list[Verdict]:
    """In a worker: the verdicts on a claim, one for each seed; what claims share stays with the settings."""
    claim = _claims(order.papers, order.files)[name]
    known: dict[str, Finding] = {}
    with Here() if threads == 1 else ThreadPoolExecutor(threads) as executor:
        settings = [_setting(order.tier, seed, order.budget).by(executor) for seed in order.seeds]
        return [judge(claim, setting, known) for setting in settings]


def judge_on_cluster(
    claims: Sequence[Claim], order: Order, client: Any, *, seconds: Mapping[str, float],
    reached: Callable[[Verdict], None],
) -> None:  # fmt: skip
    """Judge claims on a Dask cluster.

    Parameters
    ----------
    client : dask.distributed.Client
    claims, order, seconds, reached
        See :func:`judge_all`.
    """
    from dask.distributed import as_completed

    some = _by_length(_united(claims, _shared), seconds)
    for group, found in _mapped(client, as_completed, some, order):
        if not isinstance(found, Exception):
            for verdict in found:
                reached(verdict)
            continue
        # Workers have died of one of them: each is tried alone.
        for (claim,), alone in _mapped(client, as_completed, [[claim] for claim in group], order):
            for verdict in order.not_judged(claim, alone) if isinstance(alone, Exception) else alone:
                reached(verdict)


def _mapped(client: Any, as_completed: Any, some: list[list[Claim]], order: Order) -> Iterator[tuple]:
    """Groups with their verdicts, or with what has kept them from being judged, as they come."""
    futures = {client.submit(_judged_together, [c.id for c in group], order, pure=False): group for group in some}
    for future in as_completed(futures):
        error = future.exception()
        yield futures.pop(future), future.result() if error is None else error


def _judged_together(names: list[str], order: Order) -> list[Verdict]:
    return [verdict for name in names for verdict in judged(name, order)]
