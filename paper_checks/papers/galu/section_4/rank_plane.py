"""Beyond section 4.1: laws of the rank of 0-1 features for inputs in R^1 and in the plane."""

import math
from fractions import Fraction

import mpmath
import numpy as np
import sympy

from montecarlo import Sweep, mean
from montecarlo.kernels.galu import ranks as kernels
from paper_checks import AtPoints, Kind, common
from paper_checks.evidence.finding import Finding
from paper_checks.papers.galu.networks import holds
from paper_checks.rules.proportions import proportion
from paper_checks.rules.rates import RATE
from theory import galu as theory
from theory.galu.plane import plane_rank_law

beyond = common(at="additional to section 4.1", kind=Kind.ADDITIONAL)

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
    return holds(good, "; ".join(texts), wrong)


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
