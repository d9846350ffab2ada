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
from paper_checks.dying_relu.lost_settings import counted, in_all_settings, over_settings
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
    """Whether more than half of the starts converge, by target and by the window in units of gamma."""
    shares = {f"{t} target, window {1 / g:.3g} gamma": fates(g, 0.0, t).share() for t in ("linear", "relu")
              for g in SCALES}  # fmt: skip
    statuses = {key: Status.CONFIRMED if s > 0.5 else Status.REFUTED for key, s in shares.items()}
    shown = "; ".join(f"{key} {s:.3f}" for key, s in shares.items())
    without_sign = all(fates(g, 0.0, "without-sign").share() > 0.5 for g in SCALES)
    says = f"{SETTING}; shares that converge within 20 000 steps: {shown}"
    slips = {"field without the sign": without_sign and in_all_settings(statuses) is not Status.CONFIRMED}
    return over_settings(statuses, says, slips)


def majority_in_time(_context) -> Finding:
    """The scale at which most starts have not converged after 20 000 steps, with a hundred times as many."""
    gamma, more, shares = 0.03, 2_000_000, {}
    for target in ("linear", "relu"):
        runs = descend(*starts(), gamma, Method(STEP_SIZE), target=target, steps=more)
        shares[target] = fates(gamma, 0.0, target).share(), runs.share()
    holds = all(late > 0.5 for _, late in shares.values())
    says = f"{SETTING}, gamma = {gamma}; shares that converge within 20 000 and {more / 1e6:g} million steps: "
    says += "; ".join(f"{t} target {early:.3f}, {late:.3f}" for t, (early, late) in shares.items())
    return judged(holds, holds, says, {"20 000 steps": all(early > 0.5 for early, _ in shares.values())})


def majority_without_sign(_context) -> Finding:
    shares = [fates(g, 0.0, "without-sign").share() for g in SCALES]
    holds = all(s > 0.5 for s in shares)
    with_sign = all(fates(g).share() > 0.5 for g in SCALES)
    says = f"{SETTING}; shares that converge: " + ", ".join(f"{s:.3f}" for s in shares)
    return judged(holds, holds, says, {"field with the sign": with_sign})


# Below and above the threshold of oscillation of the affine model, by convention.
BELOW = {"ema": 0.65, "heavy-ball": 0.45}
ABOVE = {"ema": (0.8, 0.9, 0.99), "heavy-ball": (0.6, 0.9, 0.99)}
NAMES = {"ema": "momentum as an average", "heavy-ball": "heavy ball"}
# What "small" is read as: a tenth of the starts.
SMALL_SHARE = 0.1


def on_the_boundary(alive: np.ndarray) -> np.ndarray:
    """Cells with a neighbour of another fate: a figure on this grid cannot tell where between them the boundary is."""
    wide = np.pad(alive, 1, mode="edge")
    rows, columns = alive.shape
    shifts = [wide[i : i + rows, j : j + columns] for i in range(3) for j in range(3)]
    return np.any([s != alive for s in shifts], axis=0)


def changes(gamma: float, beta: float, convention: str) -> tuple[int, int, int]:
    """How many starts converge only with momentum, only without it, and how many of both lie off the boundary."""
    alive, without = fates(gamma, beta, convention=convention).outcome == OPTIMUM, converges(gamma)
    off = (alive != without) & ~on_the_boundary(without)
    return int(np.sum(alive & ~without)), int(np.sum(without & ~alive)), int(np.sum(off))


def sameness(gamma: float, beta: float, convention: str) -> Status:
    """The same fates, others, or others only in cells where the grid does not tell."""
    gained, lost, off = changes(gamma, beta, convention)
    if off:
        return Status.REFUTED
    return Status.INCONCLUSIVE if gained or lost else Status.CONFIRMED


