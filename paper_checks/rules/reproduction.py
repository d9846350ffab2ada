"""Whether runs reproduce a printed count or a printed median: agreement, disagreement, or too little data.

Both sides are samples. They disagree where an exact two-sample test says so, with a probability of at most ``RATE`` if
both have one law. They agree where everything that our runs do not exclude is compatible with what is printed, as
tightly as the published number of runs allows and no tighter. No law of the results is supposed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import scipy

from paper_checks.rules.means import Status
from paper_checks.rules.proportions import Interval, proportion
from paper_checks.rules.rates import RATE

__all__ = ["levels", "p_value", "printed_level", "reproduced_count", "reproduced_median"]


def p_value(successes: int, n: int, others: int, m: int) -> float:
    """Of Fisher's exact test that two counts have one probability, two-sided.

    Examples
    --------
    >>> p_value(50, 400, 13, 100) > 0.8, p_value(0, 400, 94, 100) < 1e-90
    (True, True)
    """
    return float(scipy.stats.fisher_exact([[successes, n - successes], [others, m - others]]).pvalue)


def reproduced_count(successes: int, n: int, printed: int, m: int) -> Status:
    """Whether n runs reproduce a printed count of successes among m.

    They can only where some other count of theirs would have been refuted: two rows of ten runs agree in nothing that
    can be told.

    Examples
    --------
    >>> reproduced_count(52, 400, 13, 100), reproduced_count(360, 400, 13, 100)
    (<Status.CONFIRMED: 'CONFIRMED'>, <Status.REFUTED: 'REFUTED'>)
    >>> reproduced_count(16, 100, 13, 100)  # as many runs leave an interval as wide as the printed one
    <Status.INCONCLUSIVE: 'INCONCLUSIVE'>
    >>> reproduced_count(10, 10, 10, 10)
    <Status.INCONCLUSIVE: 'INCONCLUSIVE'>
    """
    if p_value(successes, n, printed, m) <= RATE:
        return Status.REFUTED
    ours, theirs = proportion(successes, n), proportion(printed, m)
    tells = min(p_value(k, n, printed, m) for k in (0, n)) <= RATE
    return Status.CONFIRMED if tells and theirs.low <= ours.low and ours.high <= theirs.high else Status.INCONCLUSIVE


def printed_level(m: int, rate: float = RATE) -> Interval:
    """The levels of the law at which the median of m independent values lies, but for a probability of ``rate``.

    The k-th of m values lies below the level p with the probability that a Beta(k, m - k + 1) value does; for an even
    m the median is between two of them.

    Examples
    --------
    >>> print(printed_level(94))
    0.5 in [0.1885, 0.8115], n = 94
    """
    lower, upper = (m + 1) // 2, m // 2 + 1
    low, high = (
        scipy.stats.beta.ppf(rate / 2, lower, m - lower + 1),
        scipy.stats.beta.isf(rate / 2, upper, m - upper + 1),
    )
    return Interval(0.5, float(low), float(high), m)


def levels(values: Sequence[float], printed: float, digits: int = 2, rate: float = RATE) -> tuple[Interval, Interval]:
    """How much of the law lies below a printed number, and how much up to it, rounded to so many digits as it is.

    The two are apart where values are tied, as those on a grid of iterations are.

    Examples
    --------
    >>> below, up_to = levels(np.repeat([12e3, 13e3, 14e3], 100), 1.3e4)
    >>> round(below.value, 3), round(up_to.value, 3)
    (0.333, 0.667)
    """
    values, half = np.asarray(values), 10.0 ** (math.floor(math.log10(printed)) - digits + 1) / 2
    counts = int((values < printed - half).sum()), int((values <= printed + half).sum())
    return tuple(proportion(count, len(values), rate) for count in counts)


def reproduced_median(values: Sequence[float], printed: float, m: int, digits: int = 2) -> Status:
    """Whether values reproduce a median of m that is printed with so many digits.

    A printed median is compatible with a law that has not too much below it, and enough up to it.

    Examples
    --------
    >>> reproduced_median(np.arange(400), 210.0, 94), reproduced_median(np.arange(400), 390.0, 94)
    (<Status.CONFIRMED: 'CONFIRMED'>, <Status.REFUTED: 'REFUTED'>)
    >>> reproduced_median(np.arange(20), 9.0, 94)
    <Status.INCONCLUSIVE: 'INCONCLUSIVE'>
    """
    theirs, (below, up_to) = printed_level(m, RATE / 3), levels(values, printed, digits, RATE / 3)
    if below.low > theirs.high or up_to.high < theirs.low:
        return Status.REFUTED
    return Status.CONFIRMED if below.high <= theirs.high and up_to.low >= theirs.low else Status.INCONCLUSIVE
