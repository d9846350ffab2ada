"""Comparisons with published numbers, and those among our runs at 1 %, are as many and as they are declared to be."""

import re
from types import SimpleNamespace

import pytest

from montecarlo.engine.linear_algebra import one_thread
from paper_checks import OPEN, Cells, Context, Published, Replicates, Status
from paper_checks.claims.catalogue import load
from paper_checks.evidence import experiment
from paper_checks.evidence.replication import compared
from paper_checks.evidence.setting import Setting
from paper_checks.experiments.stored import stored_rows
from paper_checks.papers.network_smoothness.appendix_a import figure_7_second_layers
from paper_checks.papers.network_smoothness.section_3_5 import images
from paper_checks.papers.network_smoothness.table_1.printed import COMPARED
from paper_checks.papers.network_smoothness.within_paper import AT_LEVEL, LEVEL, RULE, TESTS
from paper_checks.papers.neural_arithmetic_units import printed_figures as drawn, printed_tables as tables
from paper_checks.papers.neural_arithmetic_units.section_3 import export_figures, figure_6, figures, stress
from paper_checks.rules.replication import FAMILY_WISE, holm, median
from paper_checks.rules.strata import p_value, p_value_of_difference

CLAIMS = [claim for claim in load() if claim.paper == "nau"]
STORED = SimpleNamespace(rows=stored_rows, tier="quick", seed=1)


def cells_of(claim):
    return [cell for e in claim.evidence for cell in (e.cells(STORED) if isinstance(e, Cells) else ())]


def test_as_many_numbers_are_compared_as_the_paper_shares_its_error_rate_among():
    compared = [claim for claim in CLAIMS if isinstance(claim.relation, Replicates)]
    assert {claim.relation.of for claim in compared} == {tables.COMPARISONS}
    assert sum(len(cells_of(claim)) or 1 for claim in compared) == tables.COMPARISONS
    assert all(cells_of(claim) or claim.experiment for claim in compared)


def test_as_many_numbers_could_have_been_contradicted_as_the_claims_say():
    said = re.compile(r"(\d+ of \d+)(?: numbers)? could have been")
    level = FAMILY_WISE / tables.COMPARISONS
    for claim in CLAIMS:
        if isinstance(claim.relation, Replicates) and claim.expects is not OPEN and len(cells := cells_of(claim)) > 1:
            could = sum(compared(cell, level).least <= level for cell in cells)
            (found,) = said.findall(f"{claim.says}; {claim.note}")
            assert found == f"{could} of {len(cells)}", claim.id


def test_as_many_sentences_are_compared_as_share_the_other_one_percent():
    assert sum(tables.SHARED in claim.assumptions for claim in CLAIMS) == tables.COMPARED_SENTENCES


def test_every_printed_number_of_a_trained_row_stands_beside_ours():
    for claim in CLAIMS:
        if claim.id.startswith("nau/table6.") and claim.id != "nau/table6.rates" and claim.id.endswith(".rate"):
            assert len(cells_of(claim)) == 6


def settles(one, other, level):
    """The least number of runs on either side with which two rates differ significantly."""
    return next(n for n in range(10, 99) if p_value(round(one * n), n, round(other * n), n) <= level)


