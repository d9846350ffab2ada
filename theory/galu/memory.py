"""Number of GaLU neurons that memorise m samples: the smallest k for which X-bar has rank m with a wanted probability.

More neurons only add columns, so that the least number of neurons that is enough for given inputs and a given sequence
of filters is a random variable K, and P(rank X-bar = m) >= p means that k is at least its p-quantile. Where the law of
K has no closed form, order statistics of independent draws of it enclose the quantile at a declared error rate; no
assumption on the distribution is needed. A draw is a 0-1 gate matrix, whose rank :func:`theory.galu.rank` gives
exactly.
"""

import math
from collections.abc import Callable

import numpy as np

from theory.arguments import number, one_of
from theory.galu.bounds import full_rank_at_most
from theory.galu.checks import GATES, dimension
from theory.galu.distribution import rank_law
from theory.galu.ranks import rank

Progress = Callable[[int, int], None]

# Of each end of an interval that is found by sampling.
ERROR_RATE = 1e-3
MOST = 2**14
MOST_DRAWS = 10**6


def smallest_k(
    m: int, d: int, probability: float, gate: str = "0-1", *,
    draws: int | None = None, seed: int = 0, progress: Progress | None = None,
) -> int:  # fmt: skip
    """Least number of neurons that memorise m samples with a given probability: their features have rank m.

    The upper end of :func:`smallest_k_interval`, which see: a number that is enough.

    Parameters
    ----------
    m, d : int
        Number of samples; number of inputs of a neuron. Inputs and filters are N(0, I_d).
    probability : float
        In (0, 1).
    gate : {"0-1", "logistic"}
    draws, seed : int
        Of the sampling that 0-1 gates with m > max{d, 2} need; by default max(400, ceil(20/(1 - probability))) draws,
        or far fewer where ceil(m/d), the least possible number, is enough: it often is.
    progress : callable (done, total), optional
        Called for each draw of a round; there are several rounds.

    Raises
    ------
    ValueError
        For arguments outside of their range; for 0-1 gates on R^1, where no k is enough for three samples; where more
        than 10^6 draws, or more than 8192 neurons, would be needed.

    Source: galu, section 4.1, last paragraph.

    Examples
    --------
    >>> smallest_k(1024, 32, 0.99, gate="logistic")
    32
    >>> smallest_k(10, 32, 0.99)
    10
    >>> smallest_k(32, 4, 0.9)
    12
    """
    return smallest_k_interval(m, d, probability, gate, draws=draws, seed=seed, progress=progress)[1]


