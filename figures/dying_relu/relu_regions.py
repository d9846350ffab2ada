"""Which initial values of a single ReLU reach the optimum, by target scale, without momentum."""

import numpy as np

from figures.contract import Run
from figures.dying_relu import relu_maps

CAPTION = """\
What becomes of a single ReLU unit under gradient descent, by its initial weight w_L and bias b, as in the paper's
Figure 4. Columns are target scales gamma, rows are targets. Blue units reach the optimum, black ones are dead. The dead
region on the left stays at every scale; without a sign in the gradient (bottom) it moves.
"""
DETAILS = """\
The step size is 0.1 on the expected loss. Our copy of the paper has lost the numbers of its figure. Percentages are of
initial values that reach the optimum, the white dot.

Top row: the linear target of the paper's analysis. Middle row: the target max(0, Lambda.x) that it stands for. The
orange line is the separatrix of the gradient flow, computed from a differential equation and not from runs.

Another dead region appears on the right (light grey): units that are in the dead cone after 20 000 steps, although the
exact gradient would lead them back in a time exponential in (b/w_L)^2. White: undecided units. They move slowly along
the attracting line outside of the dead cone, or are still on their way to it.

Bottom row: along the field without the sign of the bias gradient. Here the dead region does switch sides, and most
initial values converge, as the paper reports.

No run counts as converged because its updates are small; montecarlo/descent/fates.py states the rule. Two claims on
Figure 4 also apply the paper's rule of small updates.
"""
ALT = """\
Twelve square maps of initial weight and bias, three targets by four target scales. Blue, which converges, fills most of
the upper right. A dark dead region on the left ends at an orange separatrix and is absent in the bottom row. Grey and
white areas grow as the scale shrinks.
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
    """Outcomes on grids of initial values, and separatrices.

    Returns
    -------
    dict of str to array
        See :func:`figures.dying_relu.relu_maps.maps`; rows by target, columns by the target scales ``gammas``.
    """
    rows = [[{"gamma": g, "beta": 0.0, "convention": "ema", "target": t} for g in gammas] for t in TARGETS]
    return {**relu_maps.maps(rows, run, step_size), "gammas": np.array(gammas)}


draw_panel = relu_maps.panels(
    len(TARGETS) * len(SCALES),
    lambda arrays, _, column: (f"$\\gamma$ = {arrays['gammas'][column]:g}", float(arrays["gammas"][column])),
)
draw = relu_maps.drawing(draw_panel, lambda _: list(TARGETS.values()))
