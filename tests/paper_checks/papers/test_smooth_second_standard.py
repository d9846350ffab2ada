"""Network smoothness: comparisons with printed numbers, and those among our runs at 1 %, are as many as is declared."""

import pytest

from montecarlo.engine.linear_algebra import one_thread
from paper_checks import Cells, Context, Replicates
from paper_checks.claims.catalogue import load
from paper_checks.evidence import experiment
from paper_checks.evidence.setting import Setting
from paper_checks.papers.network_smoothness.appendix_a import figure_7_second_layers
from paper_checks.papers.network_smoothness.section_3_5 import images
from paper_checks.papers.network_smoothness.table_1.printed import COMPARED
from paper_checks.papers.network_smoothness.within_paper import AT_LEVEL, LEVEL, RULE, TESTS

CLAIMS = list(load(["smooth/*"]))
# They say so, as they must.
AT_ONE_PERCENT = [claim for claim in CLAIMS if RULE in claim.assumptions]
# Average curves: one test for each claim, that all steps fall.
OF_AVERAGES = [claim for claim in CLAIMS if AT_LEVEL in claim.assumptions and claim not in AT_ONE_PERCENT]


def context(claim):
    return Context(claim, Setting("quick", 1))


def test_all_printed_numbers_of_table_1_are_compared_once():
    compared = [claim for claim in CLAIMS if isinstance(claim.relation, Replicates)]
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
    for claim in CLAIMS:
        if claim.id.startswith(others) and claim not in AT_ONE_PERCENT and claim.experiment is not None:
            claim.experiment(context(claim))
    # None is at this level without saying so.
    assert len(at_level) == counted
    assert counted + len(OF_AVERAGES) <= TESTS
