"""The training experiments of sections 4.1.1 and 5, Figures 2 and 5; ``paper-checks train`` runs them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from montecarlo import galu_filters, galu_training, modular
from montecarlo.galu_filters import least_loss, replace_filters
from montecarlo.galu_training import alternating_search, train
from paper_checks.train import Experiment, simulator

__all__ = [
    "EXPERIMENT_GALU_ACS",
    "EXPERIMENT_GALU_FIGURE2",
    "EXPERIMENT_GALU_FIGURE5",
    "EXPERIMENT_GALU_FIGURE5_PAIRS",
    "EXPERIMENT_GALU_RANDOM",
]

SIMULATOR = simulator(galu_filters, galu_training, modular)
FIGURE_2 = {
    "simulator": SIMULATOR, "m": 1024, "d": 32, "y": "N(0, 1)", "seed": 20190, "repeats": 3, "rounds": 512,
    "steps": 3000, "step_sizes": [0.02, 0.05],
    "optimiser": "Adam on all examples, step size falling to 0 along half a cosine",
}  # fmt: skip
FIGURE_5 = {
    "simulator": SIMULATOR, "m": 1024, "d": 32, "y": "N(0, I)", "seed": 20190, "below": 0.3, "steps": 2000,
    "step_size": 0.02, "optimiser": FIGURE_2["optimiser"],
}  # fmt: skip

# Random networks on the data sets of Figure 2; more of few neurons, where they are near trained ReLU networks.
RANDOM = {name: FIGURE_2[name] for name in ("simulator", "m", "d", "seed")} | {
    "draws": {"1": 400, "2": 400, "4": 400, "8": 400, "12": 100, "16": 100, "24": 100}
}  # fmt: skip
# Neurons with a loss near 0.3 by number of outputs: between the two kinds' smallest numbers in galu_figure5.
NEAR = {1: 19, 2: 34, 4: 61, 8: 101, 16: 164}
# With 48 pairs a sign test allows for two that go the other way.
FIGURE_5_PAIRS = {name: FIGURE_5[name] for name in ("simulator", "m", "d", "y", "steps", "step_size", "optimiser")} | {
    "seed": 20191, "repeats": 48, "neurons": {str(o): k for o, k in NEAR.items()}
}  # fmt: skip

ACS = {
    "simulator": SIMULATOR, "d": 8, "outputs": 4, "k": 8, "y": "N(0, I)", "seed": 20190, "sweeps": 200, "steps": 2000,
    "batch": 32, "step_sizes": [0.01, 0.03], "optimiser": "Adam, step size falling to 0 along half a cosine",
}  # fmt: skip


def figure_2_cell(cell: Mapping[str, Any], c: Mapping[str, Any]) -> dict[str, Any]:
    """Least training losses of one data set and one k: random filters, after Algorithm 1, ReLU trained."""
    k, repeat = cell["k"], cell["repeat"]
    rng = np.random.default_rng([c["seed"], repeat])
    x, y = rng.standard_normal((c["m"], c["d"])), rng.standard_normal(c["m"])
    path = replace_filters(x, y, k, c["rounds"], np.random.default_rng([c["seed"], repeat, k]))
    trained = [
        train(x, y[:, None], k, "relu", c["steps"], np.random.default_rng([c["seed"], repeat, k]), step_size=s)
        for s in c["step_sizes"]
    ]
    return {
        "galu": path[0],
        "galu_replaced": path[-1],
        "kept": int(np.sum(np.diff(path) < 0)),
        "risen": int(np.sum(np.diff(path) > 0)),
        "half_of_the_rounds": path[c["rounds"] // 2],
        "relu": min(trained),
        "relu_by_step_size": trained,
    }


def figure_5_cell(cell: Mapping[str, Any], c: Mapping[str, Any]) -> dict[str, Any]:
    """The smallest k of a bisection at which training ends below the wanted loss, with all losses seen."""
    outputs, kind, m, d = cell["outputs"], cell["kind"], c["m"], c["d"]
    rng = np.random.default_rng([c["seed"], outputs])
    x, y = rng.standard_normal((m, d)), rng.standard_normal((m, outputs))
    # As many weights as examples to be met, give or take.
    guess = (1 - c["below"]) * m * outputs / (d + outputs - 1)
    low, high = int(guess / 2), int(2 * guess) + 1
    seen: dict[int, float] = {}

    def loss(k: int) -> float:
        if k not in seen:
            start = np.random.default_rng([c["seed"], outputs, k])
            seen[k] = train(x, y, k, kind, c["steps"], start, step_size=c["step_size"])
        return seen[k]

    while high - low > max(1, guess // 40):
        middle = (low + high) // 2
        low, high = (low, middle) if loss(middle) < c["below"] else (middle, high)
    return {"k": high, "above": low, "losses": {str(k): v for k, v in sorted(seen.items())}}


def random_cell(cell: Mapping[str, Any], c: Mapping[str, Any]) -> dict[str, Any]:
    """Least losses of GaLU networks with random filters on a data set of Figure 2."""
    k, repeat = cell["k"], cell["repeat"]
    rng = np.random.default_rng([c["seed"], repeat])
    x, y = rng.standard_normal((c["m"], c["d"])), rng.standard_normal(c["m"])
    filters = np.random.default_rng([c["seed"], repeat, k, 3])
    return {"losses": [least_loss(x, filters.standard_normal((k, c["d"])), y) for _ in range(c["draws"][str(k)])]}


def figure_5_pair(cell: Mapping[str, Any], c: Mapping[str, Any]) -> dict[str, float]:
    """Losses after training of a GaLU and of a ReLU network with as many neurons, on the same data."""
    outputs, repeat = cell["outputs"], cell["repeat"]
    rng = np.random.default_rng([c["seed"], outputs, repeat])
    x, y = rng.standard_normal((c["m"], c["d"])), rng.standard_normal((c["m"], outputs))
    return {
        kind: train(x, y, c["neurons"][str(outputs)], kind, c["steps"],
                    np.random.default_rng([c["seed"], outputs, repeat, 1]), step_size=c["step_size"])
        for kind in ("galu", "relu")
    }  # fmt: skip


def acs_cell(cell: Mapping[str, Any], c: Mapping[str, Any]) -> dict[str, Any]:
    """Final losses for one data set and one set of gates: alternating search, gradients on batches and on all."""
    m, repeat = cell["m"], cell["repeat"]
    rng = np.random.default_rng([c["seed"], m, repeat])
    x, y = rng.standard_normal((m, c["d"])), rng.standard_normal((m, c["outputs"]))

    def gradients(batch: int | None) -> float:
        start = [c["seed"], m, repeat, 1]
        return min(
            train(x, y, c["k"], "galu", c["steps"], np.random.default_rng(start), step_size=s, batch=batch)
            for s in c["step_sizes"]
        )

    path = alternating_search(x, y, c["k"], c["sweeps"], np.random.default_rng([c["seed"], m, repeat, 1]))
    return {"acs": path[-1], "largest_rise": float(np.diff(path).max()), "sgd": gradients(c["batch"]),
            "descent": gradients(None)}  # fmt: skip


EXPERIMENT_GALU_ACS = Experiment(
    "galu_acs",
    "final training loss with several outputs: alternating convex search, stochastic gradients, gradients",
    ACS,
    [{"m": m, "repeat": r} for m in (32, 64, 128) for r in range(100)],
    acs_cell,
)

EXPERIMENT_GALU_FIGURE2 = Experiment(
    "galu_figure2",
    "least training loss on random labels against the number of neurons: GaLU, GaLU after Algorithm 1, ReLU",
    FIGURE_2,
    [{"k": k, "repeat": r} for k in (1, 2, 4, 8, 12, 16, 24) for r in range(FIGURE_2["repeats"])],
    figure_2_cell,
)

EXPERIMENT_GALU_FIGURE5 = Experiment(
    "galu_figure5",
    "smallest number of neurons with a training loss below 0.3 against the number of outputs: GaLU, ReLU",
    FIGURE_5,
    [{"outputs": o, "kind": kind} for o in (1, 2, 4, 8, 16) for kind in ("galu", "relu")],
    figure_5_cell,
)

EXPERIMENT_GALU_FIGURE5_PAIRS = Experiment(
    "galu_figure5_pairs",
    "training losses of GaLU and ReLU networks with as many neurons, near a loss of 0.3, by number of outputs",
    FIGURE_5_PAIRS,
    [{"outputs": o, "repeat": r} for o in NEAR for r in range(FIGURE_5_PAIRS["repeats"])],
    figure_5_pair,
)

EXPERIMENT_GALU_RANDOM = Experiment(
    "galu_random",
    "least training losses of GaLU networks with random filters, many on each data set of galu_figure2",
    RANDOM,
    [{"k": int(k), "repeat": r} for k in RANDOM["draws"] for r in range(FIGURE_2["repeats"])],
    random_cell,
)
