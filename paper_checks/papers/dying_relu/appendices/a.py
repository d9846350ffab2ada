"""Appendix A: the network of Figure 1 and its settings."""

from __future__ import annotations

import numpy as np

from montecarlo.training.networks import Network
from paper_checks import claim, concluded, unchecked
from paper_checks.evidence.finding import Finding
from paper_checks.rules.means import Status
from theory.relu_unit import forward


def definition(context) -> Finding:
    """The simulator's network with one hidden layer against the recursion of appendix D."""
    rng = np.random.default_rng(context.seed)
    network, x = Network(4, 5, 1), rng.normal(size=(20, 4))
    rows = network.start([rng, rng])
    outputs, _ = network.forward(rows, x[None])
    worst, linear, biases = 0.0, True, True
    for run in range(2):
        w_1, b_1, w_2, b_2 = (t[run] for t in network.tensors(rows))
        expected = forward([w_1.T, w_2.T], [b_1[0], b_2[0]], x)
        worst = max(worst, np.abs(outputs[run] - expected).max())
        linear &= bool(np.abs(outputs[run] - ((x @ w_1 + b_1) @ w_2 + b_2)).max() > 1e-3)
        biases &= bool(np.abs(outputs[run] - np.maximum(x @ w_1, 0) @ w_2).max() > 1e-3)
    says = f"W_2 max(0, W_1 x + b_1) + b_2 within {worst:.0e}"
    status = Status.CONFIRMED if worst < 1e-14 else Status.REFUTED
    return concluded(status, says, {"no ReLU": linear, "no biases": biases})


claim(
    "relu/eq33",
    at="eq. (33), appendix A",
    says="the network of Figure 1, one hidden layer of ReLU units: what is simulated here is that",
    experiment=definition,
    note="its formula is lost in our copy; read as W_2 max(0, W_1 x + b_1) + b_2",
)

claim(
    "relu/appA.settings",
    at="appendix A",
    says="width, laws of the initial weights and biases, batch size, number of runs and of updates",
    expects=unchecked(
        "the numbers are lost in our copy. What is simulated has settings of our own, named with each stored experiment"
    ),
)
