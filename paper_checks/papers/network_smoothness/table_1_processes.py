"""Table 1, Gaussian processes, fitted anew with the same data: ten repetitions at each length scale."""

from __future__ import annotations

from functools import partial

import numpy as np

from paper_checks import Reproduces, Status, claim, concluded
from paper_checks.findings import Finding
from paper_checks.papers.network_smoothness.sweeps import PROCESSES
from paper_checks.papers.network_smoothness.table_1 import GP

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
    expected=Status.INCONCLUSIVE,
    assumptions=DATA,
    note="all but a few eigenvalues of the matrix are below the jitter and below rounding: with another library of "
    "linear algebra the last digits are others. What is left with 60 digits says smooth/table1.gp.50.rounding",
)
