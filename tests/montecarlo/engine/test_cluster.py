"""A cluster: the same bits, pieces of many blocks, and whose failure a death is. A likeness stands for Dask."""

import pickle
import re
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from types import SimpleNamespace

import pytest
from kernels_for_tests import BLOCK, area, samples_of, training, triple, uniform

from montecarlo import Failed, Job, Store, Sweep, WorkerLost, mean, measure, variance

LOOKS = tuple(BLOCK * k for k in (1, 2, 4, 6, 8, 12, 16, 24))


class Likeness(Executor):
    """An executor that the engine takes for a Dask cluster."""

    __module__ = "distributed.likeness"

    def __init__(self, workers: int = 2):
        self._threads = ThreadPoolExecutor(max(workers, 1))
        self.workers = {f"tcp://{i}": 1 for i in range(workers)}
        self._client = SimpleNamespace(nthreads=lambda: self.workers)
        self.tasks: list[tuple] = []

    def submit(self, function, /, *args):
        assert all(isinstance(a, bytes) for a in args), "Dask would look into it"
        self.tasks += map(pickle.loads, args)
        return self._threads.submit(function, *args)

    def shutdown(self, wait=True, *, cancel_futures=False):
        self._threads.shutdown(wait, cancel_futures=cancel_futures)


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


@pytest.mark.parametrize(("workers", "largest"), [(1, 5), (2, 0), (2, 3), (5, 5)])
def test_same_bits_from_any_number_of_workers_and_pieces_of_any_length(workers, largest, expected, monkeypatch):
    monkeypatch.setattr("montecarlo.engine.run.LARGEST", largest)
    with Likeness(workers) as cluster:
        assert bits(measure(jobs(), executor=cluster)) == expected


def test_a_long_look_is_played_in_pieces_of_many_blocks_several_for_each_worker():
    job = Job(mean(uniform), {}, "tests/c", looks=(64 * BLOCK + 5,))
    with Likeness(4) as cluster:
        found = bits(measure([job], executor=cluster))
    counts = [count for _, count in map(samples_of, cluster.tasks)]
    assert sorted(counts) == [5, *16 * [4 * BLOCK]]
    assert found == bits(measure([job]))


def test_looks_of_many_jobs_are_a_task_each_as_all_workers_have_work():
    many = [Job(mean(uniform), {}, "tests/c", i, looks=(32 * BLOCK,)) for i in range(20)]
    with Likeness() as cluster:
        found = bits(measure(many, executor=cluster))
    assert len(cluster.tasks) < 2 * len(many)
    assert found == bits(measure(many))


def test_workers_that_come_later_get_work_as_well(monkeypatch):
    """A cluster begins with what is there."""
    monkeypatch.setattr("montecarlo.engine.run.RECOUNT", 0.0)
    flying = []

    class Grows(Likeness):
        __module__ = "distributed.likeness"
        held: list = []

        def submit(self, function, /, *args):
            future = Future()
            self.held.append((future, function, args))
            flying.append(len(self.held))
            if len(self.held) == 4 * len(self.workers):  # Nothing more will come: all of it is played.
                held, self.held[:] = list(self.held), []
                for future_held, function_held, args_held in held:
                    self._threads.submit(lambda f=future_held, w=function_held, a=args_held: f.set_result(w(*a)))
                self.workers = {str(i): 1 for i in range(4)}
            return future

    job = Job(mean(uniform), {}, "tests/c", looks=((4 + 3 * 16) * BLOCK,))
    monkeypatch.setattr("montecarlo.engine.run.LARGEST", 0)
    with Grows(1) as cluster:
        found = bits(measure([job], executor=cluster))
    assert max(flying) == 16
    assert found == bits(measure([job]))


def test_what_threads_stored_serves_a_cluster_and_the_other_way_round(expected, tmp_path):
    half = [Job(j.statistic, j.point, j.claim, j.index, j.seed, j.looks[: len(j.looks) // 2]) for j in jobs()]
    with Store(tmp_path / "a.sqlite") as store, Likeness() as cluster:
        measure(half, store=store)
        assert bits(measure(jobs(), executor=cluster, store=store)) == expected
        key = half[0].task()[2]
        played = {samples_of(task) for task in cluster.tasks if task[2] == key}
        assert min(first for first, _ in played) == half[0].looks[-1]
    with Store(tmp_path / "b.sqlite") as store, Likeness() as cluster:
        measure(half, executor=cluster, store=store)
        assert bits(measure(jobs(), store=store)) == expected


def test_runs_of_a_sweep_are_the_same_from_a_cluster_and_each_is_a_task():
    """What is packed with a run is lost with it."""
    sweep = Sweep("tests/c", "", training, [{"step_size": 0.1, "steps": 5, "law": "normal"}], runs=37)
    with Likeness() as cluster:
        assert measure(sweep.jobs(1), executor=cluster) == measure(sweep.jobs(1))
    assert sorted(map(samples_of, cluster.tasks)) == [(i, 1) for i in range(37)]


class KilledWorker(Exception):
    """As Dask calls it."""


class Deadly(Likeness):
    """Workers die with every task of one job."""

    __module__ = "distributed.likeness"

    def __init__(self, deadly):
        super().__init__(2)
        self.deadly = deadly.task()[2]

    def submit(self, function, /, *args):
        if pickle.loads(args[0])[2] != self.deadly:
            return super().submit(function, *args)
        died = Future()
        died.set_exception(KilledWorker("four times"))
        return died


@pytest.mark.parametrize("index", [0, 5, 7])
def test_what_workers_die_of_is_the_failure_of_its_job_alone(index, expected):
    with Deadly(jobs()[index]) as cluster:
        found = measure(jobs(), executor=cluster, keep_failures=True)
    failed = found.pop(index)
    assert isinstance(failed, Failed)
    assert re.fullmatch(r"WorkerLost: .*: every worker that ran it died; four times", str(failed))
    assert bits(found) == expected[:index] + expected[index + 1 :]
    with Deadly(jobs()[index]) as cluster, pytest.raises(WorkerLost, match="every worker that ran it died"):
        measure(jobs(), executor=cluster)
