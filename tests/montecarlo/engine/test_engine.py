"""The engine: who computes what, and when, has no influence on any bit."""

import contextlib
import multiprocessing
import os
import pickle
import signal
import threading
from concurrent.futures import CancelledError, ProcessPoolExecutor, ThreadPoolExecutor
from itertools import pairwise

import pytest
from kernels_for_tests import BLOCK, Backwards, Counting, area, long_job, samples_of, training, triple, uniform

from montecarlo import Job, Store, covariance, estimate, every_row, mean, measure, moment, probability_below, variance
from montecarlo.engine import run
from montecarlo.engine.job import FINE, looks_up_to, numerics_digest
from montecarlo.engine.run import Here, WorkerLost
from montecarlo.kernels import raw_draws as draws

LOOKS = (8 * BLOCK, 16 * BLOCK)
POINT = {"slope": 0.5, "shift": 3}


def jobs():
    """Plain and paired statistics, several columns, our kernels and a user's, parameters of both kinds."""
    return [
        Job(mean(uniform), {}, "tests/a", 0, 1, LOOKS),
        Job(variance(uniform), {}, "tests/a", 1, 1, LOOKS),
        Job(covariance(triple, 0, 1), POINT, "tests/b", 0, 1, LOOKS),
        Job(moment(triple, 3, 1), POINT, "tests/b", 1, 1, LOOKS),
        Job(probability_below(triple, "t", 1), {**POINT, "t": 0.7}, "tests/b", 2, 1, LOOKS),
        # A block that is no multiple of a chunk, and blocks that do not fill a look.
        Job(variance(draws.uniforms, 1), {"draw": 2}, "tests/c", 0, 1, (1000, 40_001)),
        Job(mean(triple, 2), POINT, "tests/c", 1, 1, (BLOCK + 1, 5 * BLOCK + 7)),
        # Runs of a simulator in plain Python.
        Job(every_row(training), {"step_size": 0.1, "steps": 20, "law": "normal"}, "tests/d", 0, 1, (7,)),
    ]


@pytest.fixture(scope="module")
def expected():
    """The bits that one thread gives."""
    with ThreadPoolExecutor(1) as thread:
        return bits(measure(jobs(), executor=thread))


def bits(results):
    return [r.to_bytes() for r in results]


EXECUTORS = {
    "two threads": lambda: ThreadPoolExecutor(2), "three threads": lambda: ThreadPoolExecutor(3),
    "a new process": lambda: ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")),
    "two processes": lambda: ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("forkserver")),
}  # fmt: skip


OTHERS = [pytest.param(name, marks=pytest.mark.slow) for name in ("three threads", "a new process")]


@pytest.mark.parametrize("name", ["two threads", "two processes", *OTHERS])
def test_same_bits_from_any_executor_also_with_a_kernel_of_a_users_own_file(name, expected):
    with EXECUTORS[name]() as pool:
        assert bits(measure(jobs(), executor=pool)) == expected


def test_same_bits_in_the_calling_thread_alone(expected):
    threads, seen = threading.active_count(), []
    found = measure(jobs(), lambda *_: seen.append(threading.active_count()) or 1, executor=Here())
    assert bits(found) == expected
    assert set(seen) == {threads}


def test_an_error_in_the_calling_thread_is_in_the_future_and_ctrl_c_is_not():
    def press():
        raise KeyboardInterrupt

    assert Here().submit(divmod, 7, 2).result() == (3, 1)
    assert isinstance(Here().submit(divmod, 7, 0).exception(), ZeroDivisionError)
    with pytest.raises(KeyboardInterrupt):
        Here().submit(press)


