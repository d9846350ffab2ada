"""Beyond section 4.1: laws of the rank of 0-1 features, in R^1, in the plane, with few filters, and by open gates."""

import math
from fractions import Fraction

import mpmath
import numpy as np
import sympy

from montecarlo import Sweep, mean
from montecarlo.kernels.galu import ranks as kernels
from paper_checks import AtPoints, Bounds, Finding, Kind, common, concluded
from paper_checks.rules.proportions import proportion
from paper_checks.rules.rates import RATE
from theory import Formula, galu as theory
from theory.galu.plane import plane_rank_law
from theory.galu.special_sizes import d, k, m

beyond = common(at="additional to section 4.1", kind=Kind.ADDITIONAL)
probability = common(at="additional to section 4.1", kind=Kind.ADDITIONAL, scale=(lambda: 1, "1"))

beyond(
    "galu/beyond.rank-one-input",
    says="for inputs in R^1 the mean rank is 2 (1 - 2^-m)(1 - 2^-k), and the rank is never above 2",
    printed=theory.expected_rank_one_input,
    points=[{"m": 5, "d": 1, "k": 5}],
    integral=lambda m, k: 2 * mpmath.fsum(
        mpmath.binomial(m, a) * mpmath.binomial(k, b) for a in range(1, m + 1) for b in range(1, k + 1)
    ) / 2 ** (m + k),
    measured=mean(kernels.random_features, 1),
    slips={"always 2": sympy.Integer(2)},
)  # fmt: skip


PLANE = Sweep(
    "galu/rank-plane",
    "exact ranks of random features of inputs in the plane by elimination",
    kernels.random_features,
    [{"m": m, "d": 2, "k": k} for m, k in ((4, 3), (8, 4), (12, 6))],
    runs={"quick": 20_000, "full": 100_000},
)


def law_in_the_plane(context) -> Finding:
    """Counts of each rank against the exact law, by exact binomial intervals."""
    texts, good = [], True
    wrong = dict.fromkeys(("no common tie of the gates, B = 0", "patterns all equally likely"), False)
    for point, rows in zip(PLANE.points, context.rows(PLANE), strict=True):
        m, k = point["m"], point["k"]
        law = theory.rank_law(m, 2, k)
        # As many comparisons share the error rate of one.
        seen = [proportion(int((rows[:, 1] == r).sum()), len(rows), RATE / len(law)) for r in range(len(law))]
        good &= all(v.low <= p <= v.high for v, p in zip(seen, law, strict=True))
        full = seen[-1]
        # By rows of zeros alone; and by 2 k cells with one chance each.
        wrong["no common tie of the gates, B = 0"] |= not full.low <= float(theory.no_zero_row_plane(m, k)) <= full.high
        cells = math.perm(2 * k, m) / (2 * k) ** m if m <= 2 * k else 0.0
        wrong["patterns all equally likely"] |= not full.low <= cells <= full.high
        mean_rank = float(law @ np.arange(len(law)))
        texts.append(
            f"(m, k) = ({m}, {k}): P(full rank) = {law[-1]:.5f}, simulated {full}; mean rank {mean_rank:.4f}, "
            f"simulated {rows[:, 1].mean():.4f}"
        )
    return concluded(good, "; ".join(texts), wrong)


def fractions_in_the_plane() -> bool:
    """Whether the law gives the fractions that are stated."""
    law = plane_rank_law(4, 3)
    mean_rank = sum(r * p for r, p in enumerate(law))
    return [law[-1], mean_rank, plane_rank_law(4, 2)[-1]] == [Fraction(77, 160), Fraction(105, 32), Fraction(1, 5)]


beyond(
    "galu/beyond.rank-plane",
    says="for inputs in the plane the exact distribution of the rank is known for any number of inputs and filters. "
    "For (m, k) = (4, 3) the mean rank is 105/32 and the probability of full rank is 77/160",
    evidence=[AtPoints("m = 4 inputs, k = 2 and 3 filters, in fractions", fractions_in_the_plane)],
    runs=PLANE,
    experiment=law_in_the_plane,
    note="modulo pi, the inputs and the lines at which gates change are independent uniform directions. The counts of "
    "inputs between the lines are a uniform composition. The side of each input and the orientation of each filter "
    "are fair coins. `theory.galu.plane` computes the distribution. At m = 2 k full rank becomes rarer as both grow: "
    f"its probability is {theory.full_rank_probability(40, 2, 20):.0e} for m = 40",
)

