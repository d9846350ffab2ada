"""Section 5, Figures 4 and 5: which starts converge, found by runs on grids and by bisection.

The window, target scales, step size, momenta and tolerance of the figures are lost in our copy. Chosen here: starts on
24 x 24 cell centres of [-1, 1]^2, step size 0.1, momentum as an average, up to 20 000 steps on the exact gradient. A
path is called converged when it cannot go anywhere else, see :mod:`montecarlo.relu_dynamics`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from montecarlo.relu_dynamics import DEAD, OPTIMUM, STUCK, Method, Runs, descend
from paper_checks.findings import Finding
from paper_checks.verdict import Status
from theory.momentum import oscillation_threshold
from theory.relu_separatrix import separatrix

__all__ = ["boundary", "fates", "judged", "starts"]

STEP_SIZE, CELLS = 0.1, 24
SCALES = (1.0, 0.3, 0.1, 0.03, 0.01)
SETTING = "24 x 24 starts on [-1, 1]^2, step size 0.1"


def starts() -> tuple[np.ndarray, np.ndarray]:
    """(w_L, b) of the cell centres."""
    x = 2 * (np.arange(CELLS) + 0.5) / CELLS - 1
    return tuple(np.meshgrid(x, x))


@cache
def fates(gamma: float, beta: float = 0.0, target: str = "linear", convention: str = "ema") -> Runs:
    """What becomes of all starts."""
    return descend(*starts(), gamma, Method(STEP_SIZE, beta, convention), target=target)


def converges(gamma: float, beta: float = 0.0, target: str = "linear") -> np.ndarray:
    return fates(gamma, beta, target).outcome == OPTIMUM


def judged(holds: bool, right: bool, says: str, wrong: dict[str, bool] | None = None) -> Finding:
    """A finding: whether the print holds, whether what is right does, and which wrong variants also pass."""
    wrong = wrong or {}
    kept = tuple(name for name, passes in wrong.items() if passes)
    return Finding(
        "experiment",
        Status.CONFIRMED if right else Status.REFUTED,
        Status.CONFIRMED if holds else Status.REFUTED,
        says,
        len(wrong) - len(kept),
        len(wrong),
        kept,
    )


def by_half(gamma: float, target: str = "linear") -> tuple[float, float]:
    """Shares of the starts with w_L < 0 and with w_L > 0 that end in the dead cone."""
    left = starts()[0] < 0
    dead = np.isin(fates(gamma, 0.0, target).outcome, [DEAD, STUCK])
    return float(dead[left].mean()), float(dead[~left].mean())


def switches(target: str) -> bool:
    """Whether the dead region is mostly on the left for the largest target, mostly on the right for the smallest."""
    (left, right), (last_left, last_right) = by_half(SCALES[0], target), by_half(SCALES[-1], target)
    return left > right and last_right > last_left


def region(_context) -> Finding:
    halves = {g: by_half(g) for g in SCALES}
    left, right = zip(*halves.values(), strict=True)
    # On the left the region only grows; one on the right is added.
    grows = all(np.diff(left) > 0) and right[-1] > 5 * right[0]
    shown = ", ".join(f"{a:.3f}/{b:.3f} at gamma = {g:g}" for g, (a, b) in halves.items())
    wrong = {"field without the sign": switches("without-sign") == switches("linear")}
    return judged(switches("linear"), grows, f"{SETTING}; dead shares of left/right half: {shown}", wrong)


def region_without_sign(_context) -> Finding:
    shown = ", ".join("{:.3f}/{:.3f} at gamma = {:g}".format(*by_half(g, "without-sign"), g) for g in SCALES)
    holds = switches("without-sign")
    says = f"{SETTING}; dead shares of left/right half: {shown}"
    return judged(holds, holds, says, {"field with the sign": switches("linear")})


def majority(_context) -> Finding:
    shares = {t: [fates(g, 0.0, t).share() for g in SCALES] for t in ("linear", "relu")}
    holds = all(s > 0.5 for row in shares.values() for s in row)
    right = all((s > 0.5) == (g >= 0.1) for row in shares.values() for g, s in zip(SCALES, row, strict=True))
    shown = "; ".join(f"{t} target " + ", ".join(f"{s:.3f}" for s in row) for t, row in shares.items())
    other = [fates(g, 0.0, "without-sign").share() > 0.5 for g in SCALES]
    wrong = {"field without the sign": all(o == (g >= 0.1) for o, g in zip(other, SCALES, strict=True))}
    return judged(holds, right, f"{SETTING}; shares that converge at gamma = 1, 0.3, 0.1, 0.03, 0.01: {shown}", wrong)


def majority_without_sign(_context) -> Finding:
    shares = [fates(g, 0.0, "without-sign").share() for g in SCALES]
    holds = all(s > 0.5 for s in shares)
    with_sign = all(fates(g).share() > 0.5 for g in SCALES)
    says = f"{SETTING}; shares that converge: " + ", ".join(f"{s:.3f}" for s in shares)
    return judged(holds, holds, says, {"field with the sign": with_sign})


BELOW, ABOVE = 0.65, (0.8, 0.9, 0.99)


def changed(gamma: float, beta: float) -> int:
    """How many starts change between converging and not with momentum."""
    return int(np.sum(converges(gamma, beta) != converges(gamma)))


def same_below(_context) -> Finding:
    below = {g: changed(g, BELOW) for g in SCALES}
    holds = not any(below.values())
    # About the same for small targets, to a percent of the starts; not for gamma = 1.
    right = all(below[g] <= 5 for g in (0.1, 0.03, 0.01)) and below[1.0] > 5
    shown = ", ".join(f"{n} at gamma = {g:g}" for g, n in below.items())
    wrong = {"beta = 0.9, above the threshold": all(changed(g, 0.9) <= 5 for g in (0.1, 0.03, 0.01))}
    # The heavy ball oscillates above 0.468; below that it moves starts just the same.
    heavy = int(np.sum((fates(0.01, 0.45, convention="heavy-ball").outcome == OPTIMUM) != converges(0.01)))
    says = (
        f"{SETTING}; of 576 starts those whose fate differs between beta = 0 and {BELOW}: {shown}; with the heavy ball "
        f"at beta = 0.45 {heavy} at gamma = 0.01"
    )
    return judged(holds, right and oscillation_threshold(STEP_SIZE) > BELOW, says, wrong)


def worse_above(_context) -> Finding:
    shares = {g: [fates(g, b).share() for b in (0.0, *ABOVE)] for g in SCALES}
    worse = {g: s[0] > s[-1] for g, s in shares.items()}
    holds = all(worse.values())
    right = [worse[g] for g in SCALES] == [False, False, True, True, True]
    shown = "; ".join(f"gamma = {g:g}: " + ", ".join(f"{x:.3f}" for x in s) for g, s in shares.items())
    says = f"{SETTING}; shares that converge at beta = 0, 0.8, 0.9, 0.99: {shown}"
    # Were the step shrunk by 1 - beta twice, or the momentum small, nothing would get better or worse like this.
    small = [fates(g).share() > fates(g, 0.2).share() for g in SCALES]
    return judged(holds, right, says, {"beta = 0.2 instead": small == [False, False, True, True, True]})


def small_regions(_context) -> Finding:
    shares = [fates(g, 0.99).share() for g in SCALES]
    holds = all(s < 0.06 for s in shares[-2:])
    says = f"{SETTING}, beta = 0.99; shares that converge: " + ", ".join(
        f"{s:.3f} at gamma = {g:g}" for s, g in zip(shares, SCALES, strict=True)
    )
    return judged(holds, holds, says, {"without momentum": all(fates(g).share() < 0.06 for g in SCALES[-2:])})


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
    return judged(within, within, says, {"the ReLU target's curve": exchanged, "the ray at w_L = 0": constant})


def volume(_context) -> Finding:
    """Each start with w_L < 0 off the boundary has the fate that the separatrix says."""
    w, b = starts()
    left = w < 0
    width, mistakes, near, mixed = 2 / CELLS, 0, 0, 0
    for gamma in (0.3, 0.1, 0.03):
        for target in ("linear", "relu"):
            distance = b[left] + w[left] * separatrix(-w[left] / gamma, target=target)
            clear = np.abs(distance) > width / 2
            alive = converges(gamma, 0.0, target)[left]
            mistakes += int(np.sum((alive != (distance > 0)) & clear))
            mixed += int(np.sum((converges(gamma, 0.9, target)[left] != (distance > 0)) & clear))
            near += int(np.sum(~clear))
    right = mistakes == 0
    says = (
        f"gamma = 0.3, 0.1, 0.03, both targets; {mistakes} of {6 * 288 - near} starts have another fate, {near} on it"
    )
    return judged(right, right, says, {"with momentum 0.9": mixed == 0})
