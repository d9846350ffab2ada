"""A long command says how far it is and how long it still takes; a short one says nothing.

Where costs are known, the time that is left of ``verify`` is right within a factor of two at a tenth of a run.
"""

import heapq
import io
import random
import re
import sys
import time
from argparse import Namespace
from pathlib import Path
from types import SimpleNamespace

import pytest

from paper_checks import Status, Verdict
from paper_checks.commands import pace, train, verify
from paper_checks.commands.options import RECORD
from paper_checks.commands.pace import Pace, Times, foretell
from paper_checks.commands.running import progress_of
from paper_checks.commands.telling import Telling
from paper_checks.judging import seconds


def test_a_pipe_is_told_how_far_the_work_is_and_how_long_it_takes(monkeypatch):
    monkeypatch.setattr(pace, "WAITS", 1000 * (0.01,))  # On a busy machine the first line may come before any run.
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with progress_of(quiet=False, what="nau/table3") as progress:
        progress(0, 4, "run")
        progress(1, 4, "run")
        while not (seen := sys.stderr.getvalue()).endswith("left\n"):
            time.sleep(0.001)
    assert re.fullmatch(r"nau/table3: \d s, 1 of about 4 runs, about \d s left", seen.splitlines()[-1])


@pytest.mark.parametrize("quiet", [True, False])
def test_short_work_says_nothing(quiet, capfd):
    with progress_of(quiet=quiet) as progress:
        if progress:
            progress(1, 2, "sample")
    assert capfd.readouterr() == ("", "")


def test_before_the_first_work_only_the_time_is_told_and_large_numbers_are_short():
    told = Pace("nau")
    assert told.line(10.0) == "nau: 10 s"
    told(0, 4e8, "sample")
    told(1e8, 4e8, "sample")
    assert told.line(100.0) == "nau: 1.7 min, 1e+08 of about 4e+08 samples, about 5 min left"


def test_what_long_work_takes_is_said_before_in_one_line_and_of_short_work_nothing(capfd):
    foretell("8 figures", 0.5, 6.0, "measured")
    foretell("9 figures", 170.0, 360.0, "measured")
    assert capfd.readouterr() == ("", "9 figures: about 2.8 to 6 min (measured)\n")


def test_a_guess_that_was_too_short_is_not_told_as_time_left():
    costs = {f"p/{i}": 0.3 for i in range(400)}
    for timed, words in ((False, "the others take longer than expected"), (True, "left")):
        telling = Telling([claim(name) for name in costs], costs, 2, lines=False, timed=timed)
        telling.reached(verdict("p/0", 0.3))
        assert telling.progress(200.0).endswith(words)
        assert telling.progress(2.0).endswith("left")


@pytest.mark.parametrize("damage", ["", "[]", '{"train": 3}', '{"train": ["x"]}', "\0"])
def test_times_of_earlier_work_are_kept_and_damaged_ones_are_none(tmp_path, damage):
    times = Times(tmp_path / "times.json")
    for taken in (9.0, 2.0, 4.0, 3.0):
        times.keep("train", taken)
    assert times.of("train") == (2.0, 4.0)
    times.path.write_text(damage)
    assert times.of("train") is None


def test_training_says_how_many_runs_are_left_and_how_long_they_take_once_that_is_known(tmp_path, monkeypatch, capfd):
    monkeypatch.setenv("PAPER_CHECKS_CACHE", str(tmp_path))
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    job = Namespace(key=lambda: b"job", seconds=0.0)
    sweep = Namespace(name="mine/runs", points=[{}], runs_at=lambda _: 1000, jobs=lambda _: [job])
    store = Namespace(load=lambda key, record: {(0, 300): None, (300, 100): None})

    def foretold(**changes):
        return train._foretold(sweep, store, Namespace(**{"dask": None, "workers": 1000, **changes}))

    assert foretold() == 600
    assert capfd.readouterr().err == ""
    Times().keep("a run of mine/runs", 0.5)
    assert foretold() == 600
    assert capfd.readouterr().err.startswith("mine/runs: 600 of 1,000 runs to simulate; ")
    sweep.name, job.seconds = "mine/others", 170.0
    foretold()  # on two cores, however many threads
    assert "about 9.9 to 21 h (measured" in capfd.readouterr().err
    foretold(workers=1)
    assert "about 20 to 42 h (measured" in capfd.readouterr().err
    foretold(dask="tcp://10.0.0.5:8786")
    assert capfd.readouterr().err == ""
    store.load = lambda key, record: {(0, 2000): None}  # of a longer sweep
    assert foretold() == 0


