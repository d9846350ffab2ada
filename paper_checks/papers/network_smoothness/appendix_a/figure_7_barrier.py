"""Appendix A.2.2, Figure 7, right: test losses on the line from the trained network to the exact solution."""

from typing import Any

import numpy as np

from paper_checks import Finding, Reproduces, common
from paper_checks.evidence.experiment import decided
from paper_checks.papers.network_smoothness.appendix_a.figure_7_curves import NEAR, ORDER, constant, curves
from paper_checks.papers.network_smoothness.captions import JORDAN_2019, JORDAN_2022, names
from paper_checks.papers.network_smoothness.errata import erratum
from paper_checks.papers.network_smoothness.relu_sweeps import INTERPOLATION


def barrier(context: Any) -> Finding:
    """The largest loss between trained and exact over that of the trained network, less an order of magnitude."""
    curve = curves(context, "loss", "trained-exact")
    rises = curve.max(axis=1) - curve[:, [0, -1]].max(axis=1)
    says = (
        f"median losses: trained {np.exp(np.median(curve[:, 0])):.2g}, highest "
        f"{np.exp(np.median(curve.max(axis=1))):.2g}"
    )
    return decided({"the rise less a factor of ten": rises - ORDER}, says)


right = common(
    at="A.2.2, Figure 7, right", relation=Reproduces(), runs=INTERPOLATION, assumptions="as in smooth/fig7.lower"
)

right(
    "smooth/fig7.barrier",
    says="between the trained network and the exact solution, the loss rises to more than ten times the larger loss "
    "of the two",
    quote="there is a *loss barrier* (Vlaar & Frankle, 2022), i.e., the loss increases from",
    experiment=barrier,
)

right(
    "smooth/fig7",
    says="with second layers by least squares, the loss between the trained network and the exact solution is "
    "approximately constant on the first 0.95 of the line: its largest value is less than ten times its smallest",
    quote="the loss is now approximately constant along the interpolation path again almost up to",
    experiment=constant("trained-exact", until=NEAR),
)

erratum(
    "smooth/text.jordan",
    "smooth/text.jordan.correct",
    "misprint",
    at="A.2.2, paragraphs 1 and 5",
    quote="(Entezari et al., 2021; Ainsworth et al., 2022; Jordan et al., 2019)",
    says=("Jordan et al., 2019, is on the interpolation of networks", "Jordan et al., 2022, is on interpolation"),
    experiment=(
        names(JORDAN_2019, "interpolation", JORDAN_2022, "title"),
        names(JORDAN_2022, "interpolation", JORDAN_2019, "title"),
    ),
    note="the list of references has Jordan et al., 2019, on certificates against adversarial examples, as section 5 "
    "cites it. Footnote 2 cites Jordan et al., 2022",
)
