"""Regression on scaled targets, Figures 1 and 6; ``paper-checks train relu_figure1 relu_figure6`` runs them.

Our copy of the paper has lost the numbers of appendix A and of section 6: widths, batch size, laws of the initial
parameters, number of runs and of updates, scales, data sets. Every choice here is ours, and the configuration says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from montecarlo.training.optimisers import SGD, Adam
from montecarlo.training.regression import Network, source_digest, train
from paper_checks.train import Experiment
from theory.relu_unit import target_scaling

__all__ = ["DATA", "EXPERIMENT_RELU_FIGURE1", "EXPERIMENT_RELU_FIGURE6", "METHODS", "regression_data", "trained"]

# Powers of 4: their square roots are powers of 2, so that scaling a network with one hidden layer rounds nothing.
GAMMAS = [1.0, 4.0**-2, 4.0**-4, 4.0**-6, 4.0**-8, 0.0]
# Optimiser, step size, momentum; what else is not as in the paper.
METHODS = {
    "adam": {"kind": "adam", "step_size": 1e-3, "momentum": 0.9},
    "adam-fast": {"kind": "adam", "step_size": 1e-2, "momentum": 0.9},
    "adam-no-momentum": {"kind": "adam", "step_size": 1e-3, "momentum": 0.0},
    "adam-fast-no-momentum": {"kind": "adam", "step_size": 1e-2, "momentum": 0.0},
    "adam-fastest": {"kind": "adam", "step_size": 1e-1, "momentum": 0.9},
    "sgd": {"kind": "sgd", "step_size": 0.1, "momentum": 0.9},
    "adam-leaky": {"kind": "adam", "step_size": 1e-3, "momentum": 0.9, "leak": 0.1},
    "adam-scaled": {"kind": "adam", "step_size": 1e-3, "momentum": 0.9, "scaled": True},
}
LOST = (
    "lost in our copy of the paper, chosen here: data sets, width, batch, law of initial parameters, runs, updates, "
    "gammas, the kind of residual block, step size of gradient descent"
)
FIGURE_1 = {
    "simulator": source_digest(), "seed": 20261, "runs": 48, "width": 32, "batch": 32, "law": "uniform",
    "checkpoints": [0, 2000], "methods": METHODS, "lost": LOST,
}  # fmt: skip
FIGURE_6 = {
    **FIGURE_1, "width": 24, "checkpoints": [0, 10, 30, 100, 300, 1000], "data": "friedman1",
}  # fmt: skip
DATA = ("friedman1", "friedman1-positive", "relu", "diabetes")
OBSERVATIONS = 512


def regression_data(name: str, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Inputs and targets (n, inputs), (n,); targets as in eq. (1) with scale 1, inputs standardised likewise.

    Parameters
    ----------
    name : str
        ``friedman1``: 10 sin(pi x_1 x_2) + 20 (x_3 - 1/2)^2 + 10 x_4 + 5 x_5 + N(0, 1) of ten inputs U[0, 1];
        ``friedman1-positive``: the same, inputs as they are; ``relu``: max(0, x.u) of ten normal inputs with a unit
        vector u; ``diabetes``: the data set of that name that comes with scikit-learn.
    seed : int
        Of the generated data.

    Returns
    -------
    (x, y)

    Raises
    ------
    ValueError
        For another name, and for diabetes without scikit-learn.

    Source: relu, eq. (1), appendix A.

    Examples
    --------
    >>> x, y = regression_data("relu", 1)
    >>> x.shape, bool(abs(y.std() - 1) < 1e-12)
    ((512, 10), True)
    """
    rng = np.random.Generator(np.random.Philox(key=[seed, 2**63]))
    if name == "diabetes":
        x, y = _diabetes()
    elif name in ("friedman1", "friedman1-positive"):
        x = rng.uniform(size=(OBSERVATIONS, 10))
        y = 10 * np.sin(np.pi * x[:, 0] * x[:, 1]) + 20 * (x[:, 2] - 0.5) ** 2 + 10 * x[:, 3] + 5 * x[:, 4]
        y = y + rng.normal(size=OBSERVATIONS)
    elif name == "relu":
        x, u = rng.normal(size=(OBSERVATIONS, 10)), rng.normal(size=10)
        y = np.maximum(0, x @ (u / np.sqrt(u @ u)))
    else:
        raise ValueError(f"regression_data: name must be one of {DATA}, got {name!r}; choose one")
    if name != "friedman1-positive":
        x = (x - x.mean(axis=0)) / x.std(axis=0)
    return x, (y - y.mean()) / y.std()


def _diabetes() -> tuple[np.ndarray, np.ndarray]:
    try:
        from sklearn.datasets import load_diabetes
    except ImportError as error:
        raise ValueError(
            "regression_data: scikit-learn must be installed for the data set 'diabetes', got no such module; "
            "pip install 'paper-checks[data]', or leave this data set out"
        ) from error
    return load_diabetes(return_X_y=True, scaled=False)


