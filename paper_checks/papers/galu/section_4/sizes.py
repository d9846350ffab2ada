"""Section 4.1, how likely full rank is, by counts: for the smallest k, in the sizes of figure 5, and at m = k d."""

import math

import numpy as np

from montecarlo import Sweep, generator, simulator
from montecarlo.kernels.galu import ranks as kernels
from montecarlo.streams.philox import stream
from paper_checks import Finding, Status, additional, claim, concluded
from paper_checks.rules.means import combine, told
from paper_checks.rules.proportions import proportion
from theory import galu as theory

MEMORY = Sweep(
    "galu/smallest-k",
    "exact ranks of random features for numbers of neurons about the smallest",
    kernels.random_features,
    [
        {"m": m, "d": d, "k": k}
        for m, d, numbers in ((16, 3, (9, 21, 10, 20)), (24, 4, (6, 10, 5, 14)))
        for k in numbers
    ],
    runs={"quick": 2_000, "full": 20_000},
)


def smallest_numbers_of_neurons(context) -> Finding:
    """smallest_k_interval, which samples gates by seed 0, against exact ranks of features played with other draws."""
    rows = {
        (p["m"], p["k"]): proportion(int(r[:, 0].sum()), len(r))
        for p, r in zip(MEMORY.points, context.rows(MEMORY), strict=True)
    }
    texts, good, wrong = [], True, {"half of the upper number is enough": False, "twice the lower is too few": False}
    for inputs, dimension, probability, (low, high) in ((16, 3, 0.9, (10, 21)), (24, 4, 0.8, (7, 10))):
        good &= theory.smallest_k_interval(inputs, dimension, probability, draws=100) == (low, high)
        good &= rows[inputs, high].high > probability and rows[inputs, low - 1].low < probability
        wrong["half of the upper number is enough"] |= rows[inputs, high // 2].high < probability
        wrong["twice the lower is too few"] |= rows[inputs, 2 * low].low > probability
        texts.append(f"m = {inputs}, d = {dimension}, P >= {probability}: k from {low} to {high}; {rows[inputs, high]}")
    return concluded(good, "; ".join(texts), wrong)


additional(
    "galu/beyond.smallest-k",
    at="additional to section 4.1",
    says="`theory.galu.smallest_k` returns a number of 0-1 neurons that memorises m samples with at least the "
    "requested probability",
    runs=MEMORY,
    experiment=smallest_numbers_of_neurons,
    note="for m > d the function returns an order statistic of random gate matrices. It is wrong with a probability "
    "of at most 1e-3 over its seed. The test uses seed 0 and 100 draws",
)

# That all of n matrices have full rank puts the probability above HIGH with this confidence for n of 66.
CONFIDENCE = 0.999
HIGH = 0.9
ELIMINATED = {"quick": 0, "full": 1}
OTHER_K = {"quick": (1, 2, 64), "full": (1, 31, 33, 64)}
M, D, K = 1024, 32, 32


@simulator(columns=("rank", "open"))
def random_gates(stream, first, m: int, d: int, k: int, out):
    """The rank of the features that the gates of random inputs and filters give, and the share of open gates."""
    for i in range(len(out)):
        rng = generator(stream, first + i)
        gates = rng.standard_normal((m, d)) @ rng.standard_normal((k, d)).T > 0
        out[i] = theory.rank(gates.astype(int), d), gates.mean()


SQUARE = Sweep(
    "galu/rank-paper-sizes",
    "ranks of random features by their gates, at k = m/d",
    random_gates,
    [{"m": M, "d": D, "k": K}],
    runs=math.ceil(math.log(1 - CONFIDENCE) / math.log(HIGH)),
    tested={"m": 64, "d": 8, "k": 8},
)


def in_the_papers_sizes(context) -> Finding:
    """0-1 gates, m = 1024, d = 32: how many matrices have full rank at k = 32 = m/d, and so at every other k."""
    rng, key = np.random.default_rng(context.seed + 3), stream(context.seed, "galu/rank.paper-sizes", 0)
    (rows,), other = context.rows(SQUARE), OTHER_K[context.tier]
    full, count, agree = int(np.sum(rows[:, 0] == M)), len(rows), True
    for i in range(ELIMINATED[context.tier]):
        gates = np.empty((M, K), dtype=np.int64)
        agree &= kernels.instance(key, i, M, D, K, 0, gates) == theory.rank(gates, D)
    x, u = rng.standard_normal((M, D)), rng.standard_normal((64, D))
    gates = (x @ u.T > 0).astype(int)
    nested = [theory.rank(gates[:, :n], D) == min(M, n * D) for n in other]
    one = theory.rank((x[:, :1] @ u[:K, :1].T > 0).astype(int), D) == M
    limit = at_least(full, count)
    says = (
        f"{full} of {count} matrices have full rank at k = {K}, so that the probability of full rank is at "
        f"least {math.floor(100 * limit) / 100:.2f} at {CONFIDENCE:.1%} confidence. Elimination modulo 2^61 - 1 "
        f"confirms {ELIMINATED[context.tier]} more. In one draw of 64 filters the first {', '.join(map(str, other))} "
        f"give full rank in {sum(nested)} of {len(nested)} cases"
    )
    status = Status.CONFIRMED if limit > HIGH and agree and all(nested) else Status.INCONCLUSIVE
    if not agree or proportion(full, count).high < HIGH:
        status = Status.REFUTED
    return concluded(status, says, {
        "gates of the first input alone": not one,
        "one matrix of lower rank": not at_least(count - 1, count) > HIGH,
    })  # fmt: skip


def at_least(full: int, count: int) -> float:
    """A lower limit of the probability at 99.9 % confidence."""
    return proportion(full, count, 2 * (1 - CONFIDENCE)).low


claim(
    "galu/rank.paper-sizes",
    at="section 4.1, last paragraph, in the sizes of figure 5",
    says="with 0-1 gates, m = 1024 and d = 32, the sizes of figure 5, rank X-bar = min{m, kd} with a probability of "
    "at least 0.9",
    runs=SQUARE,
    experiment=in_the_papers_sizes,
    note="the paper's sentence states no sizes. 0.9 is the largest bound that this number of matrices can establish "
    "at 99.9 % confidence. The square case k = 32 is enough. If all its columns are independent, so are those of "
    "fewer filters, and further filters only add columns to a matrix of rank m. `theory.galu.rank` computes the ranks "
    "from the gates alone. At full precision one rank is also computed by elimination. In other sizes the sentence "
    "can be wrong: galu/rank",
)


TIGHT = Sweep(
    "galu/rank-tight",
    "exact ranks of random features at m = k d, k = 8",
    kernels.random_features,
    [{"m": 8 * d, "d": d, "k": 8} for d in (2, 3, 4, 8, 16)],
    runs={"quick": 1_200, "full": 2_000},
)


def tight_sizes(context) -> Finding:
    """m = k d at k = 8, 0-1 gates: full rank by d, by elimination; the bound by rows without an open gate beside it."""
    k = 8
    full, mean_rank, closed, short = {}, {}, {}, {}
    for point, rows in zip(TIGHT.points, context.rows(TIGHT), strict=True):
        d = point["d"]
        full[d] = proportion(int(rows[:, 0].sum()), len(rows))
        mean_rank[d] = rows[:, 1].mean() / (k * d)
        short[d] = int(np.sum(rows[:, 0] == 0))
        closed[d] = int(np.sum((rows[:, 0] == 0) & (rows[:, 2] == 0)))

    def kept(bound) -> bool:
        """Whether no lower limit is above a bound."""
        return all(v.low <= bound(k * d, d, k) for d, v in full.items())

    # For many inputs a row without an open gate is behind most failures, for few behind fewer than half.
    reason = proportion(closed[16], short[16]).low > 0.5 > proportion(closed[2], short[2]).high
    below = kept(theory.full_rank_at_most)
    rare = combine([full[2].below(0.5), full[8].below(1), full[16].below(1)])
    says = f"m = k d, k = 8, {full[2].n} matrices each; full rank: " + "; ".join(
        f"d = {d}: {v.value:.1%} ({v.low:.3f} to {v.high:.3f}, bound {theory.full_rank_at_most(k * d, d, k):.3f}), "
        f"mean rank {mean_rank[d]:.4f} m; {closed[d]} of {short[d]} matrices below full rank have a row without an "
        "open gate"
        for d, v in full.items()
    )
    slips = {
        "at most 1 - m/2^k, m/2^k the mean number of rows without an open gate": not kept(lambda m, _, k: 1 - m / 2**k),
        "certain for 16 inputs": short[16] > 0,
        "as likely for 2 inputs as for 16": full[2].high < full[16].low,
    }
    return concluded(combine([rare, told(reason, False), told(below, not below)]), says, slips)


additional(
    "galu/beyond.rank-tight",
    at="additional to section 4.1",
    says="at m = k d with k = 8 the probability of full rank is below one half for d = 2. It is at most "
    f"{theory.full_rank_at_most(64, 8, 8):.4f} for d = 8 and {theory.full_rank_at_most(128, 16, 8):.4f} for d = 16, "
    "because an input that opens no gate prevents full rank",
    runs=TIGHT,
    experiment=tight_sizes,
    note="the limits are Clopper and Pearson's at the error rate of one comparison. `theory.galu.full_rank_at_most` "
    "computes the bound. On average the least training loss is therefore above 1 - kd/m = 0, by 1 - E[rank]/m",
)
