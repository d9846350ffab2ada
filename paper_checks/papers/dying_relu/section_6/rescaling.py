"""Beyond section 6: what re-scaling one unit needs with Adam."""

from __future__ import annotations

import numpy as np

from montecarlo.training.optimisers import Adam
from paper_checks import Kind, claim, concluded
from paper_checks.evidence.finding import Finding
from paper_checks.papers.dying_relu.scaled_training import data
from paper_checks.rules.means import Status


def adam_path(x, y, gamma: float, step_size: float, epsilon: float) -> np.ndarray:
    """The path of (w, b) of one ReLU unit on gamma y by Adam, from a start that is multiplied by gamma."""
    rows, adam = gamma * np.array([[0.6, -0.3, 0.2]]), Adam(step_size, epsilon=epsilon)
    inputs, path = np.column_stack([x, np.ones(len(x))]), []
    for _ in range(300):
        z = inputs @ rows[0]
        adam.step(rows, (inputs.T @ ((np.maximum(z, 0) - gamma * y[:, 0]) * (z > 0)) / len(x))[None])
        path.append(rows[0] / gamma)
    return np.array(path)


def one_unit_adam(_context) -> Finding:
    """One unit, start times gamma: Adam with its own step size, and with step size and epsilon times gamma."""
    (x, y), gamma = data(64, 2), 2.0**-10
    plain = adam_path(x, y, 1.0, 0.01, 1e-8)
    apart = np.abs(adam_path(x, y, gamma, 0.01, 1e-8) - plain).max()
    exact = np.array_equal(adam_path(x, y, gamma, 0.01 * gamma, 1e-8 * gamma), plain)
    slips = {"epsilon as it was": not np.array_equal(adam_path(x, y, gamma, 0.01 * gamma, 1e-8), plain)}
    says = (
        f"gamma = 2^-10, 300 updates: with the step size as it is, the scaled path is {apart:.2g} away; with step "
        "size and epsilon times gamma it is the same in every bit"
    )
    slips["step size as it was"] = bool(apart > 0.1)
    return concluded(Status.CONFIRMED if exact else Status.REFUTED, says, slips)


claim(
    "relu/beyond.rescaling-adam",
    at="beyond section 6, parameter re-scaling",
    says="for one ReLU unit trained by Adam, the optimiser of appendix A, paths are proportional if the step size and "
    "epsilon are multiplied by gamma like the start, and not with the step size as it is",
    experiment=one_unit_adam,
    note="the paper's sentence, with the step size as it is, is right for gradient descent: relu/text.rescaling",
    kind=Kind.ADDITIONAL,
)
