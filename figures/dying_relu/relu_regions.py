"""Which starts of a single ReLU reach the optimum, by target scale, without momentum."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib.figure import Figure

from figures import style
from figures.contract import Run
from figures.dying_relu import relu_maps

__all__ = ["CAPTION", "NAME", "PARAMETERS", "RECIPE", "SECONDS", "SETTINGS", "data", "draw"]

NAME = "relu_regions"
CAPTION = """\
The fate of each start (w_L, b) under gradient descent on the expected loss for a shrinking target, after the paper's
Figure 4, whose numbers are lost in our copy; the step size is 0.1. Percentages are of starts that reach the optimum, a
white dot. Top: the linear target of the paper's analysis. Middle: the target max(0, Lambda.x), which it stands for.
The orange line is the separatrix of the gradient flow, found from a differential equation and not from runs. The dead
region on the left stays, and one on the right is added: units that are in the dead cone after 20 000 steps, though the
exact gradient would lead them back in a time exponential in (b/w_L)^2. What is undecided creeps along the attracting
line outside of the dead cone, or is still on its way there. Bottom: along the field without the sign of the bias
gradient. Here the dead region does switch sides, and most starts converge, as the paper reports. No path is called
converged because its updates are small; see montecarlo/descent/fates.py for the rule; the rule of
small updates, which the paper plays, is judged beside it by the claims fig4.region and beyond.joint-settings.
"""

SCALES = (1.0, 0.1, 0.03, 0.01)
TARGETS = {"linear": "linear target", "relu": "ReLU target", "without-sign": "without the sign"}
PARAMETERS = {**relu_maps.PARAMETERS, "gamma": list(SCALES)}
SETTINGS = relu_maps.SETTINGS
RECIPE = Run()
SECONDS = 5


def data(
    run: Run, *, gammas: tuple[float, ...] = SCALES, step_size: float = relu_maps.STEP_SIZE
) -> dict[str, np.ndarray]:
    """Outcomes on grids of starts, and separatrices.

    Returns
    -------
    dict of str to array
        See :func:`figures.dying_relu.relu_maps.maps`; rows by target, columns by the target scales ``gammas``.
    """
    rows = [[{"gamma": g, "beta": 0.0, "convention": "ema", "target": t} for g in gammas] for t in TARGETS]
    return {**relu_maps.maps(rows, run, step_size), "gammas": np.array(gammas)}


@style.applied()
def draw(arrays: Mapping[str, np.ndarray]) -> Figure:
    """Draw three rows of four maps."""
    scales = arrays["gammas"].tolist()
    texts = [[(f"$\\gamma$ = {g:g}", note) for g in scales] for note in TARGETS.values()]
    return relu_maps.drawing(arrays, texts, [scales] * len(TARGETS))
