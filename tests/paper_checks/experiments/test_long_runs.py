"""What is said of trained networks: by counts and pairs, with the mistakes that would have been noticed.

Claims on runs that few train are tried on rows that are made up.
"""

from types import SimpleNamespace

import numpy as np
import pytest

from montecarlo import Sweep
from montecarlo.streams.philox import stream
from paper_checks.papers.neural_arithmetic_units import sweeps
from paper_checks.papers.neural_arithmetic_units.appendix_c import ablation, reach, regularisation, trained_again
from paper_checks.papers.neural_arithmetic_units.comparisons import pooled
from paper_checks.papers.neural_arithmetic_units.printed_figures import COUNTS, DEFAULT
from paper_checks.papers.neural_arithmetic_units.printed_tables import SENTENCE, TABLE_5 as PRINTED
from paper_checks.papers.neural_arithmetic_units.section_3 import figure_6, narrow, stress
from paper_checks.papers.neural_arithmetic_units.sweeps import FIGURE_3, OTHERS_TAKE, SECONDS, TABLE_3, TABLE_5, TABLE_6
from paper_checks.papers.neural_arithmetic_units.trained import Runs, earlier, more_successes, runs_of, share_of
from paper_checks.rules.means import Status
from paper_checks.rules.strata import Stratum


def made_up(successes, when=1e6, sparsity=1e-3):
    """A context with rows for every sweep: at each point so many successes, by (sweep, index)."""

    def rows(sweep):
        found = []
        for index, point in enumerate(sweep.points):
            n, k = sweep.runs_at(index), successes(sweep, index)
            solved = np.arange(n) < k
            at = when(sweep, index) if callable(when) else when
            columns = {
                "best_at": np.full(n, 4.9e6),
                "validation_error": np.full(n, 1.0),
                "test_error": np.where(solved, 0.1, 10.0) * point["threshold"],
                "sparsity_error": (sparsity(point["model"]) if callable(sparsity) else sparsity) * (1 + np.arange(n)),
                "solved_at": np.where(solved, at + 1000.0 * np.arange(n), -1),
            }
            found.append(np.array([columns[name] for name in sweep.columns]).T)
        return found

    return SimpleNamespace(rows=rows, tier="quick", seed=1)


def row_of_table_5(sweep, index):
    point = sweep.points[index]
    name = sweeps.NAMES[point["model"]]
    return PRINTED[sweeps.SIGNS[point["operation"]], name].successes


def test_another_criterion_counts_other_runs():
    """Those that are made up err by a tenth of the threshold: a hundredth of it is none of them below."""
    found = trained_again.all_rows(made_up(row_of_table_5), share=1 / 100)
    assert found.printed is Status.REFUTED
    assert "0 of 210, published 88 of 210, in 21 settings" in found.says


def printed(sweep, index):
    """The count that a figure has at a point."""
    figure = int(sweep.name.removeprefix("nau/figure")[0])
    model = sweep.points[index]["model"]
    counts = [k for i, k in enumerate(COUNTS[figure][model]) if i != DEFAULT[figure]]
    return counts[index + (len(FIGURE_3["nmu"].points) if ".large" in sweep.name else 0)]


@pytest.mark.parametrize("successes", [0, 1, 7])
def test_a_row_has_the_cells_that_our_runs_allow(successes):
    context = made_up(lambda *_: successes)
    row = ["successes", "solved at, median", "solved at, mean", "solved at, half width"]
    row += ["sparsity error, mean", "sparsity error, half width"]
    allowed = [name for name in row if successes > 1 or "half" not in name] if successes else row[:1]
    cells = trained_again.row(context, "multiplication", "nmu")
    assert [cell.name for cell in cells] == allowed
    assert cells[0].ours == (successes, 20)
    assert [cell.name for cell in trained_again.row(context, "subtraction", "relu6")] == row[:1]


def test_a_figure_has_a_cell_for_each_number_of_its_panels():
    cells = list(stress.panels(made_up(lambda *_: 10), 7, "nmu"))
    names = ("successes", "solved at", "sparsity error")
    assert [cell.name for cell in cells[:3]] == [f"U[-2, 2], {name}" for name in names]
    assert len(cells) == 6 + 4 + 4
    when = cells[1].published
    assert when.between == (208_100.0, 218_100.0)
    assert when.error == pytest.approx(213_100 / 2.4469, rel=1e-4)  # no interval is drawn: it reaches below 0


@pytest.mark.parametrize(
    ("successes", "status", "killed"), [(0, "CONFIRMED", 1), (1, "REFUTED", 1), (10, "REFUTED", 1)]
)
def test_one_success_is_too_many_where_none_can_succeed(successes, status, killed):
    context = made_up(lambda sweep, i: 9 if sweep.points[i]["operation"] == "multiplication" else successes)
    found = reach.none_succeeds(context, "addition", "nmu")
    assert found.printed is Status(status)
    assert found.killed == killed


