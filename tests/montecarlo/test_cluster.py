"""A cluster: long tasks, the same bits, and a clear word where no worker is there. Dask is played by a likeness."""

from __future__ import annotations

import pickle
import re
from collections import deque
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from types import SimpleNamespace

import pytest
from kernels_for_tests import BLOCK, area, training, triple, uniform
from montecarlo.engine.packing import Packing

from montecarlo import Job, Store, Sweep, WorkerLost, mean, measure, variance
from montecarlo.engine import packing
from montecarlo.engine.run import Failed

LOOKS = tuple(BLOCK * k for k in (1, 2, 4, 6, 8, 12, 16, 24))


class Likeness(Executor):
    """An executor that the engine takes for a Dask cluster."""

    def __init__(self, workers: int = 2):
        self._threads = ThreadPoolExecutor(max(workers, 1))
        self.workers = {f"tcp://{i}": 1 for i in range(workers)}
        self._client = SimpleNamespace(nthreads=lambda: self.workers)
        self.tasks: list[list[tuple]] = []

    def submit(self, function, /, *args):
        assert all(isinstance(a, bytes) for a in args), "Dask would look into it"
        self.tasks.append(pickle.loads(args[0]))
        return self._threads.submit(function, *args) if self.workers else Future()

    def shutdown(self, wait=True, *, cancel_futures=False):
        self._threads.shutdown(wait, cancel_futures=cancel_futures)


Likeness.__module__ = "distributed.likeness"


def jobs():
    point = {"slope": 0.5, "shift": 3}
    found = [Job(mean(uniform), {}, "tests/c", i, 1, LOOKS) for i in range(4)]
    found += [Job(variance(triple, i), point, "tests/c", 4 + i, 1, LOOKS) for i in range(3)]
    return [*found, Job(mean(area), {"side": 2.0}, "tests/c", 7, 1, (1000, 3_000_001))]


def bits(results):
    return [r.to_bytes() for r in results]


@pytest.fixture(scope="module")
def expected():
    """What one thread gives."""
    with ThreadPoolExecutor(1) as thread:
        return bits(measure(jobs(), executor=thread))


@pytest.mark.parametrize("grain", [0.0, 1e-4, 0.25, 100.0])
def test_same_bits_from_tasks_of_any_length(grain, expected, monkeypatch):
    monkeypatch.setattr(packing, "GRAIN", grain)
    with Likeness() as cluster:
        assert bits(measure(jobs(), executor=cluster)) == expected


def test_small_looks_of_many_jobs_go_in_one_task():
    with Likeness() as cluster:
        measure(jobs()[:7], executor=cluster)
    pieces = sum(len(tasks) for tasks in cluster.tasks)
    assert pieces > 7 * len(LOOKS)
    assert len(cluster.tasks) < 0.6 * pieces


def test_a_long_look_is_played_in_pieces_of_many_blocks_by_all_workers(monkeypatch):
    monkeypatch.setattr(packing, "GRAIN", 1e9)
    job = Job(mean(uniform), {}, "tests/c", looks=(64 * BLOCK + 5,))
    with Likeness(4) as cluster:
        found = bits(measure([job], executor=cluster))
    played = [task for tasks in cluster.tasks for task in tasks if task[-1]]
    assert len(played) == 9
    assert found == bits(measure([job]))


