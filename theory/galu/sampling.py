"""Sampled rank of 0-1 GaLU features in any sizes: each draw is exact, frequencies have intervals.

>>> from theory.galu import sampled_rank_law
>>> law = sampled_rank_law(20, d=5, k=6, draws=100)
>>> law.full, law.interval(20)[0] < law.full < law.interval(20)[1]
(0.75, True)
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from theory.arguments import require
from theory.galu.checks import dimension, sizes
from theory.galu.ranks import rank


@dataclass(frozen=True)
class SampledRankLaw:
    """Sampled frequencies of each rank.

    Attributes
    ----------
    counts : tuple of int
        Of the ranks 0, ..., min{m, k d}.
    """

    counts: tuple[int, ...]

    @property
    def draws(self) -> int:
        return sum(self.counts)

    @property
    def full(self) -> float:
        """The share of matrices of full rank."""
        return self.counts[-1] / self.draws

    @property
    def mean(self) -> float:
        return float(np.arange(len(self.counts)) @ np.array(self.counts)) / self.draws

    def interval(self, rank: int, error_rate: float = 1e-3) -> tuple[float, float]:
        """Clopper and Pearson's interval for the probability of a rank; each limit errs at half of the rate.

        Parameters
        ----------
        rank : int
        error_rate : float

        Returns
        -------
        (float, float)
        """
        from scipy.stats import binomtest

        limits = binomtest(self.counts[rank], self.draws).proportion_ci(1 - error_rate, "exact")
        return float(limits.low), float(limits.high)


def sampled_rank_law(
    m: int, d: int, k: int, *, draws: int = 400, seed: int = 0, progress: Callable[[int, int], None] | None = None
) -> SampledRankLaw:
    """Sampled distribution of the rank of X-bar for m normal inputs in R^d, k normal filters and 0-1 gates.

    Parameters
    ----------
    m, d, k : int
        At least 1.
    draws : int
        At least 1.
    seed : int
        At least 0; the same seed gives the same frequencies, and the first draws of a longer one.
    progress : callable (done, total), optional

    Raises
    ------
    ValueError
        For arguments outside of their range.

    Source: beyond galu, section 4.1: what "with high probability" is in sizes without a closed form, see
    :func:`theory.galu.rank_law`.

    Examples
    --------
    >>> sampled_rank_law(4, d=2, k=3, draws=10).counts
    (0, 0, 0, 5, 5)
    """
    m, d, k = sizes("sampled_rank_law", m, d, k)
    draws = dimension(draws, "sampled_rank_law", "draws")
    seed = dimension(seed, "sampled_rank_law", "seed", least=0)
    counts = np.zeros(min(m, k * d) + 1, dtype=int)
    for draw in range(draws):
        rng = np.random.Generator(np.random.Philox(key=[seed, draw]))
        gates = rng.standard_normal((m, d)) @ rng.standard_normal((k, d)).T > 0
        counts[rank(gates.astype(int), d)] += 1
        if progress is not None:
            progress(draw + 1, draws)
    return SampledRankLaw(tuple(map(int, counts)))


def full_rank_at_least(
    m: int, d: int, k: int, *, draws: int = 400, seed: int = 0, error_rate: float = 1e-3,
    progress: Callable[[int, int], None] | None = None,
) -> float:  # fmt: skip
    """A lower limit of P(rank X-bar = min{m, k d}) from draws; wrong with a probability of at most ``error_rate``.

    The one-sided limit of Clopper and Pearson. Without sampling: :func:`theory.galu.full_rank_at_most`.

    Parameters
    ----------
    m, d, k, draws, seed, progress
        As for :func:`sampled_rank_law`.
    error_rate : float
        In (0, 1), over the seed.

    Raises
    ------
    ValueError
        For arguments outside of their range.

    Examples
    --------
    >>> round(full_rank_at_least(20, 10, 6, draws=100), 3)
    0.565
    """
    require("full_rank_at_least", "error_rate", error_rate, 0 < error_rate < 1, "be in (0, 1)", "choose one inside")
    law = sampled_rank_law(m, d, k, draws=draws, seed=seed, progress=progress)
    return law.interval(len(law.counts) - 1, 2 * error_rate)[0] if error_rate < 0.5 else 0.0
