"""Section 4.1.1: ReLU networks beside GaLU networks, Algorithm 1, Figure 2.

Algorithm 1 picks a neuron at random, draws a new filter for it and keeps it if the optimal solution gets better;
GaLU(512) in the figure stands for 512 of these steps.
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
from paper_checks.verdict import Status, Z
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
    """ReLU with k neurons against GaLU with k random filters, on the same data."""
    better, texts, one = True, [], ""
    for k, group in cells("galu_figure2").items():
        trained, random = (np.array([v[kind] for v in group]) for kind in ("relu", "galu"))
        if k == 1:
            one = "; of one neuron " + ", ".join(f"{v:.3f}" for v in trained)
            continue
        better &= bool(np.all(trained < random))
        texts.append(f"{k}: {trained.mean():.3f} ({random.mean():.3f})")
    says = "mean loss of k neurons, ReLU (GaLU), k = " + "; ".join(texts) + one
    worse = any(v["relu"] > v["galu"] for v in cells("galu_figure2")[1])
    return found(better, says, {"one neuron as well": worse})


claim(
    "galu/fig2.relu",
    at="section 4.1.1, first paragraph; figure 2",
    says="ReLU networks outperform GaLU networks of as many neurons",
    relation=Reproduces(),
    experiment=relu_beside_galu,
    note="from two neurons on, in all stored runs. Not by a small margin for many neurons: at k = 16 the loss is about "
    "half, at k = 24 a quarter. One ReLU neuron cannot change the sign of its output. The optimiser is ours, as the "
    "paper "
    "gives no settings of its SGD",
)


def relu_beside_twice_as_many(_context) -> Finding:
    """ReLU with k neurons against GaLU with 2 k random filters, on the same data."""
    c = load("galu_figure2")["configuration"]
    groups, beaten, many, count = cells("galu_figure2"), [], True, 0
    for k, group in groups.items():
        # With kd >= m features of full rank nothing is left.
        doubled = groups.get(2 * k) or ([{"galu": 0.0}] * len(group) if 2 * k * c["d"] >= c["m"] else [])
        for mine, other in zip(group, doubled, strict=bool(doubled)):
            count += 1
            if mine["relu"] < other["galu"]:
                beaten.append(f"k = {k}: {mine['relu']:.4f} < {other['galu']:.4f}")
            many &= k < 8 or mine["relu"] > other["galu"]
    # A run that is ahead of one draw of filters is not yet ahead of their mean.
    status = Status.REFUTED if not many else Status.INCONCLUSIVE if beaten else Status.CONFIRMED
    says = f"ReLU with k neurons is better than GaLU with 2 k in {len(beaten)} of {count} runs: {'; '.join(beaten)}"
    return Finding("experiment", status, status, says)


claim(
    "galu/fig2.double",
    at="section 4.1.1, first paragraph; figure 2",
    says="ReLU networks are never better than GaLU networks of twice as many neurons",
    relation=Reproduces(),
    experiment=relu_beside_twice_as_many,
    expected=Status.INCONCLUSIVE,
    note="so in all stored runs with 8 neurons or more. With 2 and 4 the two are alike, 0.892 and 0.895, 0.766 and "
    "0.758 on "
    "average: in 3 of 21 runs ReLU is better by about 0.01 than GaLU with twice as many on the same data",
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
    m, d, k, count = 200, 10, 8, {"quick": 8, "full": 16}[context.tier]
    x, y = data(context.seed, m, d)
    learnt, fresh, others = [], [], []
    for i in range(count):
        rng = np.random.default_rng([context.seed, i])
        weights, _, _ = fit(x, y[:, None], k, "relu", 600, rng)
        learnt.append(least_loss(x, weights.T, y))
        fresh.append(least_loss(x, rng.standard_normal((k, d)), y))
        others.append(least_loss(x, rng.standard_normal((k, d)), y))
    # Pairs of runs: if the two were alike, all differences of one sign would have probability 2^(1 - count).
    lower = sum(a < b for a, b in zip(learnt, fresh, strict=True))
    says = f"m = {m}, d = {d}, k = {k}: {np.mean(learnt):.3f} with filters learnt by ReLU, "
    says += f"{np.mean(fresh):.3f} with random ones, lower in {lower} of {count} runs"
    alike = all(a < b for a, b in zip(others, fresh, strict=True))
    return found(lower == count, says, {"random filters": not alike})


claim(
    "galu/sec4.1.1.filters",
    at="section 4.1.1, second paragraph",
    says="training a ReLU network finds better filters than random initialisation",
    experiment=learnt_filters,
)


def quick_update(context) -> Finding:
    """The loss with a replaced filter: by the update, and by a new decomposition; equal filters as a hard case."""
    rng = np.random.default_rng(context.seed)
    worst, others, deficient = 0.0, 0.0, 0
    for m, d, k in ((60, 3, 4), (40, 2, 8), (64, 5, 12)):
        x, y = data(context.seed, m, d)
        u = rng.standard_normal((k, d))
        filters = Filters(x, u, y)
        for _ in range(20):
            j, new = int(rng.integers(k)), rng.standard_normal(d)
            changed = filters.u.copy()
            changed[j] = new
            deficient += theory.rank((x @ changed.T > 0).astype(int), d) < k * d
            quick = filters.loss_with(j, new)
            slow = least_loss(x, changed, y)
            worst = max(worst, abs(quick - slow))
            others = max(others, abs(filters.loss - slow))
            if quick < filters.loss:
                filters.replace(j, new)
    good = worst < ROUNDING
    says = f"largest difference to a new decomposition {worst:.0e}, dependent columns in {deficient} of 60 cases"
    return found(good, says, {"the filter not replaced": others > 1e-3})


claim(
    "galu/alg1.update",
    at="algorithm 1, its update",
    says="the loss with one filter replaced follows from the decomposition at hand, to rounding",
    experiment=quick_update,
    note="a replaced filter changes d of kd columns. At m = 1024, d = 32 and k = 16 a candidate costs 25 ms instead "
    "of 149 "
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
        for k, g in cells("galu_figure2").items() if k > 1
    )  # fmt: skip
    says = "512 rounds lower the loss, k = " + "; ".join(texts)
    return found(good and same_start and closer, says, {"no change": path[-1] < path[0] - 1e-3})


claim(
    "galu/alg1.improves",
    at="section 4.1.1, algorithm 1 and last paragraph",
    says="replacing filters at random, kept when the loss falls, never raises the loss, improves GaLU networks, and "
    "brings them closer to ReLU networks, from two neurons on",
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
