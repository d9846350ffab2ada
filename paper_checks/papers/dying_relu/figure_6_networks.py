"""The stored runs of Figure 6: deeper networks by depth, kind, method and gamma."""

from collections.abc import Callable

import numpy as np

from paper_checks import Reproduces
from paper_checks.papers.dying_relu.findings import COUNTS
from paper_checks.papers.dying_relu.stored_runs import AS_BEFORE, Cell, Trained
from paper_checks.papers.dying_relu.sweeps import FIGURE_6, METHODS, STARTS

GAMMA = 4.0**-4
WIDTH = 24
# What a sentence on Adam is judged in: momentum 0.9 and step sizes 0.001, 0.01 and 0.1.
ADAM = ("adam", "adam-fast", "adam-fastest")
SETTINGS = (
    "Our copy has lost gamma, the depths and widths, the step sizes, the residual block, and the numbers of runs and "
    "updates. We chose gamma = 1 and 1/256, networks of 1 to 6 ReLU layers with 24 units each, batches of 32 and 1000 "
    "updates. Before training, dead units are counted for 1 to 24 layers in 48 runs each. Plain networks that are "
    "trained by gradient descent have 24 units per layer with step size 0.1. They have 128 in relu/fig6.sgd, "
    "relu/beyond.sgd-large-steps and relu/beyond.sgd-more, with step size 0.1, and for gamma = 1 with 0.01 too. A "
    "residual block is h + W relu(batch normalisation of h) + b. The data are Friedman's first function of "
    "standardised inputs. A unit is dead if it is inactive on all 512 training inputs. Trained plain networks of 24 "
    "units per layer have 240 runs in each setting, and 480 at depths 1 and 3 with momentum and step size 0.001. Those "
    "of 128 units have 48, and 144 at depth 3 with gamma = 1 and step size 0.1. Residual networks have 48, and 240 "
    "with gamma = 1/256 and step size 0.1 of Adam"
)
OPTIMISERS = {"adam": "Adam", "sgd": "SGD"}
BY_RUN = {"relation": Reproduces(), "runs": FIGURE_6, "assumptions": AS_BEFORE}
ALL = f"{AS_BEFORE}. {COUNTS}"


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
