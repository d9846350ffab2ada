"""Tables 4 and 5: what the order of rows in the public export does to "solved at"."""

import math
from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np

from paper_checks import Cell, Cells, Finding, Kind, Published, Reproduces, common, concluded, wrong
from paper_checks.papers.neural_arithmetic_units import merge_order
from paper_checks.papers.neural_arithmetic_units.comparisons import ITERATIONS, LEVEL, of_mean, replicates, reproduces
from paper_checks.papers.neural_arithmetic_units.exported import TABLE_SWEEPS, Order, Read, done, table_cells
from paper_checks.papers.neural_arithmetic_units.printed_tables import COMPARISONS, TABLE_4
from paper_checks.rules.means import Status
from paper_checks.rules.proportions import listed
from paper_checks.rules.strata import Stratum, p_value_of_difference

END = merge_order.EVERY * (merge_order.LOOKS - 1)
INFERENCE = "inferred from public code and data; how the authors can check it: nau/export.table5.late"
PLACES = (
    "Our run i takes the place of the published seed i mod 10. We assume that a run stays below the threshold after it "
    "is first below it (nau/export.below-again)"
)
SECOND = f"error rate 1 % / {COMPARISONS}, as for every comparison with a published number"


# Orders that a stable sort would leave.
stable = partial(merge_order.looks_as_merged, sort=merge_order.stable_sort)


def by_operation(*operations: str) -> Order:
    """Orders for names that have operations in another order within each unit."""

    def names(found: Sequence[str]) -> list[str]:
        units = list(dict.fromkeys(name.split("_")[0] for name in merge_order.collated(found)))
        short = [f"o-{merge_order.OPERATIONS[o]}" for o in operations]
        return sorted(
            merge_order.collated(found),
            key=lambda name: (units.index(name.split("_")[0]), short.index(name.split("_")[1])),
        )

    return partial(merge_order.looks_as_merged, names=names)


def numbers(cells: Sequence[Read]) -> list[Cell]:
    """Counts, medians and means as published, beside ours as trained and as exported."""
    found = []
    for cell in cells:
        row, n = cell.printed, cell.printed.successes
        for way, times in (("in the order of time", cell.trained), ("in the order of the export", cell.exported)):
            name, good = f"{cell.name}, {way}", done(times)
            found.append(Cell(f"{name}, successes", Published(n, row.seeds, "count"), (len(good), len(times))))
            if row.median is not None and len(good):
                found.append(Cell(f"{name}, median", Published(row.median, n, "median", digits=2), good))
            if row.solved and row.solved[1] is not None and len(good):
                found.append(Cell(f"{name}, mean", of_mean(row.solved, n, ITERATIONS), good))
    return found


replicates.additional(
    "nau/export.table5",
    at="Table 5, rows in which six seeds or more succeed",
    says="our runs contradict no single published count, median or mean of 'solved at', in the order of time or of the "
    "public export; 27 of 54 could have been contradicted",
    runs=TABLE_SWEEPS,
    evidence=[Cells(lambda context: numbers(table_cells(context.rows)))],
    assumptions=PLACES,
    note="a single row of ten runs cannot distinguish the two orders: the published intervals of the late means reach "
    "from 0 to three times the mean. All rows together do, and contradict the order of time: nau/export.table5.late",
)


def later(cell: Read, times: np.ndarray) -> Stratum:
    """Runs that are solved later than all ours as trained: ours, and how many of theirs at least, by their mean."""
    last, n = done(cell.trained).max(), cell.printed.successes
    mean, _ = Published(cell.printed.solved[0], n, digits=2).between
    least = max(0, math.ceil(n * (mean - last) / (END - last)))
    return Stratum(int((done(times) > last).sum()), len(done(times)), least, n)


def shown(holds: bool, says: str, slips: Mapping[str, bool]) -> Finding:
    """A statement that holds or does not; slips are tried where it does."""
    return concluded(holds, says, slips if holds else None)


def late(context) -> Finding:
    """Late published runs, beside none of ours as trained, and beside ours as exported."""
    merged = table_cells(context.rows)
    trained = p_value_of_difference([later(c, c.trained) for c in merged])
    rows = {c.name: later(c, c.exported) for c in merged}
    exported = p_value_of_difference(list(rows.values()))
    later_runs = listed(
        [(name, s) for name, s in rows.items() if s.successes or s.others],
        lambda name, s: f"{name} at least {s.others} of {s.m} published, {s.successes} of {s.n} exported",
    )
    says = (
        f"p = {trained:.2g} in the order of time and {exported:.2g} in the order of the export; runs that are later "
        f"than all of ours in the order of time: {later_runs}"
    )
    sorted_stably = p_value_of_difference([later(c, c.exported) for c in table_cells(context.rows, stable)])
    return shown(trained <= LEVEL < exported, says, {"a stable sort": sorted_stably <= LEVEL})