@pytest.mark.parametrize("executor", [Here, Counting], ids=["here", "thread"])
def test_looks_that_are_shared_have_the_same_bits_and_are_not_played_again(executor, expected):
    """Whoever asks second goes on where the first has stopped."""
    shared, judged = {}, []

    class Listed(executor):
        def submit(self, function, /, *args):
            played.extend(samples_of(task) for task in args)
            return super().submit(function, *args)

    def content_with_one_look(index, record):
        judged.append((index, record.n))
        return 0

    for needed, looks in ((content_with_one_look, 1), (None, 1), (content_with_one_look, 0), (None, 0)):
        played = []
        with Listed() as pool:
            found = measure(jobs(), needed, executor=pool, shared=shared)
        assert sum(count for _, count in played) == sum(
            job.looks[0] if needed else job.looks[-1] - job.looks[0] for job in looks * jobs()
        )
        if needed is None:
            assert bits(found) == expected
    assert [n for _, n in judged[: len(jobs())]] == [n for _, n in judged[len(jobs()) :]]
    assert [[r.to_bytes() for r in looks][-1] for looks in shared.values()] == expected


def test_what_fails_is_not_shared():
    shared, job = {}, Job(mean(triple), {"slope": 1.0, "shift": 3}, "tests/f", 0, 1, LOOKS)

    def fails(_index, record):
        raise ArithmeticError(record.n)

    measure([job], fails, keep_failures=True, shared=shared)
    (found,) = measure([job], shared=shared)
    assert found == measure([job])[0]


def test_a_result_depends_on_seed_claim_point_and_parameters():
    def result(statistic=mean(area), side=1.0, claim="tests/x", index=0, seed=1):
        return bits(measure([Job(statistic, {"side": side}, claim, index, seed, (1000,))]))[0]

    others = [result(side=2.0), result(claim="tests/y"), result(index=1), result(seed=2), result(variance(area))]
    assert len({result(), *others}) == 6
    assert result() == result()


def test_looks_stop_when_the_caller_is_content():
    asked = []

    def needed(index, moments):
        asked.append((index, moments.n))
        return 0 if moments.n >= (2 * BLOCK, 8 * BLOCK)[index] else 3 * BLOCK

    looks = (BLOCK, 2 * BLOCK, 4 * BLOCK, 8 * BLOCK, 16 * BLOCK)
    two = [Job(mean(uniform), {}, "tests/l", i, 1, looks) for i in range(2)]
    found = measure(two, needed)
    assert [m.n for m in found] == [2 * BLOCK, 8 * BLOCK]
    assert sorted(asked) == [(0, BLOCK), (0, 2 * BLOCK), *((1, BLOCK << k) for k in range(4))]


def test_progress_ends_at_what_was_done_of_samples_and_of_runs():
    seen = {"sample": [], "run": []}
    measure(jobs(), progress=lambda done, total, unit: seen[unit].append((done, total)))
    for unit, states in seen.items():
        assert states[-1] == 2 * (sum(job.looks[-1] for job in jobs() if job.unit == unit),)
        assert all(done <= total for done, total in states)
        assert states == sorted(states, key=lambda state: state[0])


def test_looks_grow_by_half_or_a_third_within_the_budget():
    assert looks_up_to(100, first=10) == (10, 15, 20, 30, 40, 60, 80)
    assert looks_up_to(5, first=10) == (10,)
    assert looks_up_to(9, first=1) == (1, 2, 3, 4, 6, 8)
    looks = looks_up_to(2**33)
    assert max(b / a for a, b in pairwise(looks)) == 1.5
    assert max(b / a for a, b in pairwise(looks) if a >= FINE) == 1.25


def test_no_jobs_are_no_results():
    assert measure([]) == []


def test_a_killed_worker_is_named_and_finished_blocks_are_stored(tmp_path):
    job = long_job(200)
    forkserver = multiprocessing.get_context("forkserver")
    with Store(tmp_path / "s.sqlite") as store:
        with ProcessPoolExecutor(1, mp_context=forkserver) as pool:

            def progress(done, expected, _unit):
                if done >= 8 * BLOCK:
                    for worker in pool._processes.values():
                        with contextlib.suppress(ProcessLookupError):
                            os.kill(worker.pid, signal.SIGKILL)

            with pytest.raises(WorkerLost, match="run the same command again"):
                measure([job], executor=pool, store=store, progress=progress)
        stored = store.load(job.key())
        samples = sum(count for _, count in stored)
        assert 8 * BLOCK <= samples < job.looks[-1]
        with Counting() as counting:
            (resumed,) = measure([job], executor=counting, store=store)
        assert counting.samples == job.looks[-1] - samples
    assert resumed == measure([job])[0]


