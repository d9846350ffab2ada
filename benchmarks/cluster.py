"""What a cluster costs: the samples of figures on threads and on a Dask cluster of as many one-thread workers.

Both arms run the same jobs and must end with the same bits. Workers are started, and what they compile
is compiled, before the clock starts. Where other programs keep the machine busy, processor time tells more than the
clock: that of the workers and of this process, which hands out the work, are counted together.
"""

import contextlib
import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from typing import Any

from benchmarks.timing import spread
from montecarlo import Job, mean, measure, variance
from montecarlo.kernels.nac_mul import outputs as nac_mul
from montecarlo.kernels.nmu import outputs as nmu

WORKERS = 2
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
    """Time both arms in turn; none where Dask is not installed.

    Returns
    -------
    dict
        Seconds of both arms by the clock and of processor time, and the speed of the cluster in that of the threads.
    """
    try:
        import distributed  # noqa: F401 (is it there?)
    except ImportError:
        return None
    todo = jobs(count, most)
    seconds: dict[str, list[tuple[float, float]]] = {"threads": [], "cluster": []}
    with _cluster() as (client, cluster):
        arms = {"threads": executor, "cluster": cluster}
        expected: list[list[bytes]] = []
        for arm in arms.values():
            _round(jobs(count, max(most >> 6, 2**17)), arm, client)  # compiles
        for index in rounds:
            progress(f"cluster: round {index + 1}")
            for name in list(arms)[:: 1 if index % 2 == 0 else -1]:
                spent, found = _round(todo, arms[name], client)
                seconds[name].append(spent)
                expected.append(found)
    if any(found != expected[0] for found in expected):
        raise ArithmeticError("contest: threads and cluster must end with the same bits, got others; see the engine")
    samples = sum(job.looks[-1] for job in todo)
    return {
        "name": "cluster",
        "says": f"{count} jobs: {WORKERS} Dask workers of one thread, {WORKERS} threads",
        "samples": samples,
        "rounds": len(seconds["threads"]),
        "seconds": {name: spread(s for s, _ in spent) for name, spent in seconds.items()},
        "processor_seconds": {name: spread(p for _, p in spent) for name, spent in seconds.items()},
        "speed": spread(a / b for (a, _), (b, _) in zip(seconds["threads"], seconds["cluster"], strict=True)),
        "speed_by_processor_time": spread(
            a / b for (_, a), (_, b) in zip(seconds["threads"], seconds["cluster"], strict=True)
        ),
        "target": 0.9,
    }


def table(result: dict[str, Any]) -> str:
    """What :func:`contest` found, as text."""
    lines = [f"{result['name']}: {result['says']}", f"{result['samples']:,} samples, {result['rounds']} rounds"]
    for name in ("seconds", "processor_seconds"):
        lines.append(f"  {name}: " + ", ".join(f"{arm} {t['median']:.2f}" for arm, t in result[name].items()))
    for name in ("speed", "speed_by_processor_time"):
        met = "met" if result[name]["median"] >= result["target"] else "NOT met"
        lines.append(
            f"  {name.replace('_', ' ')} of the cluster, threads are 1: {result[name]['median']:.2f} "
            f"({result[name]['least']:.2f} to {result[name]['largest']:.2f})   {result['target']:g}: {met}"
        )
    return "\n".join(lines)


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


def _round(todo: Sequence[Job], executor: Executor, client: Any) -> tuple[tuple[float, float], list[bytes]]:
    begun, before = time.perf_counter(), _processor_seconds(client)
    found = measure(todo, executor=executor)
    spent = time.perf_counter() - begun, _processor_seconds(client) - before
    return spent, [f.to_bytes() for f in found]


def _processor_seconds(client: Any) -> float:
    return sum(map(sum, (client.run(_own).values(), [_own()]))) if client else _own()


def _own() -> float:
    times = os.times()
    return times.user + times.system
