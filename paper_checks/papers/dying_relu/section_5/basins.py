"""Section 5, Figure 4: where one fate ends and the other begins, by runs and by the differential equation."""

from collections.abc import Sequence

import numpy as np

from montecarlo.descent.fates import OPTIMUM
from montecarlo.descent.relu_unit import Method, descend
from paper_checks import Finding, Kind, Reproduces, common, concluded
from paper_checks.papers.dying_relu.fates import CELLS, FATES, FINE, Fates, Setting, grid_of
from theory.relu_unit.basins import separatrix


def boundary(
    sigma: Sequence[float], method: Method, target: str = "linear", *, low=-1.0, high=3.0, halvings: int = 30
) -> np.ndarray:
    """The b/|w_L| at which runs from w_L = -sigma, gamma = 1, change their fate, by bisection from low to high.

    nan where the fate is the same at both ends.
    """
    weight = -np.asarray(sigma, dtype=np.float64)

    def lives(ratio):
        return descend(weight, -ratio * weight, 1.0, method, target=target).outcome == OPTIMUM

    low, high = (np.broadcast_to(np.asarray(v, dtype=np.float64), weight.shape) for v in (low, high))
    bracketed = ~lives(low) & lives(high)
    for _ in range(halvings):
        middle = (low + high) / 2
        alive = lives(middle)
        low, high = np.where(alive, low, middle), np.where(alive, middle, high)
    return np.where(bracketed, (low + high) / 2, np.nan)


SIGMA = np.array([1.0, 10.0])
SMALL_STEPS = (0.005, 0.0025)


def separatrix_by_runs(_context) -> Finding:
    """Runs with smaller and smaller steps, extrapolated to step zero, against the differential equation."""
    apart, curves = {}, {t: separatrix(SIGMA, target=t) for t in ("linear", "relu")}
    for target, curve in curves.items():
        one, two = (
            boundary(SIGMA, Method(eta), target, low=curve - 0.01, high=curve + 0.01, halvings=12)
            for eta in SMALL_STEPS
        )
        apart[target] = 2 * two - one - curve
    largest = max(np.abs(d).max() for d in apart.values())
    within = largest < 2e-4
    exchanged = np.abs(apart["linear"] + curves["linear"] - curves["relu"]).max() < 2e-4
    constant = np.abs(apart["linear"] + curves["linear"] - separatrix(1e-3)).max() < 2e-4
    says = (
        f"boundary at |w_L| = 1 and 10 gamma, by bisection at step sizes {SMALL_STEPS[0]} and {SMALL_STEPS[1]}, "
        f"extrapolated: within {largest:.1e} of the curve"
    )
    return concluded(within, says, {"the ReLU target's curve": not exchanged, "the ray at w_L = 0": not constant})


beyond = common(at="additional to Figure 4", kind=Kind.ADDITIONAL, relation=Reproduces())

beyond(
    "relu/beyond.separatrix",
    says="for w_L < 0 the boundary between units that converge and units that die solves a differential equation",
    experiment=separatrix_by_runs,
    assumptions="gradient descent without momentum, extrapolated to steps of size zero, for both targets",
)


def volume(context) -> Finding:
    """Each start with w_L < 0 off the boundary has the fate that the separatrix says."""
    fates, (w, b) = Fates(context.rows(FATES)), grid_of(CELLS)
    left = w[0] < 0
    w, b = w[0, left], b[:, left]
    width, near, mistakes = 2 / CELLS, 0, {0.0: 0, 0.9: 0}
    scales = np.array([0.3, 0.1, 0.03])
    for setting in (FINE[0], Setting("relu")):
        for gamma, curve in zip(scales.tolist(), separatrix(-w / scales[:, None], target=setting.target), strict=True):
            distance = b + w * curve
            clear = np.abs(distance) > width / 2
            near += int(np.sum(~clear))
            for momentum in mistakes if setting is FINE[0] else (0.0,):
                alive = fates.converges(gamma, momentum, setting=setting)[:, left]
                mistakes[momentum] += int(np.sum((alive != (distance > 0)) & clear))
    says = (
        f"{mistakes[0.0]} of {6 * 288 - near} initial values have another fate, for gamma = 0.3, 0.1 and 0.03 and both "
        f"targets; {near} lie on the curve and do not count"
    )
    return concluded(not mistakes[0.0], says, {"with momentum 0.9, linear target": mistakes[0.9] > 0})


beyond(
    "relu/beyond.basin-volume",
    says="units converge if their initial values are above the separatrix and die if they are below it",
    runs=FATES,
    experiment=volume,
    assumptions="w_L < 0, no momentum, step size 0.1",
)
