"""Section 4.1, the sentence on the rank of X-bar: what it always is, and when it is min{m, kd}.

Two readings of "with high probability" are kept apart: for any sizes here, and in the sizes of the paper's
experiments in :mod:`paper_checks.galu.section_4_1_sizes`.
"""

from __future__ import annotations

import math

import mpmath
import numpy as np
import sympy

from montecarlo import mean
from montecarlo.kernels import galu_rank as kernels
from montecarlo.philox import stream
from paper_checks.claim import registry
from paper_checks.findings import Finding
from paper_checks.galu.networks import found
from paper_checks.relations import Bounds
from theory import galu as theory
from theory import galu_laws as laws
from theory.galu_memory import smallest_k_interval

claim = registry.claim

INSTANCES = {"quick": 400, "full": 10_000}
LOGISTIC_INSTANCES = {"quick": 400, "full": 3_000}
ONE = {"scale": lambda: 1, "scale_says": "1"}


def sizes(rng: np.random.Generator) -> tuple[int, int, int]:
    """m up to 24, d up to 6, k up to 8; half of them near m = k d."""
    d, k = int(rng.integers(1, 7)), int(rng.integers(1, 9))
    near = int(np.clip(k * d + rng.integers(-3, 4), 1, 24))
    return (near if rng.random() < 0.5 else int(rng.integers(1, 25))), d, k


def rank_against_elimination(context) -> Finding:
    """theory.galu.rank of the gates against elimination on inputs that have these gates."""
    rng, key = np.random.default_rng(context.seed), stream(context.seed, "galu/beyond.rank-formula", 0)
    count, matches, below = INSTANCES[context.tier], 0, 0
    wrong = dict.fromkeys(("min{m, kd}", "min{rows with an open gate, d rank(G)}", "rank of the gates alone"), False)
    for i in range(count):
        m, d, k = sizes(rng)
        gates = np.empty((m, k), dtype=np.int64)
        played = kernels.instance(key, i, m, d, k, i % 2, gates)
        matches += played == theory.rank(gates, d)
        below += played < min(m, k * d)
        of_gates = theory.exact_rank(gates)
        candidates = min(m, k * d), min(int(gates.any(axis=1).sum()), d * of_gates), of_gates
        for name, value in zip(wrong, candidates, strict=True):
            wrong[name] |= value != played
    says = (
        f"{matches} of {count} random matrices agree, m <= 24, d <= 6, k <= 8, {below} of them of rank below min{{m, "
        f"kd}}; "
        "a rank found by elimination modulo 2^61 - 1 is never above the true one"
    )
    return found(matches == count, says, wrong)


def bound_is_kept(context) -> Finding:
    """The rank found is at most min{m, kd}, both gates, and reaches it."""
    rng, key = np.random.default_rng(context.seed + 1), stream(context.seed, "galu/rank.upper", 0)
    good, reached, count = True, 0, INSTANCES["quick"]
    for i in range(count):
        m, d, k = sizes(rng)
        if i % 2:
            played = kernels.instance(key, i, m, d, k, 0, np.empty((m, k), dtype=np.int64))
        else:
            played = kernels.logistic_instance(key, i, m, d, k, 0, np.empty((k, d)))
        good &= played <= theory.column_bound(m, k, d)
        reached += played == theory.column_bound(m, k, d)
    return found(good, f"{count} random matrices, {reached} of them reach it", {"a bound smaller by one": reached > 0})


claim(
    "galu/rank.upper",
    at="section 4.1, last paragraph, first sentence",
    says="rank X-bar <= min{m, kd}, always",
    experiment=bound_is_kept,
    note="the matrix has m rows and k d columns; tested against exact ranks of random matrices with either gate",
)

claim(
    "galu/beyond.rank-formula",
    at="beyond section 4.1",
    says="for 0-1 gates the rank is min over sets A of inputs of d rank(G_A) + m - |A|, G the gate matrix, with "
    "probability one for inputs with a density",
    experiment=rank_against_elimination,
    note="the columns of X-bar, ordered by input, are [D_1 G ... D_d G] with diagonal D_a: the union of d copies of "
    "the "
    "row matroid of G. Each value is proved by d disjoint independent sets and a tight set (theory.galu.rank_proof)",
    beyond=True,
)


