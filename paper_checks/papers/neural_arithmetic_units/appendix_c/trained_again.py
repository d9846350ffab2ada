"""Appendix C.2, Tables 4 and 5, trained in full: ten runs of 5,000,000 iterations for each row.

Rows of networks that are one affine map are not trained for multiplication: nau/beyond.affine-multiplication.
"""

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from montecarlo import Sweep
from paper_checks import OPEN, Cell, Cells, Finding, Replicates, Status, common, concluded, wrong
from paper_checks.papers.neural_arithmetic_units import comparisons, sweeps, trained
from paper_checks.papers.neural_arithmetic_units.printed_tables import COMPARISONS, SENTENCE, SHARED, TABLE_5, Row
from paper_checks.rules.means import combine
from paper_checks.rules.strata import Stratum, average


def runs_for(context, operation: str, model: str) -> trained.Runs:
    sweep = sweeps.TABLE_5[model]
    return trained.runs_of(sweep, context.rows(sweep), operation=operation, model=model)


# Rows that other experiments than TABLE_5 judge, or judge as well.
MORE = {
    ("multiplication", "nmu"): (sweeps.TABLE_5_MULTIPLICATION,),
    ("multiplication", "nac_mul"): (sweeps.TABLE_5_MULTIPLICATION,),
    **{(operation, "nalu"): (sweeps.TABLE_5["nalu"], more) for operation, more in sweeps.TABLE_5_NALU.items()},
}


def sweeps_of(operation: str, model: str) -> tuple[Sweep, ...]:
    return MORE.get((operation, model), (sweeps.TABLE_5[model],))


def most_runs(context, operation: str, model: str) -> trained.Runs:
    """All runs of a row in full length that judge its numbers."""
    sweeps = sweeps_of(operation, model)
    return trained.together(trained.runs_of(s, context.rows(s), operation=operation, model=model) for s in sweeps)


def printed_row(operation: str, model: str) -> Row:
    return TABLE_5[sweeps.SIGNS[operation], sweeps.NAMES[model]]


def row(context, operation: str, model: str) -> list[Cell]:
    # Weights of these models have any size.
    farthest = math.inf if model in ("linear", "relu", "relu6") else comparisons.FARTHEST
    return comparisons.of_row(most_runs(context, operation, model), printed_row(operation, model), farthest)


LATE = (
    "the published mean is several times ours. Its interval is nearly as wide as the mean, so that ten published and "
    "ten own runs do not distinguish them"
)
WIDE = "the published intervals are too wide, or the published runs too few, to settle it"
NOTES = {
    ("subtraction", "nac_add"): LATE,
    ("subtraction", "linear"): LATE,
    ("addition", "nau"): LATE,
    ("addition", "relu"): f"{LATE}. {WIDE[0].upper()}{WIDE[1:]}",
    ("multiplication", "nac_mul"): WIDE,
    ("subtraction", "nalu"): "of our first ten runs 1 succeeds, and of 15 more, with other seeds, 7. At such a rate no "
    "published count of ten runs is contradicted; more published runs are needed to settle it",
    ("addition", "nalu"): "of the published counts only ten of ten would have been contradicted",
}

# Rows of which no number could have been rejected.
SETTLED_BY_MORE = {("subtraction", "nalu"), ("addition", "relu"), ("multiplication", "nac_mul")}

# The last number: how many of the six numbers of a row could have been rejected; a test counts them. 0 where it is not
# said.
ROWS = (
    ("nau/table5.subtraction.nac-mul.rate", "subtraction", "nac_mul", 0),
    ("nau/table5.subtraction.nac-add.rate", "subtraction", "nac_add", 2),
    ("nau/table5.subtraction.linear.rate", "subtraction", "linear", 1),
    ("nau/table5.subtraction.nalu.rate", "subtraction", "nalu", 0),
    ("nau/table5.subtraction.nau.rate", "subtraction", "nau", 3),
    ("nau/table5.subtraction.nmu.rate", "subtraction", "nmu", 1),
    ("nau/table5.subtraction.relu.rate", "subtraction", "relu", 0),
    ("nau/table5.subtraction.relu6.rate", "subtraction", "relu6", 0),
    ("nau/table5.multiplication.nac-mul.rate", "multiplication", "nac_mul", 0),
    ("nau/table5.multiplication.nalu.rate", "multiplication", "nalu", 0),
    ("nau/table5.multiplication.nmu.rate", "multiplication", "nmu", 1),
    ("nau/table5.multiplication.relu.rate", "multiplication", "relu", 0),
    ("nau/table5.multiplication.relu6.rate", "multiplication", "relu6", 0),
    ("nau/table5.addition.nac-mul.rate", "addition", "nac_mul", 0),
    ("nau/table5.addition.nac-add.rate", "addition", "nac_add", 2),
    ("nau/table5.addition.linear.rate", "addition", "linear", 3),
    ("nau/table5.addition.nalu.rate", "addition", "nalu", 0),
    ("nau/table5.addition.nau.rate", "addition", "nau", 1),
    ("nau/table5.addition.nmu.rate", "addition", "nmu", 0),
    ("nau/table5.addition.relu.rate", "addition", "relu", 0),
    ("nau/table5.addition.relu6.rate", "addition", "relu6", 0),
)

