"""Jobs, workers, failures and interruptions at random: what is found is always what one thread finds undisturbed."""

import random
import threading
from concurrent.futures import BrokenExecutor, Executor, Future

import pytest
from kernels_for_tests import BLOCK, recursion, triple, uniform

from montecarlo import Job, Store, WorkerLost, covariance, every_row, law, mean, measure, variance
from montecarlo.engine.run import Here

POINT = {"slope": 0.5, "shift": 3}
STATISTICS = [
    (mean(uniform), {}), (law(uniform), {}), (variance(triple, 1), POINT), (covariance(triple, 0, 1), POINT),
]  # fmt: skip


class Disorderly(Executor):
    """One thread that runs what waits in any order, and at times breaks down instead."""

    def __init__(self, chance: random.Random, breaks: float):
        self._chance, self._breaks, self._max_workers = chance, breaks, chance.randint(1, 5)
        self._waiting: list[tuple] = []
        self._changed = threading.Condition()
        self._open = True
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def submit(self, function, /, *args):
        future = Future()
        with self._changed:
            self._waiting.append((future, function, args))
            self._changed.notify()
        return future

    def _run(self):
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or not self._open)
                if not self._waiting:
                    return
                future, function, args = self._waiting.pop(self._chance.randrange(len(self._waiting)))
            if not future.set_running_or_notify_cancel():
                continue
            if self._chance.random() < self._breaks:
                future.set_exception(BrokenExecutor("at random"))
            else:
                future.set_result(function(*args))

    def shutdown(self, wait=True, *, cancel_futures=False):
        with self._changed:
            self._open = False
            self._changed.notify()
        self._thread.join()


def some_jobs(chance):
    """A few jobs with looks of any length; some are there twice."""
    for index in range(chance.randint(1, 5)):
        looks = {max(2, chance.randint(1, 50) * BLOCK + chance.choice([0, 0, 1, 7, -3])) for _ in range(4)}
        statistic, point = chance.choice(STATISTICS)
        job = Job(statistic, point, "tests/random", index, 1, tuple(sorted(looks)))
        if chance.random() < 0.2:
            job = Job(every_row(recursion), {"rate": 3.7}, "tests/random", index, 1, (chance.randint(1, 600),))
        yield from chance.choice([1, 1, 2]) * [job]


def judged(jobs, until, **how):
    """What is found when each job stops after its number of looks."""
    looks = [0] * len(jobs)

    def needed(index, _record):
        looks[index] += 1
        return int(looks[index] < until[index])

    return [record.to_bytes() for record in measure(jobs, needed, **how)]


MORE = [pytest.param(seed, marks=pytest.mark.slow) for seed in range(4, 25)]


@pytest.mark.parametrize("seed", [*range(4), *MORE])
def test_whatever_happens_the_result_is_that_of_one_thread(seed, monkeypatch):
    chance = random.Random(seed)
    jobs = list(some_jobs(chance))
    until = [chance.randint(1, len(job.looks)) for job in jobs]
    expected = judged(jobs, until, executor=Here())
    stored, shared = chance.choice([True, False]), chance.choice([{}, None])
    store = Store(None) if stored else None
    for attempt in range(100):
        monkeypatch.setattr("montecarlo.engine.run.LARGEST", chance.randint(0, 5))
        monkeypatch.setattr("montecarlo.engine.run.AHEAD", chance.choice([1, 3, 10_000]))
        breaks, stop = (chance.choice([0, 0.05, 0.2]), chance.random()) if store and attempt < 50 else (0, 2)

        def progress(done, expected, _unit, stop=stop):
            if done > stop * expected:
                raise KeyboardInterrupt

        try:
            with Disorderly(chance, breaks) as executor:
                found = judged(jobs, until, executor=executor, store=store, shared=shared, progress=progress)
            break
        except (WorkerLost, KeyboardInterrupt):
            continue
    assert found == expected
    if shared is not None:
        assert judged(jobs, until, executor=Here(), shared=shared) == expected
    if store:
        store.close()
