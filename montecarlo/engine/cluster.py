"""What the engine asks of an executor that is a cluster; Dask is known by its looks and not imported."""

from __future__ import annotations

import time
from concurrent.futures import Executor

__all__ = ["Patience", "is_cluster", "killed_its_workers", "tasks_in_flight", "worker_count"]

# Enough work in flight that no worker waits for the thread that hands it out.
PER_WORKER = 4
# Of a cluster, whose tasks are long; what waits meanwhile goes together.
PER_CLUSTER_WORKER = 2
UNKNOWN_WORKERS = 8
PATIENCE = 30.0


def is_cluster(executor: Executor) -> bool:
    """Whether the executor hands its tasks to a Dask scheduler."""
    return type(executor).__module__.startswith("distributed.")


def killed_its_workers(error: BaseException | None) -> bool:
    """Whether a cluster gave a task up because worker after worker died with it."""
    return type(error).__name__ == "KilledWorker"


def worker_count(executor: Executor) -> int | None:
    """Threads that compute for an executor; None where it does not say."""
    if is_cluster(executor):
        return sum(executor._client.nthreads().values())
    return getattr(executor, "_max_workers", None)


def tasks_in_flight(executor: Executor) -> int:
    """How many tasks an executor is given before the first of them is done."""
    workers = worker_count(executor)
    if is_cluster(executor):
        return PER_CLUSTER_WORKER * max(workers or 0, 1)
    return PER_WORKER * (workers or UNKNOWN_WORKERS)


class Patience:
    """How long there has been no worker at all; only a cluster can be without."""

    def __init__(self, executor: Executor):
        self.executor, self.seconds = executor, PATIENCE
        self._since: float | None = None

    def renew(self) -> None:
        """Something came back: a worker is there."""
        self._since = None

    def is_over(self) -> bool:
        """Whether no worker has been there for as long as patience lasts."""
        if not is_cluster(self.executor) or worker_count(self.executor):
            self._since = None
            return False
        now = time.monotonic()
        self._since = now if self._since is None else self._since
        return now - self._since >= self.seconds
