"""Section 4.1.1: ReLU networks beside GaLU networks, Algorithm 1, Figure 2.

Our copy has lost the text of Algorithm 1 and the caption of Figure 2. The algorithm is read as: replace a random filter
by a new random one, keep it if the least training loss falls; GaLU(512) in the figure as 512 such rounds.
"""

from __future__ import annotations

import numpy as np

from montecarlo.galu_filters import Filters, features, least_loss, replace_filters
from montecarlo.galu_training import fit
from paper_checks.claim import registry
from paper_checks.findings import Finding
from paper_checks.galu.networks import found
from paper_checks.galu.sections_1_2 import galu_is_strictly_larger, relu_networks_are_galu_networks
from paper_checks.relations import Reproduces
from paper_checks.train import load
from paper_checks.verdict import Z
from theory import galu as theory

claim = registry.claim

# Losses of order 1, from orthogonal decompositions: rounding times the number of rows, and room to spare.
ROUNDING = 1e-12


def cells(name: str, key: str = "k") -> dict:
    """Stored results of an experiment, in lists by the value of a key."""
    grouped: dict = {}
    for cell in load(name)["cells"]:
        grouped.setdefault(cell["cell"][key], []).append(cell)
    return grouped


def figure_2_is_theorem_1(_context) -> Finding:
    """The losses with random filters against the chi-squared law of theorem 1 with rank kd."""
    c = load("galu_figure2")["configuration"]
    m, d = c["m"], c["d"]
    scores, wrong = [], []
    for k, group in cells("galu_figure2").items():
        mean, variance = theory.expected_train_loss(k * d, m), theory.train_loss_variance(k * d, m)
        scores += [(v["galu"] - mean) / np.sqrt(variance) for v in group]
        wrong += [(v["galu"] - theory.expected_train_loss(k, m)) / np.sqrt(variance) for v in group]
    # Chi-squared of 256 degrees of freedom or more: beyond Z standard deviations with less than 1e-8.
    good = max(map(abs, scores)) < Z
    says = (
        f"{len(scores)} losses of {m} examples in R^{d} with 1 to 24 random filters: the farthest from 1 - kd/m is "
        f"{max(map(abs, scores)):.1f} standard deviations off"
    )
    return found(good, says, {"rank k": max(map(abs, wrong)) > Z})


claim(
    "galu/fig2.galu",
    at="figure 2, GaLU",
    says="the training loss with random filters is 1 - kd/m within its chi-squared law, by theorem 1 and full rank",
    relation=Reproduces(),
    experiment=figure_2_is_theorem_1,
    note="stored by 'paper-checks train galu_figure2'",
)


def relu_beside_galu(_context) -> Finding:
    """ReLU with k neurons against GaLU with k and with 2 k."""
    c = load("galu_figure2")["configuration"]
    m, d = c["m"], c["d"]
    better, beaten, texts = True, False, []
    for k, group in cells("galu_figure2").items():
        trained = [v["relu"] for v in group]
        double = max(0.0, 1 - 2 * k * d / m)
        better &= all(v["relu"] < v["galu"] for v in group)
        beaten |= any(t < double for t in trained)
        texts.append(f"{k}: {np.mean(trained):.3f} (GaLU {1 - k * d / m:.3f}, of {2 * k} {double:.3f})")
    says = "mean loss of k ReLU neurons, k = " + "; ".join(texts)
    return found(better and not beaten, says, {"GaLU with as many neurons": better})


claim(
    "galu/fig2.relu",
    at="section 4.1.1, first paragraph; figure 2",
    says="ReLU networks outperform GaLU networks of as many neurons, and are never better than GaLU networks of twice "
    "as many",
    relation=Reproduces(),
    experiment=relu_beside_galu,
    note="in all stored runs; not 'by a small margin': at k = 16 the loss is about half. The optimiser is ours, as the "
    "paper gives no settings of its SGD; better training could only lower the losses of ReLU",
)

claim(
    "galu/sec4.1.1.less-expressive",
    at="section 4.1.1, second paragraph",
    says="ReLU networks are less expressive than GaLU networks with free gates: contained in them, and not the reverse",
    proof=galu_is_strictly_larger,
    experiment=relu_networks_are_galu_networks,
    note="for two inputs or more",
)


def data(seed, m: int, d: int):
    """Inputs and labels, all normal."""
    rng = np.random.default_rng([seed, m, d])
    return rng.standard_normal((m, d)), rng.standard_normal(m)


