"""What a cluster costs: the samples of figures on threads and on a Dask cluster of as many one-thread workers.

Both arms run the same jobs and must end with the same bits. Where other programs keep the machine busy, processor time
tells more than the clock: that of the workers and of this process, which hands out the work, are counted together.
"""

import contextlib
import os
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import Executor

from benchmarks.timing import Arm, Contest, Sums
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
# The jobs need different numbers of samples: these parts of all of them.
PARTS = 7 * [16, 8, 4, 2, 1]


def jobs(samples: int, seed: int) -> list[Job]:
    """Jobs of two models with so many samples in all."""
    found = []
    for i, part in enumerate(PARTS):
        if i % 2:
            statistic, point = mean(nac_mul.factor), {"r_w": 0.3, "a": 0.0, "b": 10.0 + i, "eps": 1e-8}
        else:
            point = {"mean_w": 0.5, "half_w": 0.5, "mean_z": 0.0, "half_z": 1.0 + i, "fan_in": 10}
            statistic = variance(nmu.unit)
        looks = (part * (samples // sum(PARTS)),)
        found.append(Job(statistic, point, "benchmarks/cluster", i, seed, looks))
    return found


@contextlib.contextmanager
def contest(threads: Executor, most: int) -> Iterator[Contest]:
    """The jobs, the longest of so many samples, while the cluster is there."""
    import dask
    from distributed import Client, LocalCluster

    with (
        dask.config.set(QUIET),
        LocalCluster(
            n_workers=WORKERS, threads_per_worker=1, host="127.0.0.1", dashboard_address=None,
            worker_dashboard_address=None,
        ) as cluster,
        Client(cluster) as client,
        client.get_executor() as executor,
    ):  # fmt: skip
        says = f"{len(PARTS)} jobs: {WORKERS} Dask workers of one thread, {WORKERS} threads"
        ours = Arm("paper-checks, Dask", WORKERS, _measured(executor))
        others = [Arm("paper-checks, threads", WORKERS, _measured(threads), target=0.9)]
        samples = most // max(PARTS) * sum(PARTS)
        yield Contest("cluster", says, samples, ours, others, lambda: sum(client.run(_own).values()) + _own())


def _measured(executor: Executor) -> Callable[[int, int], Sums]:
    def run(samples: int, seed: int) -> Sums:
        found = measure(jobs(samples, seed), executor=executor)
        # In the place of a mean, so that no bit may differ.
        bits = float(zlib.crc32(b"".join(moments.to_bytes() for moments in found)))
        return Sums(samples, bits, bits**2)

    return run


def _own() -> float:
    times = os.times()
    return times.user + times.system
