"""Results that are stored with the project are as declared, and what the present code gives."""

import sys
import time

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

from montecarlo import generator
from montecarlo.streams.philox import stream
from paper_checks.claims.catalogue import load
from paper_checks.commands.entries import digest_of_sources
from paper_checks.experiments.replay import chosen, replay
from paper_checks.experiments.stored import collected, stored_rows

# Those of claims that nothing judges yet are declared, to be trained by who has the time.
SWEEPS = {sweep.name: sweep for sweep in collected(c for c in load() if not c.unchecked) if sweep.stored}


def test_the_experiments_of_the_papers_are_there():
    assert len(SWEEPS) >= 13
    assert {name.split("/")[0] for name in SWEEPS} == {"constants", "galu", "nau", "nerva", "relu", "smooth"}


@pytest.mark.parametrize("name", SWEEPS)
def test_stored_rows_are_as_declared_and_complete(name):
    sweep = SWEEPS[name]
    rows = stored_rows(sweep)
    assert [r.shape for r in rows] == [(sweep.runs_at(i), sweep.play.columns) for i in range(len(sweep.points))]
    # What a setting does not have (a disc has no hole) is nan in all of its runs.
    assert all((np.isfinite(r).all(axis=0) | np.isnan(r).all(axis=0)).all() for r in rows)


# Experiments of which a run takes seconds at every setting, and seconds for each of them; 'make replay' plays all.
SHORT = {
    "galu/figure-1", "galu/figure-2-random", "nau/table3", "nau/table3-starts", "nau/figures-10-11-early",
    "nau/figure-11-early", "nerva/digits", "relu/figure-1", "relu/fates", "relu/figure-6-start",
    "smooth/table1-networks", "smooth/width-pairs", "smooth/figure13", "smooth/more-networks",
    "smooth/sine-processes", "smooth/ridges", "smooth/fitted-length", "smooth/mnist",
}  # fmt: skip
BUDGET = 2.0


def test_what_needs_a_library_that_is_missing_is_not_replayed_and_not_a_failure(monkeypatch, said):
    monkeypatch.setitem(sys.modules, "sklearn.gaussian_process", None)
    out = said(0, "train", "smooth/fitted-length", "--replay", "1", "--workers", "1")
    assert "smooth/fitted-length is not simulated again: fitted_length: scikit-learn must be installed" in out


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(SHORT))
def test_stored_runs_are_those_of_the_present_code(name):
    """Runs of settings in another order after each change of the sources: what it changes is found sooner or later."""
    sweep, seed = SWEEPS[name], int(digest_of_sources([], [])[:12], 16)
    settings = [int(i) for i in generator(stream(seed, name, 0), 0).permutation(len(sweep.points))]
    begun = time.monotonic()
    while settings and time.monotonic() < begun + BUDGET:
        try:
            # As in a process that does nothing else: the number of threads decides about the last bits of a product.
            with threadpool_limits(limits=1):
                found = replay(sweep, chosen(sweep, seed, [settings.pop()]))
        except ModuleNotFoundError as error:
            pytest.skip(str(error))
        assert found.holds, str(found)
