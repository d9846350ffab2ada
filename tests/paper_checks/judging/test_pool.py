"""Worker processes: the same verdicts as from one thread, a death costs one claim a second try, nothing is left."""

import errno
import multiprocessing
import operator
import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import wait
from types import SimpleNamespace

import pytest

from montecarlo.engine.run import WorkerLost
from paper_checks import Status, judge, verify
from paper_checks.claims import catalogue
from paper_checks.evidence.setting import Setting
from paper_checks.judging import worker
from paper_checks.judging.order import Order, judged
from paper_checks.judging.pool import groups, judge_all, judge_on_cluster

MINE = """
from sympy import Rational
from sympy.stats import Normal, Uniform
from montecarlo import Sweep, mean, simulator, uniform2, variance
from montecarlo.kernels.raw_draws import uniforms
from paper_checks import Price, Reproduces, Simulated, Status, claim, concluded, grid, paper, unchecked
from theory import Formula

paper("mine", "My paper", "A. Uthor")
half, tenth, twelfth = (Formula("a fraction", Rational(1, k)) for k in (2, 10, 12))
sampled = dict(printed=half, points=grid(draw=0), measured=mean(uniforms))
claim("mine/mean", at="", says="a mean", **sampled)
claim("mine/finer", at="", says="a mean", same_samples_as="mine/mean", scale=lambda: Rational(1, 10), **sampled)
claim("mine/variance", at="", says="a variance", printed=tenth, corrected=twelfth, points=grid(draw=[0, 3]),
      measured=variance(uniforms, 1))
claim("mine/price", at="", says="a mean", price=Price("other draws", mean(uniforms), grid(draw=2)), **sampled)
claim("mine/proved", at="", says="one is one", proof=lambda: True)
claim("mine/failing", at="", says="a mean", scale=lambda: 0, **sampled)
claim("mine/leaving", at="", says="it is left", proof=lambda: exit(0))
claim("mine/open", at="", says="it is fast", expects=unchecked("no times are given"))

@simulator(block=1)
def tossed(stream, first, out):
    for i in range(out.shape[0]):
        out[i, 0] = uniform2(stream, first + i, 0)[0] < 0.5

TOSSED = Sweep("tests/tossed", "tossed coins", tossed, [{}], 64)

def counted(context):
    (rows,) = context.rows(TOSSED)
    return concluded(Status.CONFIRMED, f"{int(rows.sum())} heads", {"none": bool(rows.any())})

claim("mine/runs", at="", says="heads", relation=Reproduces(), experiment=counted, runs=[TOSSED])
claim("mine/runs.again", at="", says="heads again", relation=Reproduces(), experiment=counted, runs=[TOSSED])
print("loaded")
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(MINE)
    return path


def order_of(file, seeds=(1,), **options):
    return Order((), (str(file),), "quick", seeds, **options)


def in_processes(file, workers=2, seeds=(1,), loaded=lambda: None, reached=None):
    """Verdicts from worker processes, and the claims; something may happen once these are loaded."""
    claims, order, found = list(catalogue.load_files([file])), order_of(file, seeds), []
    loaded()
    seconds = {c.id: 1.0 for c in claims}
    judge_all(claims, order, workers=workers, seconds=seconds, reached=reached or found.append)
    assert not multiprocessing.active_children()
    return claims, found


def plain(verdicts):
    return {(v.seed, v.id): v.to_dict() for v in verdicts}


@pytest.mark.slow
def test_verdicts_are_the_same_bits_wherever_they_are_judged(file, capfd):
    claims, by_two = in_processes(file, seeds=(1, 2))
    assert capfd.readouterr().out == "loaded\n", "what a worker prints is no output of the command"
    expected = plain([v for seed in (1, 2) for v in verify(claims, seed=seed)])
    assert {v["error"] for v in expected.values()} > {""}
    assert plain(by_two) == expected
    assert plain(in_processes(file, workers=1)[1]) == {key: v for key, v in expected.items() if key[0] == 1}
    settings = [Setting("quick", seed) for seed in (1, 2)]
    with ThreadPoolExecutor(4) as threads:
        # Each claim twice at the same time, in one setting.
        asked = [(c, s) for c in claims for s in settings for _ in range(2)]
        found = list(threads.map(lambda pair: judge(*pair), asked))
    assert [v.to_dict() for v in found] == [expected[s.seed, c.id] for c, s in asked]


@pytest.mark.dask
@pytest.mark.filterwarnings("default")  # Dask's own are not ours to mend.
def test_verdicts_from_a_cluster_are_the_same_bits_and_an_edited_file_is_loaded_again(file):
    distributed = pytest.importorskip("distributed", reason="Dask is not installed, an optional extra")
    with distributed.Client(processes=False, n_workers=1, threads_per_worker=2, dashboard_address=None) as client:
        for text in (MINE, MINE.replace("10, 12", "12, 12")):
            file.write_text(text)
            claims, found = list(catalogue.load_files([file])), []
            seconds = {c.id: 1.0 for c in claims}
            judge_on_cluster(claims, order_of(file), client, seconds=seconds, reached=found.append)
            assert plain(found) == plain(verify(claims, seed=1))


# Deaths.

DYING = """
import os
from pathlib import Path
from paper_checks import claim, paper