def same_below(convention: str) -> Finding:
    beta = BELOW[convention]
    statuses = {f"gamma = {g:g}": sameness(g, beta, convention) for g in SCALES}
    shown = ", ".join("{} + {} at gamma = {:g}".format(*changes(g, beta, convention)[:2], g) for g in SCALES)
    off = sum(changes(g, beta, convention)[2] for g in SCALES)
    says = (
        f"{SETTING}, {NAMES[convention]}; of 576 starts those that converge only with beta = {beta} + only with 0: "
        f"{shown}; {off or 'none'} of them off the boundary"
    )
    below = oscillation_threshold(STEP_SIZE, convention=convention) > beta
    last = {f"gamma = {g:g}": sameness(g, ABOVE[convention][-1], convention) for g in SCALES}
    without = {f"gamma = {g:g}": sameness(g, 0.0, convention) for g in SCALES}
    return over_settings(statuses, says, {
        "a momentum above the threshold": below and in_all_settings(last) is Status.REFUTED,
        "no momentum": in_all_settings(without) is Status.CONFIRMED,
    })  # fmt: skip


def gains_below(_context) -> Finding:
    """Below the threshold, gamma of 0.1 and more: starts that converge only with momentum, and only without."""

    def only_gains(betas):
        return all(changes(g, betas[c], c)[1] == 0 < changes(g, betas[c], c)[0] for c in betas for g in SCALES[:3])

    counts = {c: [changes(g, BELOW[c], c)[:2] for g in SCALES[:3]] for c in BELOW}
    texts = [f"{NAMES[c]}, beta = {BELOW[c]}: " + ", ".join(f"{a} and {b}" for a, b in n) for c, n in counts.items()]
    says = (
        f"{SETTING}, gamma = 1, 0.3, 0.1; of 576 starts those that converge only with momentum and only without: "
        + "; ".join(texts)
    )
    holds = only_gains(BELOW)
    above = only_gains({c: betas[-1] for c, betas in ABOVE.items()})
    return judged(holds, holds, says, {"beta = 0.99": above, "no momentum": only_gains(dict.fromkeys(BELOW, 0.0))})


def shares_by_momentum(convention: str) -> dict[float, list[float]]:
    """Shares that converge without momentum and with those above the threshold, by gamma."""
    return {g: [fates(g, b, convention=convention).share() for b in (0.0, *ABOVE[convention])] for g in SCALES}


def worse_above(convention: str) -> Finding:
    shares, momenta = shares_by_momentum(convention), (0.0, *ABOVE[convention])
    statuses = {
        f"gamma = {g:g}, beta = {b:g}": Status.CONFIRMED if s < row[0] else Status.REFUTED
        for g, row in shares.items() for b, s in zip(momenta[1:], row[1:], strict=True)
    }  # fmt: skip
    shown = "; ".join(f"gamma = {g:g}: " + ", ".join(f"{x:.3f}" for x in s) for g, s in shares.items())
    says = (
        f"{SETTING}, {NAMES[convention]}; shares that converge at beta = {', '.join(f'{b:g}' for b in momenta)}: "
        f"{shown}; worse: {counted(statuses)}"
    )
    return over_settings(statuses, says)


def by_size_of_target(_context) -> Finding:
    """More starts converge with momentum above the threshold at gamma = 1, fewer from 0.9 on at 0.03 and less."""
    shares = {c: shares_by_momentum(c) for c in ABOVE}

    def split(rows, large, small):
        better = all(s > rows[large][0] for s in rows[large][1:])
        return better and all(s < rows[g][0] for g in small for s in rows[g][2:])

    holds = all(split(rows, 1.0, SCALES[-2:]) for rows in shares.values())
    swapped = any(split(rows, SCALES[-1], SCALES[:2]) for rows in shares.values())
    shown = "; ".join(
        f"{NAMES[c]}, beta = 0, {', '.join(f'{b:g}' for b in ABOVE[c])}, gamma = {g:g}: "
        + ", ".join(f"{s:.3f}" for s in rows[g]) for c, rows in shares.items() for g in (1.0, *SCALES[-2:])
    )  # fmt: skip
    return judged(holds, holds, f"{SETTING}; shares that converge: {shown}", {"large and small exchanged": swapped})


def small_regions(convention: str) -> Finding:
    shares = {g: fates(g, 0.99, convention=convention).share() for g in SCALES}
    statuses = {f"gamma = {g:g}": Status.CONFIRMED if s < SMALL_SHARE else Status.REFUTED for g, s in shares.items()}
    says = f"{SETTING}, {NAMES[convention]}, beta = 0.99; shares that converge: " + ", ".join(
        f"{s:.3f} at gamma = {g:g}" for g, s in shares.items()
    )
    return over_settings(statuses, says, {"without momentum": all(fates(g).share() >= SMALL_SHARE for g in SCALES)})


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
