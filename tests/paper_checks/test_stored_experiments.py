"""Results that are stored with the project are those of its present sources and settings."""

from __future__ import annotations

import numpy as np
import pytest

from montecarlo.streams.philox import stream
from paper_checks.catalogue import load
from paper_checks.experiments.stored import collected, stored_rows

# Those of claims that nothing judges yet are declared, to be trained by who has the time.
SWEEPS = {sweep.name: sweep for sweep in collected(c for c in load() if not c.unchecked) if sweep.stored}


def test_the_experiments_of_the_papers_are_there():
    assert len(SWEEPS) >= 13
    assert {name.split("/")[0] for name in SWEEPS} == {"galu", "nau", "nerva", "relu", "smooth"}


@pytest.mark.parametrize("name", SWEEPS)
def test_stored_rows_are_of_the_present_code_and_complete(name):
    sweep = SWEEPS[name]
    rows = stored_rows(sweep)
    assert [r.shape for r in rows] == [(sweep.runs_at(i), sweep.play.columns) for i in range(len(sweep.points))]
    # What a setting does not have (a disc has no hole) is nan in all of its runs.
    assert all((np.isfinite(r).all(axis=0) | np.isnan(r).all(axis=0)).all() for r in rows)


def played(sweep, index, run):
    """One run of a stored sweep, anew."""
    out = np.empty((1, sweep.play.columns), order="F")
    sweep.play(stream(0, sweep.name, index), run, *sweep.play.arguments(sweep.values(index, 0)), out)
    return out[0]


@pytest.mark.parametrize(
    ("name", "index", "run", "within"),
    [
        ("galu/figure-2-random", 2, 7, 1e-9),
        # Sums in another order on another machine, after thousands of steps.
        ("galu/search", 0, 99, 1e-3),
    ],
)
def test_a_stored_run_is_found_again(name, index, run, within):
    kept = stored_rows(SWEEPS[name])[index][run]
    again = played(SWEEPS[name], index, run)
    if name == "galu/search":  # rises are rounding
        kept, again = np.delete(kept, 1), np.delete(again, 1)
    assert again == pytest.approx(kept, rel=within)
