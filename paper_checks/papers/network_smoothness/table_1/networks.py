"""Table 1, ReLU networks, trained anew: each printed mean of ten runs beside that of ours."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from paper_checks import OPEN, Reproduces, Status, claim, concluded
from paper_checks.evidence.finding import Finding
from paper_checks.papers.network_smoothness.printed_means import FACTOR, reproduced
from paper_checks.papers.network_smoothness.relu_sweeps import MORE_NETWORKS, NETWORKS, WIDTHS
from paper_checks.papers.network_smoothness.table_1.printed import RELU
from paper_checks.rules.means import combine
from paper_checks.rules.proportions import listed

__all__ = ["COLUMNS", "column"]

COLUMNS = {"train": "training", "test": "test", "outside": "o.o.d."}
OURS = {"train": "train", "test": "inside", "outside": "outside"}
SETTINGS = (
    "float32, full batches, the default start of torch's linear layers and a step size that falls by 0.9 every 500 "
    "steps, as in the published code; data of its seeds 42, 43, ...; test points are those of a grid inside the disc, "
    "o.o.d. those outside. Errors are log-normal, with the mean and the spread of our runs; a mean of ten is told from "
    "one ten times as large and from a tenth. Up to 256 units four further sets of sixty runs must "
    "say the same: a rule that came after a look at them, and that can only leave open what sixty runs tell"
)


def column(context: Any, width: int, name: str) -> np.ndarray:
    """A column of the table, run by run."""
    return context.rows(NETWORKS)[WIDTHS.index(width)][:, NETWORKS.columns.index(OURS[name])]


def judged(context: Any, width: int, name: str, printed: float) -> Status:
    """Whether a printed mean is that of our runs, of these sixty and of each further sixty with other data."""
    sets = [column(context, width, name)]
    if width in (point["width"] for point in MORE_NETWORKS.points):
        more = context.rows(MORE_NETWORKS)[WIDTHS.index(width)][:, MORE_NETWORKS.columns.index(OURS[name])]
        sets += np.split(more, len(more) // len(sets[0]))
    return combine([reproduced(values, printed)[0] for values in sets])


def beside(context: Any, width: int, name: str) -> tuple[Status, str]:
    """One printed mean: whether it is reproduced, and both with their standard errors."""
    values, (mean, se) = column(context, width, name), getattr(RELU[width], name)
    p = reproduced(values, mean)[1]
    status = judged(context, width, name, mean)
    first = values[:10].mean()
    ours = f"{values.mean():.3g} ({values.std() / np.sqrt(len(values)):.2g}), of the first ten {first:.3g}"
    return status, f"ours {ours}; printed {mean:.3g} ({se:.2g}), p = {p:.2g}"


def one_mean(context: Any, width: int, name: str) -> Finding:
    """The slips: another column of the row, where it is more than ten times or less than a tenth of it."""
    status, says = beside(context, width, name)
    others = {other: getattr(RELU[width], other)[0] for other in COLUMNS if other != name}
    slips = {
        f"the {COLUMNS[other]} error": judged(context, width, name, printed) is Status.REFUTED
        for other, printed in others.items()
    }
    return concluded(status, says, None if status is Status.INCONCLUSIVE else slips)


TOO_FEW = "means of ten, as printed, spread too much to tell a factor of ten; a table of more repetitions would decide"
for _id, _width, _name, _expects in (
    ("smooth/table1.relu.16.train", 16, "train", OPEN),
    ("smooth/table1.relu.16.test", 16, "test", OPEN),
    ("smooth/table1.relu.16.outside", 16, "outside", OPEN),
    ("smooth/table1.relu.64.train", 64, "train", OPEN),
    ("smooth/table1.relu.64.test", 64, "test", OPEN),
    ("smooth/table1.relu.64.outside", 64, "outside", OPEN),
    ("smooth/table1.relu.256.train", 256, "train", OPEN),
    ("smooth/table1.relu.256.test", 256, "test", None),
    ("smooth/table1.relu.256.outside", 256, "outside", None),
    ("smooth/table1.relu.1024.train", 1024, "train", OPEN),
    ("smooth/table1.relu.1024.test", 1024, "test", None),
    ("smooth/table1.relu.1024.outside", 1024, "outside", None),
):
    claim(
        _id,
        at=f"Table 1, ReLU network of {_width} units",
        says=f"the mean {COLUMNS[_name]} error is the printed one, to a factor of {FACTOR:.0f}",
        relation=Reproduces(),
        runs=(NETWORKS, MORE_NETWORKS),
        experiment=partial(one_mean, width=_width, name=_name),
        expects=_expects,
        assumptions=SETTINGS,
        note="" if _expects is None else TOO_FEW,
    )


def all_means(context: Any) -> Finding:
    """All twelve of them."""
    found = {(width, name): beside(context, width, name)[0] for width in WIDTHS for name in COLUMNS}
    open_ = [key for key, status in found.items() if status is not Status.CONFIRMED]
    says = listed(open_, lambda width, name: f"{width} units, {COLUMNS[name]}: {found[width, name]}")
    return concluded(combine(list(found.values())), f"not reproduced: {says or 'none'}")


claim(
    "smooth/table1.relu",
    at="Table 1, ReLU rows",
    says="all twelve mean squared errors of the networks are those printed",
    relation=Reproduces(),
    runs=(NETWORKS, MORE_NETWORKS),
    experiment=all_means,
    expects=OPEN,
    assumptions=SETTINGS,
    note="none is refuted, and no p-value is below 0.2; eight spread too much for ten runs to tell a factor of ten",
)
