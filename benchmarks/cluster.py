"""What a cluster costs: the samples of figures on threads and on a Dask cluster of as many one-thread workers.

Both arms run the same jobs and must end with the same bits. Workers are started, and what they compile
is compiled, before the clock starts. Where other programs keep the machine busy, processor time tells more than the
clock: that of the workers and of this process, which hands out the work, are counted together.
"""

import contextlib
import os
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from functools import partial
from importlib.util import find_spec
from typing import Any

from benchmarks.timing import Arm, Contest, Sums, race
from montecarlo import Job, mean, measure, variance
from montecarlo.kernels.nac_mul import outputs as nac_mul
from montecarlo.kernels.nmu import outputs as nmu

WORKERS = 2
TASKS = 50
# What Dask does fifty to a hundred times a second in each of its processes, work or none: it takes 0.11 of a processor
# for two workers, of which 0.01 are left with these settings.
QUIET = {
    "distributed.worker.profile.enabled": False, "distributed.admin.tick.interval": "1s",
    "distributed.admin.system-monitor.interval": "5s", "distributed.worker.memory.monitor-interval": "2s",
}  # fmt: skip
# The jobs need different numbers of samples: from 1/16 to all of the most.
SPREAD = 5


def jobs(count: int, most: int) -> list[Job]:
    """Jobs of two models with different numbers of samples, ``most`` at most."""
    found = []
    for i in range(count):
        looks = (most >> (i % SPREAD),)
        if i % 2:
            point = {"r_w": 0.3, "a": 0.0, "b": 10.0 + i, "eps": 1e-8}
            found.append(Job(mean(nac_mul.factor), point, "benchmarks/cluster", i, looks=looks))
        else:
            point = {"mean_w": 0.5, "half_w": 0.5, "mean_z": 0.0, "half_z": 1.0 + i, "fan_in": 10}
            found.append(Job(variance(nmu.unit), point, "benchmarks/cluster", i, looks=looks))
    return found


def contest(
    executor: Executor, count: int, most: int, rounds: Iterable[int], progress: Callable[[str], None]
) -> dict[str, Any] | None:
    """Time the cluster and the threads in turn; none where Dask is not installed.

    Returns
    -------
    dict
        As of :func:`benchmarks.timing.race`, and notes on what an idle cluster and an empty task take.
    """
    if not find_spec("distributed"):
        return None
    todo, fewer = jobs(count, most), jobs(count, max(most >> 6, 2**17))
    samples, ends = sum(job.looks[-1] for job in todo), []

    def arm(name: str, where: Executor, target: float | None = None) -> Arm:
        def run(_samples: int, seed: int) -> Sums:
            found = measure(todo if seed else fewer, executor=where)  # Without a seed only to compile.
            ends.extend([[f.to_bytes() for f in found]] if seed else [])
            if ends[-1:] != ends[:1]:
                raise ArithmeticError("contest: all arms must end with the same bits, got others; see the engine")
            return Sums(samples, 0.0, 0.0)

        return Arm(name, WORKERS, run, target)

    says = f"{count} jobs: {WORKERS} Dask workers of one thread, {WORKERS} threads"
    with _cluster() as (client, cluster):
        arms = arm("Dask cluster", cluster), [arm("threads", executor, target=0.9)]
        found = race(Contest("cluster", says, samples, *arms), rounds, progress, partial(_processor_seconds, client))
        latency, overhead = _task_costs(cluster)
        notes = (
            f"the cluster takes {_idle(client):.3f} of a processor when it has nothing to do",
            f"a task: {1e3 * latency:.1f} ms there and back, {1e3 * overhead:.1f} ms to hand it out",
        )
    return found | {"notes": notes}


def _idle(client: Any, seconds: float = 3.0) -> float:
    """Processor time that all processes take in a second without work."""
    begun, before = time.perf_counter(), _processor_seconds(client)
    time.sleep(seconds)
    return (_processor_seconds(client) - before) / (time.perf_counter() - begun)


def _task_costs(executor: Executor) -> tuple[float, float]:
    """Least seconds of an empty task there and back, and processor time of this process for each."""
    waits, before = [], _own()
    for index in range(TASKS):
        begun = time.perf_counter()
        executor.submit(len, bytes(1000 + index)).result()
        waits.append(time.perf_counter() - begun)
    return min(waits), (_own() - before) / TASKS


@contextlib.contextmanager
def _cluster() -> Iterator[tuple[Any, Executor]]:
    import dask
    from distributed import Client, LocalCluster

    with (
        dask.config.set(QUIET),
        LocalCluster(
            n_workers=WORKERS,
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address=None,
            worker_dashboard_address=None,
        ) as cluster,
        Client(cluster) as client,
        client.get_executor() as executor,
    ):
        yield client, executor


def _processor_seconds(client: Any) -> float:
    return sum(client.run(_own).values()) + _own()


def _own() -> float:
    times = os.times()
    return times.user + times.system