class LikeDasks(Exception):
    """As Dask says that a worker died: with an exception of its own."""

    __module__ = "distributed.scheduler"


@pytest.mark.parametrize(("cause", "raised"), [
    (ValueError("of a kernel"), ValueError), (LikeDasks(), WorkerLost), (CancelledError(), WorkerLost),
], ids=["kernel", "dask", "cancelled"])  # fmt: skip
def test_blocks_that_finished_while_another_failed_are_stored(cause, raised):
    """Whatever ends the run, what was computed is kept."""

    class OneFails(Backwards):
        def _run(self, held):
            super()._run(held[1:])
            held[0][0].set_exception(cause)

    job = Job(mean(uniform), {}, "tests/fail", 0, 1, (8 * BLOCK,))
    with Store(None) as store, OneFails(8) as pool:
        with pytest.raises(raised):
            measure([job], executor=pool, store=store)
        pool.shutdown()
        assert len(store.load(job.key())) == 7


def test_a_slow_block_does_not_keep_finished_ones_from_the_disk(tmp_path, monkeypatch):
    """While one block takes long, what came before it is committed."""
    monkeypatch.setattr("montecarlo.engine.run.COMMIT_INTERVAL", 0.01)
    path, late, store = tmp_path / "s.sqlite", threading.Event(), Store(tmp_path / "s.sqlite")
    job = Job(mean(uniform), {}, "tests/slow", 0, 1, (8 * BLOCK,))

    def committed():
        with Store(path) as other:
            return len(other.load(job.key()))

    class LastIsSlow(Backwards):
        def _run(self, held):
            super()._run(held[1:])
            while committed() < 7 and not late.wait(0.01):
                pass
            super()._run(held[:1])

    timer = threading.Timer(10, late.set)
    timer.start()
    with store, LastIsSlow(8) as pool:
        assert measure([job], executor=pool, store=store)[0].n == 8 * BLOCK
    timer.cancel()
    assert not late.is_set()


def test_a_kernel_survives_pickling_as_itself():
    for played in (uniform, triple, draws.uniforms):
        assert pickle.loads(pickle.dumps(played)) is played


def test_a_kernel_with_other_sources_elsewhere_is_refused():
    """A worker that runs an older file must not contribute."""
    load, arguments = uniform.__reduce__()
    with pytest.raises(RuntimeError, match="sources must be the same"):
        load(*arguments[:-1], "other digest")


def test_jobs_are_begun_as_there_is_room_with_the_same_bits(monkeypatch):
    together, begin, seen = measure(jobs()), run._Run._begin, []

    def watched(self, index):
        if self.total[index] is None:  # Not a further look of a job that is under way.
            seen.append(len(self.waiting))
        begin(self, index)

    monkeypatch.setattr(run, "AHEAD", 1)
    monkeypatch.setattr(run._Run, "_begin", watched)
    assert measure(jobs()) == together
    assert seen == [0] * len(jobs())


@pytest.mark.parametrize(("made", "changes"), [(mean, True), (variance, True), (every_row, False)])
def test_how_means_are_made_has_no_influence_on_runs_that_are_kept(made, changes, monkeypatch):
    monkeypatch.setattr("montecarlo.engine.job.numerics_digest", numerics_digest.__wrapped__)
    job = Job(made(area), {"side": 1.0}, "keys")
    before = job.key()
    monkeypatch.setattr("montecarlo.engine.statistics.GROUP", 32)
    assert (job.key() != before) is changes


def test_an_estimate_is_that_of_its_job_and_shows_what_it_is():
    found = estimate(mean(uniform), samples=3 * BLOCK, name="tests/a", seed=1)
    assert found == measure([Job(mean(uniform), {}, "tests/a", 0, 1, (3 * BLOCK,))])[0].estimate()
    shown = found._repr_html_()
    assert all(f"<td>{text}</td>" in shown for text in (f"{found.value:.10g}", f"{found.se:.2g}", f"{found.n:,}"))