for _id, _operation, _model, _could in ROWS:
    comparisons.replicates(
        _id,
        at=f"Table 5, {_operation}, {sweeps.NAMES[_model]}",
        says=comparisons.said(printed_row(_operation, _model), _could),
        runs=sweeps_of(_operation, _model),
        evidence=[Cells(partial(row, operation=_operation, model=_model))],
        note=NOTES.get((_operation, _model), ""),
        expects=OPEN if (_operation, _model) in SETTLED_BY_MORE else None,
    )

comparisons.every_number(
    "nau/table5.means",
    at="Tables 4 and 5, 'solved at' and sparsity error",
    says="each published median, mean and half width of 'solved at' and of the sparsity error is that of our runs",
    runs=(*sweeps.TABLE_5.values(), sweeps.TABLE_5_MULTIPLICATION, *sweeps.TABLE_5_NALU.values()),
    experiment=lambda context: comparisons.each(cell for _, *key, _ in ROWS for cell in row(context, *key)),
)

# --- all rows together ------------------------------------------------------------------------------------------


def all_rows(context, share: float = 1.0) -> Finding:
    """Counts, ours and printed, row by row, with a threshold of so much of the usual one."""
    strata = []
    for model, sweep in sweeps.TABLE_5.items():
        for operation in (point["operation"] for point in sweep.points):
            runs, printed = runs_for(context, operation, model), printed_row(operation, model)
            found = replace(runs, threshold=share * runs.threshold)
            strata.append(Stratum(found.successes, len(runs), printed.successes, printed.seeds))
    return comparisons.pooled(strata)


all_rows_of_5 = common(
    relation=Replicates(of=COMPARISONS), assumptions=comparisons.POOLED, runs=tuple(sweeps.TABLE_5.values())
)

all_rows_of_5(
    "nau/table5.rates",
    at="Table 5, success rates",
    says="networks succeed as often as published, in all rows together",
    experiment=all_rows,
    note="without the rows of affine maps for multiplication, which cannot succeed: nau/beyond.affine-multiplication",
)

all_rows_of_5.alternative(
    "nau/beyond.criterion-eps",
    at="additional to Table 5 and 3.1.1",
    says="with eps = 1e-5 in place of 1e-4 in the criterion, networks succeed as often as in Table 5, in all rows "
    "together",
    # tests/paper_checks/papers/test_nau_notes.py has these numbers from the stored runs.
    note="the paper gives no eps. With 1e-5 none of our networks of NAU and Linear succeeds at subtraction, and all "
    "published ones do. With 1e-4 the counts are reproduced: nau/table5.rates. The choice changes the counts of NMUs "
    "where the task is hard. For eps = 1e-4, eps = 1e-5 and in the paper, 10, 0 and 7 of ten succeed on U[-2, 2], 9, 3 "
    "and 4 with 200 inputs, and 10, 4 and 6 without overlap",
    # The error of the nearly perfect solution goes with the square of eps.
    experiment=partial(all_rows, share=1 / 100),
    expects=wrong(correct="nau/table5.rates"),
)

# --- the sentences on them --------------------------------------------------------------------------------------


def against_nac(context, sweep: Sweep, judged: Callable[..., Finding]) -> Finding:
    nmu, nac = (trained.runs_of(sweep, context.rows(sweep), model=model) for model in ("nmu", "nac_mul"))
    return judged(nmu, {"NAC multiplication": nac}, SENTENCE)


for _id, _says, _sweep, _judged, _test in (
    (
        "nau/table5.text.success", "succeeds more often", sweeps.TABLE_5_MULTIPLICATION, trained.more_successes,
        "Fisher's exact test",
    ),
    (
        "nau/table5.text.speed", "is solved earlier", sweeps.TABLE_5_SPEED, trained.earlier,
        "Mann-Whitney test of runs that succeed, made for this comparison after its rule was fixed",
    ),
):  # fmt: skip
    comparisons.reproduces(
        _id,
        at="3.1.4, on Tables 4 and 5, our runs",
        says=f"for multiplication NMU {_says} than NAC multiplication",
        quote="For multiplication, the NMU success more often and converges faster.",
        assumptions=f"{_test}; {SHARED}",
        note="for the published numbers see nau/text.table4.success and nau/text.table4.speed. Linear cannot succeed: "
        "nau/beyond.affine-multiplication",
        runs=_sweep,
        experiment=partial(against_nac, sweep=_sweep, judged=_judged),
    )


