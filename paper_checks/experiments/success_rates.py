"""Success rates of runs with Wilson's interval, for tables and figures; no verdict uses them."""

import scipy

# The confidence level that papers usually publish.
LEVEL = 0.95


def wilson(successes: int, n: int) -> tuple[float, float]:
    """Ends of Wilson's 95 % interval for a probability.

    Parameters
    ----------
    successes, n : int
        Of n runs, at least one.

    Raises
    ------
    ValueError
        When n is 0, or successes are negative or more than runs.

    Source: E. B. Wilson, "Probable inference, the law of succession, and statistical inference", 1927; the level: nau,
    3.1.1.

    Examples
    --------
    >>> [round(x, 3) for x in wilson(10, 10)]
    [0.722, 1.0]
    """
    limits = scipy.stats.binomtest(successes, n).proportion_ci(LEVEL, "wilson")
    return float(limits.low), float(limits.high)


def success_rate(successes: int, n: int) -> str:
    """A count with Wilson's interval, as text.

    Examples
    --------
    >>> success_rate(13, 100)
    '13/100 [0.08, 0.21]'
    """
    low, high = wilson(successes, n)
    return f"{successes}/{n} [{low:.2f}, {high:.2f}]"
