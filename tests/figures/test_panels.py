"""Panels: each draws into the Axes that it is given, and nowhere else."""

from dataclasses import replace

import matplotlib
import numpy as np
import pytest
from matplotlib import pyplot
from matplotlib.figure import Figure

from figures import FIGURES, Panels
from figures.network_smoothness import limits
from figures.network_smoothness.maps import SIZE
from paper_checks.papers.neural_arithmetic_units.sweeps import CURVES

# What takes long and is not needed to draw: fewer steps, runs, places and units.
SMALLER = {
    "edge_of_chaos_map": {"fixed_points": lambda *_: []},
    "galu_rank": {"LOSS_FILTERS": (2, 4)},
    "learning_curves": {"CURVES": replace(CURVES, points=[{**p, "runs": 3} for p in CURVES.points])},
    "smooth_figure_2": {"_trained": lambda: np.zeros(SIZE**2), "fitted": lambda x, *_: (1.0, np.ones(len(x)))},
    "smooth_processes": {"likelihood_of_length": lambda *_: 0.0, "fitted": lambda x, *_: (1.0, np.ones(len(x)))},
    "smooth_tanh_surfaces": {"STEPS": 10},
    "smooth_variants": {"_on_normal": lambda: np.ones(SIZE**2), "_symmetric": lambda _: np.ones(SIZE**2)},
    "smooth_without_normalisation": {"STEPS": 10},
}
SAMPLES = 512


@pytest.mark.slow
@pytest.mark.parametrize("name", FIGURES)
def test_a_panel_is_drawn_into_the_axes_that_are_given_and_nowhere_else(name, monkeypatch):
    figure = FIGURES[name]
    monkeypatch.setattr(limits, "UNITS", 200)
    for constant, value in SMALLER.get(name, {}).items():
        monkeypatch.setattr(figure, constant, value)
    fewer = min(SAMPLES, figure.RECIPE.samples or SAMPLES)
    arrays = figure.data(figure.RECIPE.changed({"samples": fewer}))
    titles = {axes.get_title(loc="left")[:3] for axes in figure.draw(arrays).axes} - {""}
    assert titles == {f"({letter})" for letter in figure.draw_panel}
    for letter in figure.draw_panel:
        drawn = Figure()
        other, given = drawn.subplots(1, 2)
        assert figure.draw_panel(arrays, letter, ax=given) is given
        assert given.get_title(loc="left").startswith(f"({letter})")
        assert given.get_xlabel() or given.get_ylabel()
        assert not other.has_data()
        assert not other.texts
        assert not drawn.texts
        assert not drawn.legends
        # A colour bar takes its room from the Axes it belongs to.
        assert all(axes in (other, given) or hasattr(axes, "_colorbar") for axes in drawn.axes)
    assert pyplot.get_fignums() == []


@pytest.fixture
def pyplot_figure(monkeypatch):
    matplotlib.use("agg")
    yield pyplot.figure()
    pyplot.close("all")


def test_a_panel_without_axes_is_drawn_into_the_current_ones(pyplot_figure):
    panels = Panels(lambda ax, arrays: ax.plot(arrays["x"]), lambda ax, arrays: ax.set_xlabel("second"))
    axes = panels({"x": np.arange(3)})
    assert axes is pyplot.gca()
    assert axes.figure is pyplot_figure
    assert len(axes.lines) == 1
    assert panels({}, "b").get_xlabel() == "second"
    assert list(panels) == ["a", "b"]
    with pytest.raises(ValueError, match="draw_panel: letter must be one of a, b, got 'c'; choose one"):
        panels({}, "c")
