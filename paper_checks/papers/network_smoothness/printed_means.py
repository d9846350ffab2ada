"""Whether a printed mean of a few runs is one of runs like ours, where errors are log-normal.

Errors of trained networks differ by factors, and the mean of ten of them has a heavy upper tail: standard errors do not
say how far it may lie off. Their logarithms are taken for normal, with the mean and the standard deviation of our runs.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import scipy

from paper_checks import Status
from paper_checks.rules.rates import RATE

__all__ = ["FACTOR", "p_value", "reproduced"]

FACTOR = 10.0
"""The resolution: a mean that is so many times ours, or such a part of ours, is to be refuted."""
NOT_NORMAL = 1e-4
"""The level at which logarithms of errors count as not normal, so that nothing is told."""
DRAWS = 20_000


def p_value(printed: float, mean: float, spread: float, m: int) -> float:
    """Of a mean of m log-normal values as far off as the printed one, two-sided; an upper limit.

    Below: a mean is at least the geometric mean. Above: the estimator of Asmussen and Kroese, given all but the
    largest value.

    Parameters
    ----------
    printed : float
        Positive.
    mean, spread : float
        Of the natural logarithms.

    Examples
    --------
    >>> p_value(1.0, 0.0, 0.5, 10) > 0.5, p_value(0.1, 0.0, 0.5, 10) < 1e-40, 0 < p_value(20.0, 0.0, 0.5, 10) < 1e-13
    (True, True, True)
    """
    below = scipy.stats.norm.cdf(math.sqrt(m) * (math.log(printed) - mean) / spread)
    others = np.exp(mean + spread * np.random.default_rng(1).standard_normal((DRAWS, m - 1)))
    least = np.maximum(others.max(axis=1), m * printed - others.sum(axis=1))
    above = m * scipy.stats.norm.sf((np.log(least) - mean) / spread).mean()
    return float(min(1.0, 2 * min(below, above)))


def reproduced(values: Sequence[float], printed: float, m: int = 10) -> tuple[Status, float]:
    """Whether our runs have the printed mean of m, and the p-value.

    REFUTED where the p-value is below the rate of all tests here. CONFIRMED where it is not, and ``FACTOR`` times the
    mean of our runs and that part of it would both have been refuted. Else, and where our logarithms are not normal,
    INCONCLUSIVE.

    Examples
    --------
    >>> values = np.exp(scipy.stats.norm.ppf((np.arange(60) + 0.5) / 60) * 0.4)
    >>> [str(reproduced(values, printed)[0]) for printed in (1.3, 30.0)]
    ['CONFIRMED', 'REFUTED']
    >>> str(reproduced(values**4, 1.3)[0])
    'INCONCLUSIVE'
    """
    logs, ours = np.log(values), float(np.mean(values))
    # What both means are uncertain by, in one standard deviation.
    centre, spread = logs.mean(), logs.std(ddof=1) * math.sqrt(1 + m / len(logs))
    p = p_value(printed, centre, spread, m)
    if scipy.stats.shapiro(logs).pvalue <= NOT_NORMAL:
        return Status.INCONCLUSIVE, p
    if p <= RATE:
        return Status.REFUTED, p
    tells = all(p_value(ours * f, centre, spread, m) <= RATE for f in (FACTOR, 1 / FACTOR))
    return Status.CONFIRMED if tells else Status.INCONCLUSIVE, p
