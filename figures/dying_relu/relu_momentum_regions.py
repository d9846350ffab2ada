"""Which initial values of a single ReLU reach the optimum with momentum, by rate, convention and target scale."""

from dataclasses import replace

import numpy as np

from figures.contract import Arrays, Run
from figures.dying_relu import relu_maps

CAPTION = """\
What becomes of a single ReLU unit under gradient descent with momentum, by its initial weight w_L and bias b, as in the
paper's Figure 5. Columns are values of the momentum, rows are target scales for two conventions. Blue units reach the
optimum, black ones are dead. With large momentum and small scales few converge.
"""
DETAILS = """\
The loss is the expected loss of the linear target, the step size 0.1. Our copy of the paper has lost the numbers of its
figure.

Colours: blue for initial values that reach the optimum, dark grey for those that are dead for good, light grey for
those still in the dead cone after 20,000 steps. Percentages are of initial values that reach the optimum, the white
dot.

Top three rows: momentum as an average, m' = beta m + (1 - beta) g, with which the affine model oscillates above beta =
0.669. Bottom three rows: the heavy ball, m' = beta m + g, which oscillates above 0.468. The first column lies below
both thresholds.

The orange line is the separatrix of the gradient flow without momentum. Below the threshold the border of the blue
region follows it within 0.06 for gamma = 0.1 and 0.01. For gamma = 1 it lies 0.10 to 0.14 lower in b where w_L is below
-0.2, because momentum carries initial values across w_L = 0. Above the threshold the blue region grows further on the
left for the largest target scale, and shrinks to small regions for the smallest. Both conventions do the same, the
heavy ball at a smaller momentum.
"""
ALT = """\
Twenty-four square maps of initial weight and bias by momentum and target scale, for two conventions. Blue, which
converges, covers most of each map at small momentum; at momentum 0.99 and small scales grey and black sectors leave
only small blue patches around the origin.
"""

SCALES = (1.0, 0.1, 0.01)
MOMENTA = {"ema": (0.6, 0.8, 0.9, 0.99), "heavy-ball": (0.4, 0.6, 0.9, 0.99)}
NAMES = {"ema": "average", "heavy-ball": "heavy ball"}
PARAMETERS = {**relu_maps.PARAMETERS, "gamma": list(SCALES), "momentum": {k: list(v) for k, v in MOMENTA.items()}}
SETTINGS = {**relu_maps.SETTINGS, "gammas": replace(relu_maps.SETTINGS["gammas"], most=len(SCALES))}
RECIPE = Run()
SECONDS = 6


def data(
    run: Run, *, gammas: tuple[float, ...] = SCALES, step_size: float = relu_maps.STEP_SIZE
) -> dict[str, np.ndarray]:
    """Outcomes on grids of initial values, and separatrices.

    Returns
    -------
    dict of str to array
        See :func:`figures.dying_relu.relu_maps.maps`; rows by convention and ``gammas``, columns by
        momentum.
    """
    rows = [
        [{"gamma": g, "beta": beta, "convention": convention, "target": "linear"} for beta in momenta]
        for convention, momenta in MOMENTA.items()
        for g in gammas
    ]
    return {**relu_maps.maps(rows, run, step_size), "gammas": np.array(gammas)}


def _cell(arrays: Arrays, row: int, column: int) -> tuple[str, float]:
    convention, scale = divmod(row, len(arrays["gammas"]))
    beta, gamma = list(MOMENTA.values())[convention][column], float(arrays["gammas"][scale])
    return f"$\\beta$ = {beta:g}, $\\gamma$ = {gamma:g}", gamma


draw_panel = relu_maps.panels(len(MOMENTA) * len(SCALES) * 4, _cell)
draw = relu_maps.drawing(draw_panel, lambda arrays: [
    f"{name}, $\\gamma$ = {gamma:g}" for name in NAMES.values() for gamma in arrays["gammas"]
])  # fmt: skip
