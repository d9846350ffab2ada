"""Table 1, Gaussian processes, fitted anew with the same data: ten repetitions at each length scale."""

from __future__ import annotations

from functools import partial

import numpy as np

from paper_checks import OPEN, Kind, Reproduces, Status, claim, concluded
from paper_checks.evidence.finding import Finding
from paper_checks.papers.network_smoothness.sweeps import PROCESSES
from paper_checks.papers.network_smoothness.table_1.printed import GP, REPETITIONS

COLUMNS = {"train": "training", "inside": "test", "outside": "o.o.d."}
PRINTED = {"train": "train", "inside": "test", "outside": "outside"}
# Declared beforehand: as much as the printed digits tell.
WITHIN = 0.01
DATA = (
    "the data are those of the seeds 42 to 51 of the authors' code, so that nothing is left to chance; test points are "
    "those of a grid of 512 x 512 inside the disc, o.o.d. those outside"
)


def errors(context, scale: float) -> dict[str, np.ndarray]:
    index = [p["length_scale"] for p in PROCESSES.points].index(scale)
    return dict(zip(PROCESSES.columns, context.rows(PROCESSES)[index].T, strict=True))


def agrees(found: dict[str, np.ndarray], scale: float) -> dict[str, float]:
    """By column, the relative difference of our mean to the printed one."""
    return {
        name: float(found[name].mean() / getattr(GP[scale], printed)[0] - 1) for name, printed in PRINTED.items()
    }  # fmt: skip


def reproduced(context, scale: float) -> Finding:
    found = errors(context, scale)
    apart = agrees(found, scale)
    says = ", ".join(
        f"{COLUMNS[name]} {found[name].mean():.3g} ({found[name].std() / np.sqrt(len(found[name])):.2g}), printed "
        f"{getattr(GP[scale], printed)[0]:.3g}"
        for name, printed in PRINTED.items()
    )
    holds = max(abs(v) for v in apart.values()) <= WITHIN
    others = {
        f"the row of length scale {other:g}": max(abs(v) for v in agrees(found, other).values()) > WITHIN
        for other in GP if other != scale
    }  # fmt: skip
    return concluded(Status.CONFIRMED if holds else Status.REFUTED, says, others if holds else None)


for _id, _scale in (
    ("smooth/table1.gp.0.2", 0.2),
    ("smooth/table1.gp.1", 1.0),
    ("smooth/table1.gp.5", 5.0),
):
    claim(
        _id,
        at=f"Table 1, GP of length scale {_scale:g}",
        says="the three mean squared errors are those printed, to 1 %",
        relation=Reproduces(),
        runs=PROCESSES,
        experiment=partial(reproduced, scale=_scale),
        assumptions=DATA,
    )


def brackets(context) -> Finding:
    """Deviations over the repetitions by a divisor of ten, over the root of ten; of 50 rounding decides."""

    def largest(divisor_less: int, root: float) -> float:
        apart = []
        for scale in (0.2, 1.0, 5.0):
            found = errors(context, scale)
            apart += [
                abs(found[name].std(ddof=divisor_less) / root / getattr(GP[scale], printed)[1] - 1)
                for name, printed in PRINTED.items()
            ]
        return float(max(apart))

    root = np.sqrt(REPETITIONS)
    seen = largest(0, root)
    slips = {
        "a divisor of nine": largest(1, root) > WITHIN,
        "standard deviations": largest(0, 1.0) > WITHIN,
        "two standard errors": largest(0, root / 2) > WITHIN,
    }
    says = f"nine numbers, of which the farthest is {100 * seen:.2g} % off"
    return concluded(Status.CONFIRMED if seen <= WITHIN else Status.REFUTED, says, slips)


claim(
    "smooth/beyond.table1.brackets",
    at="Table 1, GPs of length scales 0.2 to 5",
    says="the numbers in brackets, of which the paper says nothing, are standard errors of ten repetitions, to 1 %: "
    "the root of the mean squared deviation from their mean, over the root of ten",
    relation=Reproduces(),
    runs=PROCESSES,
    experiment=brackets,
    assumptions=DATA,
    note="with the divisor nine they would be 5 % larger. The numbers were known when this was written; the bound is "
    "the one that had been declared for the means",
    kind=Kind.ADDITIONAL,
)


def of_rounding(context) -> Finding:
    """Length scale 50: within a factor of two, as the errors are what float64 leaves."""
    found, scale = errors(context, 50.0), 50.0
    apart = agrees(found, scale)
    says = ", ".join(
        f"{COLUMNS[name]} {found[name].mean():.3g}, printed {getattr(GP[scale], printed)[0]:.3g}"
        for name, printed in PRINTED.items()
    )
    exact = max(abs(v) for v in apart.values()) <= WITHIN
    return concluded(Status.CONFIRMED if exact else Status.INCONCLUSIVE, says)


claim(
    "smooth/table1.gp.50",
    at="Table 1, GP of length scale 50",
    says="the three mean squared errors are those printed, to 1 %",
    relation=Reproduces(),
    runs=PROCESSES,
    experiment=of_rounding,
    expects=OPEN,
    assumptions=DATA,
    note="all but a few eigenvalues of the matrix are below the jitter and below rounding: with another library of "
    "linear algebra the last digits are others. What is left with 60 digits says smooth/table1.gp.50.rounding",
)
