"""Figures 3 to 7, trained again: how often multiplication is learnt, by the setting that changes."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.figure import Figure

from figures import style
from figures.contract import Run
from figures.neural_arithmetic_units.rates import Line, Panel, drawn, rates
from paper_checks.papers.neural_arithmetic_units import sweeps
from paper_checks.papers.neural_arithmetic_units.measured import CHOICES
from paper_checks.papers.neural_arithmetic_units.printed_figures import COUNTS

NAME = "figures_3_7"
CAPTION = """\
The top row of Figures 3 to 7 of the paper, trained again: how often NMU, NAC multiplication and NALU learn to multiply
two sums of inputs. They are drawn by (a) the number of inputs, (b) the fraction of a subset that lies in both, (c) the
fraction of inputs in a subset, (d) the number of hidden units, (e) the range of training inputs. All other
settings are those of Table 1. 10 runs of 5,000,000 iterations for each setting, as in the paper. Filled: ours; open:
read off the published pictures, where they are readable. Bars: 95 % intervals of Wilson. A panel names runs that are
missing.
"""
RECIPE = Run()
MODELS = ("nmu", "nalu", "nac_mul")


def _panel(figure: int, title: str, axis: str, *by_model: Mapping, changes: Mapping[str, dict]) -> Panel:
    printed = COUNTS.get(figure, {})
    lines = []
    for look, model in enumerate(MODELS):
        settings = [sweeps.simple(model, **change) for change in changes.values()]
        counts: Sequence[int | None] = printed.get(model, (None,) * len(settings))
        lines.append(
            Line(CHOICES[model], settings, (*(kept[model] for kept in by_model), sweeps.TABLE_5[model]), counts, look)
        )
    return Panel(f"figure{figure}", f"Figure {figure}", f"{axis}; {title}", tuple(changes), lines)


PANELS = (
    _panel(3, "25 % of them in a subset", "number of inputs", sweeps.FIGURE_3, sweeps.FIGURE_3_LARGE,
           changes={f"{n}": {"inputs": n} for n in sweeps.INPUTS}),
    _panel(4, "100 inputs", "overlap of both subsets", sweeps.FIGURE_4,
           changes={f"{o:g}": {"overlap": o} for o in sweeps.OVERLAPS}),
    _panel(5, "100 inputs", "fraction in a subset", sweeps.FIGURE_5,
           changes={f"{s:g}": {"subset": s} for s in sweeps.SUBSETS}),
    _panel(6, "100 inputs", "hidden units", sweeps.FIGURE_6,
           changes={f"{h}": {"hidden": h} for h in sweeps.HIDDEN}),
    _panel(7, "100 inputs", "range in training", sweeps.FIGURE_7, changes={
        f"[{a:g}, {b:g}]": {"lower": a, "upper": b, "test": test, "two_sided": two}
        for a, b, test, two in sweeps.RANGES
    }),
)  # fmt: skip
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


@style.applied()
def draw(arrays: Mapping[str, np.ndarray]) -> Figure:
    """Draw a panel for each figure."""
    figure = style.new_figure(height=13.0)
    grid = figure.add_gridspec(3, 2)
    places = [grid[0, :], grid[1, 0], grid[1, 1], grid[2, 0], grid[2, 1]]
    for letter, place, panel in zip("abcde", places, PANELS, strict=True):
        drawn(figure.add_subplot(place), letter, panel, arrays)
    figure.legend(*figure.axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    return figure
