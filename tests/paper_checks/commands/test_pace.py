"""A long command says how far it is and how long it still takes; a short one says nothing."""

import io
import re
import sys
import time
from argparse import Namespace

import pytest

from paper_checks.commands import pace, train
from paper_checks.commands.cost import Times, foretell
from paper_checks.commands.pace import Pace
from paper_checks.commands.running import progress_of


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


def test_what_was_stored_and_what_was_fast_does_not_promise_an_early_end():
    told = Pace("nau")
    told(900, 1000, "run")
    assert told.line(10.0) == "nau: 10 s, 900 of about 1,000 runs"
    told(910, 1000, "run")
    assert told.line(20.0).endswith("about 3 min left")
    told(911, 1000, "run")
    assert told.line(80.0).endswith("about 11 to 43 min left")


def test_what_long_work_takes_is_said_before_in_one_line_and_of_short_work_nothing(capfd):
    foretell("8 figures", 0.5, 6.0, "measured")
    foretell("9 figures", 170.0, 360.0, "measured")
    assert capfd.readouterr() == ("", "9 figures: about 2.8 to 6 min (measured)\n")


@pytest.mark.parametrize("damage", ["", "[]", '{"train": 3}', '{"train": ["x"]}', "\0"])
def test_times_of_earlier_work_are_kept_and_damaged_ones_are_none(tmp_path, damage):
    times = Times(tmp_path / "times.json")
    for seconds in (9.0, 2.0, 4.0, 3.0):
        times.keep("train", seconds)
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
