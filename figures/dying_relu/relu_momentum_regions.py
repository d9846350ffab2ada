"""Which starts of a single ReLU reach the optimum with momentum, by its rate, its convention and the target scale."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from matplotlib.figure import Figure

from figures import style
from figures.contract import Run
from figures.dying_relu import relu_maps

__all__ = ["CAPTION", "NAME", "PARAMETERS", "RECIPE", "SECONDS", "SETTINGS", "data", "draw"]

NAME = "relu_momentum_regions"
CAPTION = """\
The fate of each start (w_L, b) under gradient descent with momentum on the expected loss, after the paper's Figure 5,
whose numbers are lost in our copy; linear target, step size 0.1. Top three rows: momentum as an average,
m' = beta m + (1 - beta) g, with which the affine model oscillates above beta = 0.669. Bottom three: the heavy ball,
m' = beta m + g, which oscillates above 0.468. The first column is below the threshold of either. Percentages are of
starts that reach the optimum, a white dot. The orange line is the separatrix of the gradient flow, without momentum:
below the threshold the border stays close to it but for starts beside w_L = 0, which a longer reach carries across.
Above, a large target gains starts from the left, while a small one loses them, until only small regions are left. Both
conventions do the same, the heavy ball at a smaller momentum.
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
    """Outcomes on grids of starts, and separatrices.

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


@style.applied()
def draw(arrays: Mapping[str, np.ndarray]) -> Figure:
    """Draw six rows of four maps."""
    scales = arrays["gammas"].tolist()
    texts = [
        [(f"$\\beta$ = {beta:g}, $\\gamma$ = {g:g}", NAMES[convention]) for beta in momenta]
        for convention, momenta in MOMENTA.items()
        for g in scales
    ]
    heads = [f"{NAMES[convention]}, $\\gamma$ = {g:g}" for convention in MOMENTA for g in scales]
    return relu_maps.drawing(arrays, texts, [[g] * 4 for _ in MOMENTA for g in scales], heads)
