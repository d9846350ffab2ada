"""Claims on runs that few train: their experiments are tried on rows that are made up."""

from types import SimpleNamespace

import numpy as np
import pytest

from paper_checks.papers.neural_arithmetic_units.appendix_c import ablation as appendix_c_ablation
from paper_checks.papers.neural_arithmetic_units.appendix_c import reach as appendix_c_reach
from paper_checks.papers.neural_arithmetic_units.appendix_c import regularisation as appendix_c_regularisation
from paper_checks.papers.neural_arithmetic_units.appendix_c import trained_again as appendix_c_trained
from paper_checks.papers.neural_arithmetic_units.long_runs import together
from paper_checks.papers.neural_arithmetic_units.printed_figures import COUNTS, DEFAULT
from paper_checks.papers.neural_arithmetic_units.printed_tables import TABLE_5 as PRINTED
from paper_checks.papers.neural_arithmetic_units.section_3 import narrow as section_3_narrow
from paper_checks.papers.neural_arithmetic_units.section_3 import stress as section_3_stress
from paper_checks.papers.neural_arithmetic_units.sweeps import (
    FIGURE_3,
    OTHERS_TAKE,
    SECONDS,
    TABLE_5,
    TABLE_6,
)
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
    name = appendix_c_trained.NAMES[point["model"]]
    return PRINTED[appendix_c_trained.SIGNS[point["operation"]], name].successes


def test_printed_counts_found_again_contradict_nothing_and_their_opposite_would():
    found = appendix_c_trained.all_rows(made_up(row_of_table_5))
    assert found.printed is Status.INCONCLUSIVE
    assert found.killed == found.total == 1
    assert appendix_c_trained.all_rows(made_up(lambda s, i: 10 - row_of_table_5(s, i))).printed is Status.REFUTED


def test_another_criterion_counts_other_runs():
    """Those that are made up err by a tenth of the threshold: a hundredth of it is none of them below."""
    found = appendix_c_trained.by_another_criterion(made_up(row_of_table_5))
    assert found.printed is Status.REFUTED
    assert "with 1e-5 0 of 210, printed 88 of 210, in 21 settings" in found.says
    assert found.says.endswith("with 1e-4 p = 1")


def test_all_figures_together_tell_a_difference_of_one_direction():
    def printed(sweep, index):
        figure = int(sweep.name.removeprefix("nau/figure")[0])
        model = sweep.points[index]["model"]
        counts = [k for i, k in enumerate(COUNTS[figure][model]) if i != DEFAULT[figure]]
        return counts[index + (len(FIGURE_3["nmu"].points) if ".large" in sweep.name else 0)]

    found = section_3_stress.printed_less_often(made_up(printed))
    assert (found.printed, found.killed, found.total) == (Status.INCONCLUSIVE, 1, 1)
    assert "174 against 174 of 220" in found.says
    assert section_3_stress.printed_less_often(made_up(lambda *_: 0)).printed is Status.REFUTED


@pytest.mark.parametrize("successes", [0, 7, 10])
def test_a_row_tells_its_numbers_and_no_more(successes):
    context = made_up(lambda *_: successes)
    for operation, model in (("multiplication", "nmu"), ("addition", "relu"), ("subtraction", "relu6")):
        found = appendix_c_trained.row(context, operation, model)
        assert found.printed is Status.INCONCLUSIVE
        assert f"{successes}/10" in found.says
    assert appendix_c_ablation.row(context, "NMU (z = W x)").printed is Status.INCONCLUSIVE


@pytest.mark.parametrize(
    ("successes", "status", "killed"), [(0, "CONFIRMED", 1), (1, "REFUTED", 1), (10, "REFUTED", 1)]
)
def test_one_success_is_too_many_where_none_can_succeed(successes, status, killed):
    context = made_up(lambda sweep, i: 9 if sweep.points[i]["operation"] == "multiplication" else successes)
    found = appendix_c_reach.none_succeeds(context, "addition", "nmu")
    assert found.printed is Status(status)
    assert found.killed == killed


def test_each_variant_has_its_own_runs():
    context = made_up(lambda sweep, index: index)
    found = [appendix_c_ablation.variant(context, name).successes for name in appendix_c_ablation.VARIANTS]
    assert found == list(range(len(TABLE_6.points)))
    assert appendix_c_ablation.all_rows(made_up(lambda *_: 10)).printed is Status.INCONCLUSIVE
    assert appendix_c_ablation.all_rows(made_up(lambda *_: 0)).printed is Status.REFUTED


