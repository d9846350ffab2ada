"""Worker processes: claims are distributed one at a time, in groups that share work.

When a worker dies, a new process tries the claim in its hands once more. If that dies as well, the claim is
INCONCLUSIVE.
On a Dask cluster the same function is mapped over claims; scheduling, retries and the loss of workers are Dask's.
"""

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from multiprocessing.connection import wait
from typing import Any

from paper_checks.claims.claim import Claim
from paper_checks.judging.forking import start_early
from paper_checks.judging.order import Order, judged
from paper_checks.judging.verdict import Verdict
from paper_checks.judging.worker import Worker

# A claim that takes so many seconds, and much longer than expected, no longer counts as one of those in progress:
# another worker judges the claims that wait. There are at most so many times as many workers as asked for.
SLOW = 20.0
MOST = 4


def groups(claims: Iterable[Claim], seconds: Mapping[str, float]) -> list[list[Claim]]:
    """Claims in groups that share work, the longest group first.

    Claims of one module share kernels, and stay together; so do claims with the same samples or the same runs, also of
    several modules.
    """

    def keys(claim: Claim) -> list[str]:
        return [f"module {claim.place[0]}" if claim.place else f"paper {claim.paper}", *_shared(claim)]

    return _by_length(_united(claims, keys), seconds)


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


def _shared(claim: Claim) -> list[str]:
    runs = [f"runs {sweep.name}" for sweep in claim.runs if not sweep.stored]
    return [f"samples {claim.stream}", *runs]


def _by_length(some: list[list[Claim]], seconds: Mapping[str, float]) -> list[list[Claim]]:
    return sorted(some, key=lambda group: -sum(seconds[claim.id] for claim in group))


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
        About how long each claim takes, by id: the longest groups come first.
    reached : callable (Verdict)
        Called with each verdict as soon as it is reached, in any order.

    Raises
    ------
    WorkerLost
        When no worker can be started.
    """
    start_early(order.papers)
    waiting = groups(claims, seconds)
    with contextlib.ExitStack() as stack:
        slots: list[Worker] = []

        def begin() -> None:
            slots.append(stack.enter_context(Worker()))
            _hand_out(slots[-1], slots, waiting, order, workers)

        for _ in range(min(workers, len(claims))):
            begin()
        while busy := [slot for slot in slots if slot.claim]:
            in_time = sum(slot.seconds <= max(SLOW, 4 * seconds[slot.claim.id]) for slot in busy)
            if in_time < workers and len(slots) < MOST * workers and any([waiting, *(slot.group for slot in slots)]):
                begin()
                continue
            # Those that have sent a message or have died within a second.
            ready = set(wait([handle for slot in busy for handle in slot.handles], 1.0))
            for slot in [slot for slot in busy if not ready.isdisjoint(slot.handles)]:
                if (found := slot.answer(order)) is None:
                    continue
                for verdict in found:
                    reached(verdict)
                _hand_out(slot, slots, waiting, order, workers)


def _hand_out(slot: Worker, slots: Sequence[Worker], waiting: list[list[Claim]], order: Order, workers: int) -> None:
    """Give a worker the next claim of its group, or else of another group."""
    if not slot.group:
        slot.renew()
        if waiting:
            slot.group = waiting.pop(0)
        else:
            longest = max((other.group for other in slots), key=len)
            half = len(longest) // 2
            slot.group, longest[half:] = longest[half:], []
    slot.claim = slot.group.pop(0) if slot.group else None
    if slot.claim:
        left = sum(map(len, waiting)) + sum(len(other.group) + bool(other.claim) for other in slots)
        slot.begin(order, threads=max(1, workers // left))


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
    some = _by_length(_united(claims, _shared), seconds)
    for group, found in _mapped(client, some, order):
        if not isinstance(found, Exception):
            for verdict in found:
                reached(verdict)
            continue
        # Workers have died of one of them: each is tried alone.
        for (claim,), alone in _mapped(client, [[claim] for claim in group], order):
            for verdict in order.not_judged(claim, alone) if isinstance(alone, Exception) else alone:
                reached(verdict)


def _mapped(client: Any, some: list[list[Claim]], order: Order) -> Iterator[tuple]:
    """Groups with their verdicts or their errors, as they finish."""
    from dask.distributed import as_completed

    futures = {client.submit(_judged_together, [c.id for c in group], order, pure=False): group for group in some}
    for future in as_completed(futures):
        error = future.exception()
        yield futures.pop(future), future.result() if error is None else error


def _judged_together(names: list[str], order: Order) -> list[Verdict]:
    return [verdict for name in names for verdict in judged(name, order)]
