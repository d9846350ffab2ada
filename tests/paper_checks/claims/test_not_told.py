"""What runs do not tell is open: REFUTED needs the opposite to be shown."""

from types import SimpleNamespace

import numpy as np
import pytest

from montecarlo.descent.fates import DEAD, OPTIMUM, STUCK, UNDECIDED
from paper_checks.papers.dying_relu.section_5 import fresh_inputs, overshoot_alone as overshoot, several_inputs
from paper_checks.papers.galu.section_4 import figure_4, rank_laws, sizes as section_4_1_sizes
from paper_checks.rules.means import Status, told
from theory.relu_unit.basins import separatrix


def rows(*points):
    """A context that has these rows for every sweep."""
    return SimpleNamespace(rows=lambda _: [np.array(p, dtype=float) for p in points], tier="quick", seed=1)


@pytest.mark.parametrize(("right", "wrong", "status"), [
    (True, False, "CONFIRMED"), (False, True, "REFUTED"), (True, True, "REFUTED"), (False, False, "INCONCLUSIVE"),
])  # fmt: skip
def test_a_refutation_needs_the_opposite(right, wrong, status):
    assert told(right, wrong) is Status(status)


@pytest.mark.parametrize(("last", "status"), [
    (OPTIMUM, "CONFIRMED"), (UNDECIDED, "INCONCLUSIVE"), (STUCK, "INCONCLUSIVE"), (DEAD, "REFUTED"),
])  # fmt: skip
def test_a_start_on_its_way_does_not_refute_that_all_arrive(last, status):
    ahead = [[OPTIMUM]] * 9 + [[last]]
    found = several_inputs.rotation(rows(ahead, [[DEAD]] * 10, ahead, [[DEAD]] * 10))
    assert found.printed is Status(status)


def said_and_seen(there: float, dead: float):
    """48 units, one of them said to live, the others as they are said to be; the first ends as given."""
    columns = dict.fromkeys(overshoot.STARTS.columns, np.zeros(48))
    lives = np.arange(48) < 24
    columns["survives"] = lives * 1.0
    columns["there, as it is"] = np.where(np.arange(48) == 0, there, lives)
    columns["dead, as it is"] = np.where(np.arange(48) == 0, dead, ~lives)
    return rows(np.array(list(columns.values())).T)


@pytest.mark.parametrize(("there", "dead", "status"), [(1, 0, "CONFIRMED"), (0, 0, "INCONCLUSIVE"), (0, 1, "REFUTED")])
def test_a_unit_that_has_not_arrived_does_not_refute_that_it_lives(there, dead, status):
    assert overshoot.survival(said_and_seen(there, dead)).printed is Status(status)


@pytest.mark.parametrize(("otherwise", "status"), [(0, "CONFIRMED"), (30, "INCONCLUSIVE"), (200, "REFUTED")])
def test_fates_on_inputs_are_judged_by_their_share(otherwise, status):
    w, b = (np.tile(x.ravel(), 2) for x in fresh_inputs.grid_of(fresh_inputs.CELLS))
    alive = (w > 0) | (b + w * separatrix(np.maximum(-w, 0.01) / 0.3) > 0)
    ends = np.where(alive, [[0.3], [0.0]], [[-0.1], [-1.0]]).T
    ends[np.flatnonzero((w > 0) & (b > 0))[:otherwise]] = -0.1, -1.0
    assert fresh_inputs.played_on_inputs(rows(ends)).printed is Status(status)


def test_too_few_matrices_tell_nothing_of_ranks():
    some = [[[1, 64, 0]] * 6 + [[0, 63, 1]] * 4] * 5
    assert section_4_1_sizes.tight_sizes(rows(*some)).printed is Status.INCONCLUSIVE
    few = [[[64, 0]] * 10, [[8, 0]] * 10, [[16, 0]] * 10, [[64, 0]] * 10]
    assert rank_laws.full_but_for_closed_inputs(rows(*few)).printed is Status.INCONCLUSIVE
    never = [[[0, 0]] * 1000] * 4
    assert rank_laws.full_but_for_closed_inputs(rows(*never)).printed is Status.REFUTED


@pytest.mark.parametrize(("gap", "status"), [
    (lambda w, _: np.sum(w**2, axis=1), "CONFIRMED"),
    (lambda w, noise: noise, "REFUTED"),
    (lambda w, _: np.sqrt(np.sum(w**2, axis=1)), "REFUTED"),
])  # fmt: skip
def test_a_line_in_the_squared_norm_is_told_from_one_in_the_norm_and_from_none(monkeypatch, gap, status):
    def played(seed, index, levels):
        rng = np.random.default_rng([seed, index])
        w = levels[:, None] * (1 + 0.05 * rng.normal(size=(len(levels), 1))) * np.ones(3)
        return w, gap(w, rng.normal(size=len(levels)))

    monkeypatch.setattr(figure_4, "exact_solutions", played)
    assert figure_4.gap_against_norm(SimpleNamespace(seed=1)).printed is Status(status)
