"""Figures 3 to 7, trained again: how often multiplication is learnt, by the setting that changes."""

from collections.abc import Iterable
from functools import partial

import numpy as np

from figures import style
from figures.contract import Panels, Run
from figures.neural_arithmetic_units.rates import Line, Panel, drawn, one_legend, rates
from paper_checks.papers.neural_arithmetic_units import measured, printed_figures, sweeps

CAPTION = """\
How often NMU, NAC multiplication and NALU learn to multiply two sums of inputs: the left panels of the paper's
Figures 3 to 7, trained again in the settings of Table 1. Filled marks are ours, open ones are read off the published
pictures, with Wilson's 95 % intervals. The NMU succeeds in nearly all settings, often more often than published.
"""
DETAILS = """\
Each panel changes one setting of Table 1: (a) the number of inputs, (b) the fraction of a subset that lies in both, or
(c) the fraction of inputs in a subset. Panel (d) changes the number of hidden units, (e) the range of training inputs.

There are 10 runs of 5,000,000 iterations for each setting, as in the paper. A panel names runs that are missing.
"""
ALT = """\
Five panels of success rates with intervals, ours filled and published open. NMU (blue) is near 1 in nearly all
settings, often above its published rate; NALU (orange) is near 0, and NAC multiplication (green) lies between.
"""
RECIPE = Run()
MODELS = ("nmu", "nalu", "nac_mul")
PLACES = "aa;bc;de"


def _panel(figure: int, title: str, axis: str, ticks: Iterable[str]) -> Panel:
    lines = []
    for look, model in enumerate(MODELS):
        settings = [sweeps.simple(model, **change) for change in sweeps.CHANGES[figure]]
        trained = (*(kept[model] for kept in sweeps.FIGURES[figure]), sweeps.TABLE_5[model])
        lines.append(Line(measured.CHOICES[model], settings, trained, printed_figures.COUNTS[figure][model], look))
    return Panel(f"figure{figure}", f"Figure {figure}", f"{axis}; {title}", tuple(ticks), lines)


PANELS = (
    _panel(3, "25 % of them in a subset", "number of inputs", map(str, sweeps.INPUTS)),
    _panel(4, "100 inputs", "overlap of both subsets", (f"{o:g}" for o in sweeps.OVERLAPS)),
    _panel(5, "100 inputs", "fraction in a subset", (f"{s:g}" for s in sweeps.SUBSETS)),
    _panel(6, "100 inputs", "hidden units", map(str, sweeps.HIDDEN)),
    _panel(7, "100 inputs", "range in training", (f"[{low:g}, {high:g}]" for low, high, *_ in sweeps.RANGES)),
)
PARAMETERS = {"stored by": [f"paper-checks train nau/figure{n}.MODEL" for n in range(3, 8)]}


def data(_: Run) -> dict[str, np.ndarray]:
    """Rates, ours and published.

    Returns
    -------
    dict of str to array
        For each figure n: ``ours_figure<n>``, ``printed_figure<n>`` (3, settings, 3), rate and interval by model and
        setting, nan where there is none.
    """
    return {name: array for panel in PANELS for name, array in rates(panel).items()}


draw_panel = Panels(
    *(partial(drawn, letter=letter, panel=panel) for letter, panel in zip("abcde", PANELS, strict=True))
)
draw = style.in_mosaic(draw_panel, 13.0, PLACES, one_legend)