def smallest_k_interval(
    m: int, d: int, probability: float, gate: str = "0-1", *,
    draws: int | None = None, seed: int = 0, progress: Progress | None = None,
) -> tuple[int, int]:  # fmt: skip
    """Interval for the smallest number of neurons that memorises m samples with a given probability.

    Logistic gate: ceil(m/d) twice, with probability one. 0-1 gate, m <= 2: exact. m <= d: full rank means that every
    input opens a gate; the upper number follows from P >= (1 - 2^-k)^m, the lower from :func:`full_rank_at_most`. Else
    draws of gate matrices: ceil(m/d) twice where that is enough in each of log(5e-4)/log(p) draws, else order
    statistics of ``draws`` draws; each number errs with a probability of at most 1e-3 over the seed.

    Parameters
    ----------
    m, d, probability, gate, draws, seed, progress
        As for :func:`smallest_k`.

    Returns
    -------
    (int, int)

    Raises
    ------
    ValueError
        As :func:`smallest_k`; and for fewer draws than the error rate needs.

    Source: galu, section 4.1, last paragraph.

    Examples
    --------
    >>> smallest_k_interval(2, 3, 0.9)
    (5, 5)
    >>> smallest_k_interval(10, 32, 0.99)
    (10, 10)
    """
    caller = "smallest_k"
    m, d = dimension(m, caller, "m"), dimension(d, caller)
    probability = number(caller, "probability", probability)
    if not 0 < probability < 1:
        raise ValueError(f"{caller}: probability must be in (0, 1), got {probability}; choose one inside")
    if one_of(caller, "gate", gate, GATES) == "logistic":
        return -(-m // d), -(-m // d)
    if d == 1 and (m > 2 or (m == 2 and probability >= 0.5)):
        raise ValueError(
            f"{caller}: 0-1 gates on R^1 never give a rank above 2, got m = {m} at probability {probability}; "
            "append a constant input, which makes it R^2"
        )
    if m <= 2:
        # By what is missing: near 1 a probability has no digits left.
        k = _first(lambda k: rank_law(m, d, k)[:-1].sum() <= 1 - probability, -(-m // d))
        return k, k
    if m <= d:
        return (
            _first(lambda k: full_rank_at_most(m, d, k) >= probability, 1),
            _first(lambda k: m * math.log1p(-math.ldexp(1, -k)) >= math.log(probability), 1),
        )
    return _sampled(m, d, probability, draws, seed, progress)


def _first(enough, k: int) -> int:
    while not enough(k):
        k += 1
    return k


def _sampled(
    m: int, d: int, probability: float, draws: int | None, seed: int, progress: Progress | None
) -> tuple[int, int]:
    """Interval of the number of neurons from the draws, by order statistics."""
    seed = dimension(seed, "smallest_k", "seed", least=0)
    draws = max(400, math.ceil(20 / (1 - probability))) if draws is None else dimension(draws, "smallest_k", "draws")
    if draws > MOST_DRAWS:
        raise ValueError(
            f"smallest_k: draws must be at most {MOST_DRAWS}, got {draws} for probability {probability}; choose a "
            "smaller probability, or logistic gates"
        )
    below, above = _places(draws, probability)
    networks = Networks(m, d, draws, seed, progress)
    fewest = -(-m // d)
    # All of n draws succeed with a probability of at most p^n where each does with less than p.
    if networks.all_reach(fewest, min(draws, math.ceil(math.log(ERROR_RATE / 2) / math.log(probability)))):
        return fewest, fewest
    return networks.order_statistic(below), networks.order_statistic(above)


def _places(draws: int, probability: float) -> tuple[int, int]:
    """Places of order statistics below and above the quantile."""
    from scipy.stats import binom

    # The a-th smallest draw is above the quantile with probability P(Bin(n, p) < a), below with P(Bin(n, p) >= a).
    below = int(binom.ppf(ERROR_RATE / 2, draws, probability))
    above = int(binom.isf(ERROR_RATE / 2, draws, probability)) + 1
    if below < 1 or above > draws:
        needed = np.ceil(math.log(ERROR_RATE / 2) / math.log1p(-min(probability, 1 - probability)))
        raise ValueError(
            f"smallest_k: draws must be at least {needed:.6g} to be wrong with a probability of at most {ERROR_RATE} "
            f"at probability {probability}, got {draws}; take more"
        )
    return below, above


class Networks:
    """Draws of inputs, each with a sequence of filters that is made longer as needed."""

    def __init__(self, m: int, d: int, draws: int, seed: int, progress: Progress | None = None) -> None:
        self.m, self.d, self.draws, self.seed = m, d, draws, seed
        self.tell = progress or (lambda _done, _of: None)
        # By draw: numbers of neurons that are known to be too few, and to be enough.
        self.few = np.full(draws, -(-m // d) - 1)
        self.enough = np.full(draws, MOST + 1)

    def memorises(self, draw: int, k: int) -> bool:
        """Whether the first k filters of a draw give its inputs the rank m."""
        if k <= self.few[draw]:
            return False
        if k >= self.enough[draw]:
            return True
        x, u = (
            np.random.Generator(np.random.Philox(key=[self.seed, 2 * draw + i])).standard_normal((n, self.d))
            for i, n in enumerate((self.m, k))
        )
        gates = x @ u.T > 0
        full = bool(gates.any(axis=1).all()) and rank(gates, self.d) == self.m
        if full:
            self.enough[draw] = k
        else:
            self.few[draw] = k
        return full

    def all_reach(self, k: int, count: int) -> bool:
        """Whether each of the first draws needs at most k neurons; it stops at the first that does not."""
        for draw in range(count):
            self.tell(draw, count)
            if not self.memorises(draw, k):
                return False
        return True

    def reached(self, k: int, count: int) -> bool:
        """Whether at least so many draws need at most k neurons."""
        yes = 0
        for draw in range(self.draws):
            self.tell(draw, self.draws)
            yes += self.memorises(draw, k)
            if yes >= count or yes + self.draws - 1 - draw < count:
                break
        return yes >= count

    def order_statistic(self, place: int) -> int:
        """The place-th smallest number of neurons needed, by bisection."""
        low = -(-self.m // self.d) - 1
        high = low + 2
        while not self.reached(high, place):
            low, high = high, 2 * high
            if high > MOST:
                raise ValueError(
                    f"smallest_k: more than {MOST // 2} neurons are needed for m = {self.m}, d = {self.d}; use "
                    "logistic gates, or inputs of more dimensions"
                )
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self.reached(middle, place) else (middle, high)
        return high
