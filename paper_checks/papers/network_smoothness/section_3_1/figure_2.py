"""Section 3.2, Figure 2: networks that see 12.8 million points of the annulus, and processes that see 256."""

from __future__ import annotations

from typing import Any

import numpy as np

from paper_checks import WRONG, Finding, Kind, Reproduces, claim
from paper_checks.evidence.experiment import decided
from paper_checks.papers.network_smoothness.relu_sweeps import ANNULUS
from paper_checks.papers.network_smoothness.sweeps import ANNULUS_PROCESSES
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
    kind=Kind.ALTERNATIVE,
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
    kind=Kind.ALTERNATIVE,
)

# --- Gaussian processes ------------------------------------------------------------------------------------------

# "Meaningful": most errors are within two standard deviations, as 0.954 of normal ones are, and these grow outside.
COVERED = 0.9
SHORT, LONG = 1.0, 5.0
PROCESSES = (
    "exact sign tests of 40 processes, drawn after other data had told the two length scales apart; that of the "
    "figure, which is called optimal, is not stated"
)


def process(context: Any, scale: float) -> dict[str, np.ndarray]:
    """Columns of the runs at a length scale."""
    index = [point["length_scale"] for point in ANNULUS_PROCESSES.points].index(scale)
    return dict(zip(ANNULUS_PROCESSES.columns, context.rows(ANNULUS_PROCESSES)[index].T, strict=True))


def better(context: Any) -> Finding:
    """Errors of a network of 1000 units over those of a process, region by region."""
    networks, found, short = regions(context, NARROW), process(context, LONG), process(context, SHORT)
    says = f"networks of 1000 units, {medians(networks)}; length scale 5, {medians(found)}; 1, {medians(short)}"
    return decided({name: np.log(networks[name] / found[name]) for name in ORDER}, says)


claim(
    "smooth/fig2.process",
    at="3.2, Figure 2, bottom",
    says="processes of the length scale 5 that have seen 256 points err less than networks of 1000 units that have "
    "seen 12.8 million: on the annulus, in its hole and outside",
    quote="we see higher performance levels (Fig. 2 bottom middle) both on training data (green), in its convex hull "
    "(yellow) as well as outside (red)",
    relation=Reproduces(),
    runs=(ANNULUS, ANNULUS_PROCESSES),
    experiment=better,
    assumptions=f"{PROCESSES}, and as many networks",
    kind=Kind.ALTERNATIVE,
)


def uncertain(scale: float):
    """What a process's standard deviations cover outside, and how they grow."""

    def experiment(context: Any) -> Finding:
        found = process(context, scale)
        growth = np.log(found["deviation_outside"] / found["deviation_ring"])
        says = (
            f"{100 * np.median(found['covered']):.0f} % of the points outside are within two standard deviations, "
            f"whose mean is {np.exp(np.median(growth)):.3g} times that on the annulus (medians)"
        )
        return decided({"covered": found["covered"] - COVERED, "growth": growth}, says)

    return experiment


MEANINGFUL = "the GP at least produces meaningful uncertainty estimates"

claim(
    "smooth/fig2.uncertainty",
    at="3.2, Figure 2, bottom right",
    says="outside of the disc nine of ten errors of a process of the length scale 5 are within two of its standard "
    "deviations, and these are larger there than on the annulus",
    quote=MEANINGFUL,
    relation=Reproduces(),
    runs=ANNULUS_PROCESSES,
    experiment=uncertain(LONG),
    assumptions=PROCESSES,
    kind=Kind.ALTERNATIVE,
)

claim(
    "smooth/fig2.uncertainty.short",
    at="3.2, Figure 2, bottom right",
    says="outside of the disc nine of ten errors of a process of the length scale 1 are within two of its standard "
    "deviations",
    quote=MEANINGFUL,
    relation=Reproduces(),
    runs=ANNULUS_PROCESSES,
    experiment=uncertain(SHORT),
    kind=Kind.ALTERNATIVE,
    expects=WRONG,
    assumptions=PROCESSES,
    note="the amplitude is the most likely one on the annulus, and too small for what lies outside",
)
