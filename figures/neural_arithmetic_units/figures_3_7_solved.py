"""Figures 3 to 7, trained again: when multiplication is learnt."""

import numpy as np

from figures.contract import Run
from figures.neural_arithmetic_units.solved_runs import arrays_of, drawing, panels
from paper_checks.papers.neural_arithmetic_units.printed_figures import SOLVED_AT

CAPTION = """\
The iteration at which a run has learnt to multiply two sums of inputs: the middle panels of the paper's Figures 3
to 7, trained again. Small filled marks are our successful runs, black lines their medians. Open marks with bars are
published means and intervals. A column without marks has no successful run.
"""
DETAILS = """\
Each panel changes one setting of the task: (a) the number of inputs, (b) the overlap of both subsets, (c) the size of a
subset, (d) the number of hidden units, (e) the range of the inputs in training.

Published means and intervals are read off the pictures, in which some intervals are not drawn. The figure figures_3_7
shows how many runs succeed.
"""
ALT = """\
Five panels with logarithmic axes of the iteration at which runs are solved. Small marks of our runs and large open
marks of published means rise from about 1e4 to 4e6 with the number of inputs. For the smallest problems published means
lie far above our runs.
"""
PARAMETERS = {"stored by": [f"paper-checks train nau/figure{n}.MODEL" for n in range(3, 8)]}
RECIPE = Run()


def data(_: Run) -> dict[str, np.ndarray]:
    """When runs succeed, ours and published.

    Returns
    -------
    dict of str to array
        ``solved_at_figure<n>`` and ``printed_solved_at_figure<n>``; see
        :func:`figures.neural_arithmetic_units.solved_runs.arrays_of`.
    """
    return arrays_of("solved_at", SOLVED_AT)


draw_panel = panels("solved_at", "solved at, iterations", 3e3, 1.2e7)
draw = drawing(draw_panel)