def nalu_behind(context) -> Finding:
    """NALU against the NAC unit of each operation."""
    found, exchanged = [], []
    for operation, model in (("addition", "nac_add"), ("subtraction", "nac_add"), ("multiplication", "nac_mul")):
        unit, nalu = (most_runs(context, operation, name) for name in (model, "nalu"))
        found.append(trained.more_successes(unit, {f"NALU, {operation}": nalu}, SENTENCE))
        exchanged.append(trained.more_successes(nalu, {model: unit}, SENTENCE).printed)
    slips = {"models exchanged": combine(exchanged) is Status.REFUTED}
    return concluded(combine([f.printed for f in found]), "; ".join(f.says for f in found), slips)


comparisons.reproduces(
    "nau/table5.text.nalu",
    at="section 1, on Table 4, our runs",
    says="on the task of Table 4 NALU succeeds significantly less often than NAC addition and NAC multiplication",
    quote="where the NALU performs significantly worse than $\\text{NAC}_+$ and $\\text{NAC}_\\bullet$",
    assumptions=f"Fisher's exact test of each operation; {SHARED}",
    note="after the first ten runs of NALU the numbers of further runs were fixed, at seeds not seen before; all are "
    "counted. The published counts alone: nau/text.table4.nalu-multiplication",
    runs=(
        sweeps.TABLE_5["nalu"],
        *sweeps.TABLE_5_NALU.values(),
        sweeps.TABLE_5["nac_add"],
        sweeps.TABLE_5_MULTIPLICATION,
    ),
    experiment=nalu_behind,
)


def seldom_discrete(context) -> Finding:
    """Of the networks of NAC addition that succeed: those with all weights within 1/4 of -1, 0 or 1."""
    counts = {}
    for model in ("nac_add", "nau"):
        found = [runs_for(context, operation, model) for operation in ("addition", "subtraction")]
        counts[model] = [(int((runs.sparsity < 1 / 4).sum()), runs.successes) for runs in found]
    share = average(counts["nac_add"])
    slips = {"NAU in place of NAC addition": average(counts["nau"]).below(3 / 4) is not Status.CONFIRMED}
    return concluded(share.below(3 / 4), f"networks with all weights within 1/4 of -1, 0 or 1: {share}", slips)


comparisons.reproduces.alternative(
    "nau/table5.text.sparse-rarely-found",
    at="section 1, third finding, our runs",
    says="at most three in four networks of NAC addition that succeed have all weights near -1, 0 or 1",
    quote="Using the addition module $\\text{NAC}_+$, we observe that the wanted weight matrix values of $\\{-1, 0, "
    "1\\}$ is rarely found.",
    assumptions="interval for an average of unequal probabilities, error rate 2e-11. With twenty runs no smaller "
    "fraction is excluded",
    note="near is within 1/4. The paper says 'rarely'. For the published numbers nau/text.sparse-rarely-found tests "
    "whether it is fewer than half",
    runs=(sweeps.TABLE_5["nac_add"], sweeps.TABLE_5["nau"]),
    experiment=seldom_discrete,
)


def sparser(context) -> Finding:
    """Sparsity errors of NAU against those of NAC addition and Linear, stratified by operation."""
    pairs = []
    for operation in ("addition", "subtraction"):
        own, *others = (runs_for(context, operation, model).sparsity for model in ("nau", "nac_add", "linear"))
        pairs.append((own, np.concatenate(others)))
    says = "; ".join(f"NAU {own.mean():.2g}, the others {other.mean():.2g}" for own, other in pairs)
    status = trained.all_smaller(pairs)
    slips = {"models exchanged": trained.all_smaller([pair[::-1] for pair in pairs]) is Status.REFUTED}
    return concluded(
        status, f"means for addition and subtraction: {says}", slips if status is Status.CONFIRMED else None
    )


comparisons.reproduces(
    "nau/table5.text.sparser",
    at="3.1.4, on Tables 4 and 5, our runs",
    says="for addition and subtraction networks of NAU that succeed have a smaller sparsity error than those of NAC "
    "addition and Linear",
    quote="the NAU model converges faster, given the median, and has a more sparse solution.",
    assumptions="exact test of how many sparsity errors are among the larger ones, stratified by operation, error rate "
    "2e-11",
    note="for the published numbers see nau/text.table4.sparser",
    runs=(sweeps.TABLE_5["nau"], sweeps.TABLE_5["nac_add"], sweeps.TABLE_5["linear"]),
    experiment=sparser,
)
