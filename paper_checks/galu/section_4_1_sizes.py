"""Section 4.1, how likely full rank is, by counts: in the sizes of the paper's experiments, and at m = k d."""

from __future__ import annotations

import math

import numpy as np
from scipy.stats import beta

from montecarlo.kernels import galu_rank as kernels
from montecarlo.philox import stream
from paper_checks.claim import registry
from paper_checks.findings import Finding
from paper_checks.galu.networks import found
from paper_checks.paired import RATE
from paper_checks.verdict import Status
from theory import galu as theory
from theory import galu_laws as laws

claim = registry.claim

# That all of n matrices have full rank puts the probability above HIGH with this confidence for n of 10 and of 66.
CONFIDENCE = 0.999
HIGH = {"quick": 0.5, "full": 0.9}
ELIMINATED = {"quick": 0, "full": 2}
OTHER_K = {"quick": (1, 2, 64), "full": (1, 31, 33, 64)}


def lower_limit(good: int, count: int, error: float) -> float:
    """Clopper and Pearson's lower limit of a probability."""
    return float(beta.ppf(error, good, count - good + 1)) if good else 0.0


def upper_limit(good: int, count: int, error: float) -> float:
    """Clopper and Pearson's upper limit of a probability."""
    return 1 - lower_limit(count - good, count, error)


def in_the_papers_sizes(context) -> Finding:
    """0-1 gates, m = 1024, d = 32: how many matrices have full rank at k = 32 = m/d, and so at every other k."""
    rng, key = np.random.default_rng(context.seed + 3), stream(context.seed, "galu/rank.paper-sizes", 0)
    m, d, k, high, other = 1024, 32, 32, HIGH[context.tier], OTHER_K[context.tier]
    count = math.ceil(math.log(1 - CONFIDENCE) / math.log(high))
    full, agree = 0, True
    for i in range(count):
        if i < ELIMINATED[context.tier]:
            gates = np.empty((m, k), dtype=np.int64)
            played = kernels.instance(key, i, m, d, k, 0, gates)
            agree &= played == theory.rank(gates, d)
        else:
            gates = (rng.standard_normal((m, d)) @ rng.standard_normal((k, d)).T > 0).astype(int)
            played = theory.rank(gates, d)
        full += played == m
    x, u = rng.standard_normal((m, d)), rng.standard_normal((64, d))
    gates = (x @ u.T > 0).astype(int)
    nested = [theory.rank(gates[:, :n], d) == min(m, n * d) for n in other]
    one = theory.rank((x[:, :1] @ u[:k, :1].T > 0).astype(int), d) == m
    limit = lower_limit(full, count, 1 - CONFIDENCE)
    says = (
        f"{full} of {count} matrices of full rank at k = 32, so that its probability is above {limit:.3f} at "
        f"{CONFIDENCE:.1%} confidence; {ELIMINATED[context.tier]} of them eliminated modulo 2^61 - 1 as well; of one "
        f"draw with 64 filters the first {', '.join(map(str, other))} have full rank in {sum(nested)} of {len(nested)} "
        "cases"
    )
    status = Status.CONFIRMED if limit > high and agree and all(nested) else Status.INCONCLUSIVE
    if not agree or upper_limit(full, count, RATE) < high:
        status = Status.REFUTED
    slips = {
        "gates of the first input alone": one,
        "one matrix of lower rank": lower_limit(count - 1, count, 1 - CONFIDENCE) > high,
    }
    kept = tuple(name for name, survives in slips.items() if survives)
    return Finding("experiment", status, status, says, len(slips) - len(kept), len(slips), kept)


claim(
    "galu/rank.paper-sizes",
    at="section 4.1, last paragraph, in the sizes of figures 2 and 5",
    says="with 0-1 gates, m = 1024 and d = 32, rank X-bar = min{m, kd} with high probability",
    experiment=in_the_papers_sizes,
    note="read as: with a probability of at least 0.9 in the full tier, 0.5 in the quick one, at 99.9 % confidence; "
    "more cannot be said from so many matrices. The square case k = 32 is enough: where all of its columns are "
    "independent, so are those of fewer filters, and more filters only add columns to rank m. Ranks from "
    "theory.galu.rank, which needs the gates alone; in the full tier two by elimination too",
)


TIGHT = {"quick": 800, "full": 2_000}


def tight_sizes(context) -> Finding:
    """m = k d at k = 8, 0-1 gates: full rank by d, by elimination; the bound by rows without an open gate beside it."""
    count, k = TIGHT[context.tier], 8
    full, mean_rank, closed = {}, {}, {}
    for d in (2, 3, 4, 8, 16):
        out = np.empty((count, 3), order="F")
        kernels.random_features(stream(context.seed, "galu/beyond.rank-tight", d), 0, k * d, d, k, out)
        full[d], mean_rank[d] = int(out[:, 0].sum()), out[:, 1].mean() / (k * d)
        closed[d] = int(np.sum((out[:, 0] == 0) & (out[:, 2] == 0)))
    low, high = ({d: limit(n, count, RATE) for d, n in full.items()} for limit in (lower_limit, upper_limit))

    def kept(bound) -> bool:
        """Whether no lower limit is above a bound."""
        return all(low[d] <= bound(k * d, d, k) for d in full)

    # For many inputs a row without an open gate is behind most failures, for few behind fewer than half.
    short = {d: count - n for d, n in full.items()}
    reason = short[16] and lower_limit(closed[16], short[16], RATE) > 0.5 > upper_limit(closed[2], short[2], RATE)
    good = high[2] < 0.5 and max(high[8], high[16]) < 1 and kept(laws.full_rank_at_most) and bool(reason)
    says = f"m = k d, k = 8, {count} matrices each; full rank: " + "; ".join(
        f"d = {d}: {full[d] / count:.1%} ({low[d]:.3f} to {high[d]:.3f}, bound "
        f"{laws.full_rank_at_most(k * d, d, k):.3f}), mean rank {mean_rank[d]:.4f} m, a row without an open gate in "
        f"{closed[d]} of {short[d]} others"
        for d in full
    )
    slips = {
        "at most 1 - m/2^k, m/2^k the mean number of rows without an open gate": not kept(lambda m, _, k: 1 - m / 2**k),
        "certain for 16 inputs": full[16] < count,
        "as likely for 2 inputs as for 16": high[2] < low[16],
    }
    return found(good, says, slips)


claim(
    "galu/beyond.rank-tight",
    at="beyond section 4.1",
    says="at m = k d with k = 8 full rank is rarer than not for d = 2, and not certain for many inputs, where a row "
    "without an open gate is what prevents it: its probability is at most 0.862 for d = 8 and 0.743 for d = 16",
    experiment=tight_sizes,
    note="limits by Clopper and Pearson at the error rate of one comparison; the bound is theory.galu_laws."
    "full_rank_at_most. So the least training loss is above 1 - kd/m on average: its excess is 1 - E[rank]/m",
    beyond=True,
)
