"""Section 3.2, Figure 2: networks that see a fresh batch of the annulus at every step, 12.8 million points in all."""

from __future__ import annotations

from typing import Any

import numpy as np

from paper_checks import Finding, Reproduces, claim
from paper_checks.evidence.experiment import decided
from paper_checks.papers.network_smoothness.relu_sweeps import ANNULUS
from paper_checks.rules.proportions import listed

WIDE, NARROW = 10_000, 1000
ORDER = ("ring", "hole", "outside")
SIGNS = "exact sign tests of 40 networks of 1000 units, a tenth of the paper's; of its width two are shown"


def regions(context: Any, width: int) -> dict[str, np.ndarray]:
    """Mean squared errors by region, run by run."""
    index = [point["width"] for point in ANNULUS.points].index(width)
    return dict(zip(ANNULUS.columns, context.rows(ANNULUS)[index].T, strict=True))


def differences(found: dict[str, np.ndarray], pairs: Any) -> dict[str, np.ndarray]:
    """How many times an error grows, as logarithms."""
    return {f"{one} to {other}": np.log(found[other] / found[one]) for one, other in pairs}


def medians(found: dict[str, np.ndarray]) -> str:
    return "medians: " + listed(((name, found[name]) for name in ORDER), lambda n, v: f"{n} {np.median(v):.3g}")


def grows(pairs: Any):
    """Errors of the second region over those of the first, for the networks of 1000 units."""

    def experiment(context: Any) -> Finding:
        found, wide = regions(context, NARROW), regions(context, WIDE)
        says = f"1000 units, {medians(found)}; two of 10,000 units, {medians(wide)}"
        return decided(differences(found, pairs), says)

    return experiment


claim(
    "smooth/fig2",
    at="3.2, Figure 2, top",
    says="the errors of a network of 1000 units are larger in the hole of the annulus and outside of the disc than on "
    "the annulus",
    quote="the model predictions deteriorate both inside the convex hull of the training data as well as outside",
    relation=Reproduces(),
    runs=ANNULUS,
    experiment=grows([("ring", "hole"), ("ring", "outside")]),
    assumptions=SIGNS,
    reading=True,
)

claim(
    "smooth/fig2.severity",
    at="abstract, on Figure 2",
    says="errors of a network of 1000 units grow from the annulus to its hole, and from there to the outside",
    quote="with increasing severity i) in the training domain, ii) outside of the training domain but within its "
    "convex hull, and iii) outside the training domain’s convex hull",
    relation=Reproduces(),
    runs=ANNULUS,
    experiment=grows([("ring", "hole"), ("hole", "outside")]),
    assumptions=SIGNS,
    reading=True,
)
