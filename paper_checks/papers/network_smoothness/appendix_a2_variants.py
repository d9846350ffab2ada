"""Appendices A.2.6 and A.2.7, Figures 11 and 12: normal data, and networks that are made symmetric.

The paper shows tanh networks. Here networks are those of Table 1, as 3.1 refers to both for its ReLU networks.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from montecarlo import Sweep
from paper_checks import Finding, Reproduces, Status, claim
from paper_checks.evidence.experiment import decided
from paper_checks.papers.network_smoothness.relu_sweeps import NORMAL_DATA, SYMMETRIC
from paper_checks.rules.proportions import listed

SIGNS = "exact sign tests of 40 ReLU networks of 256 units with 128 training points"


def named(context: Any, sweep: Sweep) -> dict[str, np.ndarray]:
    """Mean squared errors by column, run by run."""
    return dict(zip(sweep.columns, context.rows(sweep)[0].T, strict=True))


def medians(found: dict[str, np.ndarray]) -> str:
    return "medians: " + listed(found.items(), lambda name, values: f"{name} {np.median(values):.3g}")


def by_distance(context: Any) -> Finding:
    """From each band of half a standard deviation to the next."""
    found = named(context, NORMAL_DATA)
    bands = [name for name in found if name.startswith("band")]
    grows = {f"{one} to {other}": np.log(found[other] / found[one]) for one, other in pairwise(bands)}
    return decided(grows, medians(found))


claim(
    "smooth/fig11",
    at="A.2.6, Figure 11",
    says="on normal data errors follow the density: they grow with the distance from 0, from each half of a standard "
    "deviation to the next",
    relation=Reproduces(),
    runs=NORMAL_DATA,
    experiment=by_distance,
    expected=Status.INCONCLUSIVE,
    assumptions=f"{SIGNS}; the figure shows a tanh network",
    reading=True,
    note="told from 1.5 standard deviations on; below that the medians grow as well, by half or less",
)


def not_better(context: Any) -> Finding:
    """Errors on the disc of the symmetric network over those of the other one."""
    found = named(context, SYMMETRIC)
    return decided({"larger": np.log(found["symmetric_inside"] / found["plain_inside"])}, medians(found))


claim(
    "smooth/fig12",
    at="A.2.7, Figure 12",
    says="a network that is made symmetric does not add better on the disc",
    relation=Reproduces(),
    runs=SYMMETRIC,
    experiment=not_better,
    refuted=True,
    assumptions=f"{SIGNS}, the same for both, as is the start; the figure shows a tanh network",
    reading=True,
    note="its errors on the disc are a quarter of the other network's, in the median: the points of training are seen "
    "from both sides of the diagonal. Exact it is not, see smooth/fig12.severity",
)


def still_growing(context: Any) -> Finding:
    """From the data to the disc and to what lies outside, with the symmetric network."""
    found = named(context, SYMMETRIC)
    train, inside, outside = (found[f"symmetric_{name}"] for name in ("train", "inside", "outside"))
    return decided({"data to disc": np.log(inside / train), "disc to outside": np.log(outside / inside)})


claim(
    "smooth/fig12.severity",
    at="A.2.7, Figure 12",
    says="errors of symmetric networks grow as those of the others do, from the training points to the disc and from "
    "there to the outside",
    relation=Reproduces(),
    runs=SYMMETRIC,
    experiment=still_growing,
    assumptions=f"{SIGNS}; the figure shows a tanh network",
    reading=True,
)
