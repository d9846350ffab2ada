"""The order of rows in the public export: whose evaluations stay in order, and what a later file shows run by run.

In this public file names alone predict which NAUs appear to be late, and when. They do not predict most of the
subtractions of NAC addition that are late.
"""

from functools import partial

import numpy as np

from paper_checks import Finding
from paper_checks.papers.neural_arithmetic_units import comparisons, exported, merge_order, sweeps
from paper_checks.papers.neural_arithmetic_units.merge_order import EVERY, LOOKS, read_solved, run_name
from paper_checks.papers.neural_arithmetic_units.section_3.export import END, shown, stable
from paper_checks.rules.proportions import listed

# Where looks come in another order, "solved at" may be read so much later: a run is not below at each of them.
LONGEST = 100_000


def below_again(context) -> Finding:
    """How often runs are below the threshold once they have been."""
    fractions, waits, longest = [], [], 0.0
    for rows, point in zip(context.rows(sweeps.LOOKED_AT), sweeps.LOOKED_AT.points, strict=True):
        end = point.get("steps", END)
        for solved, _, below, wait in rows[rows[:, 0] >= 0]:
            longest = max(longest, wait)
            looks = (end - solved) // EVERY + 1
            fractions.append(below / looks)
            waits.append(EVERY * looks / below)
    runs = sum(len(rows) for rows in context.rows(sweeps.LOOKED_AT))
    says = (
        f"{len(waits)} of {runs} runs are below the threshold at least once. They are below it at {min(fractions):.1%} "
        f"to {max(fractions):.1%} of the evaluations from then on, {np.median(fractions):.0%} in the median: at least "
        f"once in {max(waits):,.0f} iterations on average. The longest time above it is {longest:,.0f} iterations"
    )
    slips = {"half as many evaluations below": 2 * max(waits) >= LONGEST}
    return shown(len(waits) == runs and max(waits) < LONGEST, says, slips)


