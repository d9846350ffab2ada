"""Runs in pairs, judged by the sign test: no law of the results is assumed."""

from __future__ import annotations

import numpy as np
from scipy.special import bdtrc

from paper_checks.findings import Finding
from paper_checks.verdict import FAMILY, FAMILY_ERROR, Status

__all__ = ["judged", "often"]


def often(wins: np.ndarray) -> bool:
    """Sign test: would fair coins give so many wins with at most the error rate of one comparison?"""
    count, n = int(wins.sum()), wins.size
    return bool(bdtrc(count - 1, n, 0.5) <= FAMILY_ERROR / FAMILY) if count else False


def judged(wins: np.ndarray, losses: np.ndarray, says: str) -> Finding:
    """CONFIRMED where wins are too many for chance, REFUTED where losses are; the sentence turned round is a mutant."""
    status = Status.CONFIRMED if often(wins) else Status.REFUTED if often(losses) else Status.INCONCLUSIVE
    decided = status is not Status.INCONCLUSIVE
    says = f"{wins.sum()} of {wins.size} pairs of runs; {says}"
    return Finding("experiment", Status.CONFIRMED if decided else status, status, says, int(decided), 1)
