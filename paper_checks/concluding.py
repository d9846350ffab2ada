"""Verdicts one by one, in a thread of their own, as soon as all that they rest on is there."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future

from paper_checks.case import Case
from paper_checks.evidence.rung import Context
from paper_checks.findings import Verdict
from paper_checks.sampling import Played
from paper_checks.values.exact import EVALUATING

__all__ = ["Concluding"]


class Concluding:
    """Concludes a case when it has been prepared and played, in whatever order that happens.

    Parameters
    ----------
    cases : sequence of Case
    context : Context
    thread : Executor
        Of one thread, in which verdicts are reached and told.
    reached : callable (Verdict) -> None
        Told each verdict when it is reached, but for the time that its samples took.
    """

    def __init__(
        self, cases: Sequence[Case], context: Context, thread: Executor, reached: Callable[[Verdict], None] | None
    ):
        self._cases, self._context, self._thread = cases, context, thread
        self._reached = reached or (lambda _: None)
        self._played: dict[int, Played] = {}
        self._prepared: set[int] = set()
        self._verdicts: list[Future[Verdict]] = [Future() for _ in cases]
        self._lock = threading.Lock()
        self._given_up = False

    def prepared(self, number: int, future: Future[None]) -> None:
        """What needs no samples has been worked out for a case."""
        if future.cancelled():
            return
        with self._lock:
            self._prepared.add(number)
            if number in self._played:
                self._submit(number)

    def played(self, number: int, played: Played) -> None:
        """A case has been played to its end; said again, it says nothing new."""
        with self._lock:
            if number in self._played:
                return
            self._played[number] = played
            if number in self._prepared:
                self._submit(number)

    def verdicts(self) -> list[Verdict]:
        """All of them, in the order of the cases, once all are reached."""
        return [future.result() for future in self._verdicts]

    def give_up(self) -> None:
        """Reach no more verdicts: the thread is about to be shut down, while others may still prepare."""
        with self._lock:
            self._given_up = True

    def _submit(self, number: int) -> None:
        if not self._given_up:
            self._thread.submit(self._conclude, number)

    def _conclude(self, number: int) -> None:
        future = self._verdicts[number]
        try:
            with EVALUATING:
                verdict = self._cases[number].verdict(self._context, self._played[number], 0.0)
            self._reached(verdict)
            future.set_result(verdict)
        except BaseException as error:  # It is raised where the verdicts are asked for.
            future.set_exception(error)
