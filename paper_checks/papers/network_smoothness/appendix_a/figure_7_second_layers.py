"""Appendix A.2.2, Figure 7, middle: test losses on the same lines, with second layers by least squares."""

from __future__ import annotations

from typing import Any

import numpy as np

from paper_checks import WRONG, Finding, Kind, Reproduces, claim
from paper_checks.evidence.experiment import decided
from paper_checks.papers.network_smoothness.appendix_a.figure_7_curves import (
    FOUR,
    NEAR,
    ORDER,
    PLACES,
    SIGNS,
    constant,
    curves,
    medians,
)
from paper_checks.papers.network_smoothness.relu_sweeps import INTERPOLATION

claim(
    "smooth/fig7.constant",
    at="A.2.2, Figure 7, middle",
    says="from the start to the trained network, with second layers by least squares, the loss stays within ten times",
    quote="we obtain a nearly constant loss curve",
    relation=Reproduces(),
    runs=INTERPOLATION,
    experiment=constant("start-trained"),
    assumptions=SIGNS,
)


def second_layer(context: Any) -> Finding:
    """Of the logarithm that training gains, the part that the best second layer at the start gains, less a half."""
    loss, best = curves(context, "loss", "start-trained"), curves(context, "best", "start-trained")
    part = (loss[:, 0] - best[:, 0]) / (loss[:, 0] - loss[:, -1])
    says = f"losses, medians: start {np.exp(np.median(loss[:, 0])):.2g}, trained {np.exp(np.median(loss[:, -1])):.2g}, "
    return decided({"part": part - 0.5}, f"{says}best second layer at the start {np.exp(np.median(best[:, 0])):.2g}")


claim(
    "smooth/fig7.second-layer",
    at="A.2.2, Figure 7, middle",
    says="the best second layer on the first layer of the start has most of what training gains, in magnitudes",
    quote="Most training progress can be recovered by simply optimising the second layer weights",
    relation=Reproduces(),
    runs=INTERPOLATION,
    experiment=second_layer,
    assumptions=SIGNS,
)


def better_than_training(context: Any) -> Finding:
    loss, best = curves(context, "loss", "start-trained"), curves(context, "best", "start-trained")
    return decided({"trained over best": loss[:, -1] - best[:, 0]})


claim(
    "smooth/fig7.untrained-features",
    at="beyond A.2.2",
    says="without any training of the first layer, the shortest second layer of least squares has a smaller test loss "
    "than the trained network",
    relation=Reproduces(),
    runs=INTERPOLATION,
    experiment=better_than_training,
    assumptions=SIGNS,
    kind=Kind.ADDITIONAL,
)


def sharp(rest: str):
    """With the best second layers: within ten times until the last twentieth, and below a tenth at the end."""

    def experiment(context: Any) -> Finding:
        curve = curves(context, "best", "start-exact", rest)
        spread, fall = np.ptp(curve[:, PLACES <= NEAR], axis=1), curve[:, 0] - curve[:, -1]
        return decided({"until the end": ORDER - spread, "at the end": fall - ORDER}, f"medians: {medians(curve)}")

    return experiment


claim(
    "smooth/fig7.sharp",
    at="A.2.2, Figure 7, middle",
    says="from the start to the exact solution, with second layers by least squares, the loss stays within ten times "
    "for 0.95 of the way and ends below a tenth",
    quote="stays approximately constant until, at the very end of the interpolation path, there is a sharp decrease",
    relation=Reproduces(),
    runs=INTERPOLATION,
    experiment=sharp("zero"),
    assumptions=f"{SIGNS}; {FOUR}",
)

claim(
    "smooth/fig7.sharp.copies",
    at="A.2.2, Figure 7, middle, for another place of the exact solution",
    says="to an exact solution in 64 copies of the four units, which share the output, the loss stays within ten times "
    "for 0.95 of the way and ends below a tenth",
    relation=Reproduces(),
    runs=INTERPOLATION,
    experiment=sharp("copies"),
    assumptions=SIGNS.replace("120", "40"),
    kind=Kind.ALTERNATIVE,
    expects=WRONG,
    note="then the loss with the best second layer falls on the last third of the way. With the other units at 0 their "
    "lines stay where they are until they vanish: that the end is sharp is of this choice",
)
