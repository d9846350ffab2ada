"""A long command says how far it is and how long it still takes; a short one says nothing."""

from __future__ import annotations

import re
from argparse import Namespace

import pytest

from paper_checks.commands import pace, verify
from paper_checks.commands.options import RECORD
from paper_checks.commands.pace import Pace
from paper_checks.commands.running import progress_of
from paper_checks.record import Record


@pytest.fixture
def soon(monkeypatch):
    """No silence of ten seconds is waited for."""
    monkeypatch.setattr(pace, "WAITS", (0.01,))


def test_a_pipe_is_told_how_far_the_work_is_and_how_long_it_takes(soon, capfd):
    with progress_of(quiet=False, what="nau/table3") as progress:
        progress(0, 4, "run")
        progress(1, 4, "run")
        seen = ""
        while "\n" not in seen:
            seen += capfd.readouterr().err
    assert re.fullmatch(r"nau/table3: 0 s, 1 of about 4 runs, about 0 s left\n", seen)


@pytest.mark.parametrize("quiet", [True, False])
def test_short_work_says_nothing(quiet, capfd):
    with progress_of(quiet=quiet) as progress:
        if progress:
            progress(1, 2, "sample")
    assert capfd.readouterr() == ("", "")


def test_what_is_planned_counts_where_it_is_more_than_what_is_seen():
    told = Pace("nau", {"sample": 4e8})
    assert told.line(10.0) == "nau: 10 s"
    told(0, 1.5e8, "sample")
    told(1e8, 1.5e8, "sample")
    assert told.line(100.0) == "nau: 1.7 min, 1e+08 of about 4e+08 samples, about 5 min left"


def test_what_was_stored_and_what_was_fast_does_not_promise_an_early_end():
    told = Pace("nau")
    told(900, 1000, "run")
    assert told.line(10.0) == "nau: 10 s, 900 of about 1,000 runs"
    told(910, 1000, "run")
    assert told.line(20.0).endswith("about 3 min left")
    told(911, 1000, "run")
    assert told.line(80.0).endswith("about 89 min left")


def test_a_verification_is_planned_by_the_recorded_samples():
    claims = Record.read(RECORD).verdicts
    full, quick = (
        verify._planned(claims, Namespace(claims=[], budget=None, tier=tier))["sample"] for tier in ("full", "quick")
    )
    assert full == pytest.approx(100 * quick)
    assert full > 0
    assert verify._planned(claims, Namespace(claims=["mine.py"], budget=None, tier="full")) == {}
