"""Beyond section 4.1: what inputs that open no gate do to rank and training loss, in any sizes."""

from __future__ import annotations

import numpy as np
import sympy

from montecarlo import Sweep, mean
from montecarlo.kernels.galu import ranks as kernels
from paper_checks import Bounds, Kind, claim, concluded
from paper_checks.evidence.finding import Finding
from paper_checks.rules.proportions import proportion
from theory import galu as theory
from theory.galu.special_sizes import d, k, m

claim(
    "galu/beyond.loss-floor",
    at="beyond theorem 1 and section 4.1",
    says="with 0-1 gates the mean of the least training loss is at least max{2^-k, 1 - kd/m}: more neurons than m/d do "
    "not help while 2^k is not far above m",
    printed=theory.expected_train_loss_at_least,
    relation=Bounds("above"),
    points=[{"m": 8, "d": 3, "k": 3}, {"m": 12, "d": 6, "k": 2}, {"m": 6, "d": 2, "k": 2}],
    # What is played is the rank, m times 1 less the mean loss by theorem 1.
    functional=lambda form, values: int(values["m"]) * (1 - form()),
    measured=mean(kernels.random_features, 1),
    slips={"twice as many inputs that open no gate": sympy.Max(2 ** (1 - k), 1 - k * d / m)},
    note="inputs that open no gate, m 2^-k on average, are rows of zeros; the bound is min{m (1 - 2^-k), k d} for the "
    "mean rank, which is what is measured. theory.galu.expected_train_loss_at_least",
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
    at="beyond section 4.1",
    says="for a fixed number of filters what holds with high probability as inputs get many dimensions is rank X-bar = "
    "min{m - Z, kd}, Z the number of inputs that open no gate: at k = 4 and m = 64 with more than 0.9",
    runs=OPEN,
    experiment=full_but_for_closed_inputs,
    note="Z is about m 2^-k and does not go away: with few filters min{m, kd} itself becomes rarer as m grows",
    kind=Kind.ADDITIONAL,
)
