"""Pictures of success rates show runs that are there, and name those that are not."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from figures import FIGURES, Run, style
from figures.neural_arithmetic_units import figures_3_7, figures_10_12, rates, tables_5_6
from paper_checks.papers.neural_arithmetic_units import sweeps
from paper_checks.papers.neural_arithmetic_units.printed_figures import COUNTS, SOLVED_AT, SPARSITY
from paper_checks.papers.neural_arithmetic_units.trained import Runs

PANELS = (*tables_5_6.PANELS, *figures_3_7.PANELS)


def seven_of_ten(sweep, point):
    """Runs of one sweep only."""
    if sweep.name != "nau/table5.nmu":
        return None
    ok = np.arange(10) < 7
    columns = {"test_error": np.where(ok, 0.0, 9.0), "solved_at": np.where(ok, 2e3, -1.0), "sparsity_error": 0.5 * ok}
    return Runs(columns, 1.0)


@pytest.fixture
def partly(monkeypatch):
    """Runs of NMU at the settings of Table 1, and no others."""
    monkeypatch.setattr(rates, "found", seven_of_ten)


@pytest.mark.parametrize("panel", PANELS, ids=lambda panel: panel.name)
def test_every_setting_is_declared_and_printed_counts_go_with_them(panel):
    for line in panel.lines:
        assert len(line.settings) == len(line.printed) == len(panel.ticks)
        assert all(rates.among(setting, *line.sweeps) for setting in line.settings if setting)


def test_rates_are_those_of_the_runs_with_the_interval_of_wilson(partly):
    arrays = figures_3_7.data(Run())
    for panel, index in zip(figures_3_7.PANELS, (5, 3, 2, 0, 3), strict=True):
        assert arrays[f"ours_{panel.name}"][0, index] == pytest.approx([0.7, 0.3968, 0.8922], abs=1e-4)
        assert np.isfinite(arrays[f"ours_{panel.name}"]).all(axis=2).sum() == 1
    assert arrays["printed_figure6"][0, :, 0] == pytest.approx([1, 1, 0.6])
    assert arrays["printed_figure3"][0, 0, 0] == 1


def test_a_panel_names_what_is_not_trained(partly):
    panel = figures_3_7.PANELS[3]
    names = rates.missing(panel, figures_3_7.data(Run())["ours_figure6"])
    assert names == ["nau/figure6.nmu", "nau/table5.nalu", "nau/figure6.nalu", "nau/table5.nac_mul",
                     "nau/figure6.nac_mul"]  # fmt: skip
    with style.applied():
        axes = Figure().subplots()
        figures_3_7.draw_panel(figures_3_7.data(Run()), "d", ax=axes)
    assert "paper-checks train nau/figure6.nmu" in " ".join(axes.texts[-1].get_text().split())


def test_runs_by_constant_are_infinite_where_they_fail_and_nan_where_there_are_none(partly):
    solved = figures_10_12.data(Run())["solved_figure12"]
    usual = sweeps.CONSTANTS.index(sweeps.PLAN["bias"])
    assert np.isinf(solved[usual]).sum() == 3
    assert (solved[usual][:7] == 2e3).all()
    assert np.isnan(np.delete(solved, usual, axis=0)).all()
    assert figures_10_12.draw(figures_10_12.data(Run())).axes


def test_what_is_read_off_is_there_where_seeds_succeed_and_nowhere_else():
    for figure, models in COUNTS.items():
        for model, counts in models.items():
            for measure in (SOLVED_AT, SPARSITY):
                assert [mean is not None for mean in measure[figure][model]] == [count > 0 for count in counts]


@pytest.mark.parametrize(("name", "measure", "value"), [
    ("figures_3_7_solved", "solved_at", 2e3), ("figures_3_7_sparsity", "sparsity_error", 0.5),
])  # fmt: skip
def test_of_runs_that_succeed_it_is_shown_when_they_do_and_how_sparse_they_are(partly, name, measure, value):
    arrays = FIGURES[name].data(Run())
    for panel, index in zip(figures_3_7.PANELS, (5, 3, 2, 0, 3), strict=True):
        runs = arrays[f"{measure}_{panel.name}"]
        assert sorted(runs[0, index]) == [value] * 7 + [np.inf] * 3
        assert np.isfinite(runs).sum() == 7
    without = np.isnan(arrays[f"printed_{measure}_figure6"]).all(axis=2)
    assert without.tolist() == [[False] * 3, [True] * 3, [False] * 3]
    drawn = FIGURES[name].draw(arrays)
    assert "paper-checks train nau/figure6.nmu" in " ".join(drawn.axes[3].texts[-1].get_text().split())
    texts = [text.get_text() for text in drawn.legends[0].get_texts()]
    assert "NMU, our runs that succeed" in texts
    assert "median of our runs" in texts


def test_published_means_are_those_of_the_pictures(partly):
    arrays = FIGURES["figures_3_7_solved"].data(Run())
    assert arrays["printed_solved_at_figure4"][0, 0] == pytest.approx([0.9954e6, 0.8154e6, 1.176e6])