def test_what_threads_stored_serves_a_cluster_and_the_other_way_round(expected, tmp_path, monkeypatch):
    monkeypatch.setattr(packing, "GRAIN", 1e9)
    half = [Job(j.statistic, j.point, j.claim, j.index, j.seed, j.looks[: len(j.looks) // 2]) for j in jobs()]
    with Store(tmp_path / "a.sqlite") as store, Likeness() as cluster:
        measure(half, store=store)
        assert bits(measure(jobs(), executor=cluster, store=store)) == expected
        assert not {t[-2:] for tasks in cluster.tasks for t in tasks if t[2] == half[0].task()[2] and t[-1]} & {
            (0, BLOCK), (BLOCK, BLOCK)
        }  # fmt: skip
    with Store(tmp_path / "b.sqlite") as store, Likeness() as cluster:
        measure(half, executor=cluster, store=store)
        assert bits(measure(jobs(), store=store)) == expected


def test_runs_of_a_sweep_are_the_same_from_a_cluster():
    sweep = Sweep("tests/c", "", training, [{"step_size": 0.1, "steps": 5, "law": "normal"}], runs=37)
    with Likeness() as cluster:
        assert measure(sweep.jobs(1), executor=cluster) == measure(sweep.jobs(1))


def test_looks_that_will_hardly_be_the_last_are_played_ahead_and_judged_one_by_one():
    asked = []

    def needed(index, moments):
        asked.append(moments.n // BLOCK)
        return 0 if moments.n >= 6 * BLOCK else 12 * BLOCK

    job = Job(mean(uniform), {}, "tests/c", 0, 1, LOOKS)
    with Likeness() as cluster:
        (found,) = measure([job], needed, executor=cluster)
    assert asked == [1, 2, 4, 6]
    until = Job(mean(uniform), {}, "tests/c", 0, 1, LOOKS[:4])
    assert found == measure([until])[0]
    assert max(t[-2] + t[-1] for tasks in cluster.tasks for t in tasks) == 8 * BLOCK


def test_paces_decide_how_much_goes_together():
    job = Job(mean(uniform), {}, "tests/c", looks=(1024 * BLOCK,))
    with Likeness() as cluster:
        packed = Packing(cluster, grain=0.1)
    look = job.look(0)
    packed.learn(job, BLOCK, 0.2)
    assert packed.level(job, look) == 0
    packed = Packing(cluster, grain=0.1)
    packed.learn(job, BLOCK, 0.001)
    assert packed.level(job, look) == 6  # 64 blocks of a millisecond are the most within 0.1 s


@pytest.mark.parametrize(("seconds", "together"), [(None, 1), (170.0, 1), (0.03, 4)])
def test_a_training_run_is_a_task_until_it_is_known_to_be_short(seconds, together):
    """What is packed with it is lost with it."""
    how = None if seconds is None else lambda _: seconds
    points = [{"step_size": 0.1, "steps": 5, "law": "normal"}]
    jobs = Sweep("tests/c", "", training, points, runs=30, seconds=how).jobs(1)
    with Likeness() as cluster:
        packed = Packing(cluster, grain=0.1)
    waiting = deque((0, i, 1) for i in range(30))
    assert len(packed.next(waiting, jobs)) == together
    packed.learn(jobs[0], 10, 0.1)
    assert len(packed.next(waiting, jobs)) > together


@pytest.mark.parametrize("lost", [False, True])
def test_no_worker_is_a_clear_word_and_loses_nothing(lost, tmp_path, monkeypatch):
    monkeypatch.setattr("montecarlo.engine.cluster.PATIENCE", 0.2)
    monkeypatch.setattr("montecarlo.engine.run.COMMIT_INTERVAL", 0.05)
    job = Job(mean(uniform), {}, "tests/c", 0, 1, LOOKS)

    def progress(done, expected, _unit):
        if lost and done >= 4 * BLOCK:
            cluster.workers = {}

    with Store(tmp_path / "s.sqlite") as store, Likeness(2 * lost) as cluster:
        with pytest.raises(WorkerLost, match=r"no worker has been there for 0 seconds; start workers and run the same"):
            measure([job], executor=cluster, store=store, progress=progress)
        assert bool(store.load(job.key())) is lost
        assert measure([job], store=store) == measure([job])


class KilledWorker(Exception):
    """As Dask calls it."""


class Deadly(Likeness):
    """Workers die with every task that has a piece of one job, and with what is on its way beside it."""

    def __init__(self, deadly):
        super().__init__(2)
        self.deadly = deadly.task(0, 0)[2]
        self.deaths = 0

    def submit(self, function, /, *args):
        if all(task[2] != self.deadly for task in pickle.loads(args[0])):
            return super().submit(function, *args)
        self.deaths += 1
        died = Future()
        died.set_exception(KilledWorker("three times"))
        return died


Deadly.__module__ = "distributed.likeness"


@pytest.mark.parametrize("index", [0, 5, 7])
def test_what_workers_die_of_is_the_failure_of_its_job_alone(index, expected):
    with Deadly(jobs()[index]) as cluster:
        found = measure(jobs(), executor=cluster, keep_failures=True)
    failed = found.pop(index)
    assert isinstance(failed, Failed)
    assert re.fullmatch(r"WorkerLost: .*: every worker that played it died; three times", str(failed))
    assert bits(found) == expected[:index] + expected[index + 1 :]
    assert cluster.deaths <= 3
    with Deadly(jobs()[index]) as cluster, pytest.raises(WorkerLost, match="every worker that played it died"):
        measure(jobs(), executor=cluster)