def test_as_many_runs_are_needed_as_the_notes_say():
    assert (settles(0.9, 0.3, tables.SENTENCE), settles(1.0, 0.3, tables.SENTENCE)) == (20, 14)
    assert 0.5**12 <= tables.SENTENCE < 0.5**11  # 13 pairs of which all have one order, two-sided
    level = FAMILY_WISE / tables.COMPARISONS
    assert [p_value(n // 5, n, 10, 10) <= level for n in (20, 25)] == [False, True]
    few = [median(Published("1.0", 10, "median"), [2.0] * m, level).least for m in (72, 73)]
    assert few[0] > level >= few[1]


def test_published_nmus_fail_as_often_as_the_note_says(monkeypatch):
    assert "217 of 240, published 190 of 240" in stress.printed_less_often(STORED).says
    monkeypatch.delitem(drawn.COUNTS, 6)
    found = stress.printed_less_often(STORED)
    assert "198 of 220, published 174 of 220" in found.says
    # The finding of the paper has these counts as failures.
    assert "export 185" in export_figures.counts(STORED).says
    assert found.printed is Status.REFUTED


def test_figures_that_were_read_first_give_the_verdict_of_all_figures():
    for read in (drawn.COUNTS, set(drawn.COUNTS) - {6}):
        assert figures.succeeds_more_often(tuple(read)).printed is Status.CONFIRMED
    alone = figures.succeeds_more_often((6,))
    assert alone.printed is Status.CONFIRMED
    assert "NAC multiplication: 26 against 12 of 30 (p = 0.00044)" in alone.says


def test_the_step_down_level_is_that_of_holm_over_all_compared_sentences():
    p = [max(map(p_value_of_difference, figures.by_setting((f,)).values())) for f in drawn.COUNTS]
    others = [1.0] * (tables.COMPARED_SENTENCES - len(p))
    passed = [q <= figures.step_down((f,)) for f, q in zip(drawn.COUNTS, p, strict=True)]
    assert holm([*p, *others], FAMILY_WISE)[: len(p)] == passed
    assert tables.SENTENCE < p[list(drawn.COUNTS).index(6)] < figures.step_down((6,)) == FAMILY_WISE / 20
    assert not any(holm([1e-3, *p[1:], *others], FAMILY_WISE)[:1])


def test_published_counts_of_figure_6_differ_from_ours_as_the_note_says():
    ours = {model: [runs.successes for runs in stress.all_settings(STORED, 6, model)] for model in drawn.COUNTS[6]}
    apart = [abs(a - b) for model, counts in drawn.COUNTS[6].items() for a, b in zip(counts, ours[model], strict=True)]
    assert max(apart) == 3


def test_figure_6_has_a_mean_of_figure_12_as_the_note_says():
    assert drawn.SOLVED_AT[6]["nmu"][drawn.DEFAULT[6]].value == drawn.REGULARISED[12][2].value


def test_numbers_of_figure_6_are_inside_their_predictions_as_the_claim_says():
    found = list(figure_6.outcomes(figure_6.PREDICTED))
    assert (len(found), round(len(found) * figure_6.PREDICTION)) == (21, 1)
    assert figure_6.predictions_held(None).says == (
        "counts inside: 9 of 9; means inside: 9 of 12. Outside: "
        "NAC multiplication, 2 units, sparsity error: 0.02845, predicted 0.00349 [0, 0.024]; "
        "NAC multiplication, 4 units, solved at: 2.278, predicted 1.69 [1.12, 2.27]; "
        "NMU, 3 units, sparsity error: 0.01044, predicted 0.0258 [0.0132, 0.0384]"
    )


def test_means_are_compared_by_their_printed_intervals():
    nmu, other = tables.TABLE_3["NMU"], tables.TABLE_3["NAC mul"]
    assert tables.welch(nmu.solved, 94, other.solved, 13) < 1e-6
    assert 0.02 < tables.welch(nmu.sparsity, 94, other.sparsity, 13) < 0.05
    assert tables.welch(nmu.solved, 94, nmu.solved, 94) == 1
    assert tables.ordered([(1e-9, True), (1e-9, True)]) is Status.CONFIRMED
    assert tables.ordered([(1e-9, True), (1e-9, False)]) is Status.REFUTED
    assert tables.ordered([(1e-9, True), (0.5, True)]) is Status.INCONCLUSIVE
    assert tables.TABLE_4["x", "NMU"].median < tables.TABLE_4["x", "NAC mul"].median


def test_every_mean_of_a_figure_goes_with_seeds_that_succeed():
    for figure, models in drawn.SPARSITY.items():
        for model, means in models.items():
            for count, mean in zip(drawn.COUNTS[figure][model], means, strict=True):
                assert (mean is None) == (count == 0)
                assert mean is None or isinstance(mean, drawn.Mean)
                # An interval of one run is none.
                assert count != 1 or mean.low is None


SMOOTH = list(load(["smooth/*"]))
# They say so, as they must.
AT_ONE_PERCENT = [claim for claim in SMOOTH if RULE in claim.assumptions]
# Average curves: one test for each claim, that all steps fall.
OF_AVERAGES = [claim for claim in SMOOTH if AT_LEVEL in claim.assumptions and claim not in AT_ONE_PERCENT]


def context(claim):
    return Context(claim, Setting("quick", 1))


def test_all_printed_numbers_of_table_1_are_compared_once():
    compared = [claim for claim in SMOOTH if isinstance(claim.relation, Replicates)]
    cells = [c for claim in compared for e in claim.evidence if isinstance(e, Cells) for c in e.cells(context(claim))]
    assert {claim.relation.of for claim in compared} == {COMPARED}
    assert len(cells) == len({cell.name for cell in cells}) == COMPARED
    # Three columns of eight rows, and the brackets of the networks.
    assert sum(cell.published.what == "mean" for cell in cells) == 24


@pytest.fixture
def at_level(monkeypatch):
    """How many sign tests are made at the level of this paper."""
    made = []

    def counting(test):
        def counted(differences, *args, **kwargs):
            if LEVEL in (*args, *kwargs.values()):
                made.extend(differences if isinstance(differences, dict) else [""])
            return test(differences, *args, **kwargs)

        return counted

    monkeypatch.setattr(experiment, "compare_signs", counting(experiment.compare_signs))
    for module in (images, figure_7_second_layers):
        monkeypatch.setattr(module, "sign_test", counting(module.sign_test))
    return made


@pytest.mark.slow
def test_not_more_tests_are_made_at_one_percent_than_share_it(at_level):
    for claim in AT_ONE_PERCENT:
        before = len(at_level)
        with one_thread():
            claim.experiment(context(claim))
        assert len(at_level) > before, claim.id
    counted = len(at_level)
    others = ("smooth/fig4", "smooth/fig5", "smooth/fig8", "smooth/fig10", "smooth/beyond.free")
    for claim in SMOOTH:
        if claim.id.startswith(others) and claim not in AT_ONE_PERCENT and claim.experiment is not None:
            claim.experiment(context(claim))
    # None is at this level without saying so.
    assert len(at_level) == counted
    assert counted + len(OF_AVERAGES) <= TESTS
