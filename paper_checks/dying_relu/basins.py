"""Section 5, Figures 4 and 5: which starts converge, found by runs on grids and by bisection."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from montecarlo.relu_dynamics import OPTIMUM, Method, descend

__all__ = ["boundary"]


def boundary(sigma: Sequence[float], method: Method, target: str = "linear", *, halvings: int = 30) -> np.ndarray:
    """The b/|w_L| at which runs from w_L = -sigma, gamma = 1, change their fate, by bisection between -1 and 3.

    nan where the fate is the same at both ends.
    """
    weight = -np.asarray(sigma, dtype=np.float64)

    def lives(ratio):
        return descend(weight, -ratio * weight, 1.0, method, target=target).outcome == OPTIMUM

    low, high = np.full(weight.shape, -1.0), np.full(weight.shape, 3.0)
    bracketed = ~lives(low) & lives(high)
    for _ in range(halvings):
        middle = (low + high) / 2
        alive = lives(middle)
        low, high = np.where(alive, low, middle), np.where(alive, middle, high)
    return np.where(bracketed, (low + high) / 2, np.nan)