def logistic_gates(context) -> Finding:
    """Exact ranks over the field of rational functions in exp(2^-40), filters in general and in special position."""
    rng, key = np.random.default_rng(context.seed + 2), stream(context.seed, "galu/rank.logistic", 0)
    count, matches, full, special, short = LOGISTIC_INSTANCES[context.tier], 0, 0, 0, 0
    for i in range(count):
        m, d, k = sizes(rng)
        opposite = i % 2
        u = np.empty((k, d))
        played = kernels.logistic_instance(key, i, m, d, k, opposite, u)
        matches += played == theory.logistic_rank(u, m)
        full += not opposite and played == min(m, k * d)
        special += opposite
        short += played < min(m, k * d)
    says = (
        f"all of {count - special} matrices with normal filters have the rank min{{m, kd}}, d = 1 included; of "
        f"{special} "
        f"with opposite or zero filters {short} have less, as many as theory.galu.logistic_rank says"
    )
    good = matches == count and full == count - special
    return found(good, says, {"min{m, kd} for opposite filters": short > 0})


claim(
    "galu/rank.logistic",
    at="section 4.1, last paragraph, logistic gate of footnote 1",
    says="for the logistic gate rank X-bar = min{m, kd} with probability one, whatever m, d and k",
    experiment=logistic_gates,
    note="the functions x_a/(1 + exp(-x.u_j)) are analytic and, unless two filters are equal or opposite or one is "
    "zero, "
    "independent: their poles along a line tell them apart. A rank found modulo a prime is never above the true one, "
    "so "
    "that each match with the upper bound is a proof for its matrix",
)


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


claim(
    "galu/rank",
    at="section 4.1, last paragraph, 0-1 gate, for any sizes",
    says="for normal inputs and filters rank X-bar = min{m, kd} with high probability",
    printed=theory.column_bound,
    corrected=laws.expected_rank_one_input,
    points=[{"m": 5, "d": 1, "k": 5}],
    integral=lambda m, k: 2 * mpmath.fsum(
        mpmath.binomial(m, a) * mpmath.binomial(k, b) for a in range(1, m + 1) for b in range(1, k + 1)
    ) / 2 ** (m + k),
    measured=mean(kernels.random_features, 1),
    slips={"always 2": sympy.Integer(2)},
    note="no bound on the sizes is printed. Inputs in R^1: the rank is never above 2, on average 2 (1 - 2^-m)(1 - "
    "2^-k), and min{m, kd} is never reached for m, k >= 3. It fails as well for d = 2 and 3 near m = k d at any k "
    "(m = 4, d = k = 2: full rank with probability 1/5, galu/beyond.rank-two-filters), and for m <= k d unless 2^k is "
    "far above m: an input that opens no gate is a row of zeros (figure galu_rank). In the paper's sizes it holds, "
    "galu/rank.paper-sizes",
)  # fmt: skip

# Each row then opens none, one, the other or both with probability 1/4. The rank is below 4 where at most one row is
# outside of the largest of three counts (1 + 3 (2^m - 1) patterns of none, 3 m (2^m - m - 1) of one), and for one each.
RIGHT_ANGLE = (
    1
    - (3 * 2**laws.m - 2 + 3 * laws.m * (2**laws.m - laws.m - 1) + laws.m * (laws.m - 1) * (laws.m - 2))
    / sympy.Integer(4) ** laws.m
)

claim(
    "galu/beyond.rank-two-filters",
    at="beyond section 4.1",
    says="two filters in the plane: full rank has the probability 1 - 2/(m + 1) + ..., so that it comes slowly",
    printed=laws.full_rank_two_filters_plane,
    points=[{"m": 4, "d": 2, "k": 2}, {"m": 6, "d": 2, "k": 2}],
    integral=full_with_two,
    measured=mean(kernels.random_features),
    slips={"one angle for all, a right one": RIGHT_ANGLE},
    beyond=True,
    **ONE,
)

claim(
    "galu/beyond.rank-one-filter",
    at="beyond section 4.1",
    says="one filter: the rank is the number of open gates, at most d; full rank for m <= d has the probability 2^-m",
    printed=laws.full_rank_one_filter,
    points=[{"m": 4, "d": 5, "k": 1}, {"m": 9, "d": 2, "k": 1}],
    integral=lambda m, d: mpmath.fsum(mpmath.binomial(m, n) for n in range(min(m, d), m + 1)) / 2**m,
    measured=mean(kernels.random_features),
    beyond=True,
    **ONE,
)

