"""Evidence by replication: published numbers compared with our runs, by exact tests or prediction intervals."""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from paper_checks.claims.claim import Claim
from paper_checks.evidence.finding import COUNTED, Finding, PointFinding
from paper_checks.evidence.rung import Context, Rung, Work, declared
from paper_checks.rules.means import Status
from paper_checks.rules.prediction import half_width, mean
from paper_checks.rules.published import Published
from paper_checks.rules.replication import FAMILY_WISE, Replication, count, holm, median

COMPARED = {"mean": mean, "median": median, "half width": half_width, "standard error": half_width}
# Number of p-values in the text, the smallest first.
NAMED = 3


@dataclass(frozen=True)
class Cell:
    """A published number and the runs that it is compared with.

    Attributes
    ----------
    name : str
        Row and column.
    published : Published
    ours : array of numbers, or (successes, n) for a count
        One number for each run.
    """

    name: str
    published: Published
    ours: Any


@dataclass(frozen=True)
class Cells:
    """Evidence of a claim: published numbers and our runs.

    Attributes
    ----------
    cells : callable (Context) -> iterable of Cell, or iterable of Cell
        With a function, runs are read from the sweeps that the claim declares: ``context.rows(sweep)``.
    """

    cells: Callable[[Context], Iterable[Cell]] | Iterable[Cell]


def find(claim: Claim, work: Work) -> Finding:
    """Judge which cells are reproduced, at their part of the paper's error rate."""
    level = FAMILY_WISE / claim.relation.of
    cells = [c for e in declared(claim, Cells) for c in (e.cells(work) if callable(e.cells) else e.cells)]
    if not 0 < len(cells) <= claim.relation.of:
        got = f"got {len(cells)} of {claim.relation.of}"
        raise ValueError(f"cells must be some of the paper's comparisons, {got}; correct of=")
    found = [compared(cell, level) for cell in cells]
    rejected = holm([f.p for f in found], level * len(found))
    statuses = [
        Status.REFUTED if bad else Status.CONFIRMED if f.least <= level else Status.INCONCLUSIVE
        for f, bad in zip(found, rejected, strict=True)
    ]
    points = tuple(_point(c, f, s) for c, f, s in zip(cells, found, statuses, strict=True))
    shifted = [moved for c, f in zip(cells, found, strict=True) for moved in _shifted(c, f)]
    survivors = tuple(name for name, cell in shifted if compared(cell, level).p > level)
    total = sum(math.isfinite(value) for f in found for value in f.noticed)
    status = next((s for s in (Status.REFUTED, Status.CONFIRMED) if s in statuses), Status.INCONCLUSIVE)
    truth = Status.INCONCLUSIVE if status is Status.INCONCLUSIVE else Status.CONFIRMED
    return Finding(
        "replication", truth, status, _says(cells, found, statuses), total - len(survivors), total, survivors, points
    )


def compared(cell: Cell, level: float) -> Replication:
    """Comparison of a published number with our runs; ``level`` is that of the reported interval."""
    try:
        if cell.published.what == "count":
            return count(cell.published, *cell.ours, level)
        return COMPARED[cell.published.what](cell.published, cell.ours, level)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{cell.name}: {error}") from error


def _shifted(cell: Cell, found: Replication) -> Iterable[tuple[str, Cell]]:
    """Cells with the published number moved to where a difference is detectable: each must be rejected."""
    for value, outwards in zip(found.noticed, (math.floor, math.ceil), strict=True):
        if math.isfinite(value):
            value = outwards(value) if cell.published.what == "count" else value
            moved = Published(value, cell.published.n, cell.published.what, digits=12, error=cell.published.error)
            yield f"{cell.name}: {value:.4g} published", Cell(cell.name, moved, cell.ours)


def _point(cell: Cell, found: Replication, status: Status) -> PointFinding:
    low, high = (f"{value:.4g}" for value in (found.low, found.high))
    noticed = [f"{value:.4g}" for value in found.noticed if math.isfinite(value)]
    counted = "{}{:.0f} of {:.0f}".format(COUNTED, *cell.ours) if cell.published.what == "count" else ""
    reason = (
        f"of {cell.published.n} runs{counted}; predicted {low} to {high}; "
        f"detected with 80 %: {' and '.join(noticed) or 'none'}"
    )
    ours = found.ours if math.isfinite(found.ours) else None  # JSON has no infinity.
    # A mean without limits was not tested.
    p = None if cell.published.what == "mean" and math.isinf(found.low) else found.p
    return PointFinding(cell.name, status, printed=cell.published.number, measured=ours, n=found.n, reason=reason, p=p)


def _says(cells: list[Cell], found: list[Replication], statuses: list[Status]) -> str:
    names = (
        (Status.CONFIRMED, "reproduced"),
        (Status.REFUTED, "not reproduced"),
        (Status.INCONCLUSIVE, "too few runs"),
    )
    counted = [f"{statuses.count(status)} of {len(cells)} {word}" for status, word in names if status in statuses]
    order = sorted(range(len(cells)), key=lambda i: found[i].p)[:NAMED]
    least = "; ".join(f"{cells[i].name} p = {found[i].p:.2g}" for i in order)
    return f"{', '.join(counted)}; smallest p: {least}"


RUNG = Rung(
    name="replication", letter="R", title="published numbers beside ours", section="reproduced", rank=80, exact=False,
    record=Cells, applies=lambda claim: bool(declared(claim, Cells)), find=find,
)  # fmt: skip
