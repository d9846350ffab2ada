"""Section 3.2, Figure 2: networks that see a fresh batch of the annulus at every step, 12.8 million points in all."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.stats import ttest_1samp

from paper_checks import Finding, Reproduces, Status, claim, concluded
from paper_checks.evidence.experiment import decided
from paper_checks.papers.network_smoothness.relu_sweeps import ANNULUS
from paper_checks.rules.means import combine
from paper_checks.rules.proportions import listed
from paper_checks.rules.rates import RATE

WIDE, NARROW = 10_000, 1000
ORDER = ("ring", "hole", "outside")
NORMAL = "10 networks of 10,000 units; t tests, as differences of logarithms of errors are normal"


def regions(context: Any, width: int) -> dict[str, np.ndarray]:
    """Mean squared errors by region, run by run."""
    index = [point["width"] for point in ANNULUS.points].index(width)
    return dict(zip(ANNULUS.columns, context.rows(ANNULUS)[index].T, strict=True))


def differences(found: dict[str, np.ndarray], pairs: Any) -> dict[str, np.ndarray]:
    """How many times an error grows, as logarithms."""
    return {f"{one} to {other}": np.log(found[other] / found[one]) for one, other in pairs}


def medians(found: dict[str, np.ndarray]) -> str:
    return "medians: " + listed(((name, found[name]) for name in ORDER), lambda n, v: f"{n} {np.median(v):.3g}")


def told(logs: np.ndarray) -> Status:
    """Whether normal values have a mean above 0."""
    test = ttest_1samp(logs, 0.0)
    if not test.pvalue <= RATE:
        return Status.INCONCLUSIVE
    return Status.CONFIRMED if logs.mean() > 0 else Status.REFUTED


def wide(pairs: Any):
    def experiment(context: Any) -> Finding:
        found = regions(context, WIDE)
        grows = differences(found, pairs)
        status = combine([told(logs) for logs in grows.values()])
        slips = {"regions swapped": all(told(-logs) is not Status.CONFIRMED for logs in grows.values())}
        times = listed(
            grows.items(), lambda name, logs: f"{name}: {np.exp(logs.min()):.2g} to {np.exp(logs.max()):.2g}"
        )
        says = f"{medians(found)}; times, run by run, {times}"
        return concluded(status, says, slips if status is Status.CONFIRMED else None)

    return experiment


def narrow(pairs: Any):
    def experiment(context: Any) -> Finding:
        found = regions(context, NARROW)
        return decided(differences(found, pairs), medians(found))

    return experiment


claim(
    "smooth/fig2",
    at="3.2, Figure 2, top",
    says="the errors of a network of 10,000 units are larger in the hole of the annulus and outside of the disc than "
    "on the annulus",
    quote="the model predictions deteriorate both inside the convex hull of the training data as well as outside",
    relation=Reproduces(),
    runs=ANNULUS,
    experiment=wide([("ring", "hole"), ("ring", "outside")]),
    assumptions=NORMAL,
)

claim(
    "smooth/fig2.severity",
    at="abstract, on Figure 2",
    says="errors grow from the annulus to its hole, and from there to the outside",
    quote="with increasing severity i) in the training domain, ii) outside of the training domain but within its "
    "convex hull, and iii) outside the training domain’s convex hull",
    relation=Reproduces(),
    runs=ANNULUS,
    experiment=wide([("ring", "hole"), ("hole", "outside")]),
    assumptions=NORMAL,
)

claim(
    "smooth/fig2.narrower",
    at="beyond Figure 2, top",
    says="the same with 1000 units: errors grow from the annulus to its hole, and from there to the outside",
    relation=Reproduces(),
    runs=ANNULUS,
    experiment=narrow([("ring", "hole"), ("hole", "outside")]),
    assumptions="exact sign tests of 40 runs",
    beyond=True,
)
