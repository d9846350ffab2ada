"""Beyond section 4.1: laws of the rank with one or two filters, and for one or two inputs."""

import math

import mpmath
import sympy

from montecarlo import mean
from montecarlo.kernels.galu import ranks as kernels
from paper_checks import Bounds, Kind, common
from theory import galu as theory
from theory.galu.special_sizes import k, m

remark = common(at="additional to section 4.1", kind=Kind.ADDITIONAL)
probability = common(at="additional to section 4.1", kind=Kind.ADDITIONAL, scale=lambda: 1, scale_says="1")


def counts_of_two(m, t):
    """P(counts of rows by gates) for an angle t pi between two filters, by first only, second only, both."""
    for first in range(m + 1):
        for second in range(m + 1 - first):
            for both in range(m + 1 - first - second):
                none = m - first - second - both
                ways = math.factorial(m) // math.prod(math.factorial(v) for v in (first, second, both, none))
                yield first, second, both, ways * (t / 2) ** (first + second) * ((1 - t) / 2) ** (both + none)


def full_with_two(m):
    """P(rank 4) in the plane, by the law of the counts for an angle, over all angles."""
    return mpmath.quad(
        lambda t: mpmath.fsum(
            p for a, b, c, p in counts_of_two(m, t) if min(a + b + c, a + b + c + 2 - max(a, b, c)) >= 4
        ),
        [0, 1],
    )


def open_rows(m, k):
    """P(each of m inputs in the plane opens a gate), by the two inputs' or the filters' angles."""
    # k filters fit into a half plane with probability k/2^(k-1); their spread s has the density k (k-1) s^(k-2).
    inside = mpmath.quad(
        lambda v: k * (k - 1) * v ** (k - 2) * (mpmath.mpf(1) / 2 + v) ** m, [0, mpmath.mpf(1) / 2]
    )  # fmt: skip
    return 1 - mpmath.mpf(k) / 2 ** (k - 1) + inside


# Each row then opens none, one, the other or both with probability 1/4. The rank is below 4 where at most one row is
# outside of the largest of three counts (1 + 3 (2^m - 1) patterns of none, 3 m (2^m - m - 1) of one), and for one each.
RIGHT_ANGLE = 1 - (3 * 2**m - 2 + 3 * m * (2**m - m - 1) + m * (m - 1) * (m - 2)) / sympy.Integer(4) ** m

probability(
    "galu/beyond.rank-two-filters",
    says="for two filters in the plane the probability of full rank is 1 - 2/(m + 1) minus a term of order m 2^-m. It "
    "therefore tends to 1 slowly as m grows",
    printed=theory.full_rank_two_filters_plane,
    points=[{"m": 4, "d": 2, "k": 2}, {"m": 6, "d": 2, "k": 2}],
    integral=full_with_two,
    measured=mean(kernels.random_features),
    slips={"one angle for all, a right one": RIGHT_ANGLE},
)

probability(
    "galu/beyond.rank-one-filter",
    says="for one filter the rank is the smaller of d and the number of open gates. For m <= d full rank has the "
    "probability 2^-m",
    printed=theory.full_rank_one_filter,
    points=[{"m": 4, "d": 5, "k": 1}, {"m": 9, "d": 2, "k": 1}],
    integral=lambda m, d: mpmath.fsum(mpmath.binomial(m, n) for n in range(min(m, d), m + 1)) / 2**m,
    measured=mean(kernels.random_features),
)

remark(
    "galu/beyond.rank-one-input-two",
    says="for inputs in R^1 the rank is 2 with the probability (1 - 2^(1-m))(1 - 2^(1-k)). For m, k >= 2 this is full "
    "rank only if m or k is 2",
    printed=theory.two_ranks_one_input,
    points=[{"m": 2, "k": 5}, {"m": 7, "k": 3}],
    integral=lambda m, k: mpmath.fsum(
        mpmath.binomial(m, a) * mpmath.binomial(k, b) for a in range(1, m) for b in range(1, k)
    ) / 2 ** (m + k),
    note="for m, k >= 3 full rank is impossible. galu/beyond.rank-one-input gives the mean rank",
)  # fmt: skip

probability(
    "galu/beyond.rank-two-inputs",
    says="for two inputs in the plane the rank is 2 with the probability 1 - 2^(1-k) + 2^-k/(k + 1)",
    printed=theory.full_rank_two_inputs,
    points=[{"m": 2, "d": 2, "k": 6}],
    # Each opens no gate with probability 2^-k, both at an angle t pi with ((1 - t)/2)^k.
    integral=lambda k: 1 - mpmath.mpf(2) ** (1 - k) + mpmath.quad(lambda t: ((1 - t) / 2) ** k, [0, 1]),
    measured=mean(kernels.random_features),
    slips={"independent inputs": (1 - 2**-k) ** 2},
)

probability(
    "galu/beyond.zero-rows",
    says="the probability that each input in the plane opens a gate is a hypergeometric expression. Full rank needs "
    "this for m <= k d",
    printed=theory.no_zero_row_plane,
    points=[{"m": 4, "d": 2, "k": 6}],
    integral=open_rows,
    measured=mean(kernels.random_features, 2),
    slips={"independent inputs": (1 - 2**-k) ** m},
)

remark(
    "galu/beyond.zero-rows-bound",
    says="(1 - 2^-k)^m is below the probability that each input opens a gate. For m <= d that is the probability of "
    "full rank",
    printed=theory.no_zero_row_at_least,
    relation=Bounds("below"),
    points=[{"m": 4, "d": 4, "k": 2}],
    measured=mean(kernels.random_features),
    slips={"(1 - 2^-k)^(m/2)": (1 - 2**-k) ** (m / 2)},
)