def test_each_variant_has_its_own_runs():
    context = made_up(lambda sweep, index: index)
    found = [ablation.variant(context, name).successes for name in ablation.VARIANTS]
    assert found == list(range(len(TABLE_6.points)))


def later_by_constants(sweep, index):
    high = sweep.points[index]["bias"] >= 1
    return 1e6 * (1 + high if sweep.points[index]["operation"] == "subtraction" else 2 - high)


def sparse(own, others):
    return {"sparsity": lambda model: own if model == "nau" else others}


@pytest.mark.parametrize(("experiment", "successes", "more", "status"), [
    (trained_again.all_rows, row_of_table_5, {}, "CONFIRMED"),
    (trained_again.all_rows, lambda *at: 10 - row_of_table_5(*at), {}, "REFUTED"),
    (stress.printed_less_often, printed, {}, "CONFIRMED"), (stress.printed_less_often, 0, {}, "REFUTED"),
    (ablation.all_rows, 10, {}, "CONFIRMED"), (ablation.all_rows, 0, {}, "REFUTED"),
    (figure_6.wide_networks_succeed, 10, {}, "CONFIRMED"), (figure_6.wide_networks_succeed, 3, {}, "INCONCLUSIVE"),
    (narrow.unregularised_networks_succeed, 20, {}, "CONFIRMED"),
    (narrow.unregularised_networks_succeed, 10, {}, "INCONCLUSIVE"),
    (narrow.unregularised_networks_succeed, 0, {}, "INCONCLUSIVE"),
    (trained_again.seldom_discrete, 10, sparse(1e-3, 0.45), "CONFIRMED"),
    (trained_again.seldom_discrete, 10, {"sparsity": 0.001}, "INCONCLUSIVE"),
    (trained_again.sparser, 10, sparse(1e-4, 1e-2), "CONFIRMED"),
    (trained_again.sparser, 10, sparse(1e-2, 1e-4), "REFUTED"),
    (trained_again.sparser, 10, sparse(1e-3, 1e-3), "INCONCLUSIVE"),
    (regularisation.both_effects, 1000, {"when": later_by_constants}, "CONFIRMED"),
    (regularisation.both_effects, 1000, {}, "INCONCLUSIVE"),
])  # fmt: skip
def test_networks_are_judged_by_what_was_said_before(experiment, successes, more, status):
    found = experiment(made_up(successes if callable(successes) else lambda *_: successes, **more))
    assert found.printed is Status(status)
    assert found.killed == found.total == 1 or found.printed is not Status.CONFIRMED


@pytest.mark.parametrize("others", [stress.OTHERS, stress.NO_GATE], ids=["both", "NAC mul"])
@pytest.mark.parametrize("figure", stress.FIGURES)
def test_order_of_models_over_a_figure(figure, others):
    ahead = made_up(lambda sweep, _: 10 if sweep.name.endswith("nmu") else 0)
    behind = made_up(lambda sweep, _: 0 if sweep.name.endswith("nmu") else 10)
    level = made_up(lambda *_: 5)
    for context, status in ((ahead, Status.CONFIRMED), (behind, Status.REFUTED), (level, Status.INCONCLUSIVE)):
        found = stress.succeeds_more_often(context, stress.FIGURES[figure], others, SENTENCE)
        assert found.printed is status
        assert found.killed == (status is Status.CONFIRMED)


@pytest.mark.parametrize("figure", COUNTS)
def test_counts_of_a_figure_found_again_are_reproduced(figure):
    parts = stress.FIGURES[figure]
    found = stress.as_printed(made_up(printed), figure, parts)
    assert found.printed is Status.CONFIRMED
    assert found.killed == found.total == 1
    assert stress.as_printed(made_up(lambda *a: 10 - printed(*a)), figure, parts).printed is Status.REFUTED


def test_other_runs_predict_other_numbers_of_figure_6():
    found = figure_6.numbers_are_predicted(made_up(lambda *_: 10))
    assert found.printed is Status.REFUTED
    assert "NMU, 2 units: 10 [6, 10] of 10, solved at median 1" in found.says


def test_pooled_counts_are_reproduced_where_failures_would_not_be():
    assert pooled([Stratum(10, 10, 10, 10)] * 4).printed is Status.CONFIRMED
    assert pooled([Stratum(10, 10, 10, 10)] * 4).killed == 1
    assert pooled([Stratum(0, 10, 10, 10)] * 4).printed is Status.REFUTED
    assert pooled([Stratum(5, 10, 5, 10)] * 4).printed is Status.INCONCLUSIVE


def test_gated_networks_and_more_inputs_take_longer():
    nmu, nalu = (TABLE_5[model].seconds_at(0) for model in ("nmu", "nalu"))
    assert (nmu, nalu) == (OTHERS_TAKE, SECONDS["nalu"])
    assert [FIGURE_3["nmu"].seconds_at(i) for i in range(2)] == pytest.approx([0.04 * nmu, 0.1 * nmu])


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