def claim(name):
    return SimpleNamespace(id=name, paper=name.split("/")[0])


def verdict(name, took):
    return Verdict(name, *3 * [Status.CONFIRMED], (), "quick", 1, seconds=took)


def played(costs, at_once):
    """When each claim is done, the longest first, and when all are."""
    free, done = [0.0] * at_once, []
    for name in sorted(costs, key=costs.get, reverse=True):
        end = heapq.heappop(free) + costs[name]
        heapq.heappush(free, end)
        done.append((end, name))
    return sorted(done), max(free)


COSTS = {
    "alike": lambda rng: 1.0,
    "most short, some long": lambda rng: 10 ** rng.uniform(-2, 1),
    "a few very long": lambda rng: 40.0 if rng.random() < 0.03 else 0.2,
}


@pytest.mark.parametrize("known", [True, False], ids=["as many as there are", "not known"])
@pytest.mark.parametrize("slower", [0.7, 1.0, 3.0])
@pytest.mark.parametrize("at_once", [1, 2, 8])
@pytest.mark.parametrize("kind", COSTS)
def test_the_time_left_is_right_within_a_factor_of_two_at_a_tenth_of_a_run(kind, at_once, slower, known):
    rng = random.Random(7)
    costs = {f"p/{i}": COSTS[kind](rng) for i in range(700)}
    done, whole = played({name: slower * seconds for name, seconds in costs.items()}, at_once)
    telling = Telling([claim(name) for name in costs], costs, at_once if known else None, lines=False, timed=True)
    told = set()
    for share in (0.1, 0.3, 0.6, 0.9):
        for end, name in done:
            if end <= share * whole and name not in told:
                telling.reached(verdict(name, slower * costs[name]))
                told.add(name)
        left = telling.left(share * whole)
        if (known and slower == 1.0) or share > 0.1:
            assert 1 / 2 < left / ((1 - share) * whole) < 2, share


def test_what_an_interrupted_run_has_kept_takes_no_time():
    costs = {f"p/{i}": 10.0 for i in range(20)}
    telling = Telling([claim(name) for name in costs], costs, 2, lines=False, timed=True)
    for i in range(10):
        telling.kept(verdict(f"p/{i}", 10.0))
    assert telling.left(0.5) == pytest.approx(49.5)
    assert telling.progress(0.5) == "0 s: 10 of 20 claims (p 10/20), about 50 s left"


def test_a_claim_that_takes_longer_than_all_that_was_expected_leaves_some_time():
    telling = Telling([claim("p/0"), claim("q/0")], {"p/0": 5.0, "q/0": 5.0}, 1, lines=False, timed=True)
    telling.reached(verdict("p/0", 5.0))
    assert telling.left(500.0) > 0
    assert telling.progress(500.0) == "8.3 min: 1 of 2 claims (p 1/1, q 0/1), the others take longer than expected"


@pytest.mark.parametrize("damage", ["", "[]", "{", '{"quick": 3}', '{"quick": {"p/0": "x"}}', "[" * 10**5, "\0"])
def test_known_times_that_are_damaged_are_none_and_are_written_anew(tmp_path, damage):
    path = tmp_path / "seconds.json"
    path.write_text(damage)
    assert seconds.read("quick", path) == {}
    seconds.update("quick", {"p/0": 1.234}, path)
    assert seconds.read("quick", path) == {"p/0": 1.2}
    seconds.update("full", {"p/0": 100.0}, path)
    assert (seconds.read("quick", path), seconds.read("full", path)) == ({"p/0": 1.2}, {"p/0": 100.0})


@pytest.mark.parametrize(
    ("changes", "kept"),
    [({}, True), ({"patterns": ["p"]}, False), ({"workers": 1}, False), ({"dask": "tcp://x"}, False),
     ({"record": Path("r.json")}, False)],
    ids=str,
)  # fmt: skip
def test_only_a_run_of_all_claims_in_processes_says_what_they_take(changes, kept, monkeypatch):
    told = []
    monkeypatch.setattr(seconds, "update", lambda *given: told.append(given))
    given = {"record": RECORD, "patterns": [], "workers": 2, "dask": None, "tier": "quick", **changes}
    verify._keep_seconds([verdict("p/0", 1.5)], SimpleNamespace(**given))
    assert told == ([("quick", {"p/0": 1.5})] if kept else [])