comparisons.reproduces.additional(
    "nau/export.below-again",
    at="additional to Table 5 and Figures 3 to 7",
    says="after a run is first below the threshold, it is below it at least once in 100,000 iterations on average",
    runs=sweeps.LOOKED_AT,
    experiment=below_again,
    assumptions="averages are over the evaluations after the first one below the threshold. Another order of the "
    "evaluations then delays 'solved at' by at most 1/50 of a run on average",
    note="these are runs at ten settings of Table 5 and Figures 3, 4, 5 and 7. Runs with 4, 10 and 25 inputs have "
    "full length, the others end after they are solved. Steps of Adam can leave the small region of success; "
    "subtraction by Linear is least often below the threshold. With such gaps inserted at random, exported means "
    "change by at most 2 %",
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


def in_order(keys, order: exported.Order = merge_order.looks_as_merged) -> bool:
    """Whether the looks at every run come out in the order of time."""
    return all((np.diff(looks) > 0).all() for looks in order(keys).values())


def kept_in_order(_context) -> Finding:
    """Which tables and figures the export leaves as they are."""
    files = {**OTHER_FILES, "Table 5": merge_order.table_5()}
    files |= {f"Figure {number}": merge_order.figure(number) for number in merge_order.FIGURES}
    found = {name: in_order(keys) for name, keys in files.items()}
    says = listed(found.items(), lambda name, kept: f"{name} {'in order' if kept else 'out of order'}")
    mixed = {name[::-1]: key for name, key in OTHER_FILES["Figures 10 to 12"].items()}
    slips = {
        "a stable sort": in_order(files["Table 5"], stable),
        "names read backwards": not in_order(mixed, partial(merge_order.looks_as_merged, names=sorted)),
    }
    return shown([name for name, kept in found.items() if kept] == list(OTHER_FILES), says, slips)


comparisons.reproduces.additional(
    "nau/export.order",
    at="additional to Tables 3 and 5 and Figures 3 to 7 and 10 to 12",
    says="the export puts evaluations of Table 5 and Figures 3, 4, 5 and 7 out of the order of time, but not those "
    "of Table 3 and Figures 6 and 10 to 12",
    experiment=kept_in_order,
    assumptions="each run has all its evaluations, and each file has every run that the published scripts start",
    note="keys that form blocks keep their order. Table 3, Table 6 and Figure 6 have one key. Figures 10 to 12 have "
    "all additions first, then subtractions, then multiplications. In Table 5 the names alternate between operations "
    "unit by unit. The same runs can therefore be published with different results",
)

# --- a later file -----------------------------------------------------------------------------------------------

# stable-nalu at commit b3296ac, paper/results/sft-last.csv: a line for each of 6000 runs.
MODELS = (
    "linear", "nac", "nac-nac-n", "nalu", "posnac-nac-n", "relu", "relu6", "reregualizedlinearnac",
    "reregualizedlinearnac-nac-m", "reregualizedlinearposnac-nac-n",
)  # fmt: skip
OPERATIONS, SEEDS = ("add", "div", "mul", "root", "squared", "sub"), range(100)
# Looks at the runs of NALU that have fewer than 5001, by operation and seed.
SHORT = {
    "add": {11: 130, 32: 274, 34: 132, 49: 33, 7: 6, 76: 9, 79: 13, 90: 60},
    "div": {29: 782},
    "mul": {0: 33, 17: 16, 34: 9, 38: 514, 41: 5, 49: 35, 61: 24, 82: 1091, 90: 6},
    "root": {49: 37, 63: 1501, 98: 17},
    "squared": {20: 116, 34: 9, 55: 25, 83: 76, 9: 219},
    "sub": {77: 46},
}
# "Solved at" of 100 seeds: the median; and of NAU those after 100,000 iterations by seed, others are near the median.
NAU, NAC = "reregualizedlinearnac", "nac"
MEDIANS = {(NAU, "add"): 18_000, (NAU, "sub"): 5_000, (NAC, "sub"): 9_000}
LATE_AT = {
    (NAU, "add"): {24: 1_166_000, 30: 3_984_000, 38: 3_827_000, 65: 1_991_000, 72: 1_834_000, 86: 4_495_000},
    (NAU, "sub"): {29: 351_000, 42: 3_010_000, 77: 1_019_000, 85: 991_000},
}
LATE = 100_000
# Seeds of the late subtractions of NAC addition.
NAC_LATE = (4, 11, 13, 15, 18, 19, 26, 27, 57, 63, 65, 70, 76, 77, 79, 82, 87)
# Iterations: looks of a run are apart by 1000, and its errors are not below the threshold at each of them.
NEAR = 5_000


def name(model: str, operation: str, seed: int) -> str:
    """What decides the place of a run among names; the rest of them is the same for all runs of a model."""
    return f"{model}_op-{operation}_s{seed}_"


KEYS = {name(m, o, s): o for m in MODELS for o in OPERATIONS for s in SEEDS}
SIZES = {**dict.fromkeys(KEYS, LOOKS), **{name("nalu", o, s): n for o, some in SHORT.items() for s, n in some.items()}}

Late = dict[tuple[str, str], dict[int, float]]


def predicted(order) -> Late:
    """Runs that appear to be late if each is solved at the median: by model and operation, when by seed."""
    merged, found = order(KEYS, wanted={name(*run, s) for run in MEDIANS for s in SEEDS}), {}
    for run, median in MEDIANS.items():
        times = {s: read_solved(merged[name(*run, s)], median) for s in SEEDS}
        found[run] = {s: time for s, time in times.items() if time > LATE}
    return found


def agree(found: Late) -> bool:
    """Whether they are those of the file, at the same time."""
    return all(
        found[run].keys() == late.keys() and all(abs(found[run][s] - time) <= NEAR for s, time in late.items())
        for run, late in LATE_AT.items()
    )


def later_file(_context) -> Finding:
    """Late NAUs of the later file, and those that the order of rows predicts."""
    found = predicted(partial(merge_order.looks_as_merged, looks=SIZES))
    pairs = [(time, found[run].get(s, np.nan)) for run, late in LATE_AT.items() for s, time in late.items()]
    explained = len(found[NAC, "sub"].keys() & set(NAC_LATE))
    says = (
        f"{sum(len(found[run]) for run in LATE_AT)} late of 200 predicted, {len(pairs)} in the file; predicted minus "
        f"file, in iterations: {', '.join(f'{mine - theirs:,.0f}' for theirs, mine in pairs)}; {explained} of "
        f"{len(NAC_LATE)} late subtractions of NAC addition"
    )
    slips = {
        "a stable sort": not agree(predicted(stable)),
        "all runs have 5001 evaluations": not agree(predicted(merge_order.looks_as_merged)),
    }
    return shown(agree(found) and explained == 1, says, slips)


comparisons.reproduces.additional(
    "nau/export.later-file",
    at="additional to Table 5, the authors' later file of 100 seeds",
    says="the order of rows in the public export predicts which 10 of 200 NAUs of the later file appear to be solved "
    "late, and when, to 5,000 iterations, but only 1 of 17 late subtractions of NAC addition",
    experiment=later_file,
    assumptions="names and numbers of evaluations of all 6000 runs are those of the file; every run is solved at the "
    "median",
    note="'late' is after 100,000 iterations. These are 6 additions and 4 subtractions among 30 million rows. No "
    "training is used. 'Solved at' of the other 190 is within 3,000 iterations of the median. What makes NAC addition "
    "late at subtraction is therefore open; for Table 5 see nau/table5.late",
)