def versions(name: str) -> dict[str, str]:
    """Of the libraries that have a part in the numbers."""
    found = {"numpy": np.__version__}
    if name == "diabetes":
        import sklearn

        found["scikit-learn"] = sklearn.__version__
    return found


def trained(cell: Mapping[str, Any], c: Mapping[str, Any], checkpoints: list[int] | None = None):
    """The runs of one cell, up to its last checkpoint."""
    method, gamma = METHODS[cell["method"]], cell["gamma"]
    name = cell.get("data") or c["data"]
    x, y = regression_data(name, c["seed"])
    network = Network(
        x.shape[1],
        cell.get("width", c["width"]),
        cell.get("depth", 1),
        cell.get("residual", False),
        method.get("leak", 0.0),
    )
    step, epsilon, start = method["step_size"], 1e-8, 1.0
    if method.get("scaled"):
        by = target_scaling.scales(gamma, 2)
        sizes = [a * b for a, b in network.shapes]
        start = np.repeat(np.array([v for pair in zip(*by, strict=True) for v in pair]), sizes)
        step, epsilon = step * start, epsilon * gamma**2 / start
    momentum = method["momentum"]
    optimiser = Adam(step, momentum, epsilon=epsilon) if method["kind"] == "adam" else SGD(step, momentum)
    return train(
        network, optimiser, x, gamma * y, runs=cell.get("runs", c["runs"]),
        seed=c["seed"], batch=c["batch"], checkpoints=checkpoints or c["checkpoints"], law=cell.get("law", c["law"]),
        start_scale=start,
    )  # fmt: skip


def cell_result(cell: Mapping[str, Any], c: Mapping[str, Any]) -> dict[str, Any]:
    """By run: mean square error at the end; dead units of all layers, and those that died, at each checkpoint.

    As text, a line each.
    """
    checkpoints = [0] if cell["method"] == "none" else c["checkpoints"]
    method = "adam" if cell["method"] == "none" else cell["method"]
    done = trained({**cell, "method": method}, c, checkpoints)

    def units(counts):
        return {str(k): " ".join(map(str, counts[:, i].sum(axis=1))) for i, k in enumerate(checkpoints)}

    return {
        "error": " ".join(f"{v:.9g}" for v in done.error[:, -1]),
        "dead": units(done.dead),
        "died": units(done.died),
        "versions": versions(cell.get("data") or c["data"]),
    }


# Where 48 runs, and then 144, left a question open that more can decide.
MANY = 240
# Units of a layer of which one is less than a hundredth.
WIDE = 128
MORE_RUNS = {("friedman1-positive", "adam-fast"): {"runs": MANY}}


def _figure_1_cells() -> list[dict[str, Any]]:
    methods = ("adam", "adam-no-momentum", "adam-fast")
    cells = [
        {"data": d, "method": m, "gamma": g} | MORE_RUNS.get((d, m), {}) for d in DATA for m in methods for g in GAMMAS
    ]
    cells += [{"data": DATA[1], "method": "adam-fast-no-momentum", "gamma": g, "runs": MANY} for g in GAMMAS[:5]]
    cells += [{"data": DATA[0], "method": m, "gamma": g} for m in ("sgd", "adam-leaky") for g in GAMMAS]
    return cells + [{"data": DATA[0], "method": "adam-scaled", "gamma": g} for g in GAMMAS[1:4]]


def _figure_6_cells() -> list[dict[str, Any]]:
    cells = [
        {"residual": residual, "depth": depth, "method": "none", "law": law, "gamma": 1.0}
        for residual in (False, True) for law in ("uniform", "he") for depth in (1, 2, 3, 6, 12, 24)
    ]  # fmt: skip
    methods = ("adam", "adam-fast", "adam-fastest", "sgd")
    cells += [
        {"residual": False, "depth": depth, "method": "sgd", "gamma": g, "width": WIDE}
        for depth in (1, 3, 6) for g in (1.0, 4.0**-4)
    ]  # fmt: skip
    return cells + [
        {"residual": residual, "depth": depth, "method": m, "gamma": g}
        | ({"runs": MANY} if residual and m == "adam-fastest" and g < 1 else {})
        | ({"runs": 144} if (residual, m, depth) == (False, "adam", 6) else {})
        for residual in (False, True) for m in methods + ("adam-fast-no-momentum",) * (not residual)
        for depth in (1, 3, 6) for g in (1.0, 4.0**-4)
    ]  # fmt: skip


EXPERIMENT_RELU_FIGURE1 = Experiment(
    "relu_figure1",
    "regression by one hidden layer of ReLU units on targets times gamma: error and dead units",
    FIGURE_1,
    _figure_1_cells(),
    cell_result,
)

EXPERIMENT_RELU_FIGURE6 = Experiment(
    "relu_figure6",
    "dead units of deeper networks, plain and residual with batch normalisation, at the start and during training",
    FIGURE_6,
    _figure_6_cells(),
    cell_result,
)
