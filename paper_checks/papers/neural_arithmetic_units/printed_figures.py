"""Figures 3 to 5, 7 and 10 to 12, read off the pictures: successes of 10 seeds, means and their intervals.

Figure 6 is not among them. Numbers other than counts are good to about three digits.
"""

from __future__ import annotations

from typing import NamedTuple

from paper_checks.rules.strata import Stratum

__all__ = [
    "COUNTS", "DEFAULT", "REGULARISED", "REGULARISED_COUNTS", "SEEDS", "SOLVED_BY_DEFAULT", "Mean", "against", "apart",
]  # fmt: skip

SEEDS = 10

# Successes by figure and model, in the order of the settings of the sweeps.
COUNTS = {
    3: {
        "nmu": (10, 10, 10, 10, 10, 10, 8, 7, 10, 4),
        "nac_mul": (1, 5, 4, 3, 5, 4, 2, 4, 6, 1),
        "nalu": (7, 0, 0, 0, 1, 0, 0, 0, 0, 0),
    },
    4: {"nmu": (6, 8, 7, 8, 7, 10), "nac_mul": (4, 1, 3, 2, 6, 8), "nalu": (0, 0, 0, 0, 0, 0)},
    5: {"nmu": (10, 10, 9, 10), "nac_mul": (6, 7, 3, 0), "nalu": (0, 1, 0, 0)},
    7: {"nmu": (7, 10, 0, 9, 0, 10), "nac_mul": (0, 6, 0, 4, 0, 9), "nalu": (0, 0, 0, 0, 0, 0)},
}


class Mean(NamedTuple):
    """A mean with the ends of its interval, which are none where the figure draws none."""

    value: float
    low: float | None = None
    high: float | None = None


# Which setting of a figure is that of Table 1, and when NMU was solved there.
DEFAULT = {3: 5, 4: 3, 5: 2, 7: 3}
SOLVED_BY_DEFAULT = {
    "Figure 3": Mean(1.691e6, 1.103e6, 2.278e6),
    "Figure 4": Mean(1.729e6, 0.7249e6, 2.732e6),
    "Figure 5": Mean(1.825e6, 1.1e6, 2.55e6),
    "Figure 7": Mean(1.538e6, 0.87e6, 2.206e6),
    "Figure 12": Mean(1.182e6, 0.9848e6, 1.379e6),
}

# By figure, successes and when they were solved, for c = 0, 0.01, 0.1, 1 and 10.
REGULARISED_COUNTS = {10: (10, 10, 10, 10, 10), 11: (10, 10, 10, 10, 10), 12: (10, 10, 10, 10, 10)}
REGULARISED = {
    10: (
        Mean(1.71e4, 1.612e4, 1.808e4),
        Mean(1.71e4, 1.612e4, 1.808e4),
        Mean(1.71e4, 1.612e4, 1.808e4),
        Mean(1.67e4, 1.569e4, 1.771e4),
        Mean(1.59e4, 1.504e4, 1.676e4),
    ),
    11: (
        Mean(4198, 3899, 4503),
        Mean(4198, 3899, 4503),
        Mean(4198, 3899, 4503),
        Mean(1.31e4),
        Mean(1.53e4, 7513, 2.309e4),
    ),
    12: (
        Mean(1.182e6, 0.9898e6, 1.375e6),
        Mean(1.184e6, 0.9894e6, 1.379e6),
        Mean(1.182e6, 0.9848e6, 1.379e6),
        Mean(1.148e6, 0.957e6, 1.339e6),
        Mean(0.968e6, 0.7957e6, 1.14e6),
    ),
}


def against(figure: int, one: str, other: str) -> list[Stratum]:
    """The counts of two models, setting by setting."""
    pairs = zip(COUNTS[figure][one], COUNTS[figure][other], strict=True)
    return [Stratum(a, SEEDS, b, SEEDS) for a, b in pairs]


def apart(one: Mean, other: Mean) -> bool:
    """Whether the first interval lies below the second; not where one is not drawn."""
    return one.high is not None and other.low is not None and one.high < other.low