of_tables = common(relation=Reproduces(), runs=TABLE_SWEEPS, kind=Kind.ADDITIONAL)

of_tables(
    "nau/export.table5.late",
    at="additional to Table 5",
    says="the published means of Table 5 imply late runs; our training does not reproduce them. The order of rows in "
    "the public export would give as many; of subtraction by NAC addition a later public file does not show it (1 of "
    "17)",
    experiment=late,
    assumptions=f"exact stratified test of the counts of runs that are later than all of ours, {SECOND}. The "
    f"published mean gives the least number of such published runs, as none is later than 5,000,000. {PLACES}",
    note="inferred from public code and data, stable-nalu at commit 131bd93 and R's merge; the rows of these runs "
    "are not public. A later public file (nau/export.later-file) shows it run by run for NAU, but not for subtraction "
    "by NAC addition. Without that row (nau/table5.late) the difference from our training is not significant. The "
    "authors can check it within minutes: sort the rows of each run by step before the first row is taken",
)

# The row of the table with most late runs, at least 3 of 10.
QUOTED = "NAC add -"


def none_later(cells: Sequence[Read]) -> Finding:
    """Whether chance explains the published runs that are later than all of ours."""
    strata = [later(c, c.trained) for c in cells]
    p, exported = (p_value_of_difference(s) for s in (strata, [later(c, c.exported) for c in cells]))
    others = [s for c, s in zip(cells, strata, strict=True) if c.name != QUOTED]
    without = f"; without subtraction by NAC addition p = {p_value_of_difference(others):.2g}"
    says = (
        f"at least {sum(s.others for s in strata)} of {sum(s.m for s in strata)} published runs are later than all of "
        f"ours, p = {p:.2g}{without if len(others) < len(cells) else ''}"
    )
    slips = {"ours in the order of the export": exported > LEVEL} if p <= LEVEL else None
    return concluded(Status.REFUTED if p <= LEVEL else Status.INCONCLUSIVE, says, slips)


reproduces(
    "nau/table5.late",
    at="Tables 4 and 5, mean of 'solved at'",
    says="the published means of 'solved at' are those of our training, over all rows together",
    quote="$1.5 \\cdot 10^6 \\pm 1.5 \\cdot 10^6$",
    runs=TABLE_SWEEPS,
    experiment=lambda context: none_later(table_cells(context.rows)),
    expects=wrong(correct="nau/export.table5.late"),
    assumptions="test and assumptions are those of nau/export.table5.late; the runs had been seen",
    note="the quotation is NAC addition for subtraction, where the median is "
    f"{TABLE_4['-', 'NAC add'].median:,.0f}. Without this row the difference is not significant. Of the late runs of "
    "this kind in a later public file, the order of rows explains 1 of 17: nau/export.later-file. A single row has too "
    "few runs: its published interval reaches to 0",
)

# A mean is far above the median from here on.
FAR = 1.5


def far_above(median: float, mean: float) -> bool:
    return bool(mean > FAR * median)


def rows_out_of_order(context) -> Finding:
    """In which rows the mean is far above the median: as published, and by our runs in all places."""

    def agree(order, read=lambda c: done(c.expected)) -> list[bool]:
        cells = table_cells(context.rows, order)
        return [
            far_above(np.median(read(c)), read(c).mean()) is far_above(c.printed.median, c.printed.solved[0])
            for c in cells
        ]

    cells = table_cells(context.rows)
    far = [c for c in cells if far_above(c.printed.median, c.printed.solved[0])]
    found, trained = agree(merge_order.looks_as_merged), agree(merge_order.looks_as_merged, lambda c: done(c.trained))
    says = (
        f"{sum(found)} of {len(found)} rows agree in the order of the export, {sum(trained)} in the order of time; "
        f"published means far above the median: {', '.join(c.name for c in far)}; rows that the export leaves in "
        f"order: {', '.join(c.name for c in cells if c.in_order)}"
    )
    slips = {
        "a stable sort": not all(agree(stable)),
        "operations in the order +, -, x": not all(agree(by_operation("addition", "subtraction", "multiplication"))),
        "operations in the order x, +, -": not all(agree(by_operation("multiplication", "addition", "subtraction"))),
    }
    return shown(all(found), says, slips)


of_tables(
    "nau/export.table5.rows",
    at="additional to Table 5",
    says="the order of rows in the public export predicts in which rows of Table 5 the mean of 'solved at' is more "
    f"than {FAR} times the median",
    experiment=rows_out_of_order,
    assumptions="rows in which six seeds or more succeed; each of our runs in the place of each published seed",
    note="the probability to find the four of nine rows by chance is 1/126. Of the six orders of the operations only "
    "the alphabetical one (add, mul, sub) and its reverse predict all nine rows. The sorting of punctuation in names "
    f"does not matter. {INFERENCE[0].upper()}{INFERENCE[1:]}",
)
