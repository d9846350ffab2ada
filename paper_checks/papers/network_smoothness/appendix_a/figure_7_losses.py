"""Appendix A.2.2, Figure 7, left: test losses from the start to the trained network, and to the exact solution."""

from __future__ import annotations

from typing import Any

import numpy as np

from montecarlo.training.smooth.interpolation import ALPHAS
from paper_checks import OPEN, Finding, Reproduces, claim, concluded
from paper_checks.evidence.experiment import decided
from paper_checks.papers.network_smoothness.appendix_a.figure_7_curves import (
    FOUR,
    NEAR,
    ORDER,
    PLACES,
    SIGNS,
    curves,
    medians,
)
from paper_checks.papers.network_smoothness.relu_sweeps import INTERPOLATION
from paper_checks.rules.proportions import proportion

EVEN = (PLACES > 0) & (PLACES <= NEAR)


def decreasing(line: str):
    """Runs whose loss falls from each place to the next."""

    def experiment(context: Any) -> Finding:
        curve = curves(context, "loss", line)
        falls = (np.diff(curve, axis=1) < 0).all(axis=1)
        turned = (np.diff(curve[:, ::-1], axis=1) < 0).all(axis=1)
        share = proportion(falls.sum(), len(falls))
        status = share.above(0.5)
        slips = {"the other way round": proportion(turned.sum(), len(turned)).above(0.5) is not status}
        return concluded(status, f"{falls.sum()} of {len(falls)} runs; medians: {medians(curve)}", slips)

    return experiment


MONOTONE = "produces a monotonically decreasing test loss"

for _id, _line, _to, _found in (
    ("smooth/fig7.monotone.trained", "start-trained", "trained network", "85 of 120 runs, else it rises within the "
     "last thousandth of the way"),
    ("smooth/fig7.monotone.exact", "start-exact", "exact solution", "70 of 120 runs, else it rises on the first half "
     "of the way"),
):  # fmt: skip
    claim(
        _id,
        at="A.2.2, Figure 7, left",
        says=f"from the start to the {_to} the test loss falls from each place to the next, in most runs",
        quote=MONOTONE,
        relation=Reproduces(),
        runs=INTERPOLATION,
        experiment=decreasing(_line),
        expects=OPEN,
        assumptions=f"{len(ALPHAS)} places, some of them near the end; {FOUR}; interval of Clopper and Pearson",
        note=f"it falls in {_found}: that does not tell more than half; the medians fall",
    )


def lower_for_most(context: Any) -> Finding:
    """Share of the even places at which the line to the trained network has the smaller loss, less a half."""
    trained, optimal = (curves(context, "loss", line)[:, EVEN] for line in ("start-trained", "start-exact"))
    share = (trained < optimal).mean(axis=1)
    return decided({"share of places": share - 0.5}, f"median share {np.median(share):.2g}")


claim(
    "smooth/fig7.lower",
    at="A.2.2, Figure 7, left",
    says="on most of the way the loss towards the trained network is below that towards the exact solution",
    quote="is lower for most of the interpolation distance",
    relation=Reproduces(),
    runs=INTERPOLATION,
    experiment=lower_for_most,
    assumptions=f"{SIGNS}; {FOUR}",
)


def much_lower(context: Any) -> Finding:
    """How many orders of magnitude the exact solution's loss lies below that of the trained network, less one."""
    trained, optimal = (curves(context, "loss", line)[:, -1] for line in ("start-trained", "start-exact"))
    says = f"largest loss of the exact solution {np.exp(optimal.max()):.2g}, least trained {np.exp(trained.min()):.2g}"
    return decided({"an order of magnitude": trained - optimal - ORDER}, says)


claim(
    "smooth/fig7.much-lower",
    at="A.2.2, Figure 7, left",
    says="the loss of the exact solution is less than a tenth of that of the trained network",
    quote="ultimately achieves a much lower test error (up to machine precision)",
    relation=Reproduces(),
    runs=INTERPOLATION,
    experiment=much_lower,
    assumptions=f"{SIGNS}; {FOUR}",
)