# --- inputs that open no gate, in any sizes --------------------------------------------------------------------------

# By theorem 1, m times 1 less the mean loss.
LARGEST_MEAN_RANK = Formula(
    "upper bound of the mean rank with 0-1 gates",
    m * (1 - theory.expected_train_loss_at_least.expr),
    [m, d, k],
    source=theory.expected_train_loss_at_least.source,
    lhs=r"E\left[\operatorname{rank}(\bar X)\right]",
)

beyond(
    "galu/beyond.loss-floor",
    at="additional to theorem 1 and section 4.1",
    says="with 0-1 gates the mean of the least training loss is at least max{2^-k, 1 - kd/m}. So m/d neurons do not "
    "memorise m labels unless 2^k is far above m",
    printed=LARGEST_MEAN_RANK,
    relation=Bounds("above"),
    points=[{"m": 8, "d": 3, "k": 3}, {"m": 12, "d": 6, "k": 2}, {"m": 6, "d": 2, "k": 2}],
    measured=mean(kernels.random_features, 1),
    slips={"twice as many inputs that open no gate": m * (1 - sympy.Max(2 ** (1 - k), 1 - k * d / m))},
    note="inputs that open no gate are rows of zeros, and there are m 2^-k of them on average. The mean rank is "
    "therefore at most m (1 - max{2^-k, 1 - kd/m}). By theorem 1 the mean loss is 1 - E[rank]/m. "
    "`theory.galu.expected_train_loss_at_least` computes the bound of the loss",
)

OPEN = Sweep(
    "galu/rank-open-rows",
    "ranks of random features by elimination, and inputs that open no gate",
    kernels.rank_and_zero_rows,
    [{"m": 4 * d, "d": d, "k": 4} for d in (2, 4, 8, 16)],
    runs={"quick": 1_000, "full": 4_000},
)


def full_but_for_closed_inputs(context) -> Finding:
    """At m = k d, k = 4 filters: how often the rank is min{m - Z, kd}, Z the inputs that open no gate."""
    found, plain = {}, {}
    for point, rows in zip(OPEN.points, context.rows(OPEN), strict=True):
        rank, closed = rows.T
        found[point["d"]] = proportion(int(np.sum(rank == np.minimum(point["m"] - closed, 4 * point["d"]))), len(rows))
        plain[point["d"]] = proportion(int(np.sum(rank == point["m"])), len(rows))
    says = "k = 4, m = k d: rank = min{m - Z, kd} with probability " + "; ".join(
        f"d = {d}: {v}" for d, v in found.items()
    )
    says += "; rank = min{m, kd}: " + ", ".join(f"d = {d}: {v.value:.3f}" for d, v in plain.items())
    return concluded(found[16].above(0.9), says, {
        "min{m, kd}": not plain[16].low > 0.9, "for few inputs as well": not found[2].low > 0.9
    })  # fmt: skip


beyond(
    "galu/beyond.rank-open-rows",
    says="for a fixed number of filters rank X-bar = min{m - Z, kd} with high probability when the inputs have many "
    "dimensions. Z is the number of inputs that open no gate. At k = 4, d = 16 and m = 64 the probability is above 0.9",
    runs=OPEN,
    experiment=full_but_for_closed_inputs,
    note="Z is about m 2^-k and does not vanish. With few filters the rank min{m, kd} therefore becomes rarer as m "
    "grows: galu/rank",
)

# --- one or two filters, one or two inputs ---------------------------------------------------------------------------


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

beyond(
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

beyond(
    "galu/beyond.zero-rows-bound",
    says="(1 - 2^-k)^m is below the probability that each input opens a gate. For m <= d that is the probability of "
    "full rank",
    printed=theory.no_zero_row_at_least,
    relation=Bounds("below"),
    points=[{"m": 4, "d": 4, "k": 2}],
    measured=mean(kernels.random_features),
    slips={"(1 - 2^-k)^(m/2)": (1 - 2**-k) ** (m / 2)},
)