def learnt_filters(context) -> Finding:
    """Least loss with the weights of a trained ReLU network as filters, against random filters, same data."""
    m, d, k, count = 200, 10, 6, {"quick": 8, "full": 16}[context.tier]
    x, y = data(context.seed, m, d)
    learnt, fresh = [], []
    for i in range(count):
        rng = np.random.default_rng([context.seed, i])
        weights, _, _ = fit(x, y[:, None], k, "relu", 600, rng)
        learnt.append(least_loss(x, weights.T, y))
        fresh.append(least_loss(x, rng.standard_normal((k, d)), y))
    # Pairs of runs: if the two were alike, all differences of one sign would have probability 2^(1 - count).
    good = all(a < b for a, b in zip(learnt, fresh, strict=True))
    says = (
        f"m = {m}, d = {d}, k = {k}: {np.mean(learnt):.3f} with filters learnt by ReLU, {np.mean(fresh):.3f} with random "
        f"ones, lower in each of {count} runs"
    )
    return found(good, says, {"random filters": max(learnt) < min(fresh)})


claim(
    "galu/sec4.1.1.filters",
    at="section 4.1.1, second paragraph",
    says="training a ReLU network finds better filters than random initialisation",
    experiment=learnt_filters,
)


def quick_update(context) -> Finding:
    """The loss with a replaced filter: by the update, and by a new decomposition; equal filters as a hard case."""
    rng = np.random.default_rng(context.seed)
    worst, others = 0.0, 0.0
    for m, d, k in ((60, 3, 4), (40, 2, 8), (64, 5, 12)):
        x, y = data(context.seed, m, d)
        u = rng.standard_normal((k, d))
        filters = Filters(x, u, y)
        for _ in range(20):
            j, new = int(rng.integers(k)), rng.standard_normal(d)
            changed = filters.u.copy()
            changed[j] = new
            # Skip what has no unique answer in rounding: dependent columns.
            if theory.rank((x @ changed.T > 0).astype(int), d) < k * d:
                continue
            quick = filters.loss_with(j, new)
            slow = least_loss(x, changed, y)
            worst = max(worst, abs(quick - slow))
            others = max(others, abs(filters.loss - slow))
            if quick < filters.loss:
                filters.replace(j, new)
    good = worst < ROUNDING
    return found(
        good, f"largest difference to a new decomposition {worst:.0e}", {"the filter not replaced": others > 1e-3}
    )


claim(
    "galu/alg1.update",
    at="algorithm 1, its update",
    says="the loss with one filter replaced follows from the decomposition at hand, to rounding",
    experiment=quick_update,
    note="a replaced filter changes d of kd columns. At m = 1024, d = 32 and k = 16 a candidate costs 25 ms instead of 149 "
    "ms by a new decomposition, both on one core of a busy machine; candidates that are kept, 3 to 5 in 100, cost one",
)


def algorithm_1_improves(context) -> Finding:
    """Losses along Algorithm 1, at a small size now and in the stored runs."""
    x, y = data(context.seed, 100, 4)
    path = replace_filters(x, y, 8, 200, np.random.default_rng(context.seed))
    stored = [v for group in cells("galu_figure2").values() for v in group]
    good = bool(np.all(np.diff(path) <= 0)) and path[-1] < path[0]
    good &= all(v["risen"] == 0 and v["galu_replaced"] < v["galu"] for v in stored)
    start = least_loss(x, np.random.default_rng(context.seed).standard_normal((8, 4)), y)
    same_start = abs(start - path[0]) < ROUNDING
    texts = [
        f"{k}: {np.mean([v['galu'] for v in g]):.3f} to {np.mean([v['galu_replaced'] for v in g]):.3f}, ReLU "
        f"{np.mean([v['relu'] for v in g]):.3f}"
        for k, g in cells("galu_figure2").items()
    ]
    closer = all(
        abs(np.mean([v["galu_replaced"] - v["relu"] for v in g])) < abs(np.mean([v["galu"] - v["relu"] for v in g]))
        for g in cells("galu_figure2").values()
    )
    says = "512 rounds lower the loss, k = " + "; ".join(texts)
    return found(good and same_start and closer, says, {"no change": path[-1] < path[0] - 1e-3})


claim(
    "galu/alg1.improves",
    at="section 4.1.1, algorithm 1 and last paragraph",
    says="replacing filters at random, kept when the loss falls, never raises the loss, improves GaLU networks, and "
    "brings them closer to ReLU networks",
    relation=Reproduces(),
    experiment=algorithm_1_improves,
)


def features_agree(context) -> Finding:
    """The simulator's X-bar is the theory's."""
    x, _ = data(context.seed, 7, 3)
    u = np.random.default_rng(context.seed).standard_normal((4, 3))
    same = np.array_equal(features(x, u), theory.features(x, u))
    return found(
        same, "equal to the last bit", {"another gate": not np.array_equal(features(x, -u), theory.features(x, u))}
    )


claim(
    "galu/alg1.features",
    at="algorithm 1, its features",
    says="the experiment's feature matrix is X-bar of section 4.1",
    experiment=features_agree,
)
