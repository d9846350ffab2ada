"""The stored runs of Figure 6: deeper networks by depth, kind, method and gamma."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from paper_checks import Reproduces
from paper_checks.papers.dying_relu.stored_runs import SIGNS, Cell, Trained
from paper_checks.papers.dying_relu.sweeps import FIGURE_6, METHODS, STARTS

GAMMA = 4.0**-4
WIDTH = 24
# What a sentence on Adam is judged in: momentum 0.9 and step sizes 0.001, 0.01 and 0.1.
ADAM = ("adam", "adam-fast", "adam-fastest")
SETTINGS = (
    "Lost in our copy: gamma, depths, widths, step size, the residual block, numbers of runs and updates; here: "
    "gamma = 1/256 and 1, 1 to 6 ReLU layers of 24 units (1 to 24 at the start), "
    "residual blocks h + W relu(batch normalisation of h) + b, batches of 32, 48 runs of 1000 updates, Friedman's "
    "first function of standardised inputs; dead: inactive on all 512 training inputs"
)
OPTIMISERS = {"adam": "Adam", "sgd": "SGD"}
BY_RUN = {"relation": Reproduces(), "runs": FIGURE_6, "assumptions": SIGNS}
ALL = f"{SIGNS}. Confirmed, or refuted, means: in every setting"


Networks = Callable[..., Cell]


def networks(context) -> Networks:
    """The trained networks: residual or not, depth, method, gamma; ``width`` where it is not the usual one."""
    trained = Trained(FIGURE_6, context.rows(FIGURE_6))
    return lambda residual, depth, method, gamma=GAMMA, **more: trained(
        residual=residual, depth=depth, method=method, gamma=gamma, **more
    )


def untrained(context) -> Callable[..., Cell]:
    """The networks before the first update: residual or not, depth, law."""
    trained = Trained(STARTS, context.rows(STARTS))
    return lambda residual, depth, law: trained(residual=residual, depth=depth, law=law)


def share(counts: np.ndarray, depth: int) -> np.ndarray:
    """Dead units as a share of all."""
    return counts / (depth * WIDTH)


def step(method: str) -> str:
    m = METHODS[method]
    return f"{OPTIMISERS[m['optimiser']]} {m['step_size']:g}, momentum {m['momentum']:g}"


def name(gamma: float) -> str:
    return "gamma = 1" if gamma == 1 else "gamma = 1/256"
