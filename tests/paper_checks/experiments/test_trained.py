"""What is said of trained networks: by counts and pairs, with the mistakes that would have been noticed."""

import numpy as np
import pytest

from montecarlo import Sweep
from montecarlo.streams.philox import stream
from paper_checks.papers.neural_arithmetic_units import sweeps
from paper_checks.papers.neural_arithmetic_units.sweeps import TABLE_3
from paper_checks.papers.neural_arithmetic_units.trained import Runs, earlier, more_successes, runs_of, share_of
from paper_checks.rules.means import Status


def runs(successes, n, when=1e4):
    """So many successes first, solved about ``when``."""
    solved = np.arange(n) < successes
    return Runs(
        {
            "test_error": np.where(solved, 1e-9, 1.0),
            "solved_at": np.where(solved, when + 1000.0 * (np.arange(n) % 7), -1),
            "sparsity_error": np.full(n, 1e-6),
        },
        threshold=1e-4,
    )


def test_a_run_succeeds_below_the_threshold_only_and_where_it_is_finite():
    found = Runs({"test_error": np.array([0.0, 9e-5, 1e-4, -1.0])}, threshold=1e-4)
    assert found.solved.tolist() == [True, True, False, False]


def test_orders_are_told_and_their_opposite_is_refuted():
    often, seldom = runs(380, 400, 1e4), runs(60, 400, 5e4)
    assert more_successes(often, {"x": seldom}).printed is Status.CONFIRMED
    assert more_successes(seldom, {"x": often}).printed is Status.REFUTED
    assert more_successes(often, {"x": often}).printed is Status.INCONCLUSIVE
    assert earlier(often, {"x": seldom}).printed is Status.CONFIRMED
    assert earlier(seldom, {"x": often}).printed is Status.REFUTED
    assert earlier(often, {"x": often}).printed is Status.INCONCLUSIVE
    assert more_successes(often, {"x": seldom}).killed == 1


def test_what_goes_together_is_told_from_what_does_not():
    among = np.arange(400) < 60
    assert share_of("x", among, among, "y").printed is Status.CONFIRMED
    assert share_of("x", ~among, among, "y").printed is Status.REFUTED
    assert share_of("x", np.arange(400) % 2 == 0, among, "y").printed is Status.INCONCLUSIVE


def test_a_setting_without_runs_is_an_error():
    with pytest.raises(LookupError, match="there must be runs"):
        runs_of(TABLE_3, [np.zeros((1, len(TABLE_3.columns)))] * 3, model="nac_add")


DECLARED = [
    sweep for value in vars(sweeps).values() for sweep in (value.values() if isinstance(value, dict) else [value])
]
LONG = [
    sweep
    for sweep in DECLARED
    if isinstance(sweep, Sweep) and sweep.settings["steps"] == sweeps.LONG["steps"] and sweep is not sweeps.LOOKED_AT
]


@pytest.mark.parametrize("sweep", LONG, ids=lambda sweep: sweep.name)
def test_declared_runs_can_be_played_at_every_point(sweep):
    short = {"steps": 2, "every": 1, "last": 1, "observations": 10}
    for index in range(len(sweep.points)):
        out = sweep.play.rows(1)
        sweep.play(stream(1, sweep.name, index), 0, *sweep.play.arguments(sweep.values(index, 0) | short), out)
        assert out[0, 0] == 2
        assert out[0, 4] == -1
        assert np.isfinite(out).all()
