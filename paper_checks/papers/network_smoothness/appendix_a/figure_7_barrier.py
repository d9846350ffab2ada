"""Appendix A.2.2, Figure 7, right: test losses on the line from the trained network to the exact solution."""

from __future__ import annotations

from typing import Any

import numpy as np

from paper_checks import Finding, Reproduces, claim
from paper_checks.evidence.experiment import decided
from paper_checks.papers.network_smoothness.appendix_a.figure_7_curves import FOUR, NEAR, ORDER, SIGNS, constant, curves
from paper_checks.papers.network_smoothness.relu_sweeps import INTERPOLATION


def barrier(context: Any) -> Finding:
    """The largest loss between trained and exact over that of the trained network, less an order of magnitude."""
    curve = curves(context, "loss", "trained-exact")
    rises = curve.max(axis=1) - curve[:, [0, -1]].max(axis=1)
    says = f"medians: trained {np.exp(np.median(curve[:, 0])):.2g}, highest {np.exp(np.median(curve.max(axis=1))):.2g}"
    return decided({"ten times higher": rises - ORDER}, says)


claim(
    "smooth/fig7.barrier",
    at="A.2.2, Figure 7, right",
    says="between the trained network and the exact solution the loss rises to more than ten times that of either",
    quote="there is a *loss barrier* (Vlaar & Frankle, 2022), i.e., the loss increases from",
    relation=Reproduces(),
    runs=INTERPOLATION,
    experiment=barrier,
    assumptions=f"{SIGNS}; {FOUR}",
)

claim(
    "smooth/fig7",
    at="A.2.2, Figure 7, right",
    says="between them, with second layers by least squares, the loss stays within ten times for 0.95 of the way",
    quote="the loss is now approximately constant along the interpolation path again almost up to",
    relation=Reproduces(),
    runs=INTERPOLATION,
    experiment=constant("trained-exact", until=NEAR),
    assumptions=f"{SIGNS}; {FOUR}",
)
