"""The order of rows in the public export: when runs are below the threshold, and whose evaluations stay in order."""

from functools import partial

import numpy as np

from paper_checks import Finding, Kind, Reproduces, Status, claim, concluded
from paper_checks.papers.neural_arithmetic_units import merge_order
from paper_checks.papers.neural_arithmetic_units.exported import Order
from paper_checks.papers.neural_arithmetic_units.merge_order import EVERY, run_name
from paper_checks.papers.neural_arithmetic_units.section_3.export import END, stable
from paper_checks.papers.neural_arithmetic_units.sweeps import LOOKED_AT
from paper_checks.rules.proportions import listed

# Where looks come in another order, "solved at" may be read so much later: a run is not below at each of them.
LONGEST = 100_000


def below_again(context) -> Finding:
    """How often runs are below the threshold once they have been."""
    fractions, waits, longest = [], [], 0.0
    for rows, point in zip(context.rows(LOOKED_AT), LOOKED_AT.points, strict=True):
        end = point.get("steps", END)
        for solved, _, below, wait in rows[rows[:, 0] >= 0]:
            longest = max(longest, wait)
            looks = (end - solved) // EVERY + 1
            fractions.append(below / looks)
            waits.append(EVERY * looks / below)
    runs = sum(len(rows) for rows in context.rows(LOOKED_AT))
    says = (
        f"{len(waits)} of {runs} runs are below the threshold at least once. They are below it at {min(fractions):.1%} "
        f"to {max(fractions):.1%} of the evaluations from then on, {np.median(fractions):.0%} in the median: at least "
        f"once in {max(waits):,.0f} iterations on average. The longest time above it is {longest:,.0f} iterations"
    )
    holds = len(waits) == runs and max(waits) < LONGEST
    slips = {"half as many evaluations below": 2 * max(waits) >= LONGEST}
    return concluded(Status.CONFIRMED if holds else Status.REFUTED, says, slips if holds else None)


claim(
    "nau/export.below-again",
    at="additional to Table 5 and Figures 3 to 7",
    says="after a run is first below the threshold, it is below it at least once in 100,000 iterations on average",
    relation=Reproduces(),
    runs=LOOKED_AT,
    experiment=below_again,
    assumptions="averages are over the evaluations after the first one below the threshold. Another order of the "
    "evaluations then delays 'solved at' by at most 1/50 of a run on average",
    note="these are runs at ten settings of Table 5 and Figures 3, 4, 5 and 7. Runs with 4, 10 and 25 inputs have "
    "full length, the others end after they are solved. Steps of Adam can leave the small region of success; "
    "subtraction by Linear is least often below the threshold. With such gaps inserted at random, exported means "
    "change by at most 2 %",
    kind=Kind.ADDITIONAL,
)


# Keys of files whose looks should stay in order, beside those of merge_order.
OTHER_FILES = {
    "Table 3": {run_name(m, data="simple", seed=s): 0 for m in ("nac_mul", "nalu", "nmu") for s in range(100)},
    "Figure 6": {
        run_name(m, seed=s, hidden=h): 0 for m in ("nac_mul", "nalu", "nmu") for h in range(2, 7) for s in range(10)
    },
    "Figures 10 to 12": {
        run_name(m, o, regulariser=c, seed=s): o
        for m, o in (("nau", "addition"), ("nau", "subtraction"), ("nmu", "multiplication"))
        for c in ("0.0", "0.01", "0.1", "1.0", "10.0")
        for s in range(10)
    },
}


def in_order(keys, order: Order = merge_order.looks_as_merged) -> bool:
    """Whether the looks at every run come out in the order of time."""
    return all((np.diff(looks) > 0).all() for looks in order(keys).values())


def kept_in_order(_context) -> Finding:
    """Which tables and figures the export leaves as they are."""
    files = {**OTHER_FILES, "Table 5": merge_order.table_5()}
    files |= {f"Figure {number}": merge_order.figure(number) for number in merge_order.FIGURES}
    found = {name: in_order(keys) for name, keys in files.items()}
    says = listed(found.items(), lambda name, kept: f"{name} {'in order' if kept else 'out of order'}")
    holds = [name for name, kept in found.items() if kept] == list(OTHER_FILES)
    mixed = {name[::-1]: key for name, key in OTHER_FILES["Figures 10 to 12"].items()}
    slips = {
        "a stable sort": in_order(files["Table 5"], stable),
        "names read backwards": not in_order(mixed, partial(merge_order.looks_as_merged, names=sorted)),
    }
    return concluded(Status.CONFIRMED if holds else Status.REFUTED, says, slips if holds else None)


claim(
    "nau/export.order",
    at="additional to Tables 3 and 5 and Figures 3 to 7 and 10 to 12",
    says="the export puts evaluations of Table 5 and Figures 3, 4, 5 and 7 out of the order of time, but not those "
    "of Table 3 and Figures 6 and 10 to 12",
    relation=Reproduces(),
    experiment=kept_in_order,
    assumptions="each run has all its evaluations, and each file has every run that the published scripts start",
    note="keys that form blocks keep their order. Table 3, Table 6 and Figure 6 have one key. Figures 10 to 12 have "
    "all additions first, then subtractions, then multiplications. In Table 5 the names alternate between operations "
    "unit by unit. The same runs can therefore be published with different results",
    kind=Kind.ADDITIONAL,
)