claim(
    "galu/beyond.rank-one-input-two",
    at="beyond section 4.1",
    says="inputs in R^1: the rank 2 has the probability (1 - 2^(1-m))(1 - 2^(1-k)), and is full only if m or k is 2",
    printed=laws.two_ranks_one_input,
    points=[{"m": 2, "k": 5}, {"m": 7, "k": 3}],
    integral=lambda m, k: mpmath.fsum(
        mpmath.binomial(m, a) * mpmath.binomial(k, b) for a in range(1, m) for b in range(1, k)
    ) / 2 ** (m + k),
    note="full rank for m, k >= 3 is impossible; the mean rank is measured for galu/rank",
    beyond=True,
)  # fmt: skip

claim(
    "galu/beyond.rank-two-inputs",
    at="beyond section 4.1",
    says="two inputs in the plane have the rank 2 with the probability 1 - 2^(1-k) + 2^-k/(k + 1)",
    printed=laws.full_rank_two_inputs,
    points=[{"m": 2, "d": 2, "k": 6}],
    # Each opens no gate with probability 2^-k, both at an angle t pi with ((1 - t)/2)^k.
    integral=lambda k: 1 - mpmath.mpf(2) ** (1 - k) + mpmath.quad(lambda t: ((1 - t) / 2) ** k, [0, 1]),
    measured=mean(kernels.random_features),
    slips={"independent inputs": (1 - 2**-laws.k) ** 2},
    beyond=True,
    **ONE,
)

claim(
    "galu/beyond.zero-rows",
    at="beyond section 4.1",
    says="that each input in the plane opens a gate, which full rank needs for m <= k d, by a hypergeometric form",
    printed=laws.no_zero_row_plane,
    points=[{"m": 4, "d": 2, "k": 6}],
    integral=open_rows,
    measured=mean(kernels.random_features, 2),
    slips={"independent inputs": (1 - 2**-laws.k) ** laws.m},
    beyond=True,
    **ONE,
)

claim(
    "galu/beyond.zero-rows-bound",
    at="beyond section 4.1",
    says="(1 - 2^-k)^m is below the probability that each input opens a gate: below that of full rank for m <= d",
    printed=laws.no_zero_row_at_least,
    relation=Bounds("below"),
    points=[{"m": 4, "d": 4, "k": 2}],
    measured=mean(kernels.random_features),
    slips={"(1 - 2^-k)^(m/2)": (1 - 2**-laws.k) ** (laws.m / 2)},
    beyond=True,
)


MEMORY = {"quick": 2_000, "full": 20_000}


def smallest_numbers_of_neurons(context) -> Finding:
    """smallest_k_interval, which samples gates, against exact ranks of features played with other draws."""
    texts, good, wrong = [], True, {"half of the upper number is enough": False, "twice the lower is too few": False}
    for i, (m, d, probability) in enumerate(((16, 3, 0.9), (24, 4, 0.8), (12, 2, 0.5))):
        low, high = smallest_k_interval(m, d, probability, draws=100, seed=context.seed % 2**32)
        key, count = stream(context.seed, "galu/beyond.smallest-k", i), MEMORY[context.tier]

        def share(k, sizes=(m, d), key=key, count=count):
            out = np.empty((count, 3), order="F")
            kernels.random_features(key, 0, *sizes, k, out)
            return out[:, 0].mean()

        # A rate of n trials is off by 7/(2 sqrt(n)) once in 1e12.
        apart, enough = 7 / (2 * math.sqrt(count)), share(high)
        good &= enough > probability - apart and share(low - 1) < probability + apart
        wrong["half of the upper number is enough"] |= share(high // 2) < probability - apart
        wrong["twice the lower is too few"] |= share(2 * low) > probability + apart
        texts.append(f"m = {m}, d = {d}, P >= {probability}: k from {low} to {high}, full rank in {enough:.3f}")
    return found(good, f"{MEMORY[context.tier]} networks each; " + "; ".join(texts), wrong)


claim(
    "galu/beyond.smallest-k",
    at="beyond section 4.1",
    says="theory.galu_memory.smallest_k is a number of 0-1 neurons that memorises m samples with the wanted "
    "probability",
    experiment=smallest_numbers_of_neurons,
    note="for m > d it is an order statistic of random gate matrices, wrong with a probability of at most 1e-3",
    beyond=True,
)