paper("mine", "My paper", "A. Uthor")

def dies(times, log):
    with open(log, "a") as file:
        file.write("x")
    if Path(log).stat().st_size <= times:
        os._exit(3)
    return True

for name, times in (("first", 0), ("once", 1), ("always", 9), ("last", 0)):
    claim(f"mine/{name}", at="", says="", proof=lambda name=name, times=times: dies(times, f"{FOLDER}/{name}.log"))
"""


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_a_death_costs_its_claim_a_second_try_and_the_others_nothing(tmp_path, workers):
    file = tmp_path / "mine.py"
    file.write_text(DYING.replace("{FOLDER}", str(tmp_path)))
    verdicts = {v.id: v for v in in_processes(file, workers)[1]}
    tries = {path.stem: path.stat().st_size for path in tmp_path.glob("*.log")}
    assert tries == {"first": 1, "once": 2, "always": 2, "last": 1}
    sound = {name for name, v in verdicts.items() if v.status is Status.CONFIRMED and not v.error}
    assert sound == {"mine/first", "mine/once", "mine/last"}
    assert "2 worker processes died while judging it" in verdicts["mine/always"].error


@pytest.mark.slow
def test_a_worker_that_dies_between_two_claims_is_replaced(file):
    order = order_of(file)
    with worker.Worker() as one:
        one.claim = next(c for c in catalogue.load_files([file]) if c.id == "mine/proved")
        process = one._process
        os.kill(process.pid, signal.SIGKILL)
        process.join()
        one.begin(order)
        found = None
        while found is None:
            wait(one.handles)
            found = one.answer(order)
        assert [v.status for v in found] == [Status.CONFIRMED]
        assert one._process is not process


GROWING = """
import os
from pathlib import Path
from paper_checks import claim, paper

paper("{name}", "My paper", "A. Uthor")
KEPT = []

def kept(size):
    KEPT.append(b"x" * size)
    with open("{folder}/processes.log", "a") as log:
        log.write(f"{{os.getpid()}} ")
    return True

for number in (1, 2):
    claim(f"{name}/{{number}}", at="", says="", proof=lambda: kept({size}))
