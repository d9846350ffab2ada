"""Beyond section 4.1: what inputs that open no gate do to rank and training loss, in any sizes."""

import numpy as np
import sympy

from montecarlo import Sweep, mean
from montecarlo.kernels.galu import ranks as kernels
from paper_checks import Bounds, Kind, claim, concluded
from paper_checks.evidence.finding import Finding
from paper_checks.rules.proportions import proportion
from theory import Formula
from theory import galu as theory
from theory.galu.special_sizes import d, k, m

# By theorem 1, m times 1 less the mean loss.
LARGEST_MEAN_RANK = Formula(
    "upper bound of the mean rank with 0-1 gates",
    m * (1 - theory.expected_train_loss_at_least.expr),
    [m, d, k],
    source=theory.expected_train_loss_at_least.source,
    lhs=r"E\left[\operatorname{rank}(\bar X)\right]",
)

claim(
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
    kind=Kind.ADDITIONAL,
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


claim(
    "galu/beyond.rank-open-rows",
    at="additional to section 4.1",
    says="for a fixed number of filters rank X-bar = min{m - Z, kd} with high probability when the inputs have many "
    "dimensions. Z is the number of inputs that open no gate. At k = 4, d = 16 and m = 64 the probability is above 0.9",
    runs=OPEN,
    experiment=full_but_for_closed_inputs,
    note="Z is about m 2^-k and does not vanish. With few filters the rank min{m, kd} therefore becomes rarer as m "
    "grows: galu/rank",
    kind=Kind.ADDITIONAL,
)
