"""Appendix C.2, Tables 4 and 5, trained in full: ten runs of 5,000,000 iterations for each row.

Rows of networks that are one affine map are not trained for multiplication: nau/beyond.affine-multiplication.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from paper_checks import OPEN, Kind, Reproduces, Status, claim, concluded
from paper_checks.evidence.finding import Finding
from paper_checks.papers.neural_arithmetic_units.long_runs import TEN, TOGETHER, described, together
from paper_checks.papers.neural_arithmetic_units.printed_tables import TABLE_5 as PRINTED
from paper_checks.papers.neural_arithmetic_units.sweeps import TABLE_5
from paper_checks.papers.neural_arithmetic_units.trained import Runs, earlier, more_successes, runs_of
from paper_checks.rules.means import told
from paper_checks.rules.reproduction import reproduced_count
from paper_checks.rules.strata import Stratum, average, more_often, p_value_of_one_law, split

SIGNS = {"subtraction": "-", "multiplication": "x", "addition": "+"}
NAMES = {
    "nac_mul": "NAC mul", "nac_add": "NAC add", "linear": "Linear", "nalu": "NALU", "nau": "NAU", "nmu": "NMU",
    "relu": "ReLU", "relu6": "ReLU6",
}  # fmt: skip


def runs_for(context, operation: str, model: str) -> Runs:
    sweep = TABLE_5[model]
    return runs_of(sweep, context.rows(sweep), operation=operation, model=model)


def row(context, operation: str, model: str) -> Finding:
    """Runs beside the printed row."""
    runs, printed = runs_for(context, operation, model), PRINTED[SIGNS[operation], NAMES[model]]
    status = reproduced_count(runs.successes, len(runs), printed.successes, printed.seeds)
    return concluded(status, described(runs, printed))


for _id, _operation, _model in (
    ("nau/table5.subtraction.nac-mul.rate", "subtraction", "nac_mul"),
    ("nau/table5.subtraction.nac-add.rate", "subtraction", "nac_add"),
    ("nau/table5.subtraction.linear.rate", "subtraction", "linear"),
    ("nau/table5.subtraction.nalu.rate", "subtraction", "nalu"),
    ("nau/table5.subtraction.nau.rate", "subtraction", "nau"),
    ("nau/table5.subtraction.nmu.rate", "subtraction", "nmu"),
    ("nau/table5.subtraction.relu.rate", "subtraction", "relu"),
    ("nau/table5.subtraction.relu6.rate", "subtraction", "relu6"),
    ("nau/table5.multiplication.nac-mul.rate", "multiplication", "nac_mul"),
    ("nau/table5.multiplication.nalu.rate", "multiplication", "nalu"),
    ("nau/table5.multiplication.nmu.rate", "multiplication", "nmu"),
    ("nau/table5.multiplication.relu.rate", "multiplication", "relu"),
    ("nau/table5.multiplication.relu6.rate", "multiplication", "relu6"),
    ("nau/table5.addition.nac-mul.rate", "addition", "nac_mul"),
    ("nau/table5.addition.nac-add.rate", "addition", "nac_add"),
    ("nau/table5.addition.linear.rate", "addition", "linear"),
    ("nau/table5.addition.nalu.rate", "addition", "nalu"),
    ("nau/table5.addition.nau.rate", "addition", "nau"),
    ("nau/table5.addition.nmu.rate", "addition", "nmu"),
    ("nau/table5.addition.relu.rate", "addition", "relu"),
    ("nau/table5.addition.relu6.rate", "addition", "relu6"),
):
    _printed = PRINTED[SIGNS[_operation], NAMES[_model]]
    claim(
        _id,
        at=f"Table 5, {_operation}, {NAMES[_model]}",
        says=f"{_printed.successes} of 10 networks succeed"
        + (f", half of them after {_printed.median:,.0f} iterations" if _printed.median else ""),
        relation=Reproduces(),
        assumptions=TEN,
        runs=TABLE_5[_model],
        experiment=partial(row, operation=_operation, model=_model),
        expects=OPEN,
    )

# --- all rows together ------------------------------------------------------------------------------------------


def all_rows(context) -> Finding:
    """Ours and printed, row by row."""
    strata = []
    for model, sweep in TABLE_5.items():
        for point in sweep.points:
            runs = runs_for(context, point["operation"], model)
            printed = PRINTED[SIGNS[point["operation"]], NAMES[model]]
            strata.append(Stratum(runs.successes, len(runs), printed.successes, printed.seeds))
    found = together(strata)
    return replace(found, says=f"{', '.join(NAMES[model] for model in TABLE_5)}: {found.says}")


claim(
    "nau/table5.rates",
    at="Table 5, success rates",
    says="networks succeed as often as printed, in all rows together",
    relation=Reproduces(),
    assumptions=TOGETHER,
    runs=tuple(TABLE_5.values()),
    experiment=all_rows,
    expects=OPEN,
)


def by_another_criterion(context) -> Finding:
    """The same runs, held against the nearly perfect solution of ten times smaller eps, whose error is a hundredth."""

    def strata(share: float) -> list[Stratum]:
        found = []
        for model, sweep in TABLE_5.items():
            for point in sweep.points:
                runs, printed = (
                    runs_for(context, point["operation"], model),
                    PRINTED[SIGNS[point["operation"]], NAMES[model]],
                )
                stricter = replace(runs, threshold=share * runs.threshold)
                found.append(Stratum(stricter.successes, len(runs), printed.successes, printed.seeds))
        return found

    usual, found = strata(1.0), together(strata(1 / 100))
    return replace(found, says=f"with 1e-5 {found.says}; with 1e-4 p = {p_value_of_one_law(usual):.2g}")


claim(
    "nau/beyond.criterion-eps",
    at="beyond Table 5, 3.1.1",
    says="with eps = 1e-5 in the criterion, for 1e-4, networks succeed as often as Table 5 prints, in all rows "
    "together",
    relation=Reproduces(),
    kind=Kind.ADDITIONAL,
    expects=OPEN,
    assumptions=TOGETHER,
    note="with it none of NAU and Linear succeeds at subtraction, printed all: twice as many seeds would tell. The "
    "paper gives no eps. Counts of NMUs depend on it where tasks are hard: on U[-2, 2] ours are 10 and 0 (printed 7), "
    "with 200 inputs 9 and 3 (4), without overlap 10 and 4 (6)",
    runs=tuple(TABLE_5.values()),
    experiment=by_another_criterion,
)

# --- the sentences on them --------------------------------------------------------------------------------------

QUOTE = "For multiplication, the NMU success more often and converges faster."
RIVAL = {"NAC multiplication": "nac_mul"}


def rivals(context) -> tuple[Runs, dict[str, Runs]]:
    runs = {name: runs_for(context, "multiplication", model) for name, model in RIVAL.items()}
    return runs_for(context, "multiplication", "nmu"), runs


for _id, _says, _judged in (
    ("nau/table5.text.success", "succeeds more often", more_successes),
    ("nau/table5.text.speed", "is solved earlier", earlier),
):
    claim(
        _id,
        at="3.1.4, on Tables 4 and 5, trained anew",
        says=f"for multiplication NMU {_says} than NAC multiplication",
        quote=QUOTE,
        relation=Reproduces(),
        assumptions="exact tests, error rate 2e-11, at which no two counts or orders of ten runs are told apart",
        note="nau/text.table4.success and nau/text.table4.speed say it of the printed numbers. Linear cannot succeed: "
        "nau/beyond.affine-multiplication",
        runs=(TABLE_5["nmu"], TABLE_5["nac_mul"]),
        experiment=lambda context, judged=_judged: judged(*rivals(context)),
        expects=OPEN,
    )


def seldom_discrete(context) -> Finding:
    """Of the networks of NAC addition that succeed: those with all weights within 1/4 of -1, 0 or 1."""
    counts = {}
    for model in ("nac_add", "nau"):
        found = [runs_for(context, operation, model) for operation in ("addition", "subtraction")]
        counts[model] = [(int((runs.sparsity < 1 / 4).sum()), runs.successes) for runs in found]
    share = average(counts["nac_add"])
    slips = {"NAU for NAC addition": average(counts["nau"]).below(3 / 4) is not Status.CONFIRMED}
    return concluded(share.below(3 / 4), f"all weights within 1/4 of -1, 0 or 1: {share}", slips)


claim(
    "nau/table5.text.sparse-rarely-found",
    at="section 1, third finding, trained anew",
    says="at most three in four networks of NAC addition that succeed have all weights near -1, 0 or 1",
    quote="Using the addition module $\\text{NAC}_+$, we observe that the wanted weight matrix values of $\\{-1, 0, "
    "1\\}$ is rarely found.",
    relation=Reproduces(),
    kind=Kind.ALTERNATIVE,
    assumptions="interval for an average of unequal probabilities, error rate 2e-11: of twenty runs none tells no less",
    note="near is within 1/4. The sentence says more, 'rarely', as nau/text.sparse-rarely-found does of the printed "
    "numbers: fewer than half",
    runs=(TABLE_5["nac_add"], TABLE_5["nau"]),
    experiment=seldom_discrete,
)


def all_smaller(pairs: list[tuple[np.ndarray, np.ndarray]]) -> Status:
    """Whether the first values are the smaller ones, in all settings together."""
    right, wrong = [split(other, own) for own, other in pairs], [split(own, other) for own, other in pairs]
    return told(*(more_often(strata) is Status.CONFIRMED for strata in (right, wrong)))


def sparser(context) -> Finding:
    """Sparsity errors of NAU against those of NAC addition and Linear, stratified by operation."""
    pairs = []
    for operation in ("addition", "subtraction"):
        own, *others = (runs_for(context, operation, model).sparsity for model in ("nau", "nac_add", "linear"))
        pairs.append((own, np.concatenate(others)))
    says = "; ".join(f"NAU {own.mean():.2g}, the others {other.mean():.2g}" for own, other in pairs)
    status = all_smaller(pairs)
    slips = {"models exchanged": all_smaller([pair[::-1] for pair in pairs]) is Status.REFUTED}
    return concluded(
        status, f"means for addition and subtraction: {says}", slips if status is Status.CONFIRMED else None
    )


claim(
    "nau/table5.text.sparser",
    at="3.1.4, on Tables 4 and 5, trained anew",
    says="for addition and subtraction NAU that succeeds is nearer to discrete weights than NAC addition and Linear",
    quote="the NAU model converges faster, given the median, and has a more sparse solution.",
    relation=Reproduces(),
    assumptions="exact test of how many are among the larger errors, stratified by operation, error rate 2e-11",
    note="nau/text.table4.sparser says it of the printed numbers",
    runs=(TABLE_5["nau"], TABLE_5["nac_add"], TABLE_5["linear"]),
    experiment=sparser,
)