"""


@pytest.mark.slow
@pytest.mark.parametrize(("size", "processes"), [(1000, 1), (200_000_000, 2)])
def test_a_process_that_has_grown_ends_before_the_next_claims_that_share_nothing(tmp_path, size, processes):
    files = [tmp_path / f"{name}.py" for name in ("one", "two")]
    for file in files:
        file.write_text(GROWING.format(name=file.stem, folder=tmp_path, size=size))
    claims, found = list(catalogue.load_files(files)), []
    order = Order((), tuple(map(str, files)), "quick", (1,))
    judge_all(claims, order, workers=1, seconds={c.id: 1.0 for c in claims}, reached=found.append)
    assert [(v.id, v.status) for v in found] == [(c.id, Status.CONFIRMED) for c in claims]
    first, second, third, fourth = (tmp_path / "processes.log").read_text().split()
    assert first == second
    assert third == fourth
    assert len({first, third}) == processes


def test_workers_that_end_before_they_begin_end_the_run_in_words(file, monkeypatch):
    monkeypatch.setattr(worker, "_work", operator.is_)  # returns at once
    with pytest.raises(WorkerLost, match=r"ended twice before it had begun.*run the same command again"):
        in_processes(file)
    assert not multiprocessing.active_children()


def test_a_machine_without_room_for_a_process_says_so(file, monkeypatch):
    def full(*_):
        raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))

    monkeypatch.setattr(multiprocessing.process.BaseProcess, "start", full)
    with pytest.raises(WorkerLost, match=r"no worker process can be started .*give --workers 1"):
        in_processes(file)


@pytest.mark.slow
def test_an_error_of_who_is_told_ends_the_workers(file):
    def fails(_verdict):
        raise OSError("the disk is full")

    with pytest.raises(OSError, match="the disk is full"):
        in_processes(file, reached=fails)
    assert not multiprocessing.active_children()


@pytest.mark.slow
@pytest.mark.parametrize("then", ["edited", "gone"])
def test_claims_of_a_file_that_a_worker_finds_changed_or_gone_say_so(file, then):
    change = file.unlink if then == "gone" else lambda: file.write_text(MINE + "\n# edited\n")
    claims, found = in_processes(file, loaded=change)
    assert sorted(v.id for v in found) == sorted(c.id for c in claims)
    assert all(("SourcesChanged" if then == "edited" else "FileNotFoundError") in v.error for v in found)
    assert not any(v.as_expected for v in found)


def test_what_claims_share_is_that_of_the_last_run_only(file):
    first, second = (order_of(file, begun=float(i)) for i in (1, 2))
    found = [judged("mine/variance", order)[0] for order in (first, second, first)]
    assert plain(found[:1]) == plain(found[1:2]) == plain(found[2:])
    assert found[0].status is Status.REFUTED
    file.write_text(MINE.replace("10, 12", "12, 12"))
    assert judged("mine/variance", order_of(file))[0].status is Status.CONFIRMED


def test_seconds_of_a_budget_are_those_of_the_run():
    begun = time.time() - 50
    assert 9 < Order((), (), "quick", (1,), 60.0, begun).left < 10.1
    assert 0 < Order((), (), "quick", (1,), 40.0, begun).left < 1e-3
    assert Order((), (), "quick", (1,), 40, begun).left == 40
    assert Order((), (), "quick", (1,), None, begun).left is None


# Groups.


def claim(name, module="a", stream=None, runs=()):
    sweeps = [SimpleNamespace(name=run.removesuffix("*"), stored=run.endswith("*")) for run in runs]
    return SimpleNamespace(id=name, place=(module, 1), paper="p", stream=stream or name, runs=sweeps)


def test_claims_that_share_work_are_in_one_group_and_each_in_exactly_one():
    claims = [
        claim("a1"), claim("b1", "b", stream="a1"), claim("b2", "b"), claim("c1", "c", runs=["r"]),
        claim("d1", "d", runs=["s", "r"]), claim("e1", "e", runs=["stored*"]), claim("f1", "f", runs=["stored*"]),
        claim("g1", "g", runs=["s"]),
    ]  # fmt: skip
    seconds = {c.id: 1.0 for c in claims} | {"e1": 9.0, "c1": 2.0}
    found = [[c.id for c in group] for group in groups(claims, seconds)]
    assert found == [["e1"], ["c1", "d1", "g1"], ["a1", "b1", "b2"], ["f1"]]


def test_all_claims_of_ours_are_in_one_group_each_with_those_that_share_samples_or_runs():
    claims = catalogue.load().select()
    seconds = {c.id: 1.0 for c in claims}
    some = groups(claims, seconds)
    place = {c.id: i for i, group in enumerate(some) for c in group}
    assert sorted(place) == sorted(c.id for c in claims)
    assert sum(map(len, some)) == len(claims)
    assert [len(group) for group in some] == sorted(map(len, some), reverse=True)
    shared = {}
    for c in claims:
        for key in [c.stream, *(s.name for s in c.runs if not s.stored)]:
            assert shared.setdefault(key, place[c.id]) == place[c.id], (c.id, key)
    assert len(some) > 20