def test_discrete_weights_are_told_from_others_by_twenty_runs():
    far = appendix_c_trained.seldom_discrete(made_up(lambda *_: 10, sparsity=0.45))
    near = appendix_c_trained.seldom_discrete(made_up(lambda *_: 10, sparsity=0.001))
    assert far.printed is Status.CONFIRMED
    assert near.printed is not Status.CONFIRMED


@pytest.mark.parametrize(
    ("own", "others", "status"), [(1e-4, 1e-2, "CONFIRMED"), (1e-2, 1e-4, "REFUTED"), (1e-3, 1e-3, "INCONCLUSIVE")]
)
def test_sparser_weights_are_told_over_both_operations(own, others, status):
    context = made_up(lambda *_: 10, sparsity=lambda model: own if model == "nau" else others)
    assert appendix_c_trained.sparser(context).printed is Status(status)


@pytest.mark.parametrize("others", [section_3_stress.OTHERS, section_3_stress.NO_GATE], ids=["both", "NAC mul"])
@pytest.mark.parametrize("figure", section_3_stress.FIGURES)
def test_order_of_models_over_a_figure(figure, others):
    """Two settings of ten runs are too few, more tell it where nearly all runs do."""
    always, never = 10, 0
    ahead = made_up(lambda sweep, _: always if sweep.name.endswith("nmu") else never)
    behind = made_up(lambda sweep, _: never if sweep.name.endswith("nmu") else always)
    parts = section_3_stress.FIGURES[figure]
    tells = len(section_3_stress.settings(ahead, parts, "nmu")) > 2
    found = section_3_stress.succeeds_more_often(ahead, parts, others)
    assert found.printed is (Status.CONFIRMED if tells else Status.INCONCLUSIVE)
    assert found.killed == tells
    found = section_3_stress.succeeds_more_often(behind, parts, others)
    assert found.printed is (Status.REFUTED if tells else Status.INCONCLUSIVE)


def test_counts_of_a_figure_found_again_contradict_nothing():
    printed = [k for index, k in enumerate(COUNTS[3]["nmu"]) if index != DEFAULT[3]]
    few = len(FIGURE_3["nmu"].points)
    again = made_up(lambda sweep, index: printed[index + few * ("large" in sweep.name)])
    found = section_3_stress.as_printed(again, 3, ("nmu",), section_3_stress.FIGURES[3])
    assert found.printed is Status.INCONCLUSIVE
    assert found.killed == found.total == 1
    assert len(section_3_stress.settings(again, section_3_stress.FIGURES[3], "nmu")) == len(printed)


def test_wide_networks_are_judged_by_what_was_said_before():
    assert section_3_stress.wide_networks_succeed(made_up(lambda *_: 10)).printed is Status.CONFIRMED
    assert section_3_stress.wide_networks_succeed(made_up(lambda *_: 3)).printed is Status.INCONCLUSIVE


def test_networks_on_a_narrow_range_are_judged_by_what_was_said_before():
    def found(solved):
        return section_3_narrow.unregularised_networks_succeed(made_up(lambda *_: solved))

    assert found(20).printed is Status.CONFIRMED
    assert found(20).killed == found(20).total == 1
    assert found(10).printed is found(0).printed is Status.INCONCLUSIVE


def test_effects_of_constants_need_both_directions():
    def when(sweep, index):
        high = sweep.points[index].get("bias", 0.1) >= 1
        return 1e6 * (1 + high if sweep.points[index]["operation"] == "subtraction" else 2 - high)

    def always(*_):
        return 10

    assert appendix_c_regularisation.constants_matter(made_up(always, when)).printed is Status.CONFIRMED
    assert appendix_c_regularisation.constants_matter(made_up(always)).printed is Status.INCONCLUSIVE


def test_all_counts_together_are_told_from_their_opposite():
    assert together([Stratum(10, 10, 10, 10)] * 4).printed is Status.INCONCLUSIVE
    assert together([Stratum(10, 10, 10, 10)] * 4).killed == 1
    assert together([Stratum(0, 10, 10, 10)] * 4).printed is Status.REFUTED


def test_gated_networks_and_more_inputs_take_longer():
    nmu, nalu = (TABLE_5[model].seconds_at(0) for model in ("nmu", "nalu"))
    assert (nmu, nalu) == (OTHERS_TAKE, SECONDS["nalu"])
    assert [FIGURE_3["nmu"].seconds_at(i) for i in range(2)] == pytest.approx([0.04 * nmu, 0.1 * nmu])
