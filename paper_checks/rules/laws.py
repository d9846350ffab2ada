"""The rule for a whole distribution: the distance between distribution functions, with a bound for any tails.

For n independent observations with distribution function F, P(sup |F_n - F| > e) <= 2 exp(-2 n e^2) for every F and n
(Dvoretzky, Kiefer and Wolfowitz; the constant 2 is Massart's). The bound is uniform, so that the published, the correct
and all altered distributions are judged by one set of counts at the error rate of one comparison.
"""

import math

import numpy as np

from montecarlo import Law
from paper_checks.rules.means import Comparison, Status
from paper_checks.rules.rates import COMPARISON

LAW_RESOLUTION = {"quick": 1e-2, "full": 3e-3}
"""Tolerances in units of probability, by precision."""

# Between two edges a distribution function lies between its values there.
EDGES = 4096


def band(n: int) -> float:
    """Largest distance of n observations at the error rate of one comparison: 3.61 / sqrt(n).

    Examples
    --------
    >>> round(band(1_000_000), 5)
    0.00361
    """
    return math.sqrt(math.log(2 / COMPARISON) / (2 * n))


def compare_law(law: Law, values: np.ndarray, tolerance: float, before: np.ndarray | None = None) -> Comparison:
    """Judge a distribution function by counts.

    REFUTED when the empirical distribution function is farther than :func:`band` from it at some edge, CONFIRMED when
    the distance is within ``tolerance`` everywhere, the band and what may hide between edges included.

    Parameters
    ----------
    law : Law
        The empirical distribution function.
    values : array
        Values of the judged distribution function at ``law.edges``.
    tolerance : float
        In units of probability.
    before : array, optional
        For integers: its values at one below each edge, as nothing lies between integers.

    Returns
    -------
    Comparison
        Its ``z`` is the distance at the edges times sqrt(n), Kolmogorov's statistic; above 3.61 it refutes.
    """
    distance = largest(law.share - values)
    half = band(law.n)
    z = distance * math.sqrt(law.n)
    if not law.is_finite:
        return Comparison(Status.INCONCLUSIVE, z, 0.0, "some values of the kernel are not numbers")
    reached = max(distance, _hidden(law, values, before)) + half
    if distance > half:
        return Comparison(Status.REFUTED, z, reached)
    if reached <= tolerance:
        return Comparison(Status.CONFIRMED, z, reached)
    return Comparison(Status.INCONCLUSIVE, z, reached, "not enough samples for the tolerance")


def _hidden(law: Law, values: np.ndarray, before: np.ndarray | None) -> float:
    """Largest possible distance between the edges and after the last one."""
    shares = np.append(0.0, law.share[:-1])
    if before is not None:
        return max(largest(before - shares), 1.0 - float(values[-1]))
    upper = np.append(values[:-1], 1.0)
    # The judged function may jump between edges, and the empirical one as well.
    return max(largest(law.share - np.append(0.0, upper[:-1])), largest(upper - shares))


def largest(differences: np.ndarray) -> float:
    """The largest magnitude; infinity where something is not a number."""
    return float(np.max(np.nan_to_num(np.abs(differences), nan=np.inf)))
