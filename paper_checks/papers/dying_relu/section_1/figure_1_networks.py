"""The stored runs of Figure 1: networks with one hidden layer by method, gamma and data."""

from collections.abc import Callable

import numpy as np

from montecarlo.training.scaled_targets import DATA
from paper_checks import Reproduces
from paper_checks.papers.dying_relu.stored_runs import AS_BEFORE, Cell, Trained
from paper_checks.papers.dying_relu.sweeps import FIGURE_1, GAMMAS

SMALL = GAMMAS[2:5]
SETTINGS = (
    "Our copy has lost which data sets these are, the width, the batch size, the distributions of the initial "
    "parameters, and the numbers of runs and updates. Reference [21], the UCI repository, is the only one that our "
    "copy cites nowhere, so the data sets are probably from there. We chose 32 units, batches of 32, initial "
    "parameters from U[-1/sqrt(fan_in), 1/sqrt(fan_in)], 48 runs of 2000 updates, and Adam with step size 0.001 and "
    "momentum 0.9 unless another is named. With positive inputs and step size 0.01 there are 240 runs. Our four data "
    "sets are not from that repository: Friedman's first function of standardised inputs, the same of positive inputs, "
    "a single ReLU, and the diabetes data of scikit-learn"
)
BY_RUN = {"relation": Reproduces(), "runs": FIGURE_1, "assumptions": AS_BEFORE}


def networks(context) -> Callable[..., Cell]:
    """The runs of networks with one hidden layer: by method, gamma and data."""
    trained = Trained(FIGURE_1, context.rows(FIGURE_1))
    return lambda method, gamma, data=DATA[0]: trained(data=data, method=method, gamma=gamma)


def power(gamma: float) -> str:
    return f"4^{round(np.log(gamma) / np.log(4))}" if gamma else "0"
