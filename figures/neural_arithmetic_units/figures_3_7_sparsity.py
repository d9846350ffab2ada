"""Figures 3 to 7, trained again: how sparse the weights are where multiplication is learnt."""

import numpy as np

from figures.contract import Run
from figures.neural_arithmetic_units.figures_3_7_solved import arrays_of, drawing, panels
from paper_checks.papers.neural_arithmetic_units.printed_figures import SPARSITY

CAPTION = """\
The sparsity error of successful runs: the right panels of the paper's Figures 3 to 7, trained again. It is the largest
distance of a weight from -1, 0 or 1. Small filled marks are our runs, black lines their medians. Open marks with bars
are published means and intervals.
"""
DETAILS = """\
The task is to multiply two sums of inputs. Each panel changes one setting: (a) the number of inputs, (b) the overlap of
both subsets, (c) the size of a subset, (d) the number of hidden units, (e) the range of the inputs in training.

Published means and intervals are read off the pictures, to about 1e-4. Some intervals are not drawn. Values below 1e-6
are drawn at 1e-6.
"""
ALT = """\
Five panels with logarithmic axes of the sparsity error of solved runs. Our NMU runs rise from below 1e-6 to 0.1 with
the number of inputs; most published means lie near ours or above them, for NAC multiplication often by decades.
"""
PARAMETERS = {"stored by": [f"paper-checks train nau/figure{n}.MODEL" for n in range(3, 8)]}
RECIPE = Run()
LEAST = 1e-6


def data(_: Run) -> dict[str, np.ndarray]:
    """Sparsity errors of runs that succeed, ours and published.

    Returns
    -------
    dict of str to array
        ``sparsity_error_figure<n>`` and ``printed_sparsity_error_figure<n>``; see
        :func:`figures.neural_arithmetic_units.figures_3_7_solved.arrays_of`.
    """
    return arrays_of("sparsity_error", SPARSITY)


draw_panel = panels("sparsity_error", "sparsity error", LEAST, 0.8)
draw = drawing(draw_panel)
